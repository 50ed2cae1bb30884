// Small numbers as a text that JSON leaves as it is: five bits a letter, the
// lowest first, and a sixth that says whether more follow.

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const values = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, letters.indexOf(String.fromCharCode(code))),
);

/** Whole numbers from 0 to 2³¹ − 1 as one text of letters, digits, dashes and underscores. */
export function packNumbers(numbers: readonly number[]): string {
  let text = '';
  for (const number of numbers) {
    let rest = number;
    for (; rest > 31; rest >>>= 5) text += letters[32 | (rest & 31)]!;
    text += letters[rest]!;
  }
  return text;
}

/** The numbers that {@link packNumbers} was given; `count` is how many there are. */
export function unpackNumbers(text: string, count: number = countNumbers(text)): Uint32Array {
  const numbers = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    let value = values[text.charCodeAt(at++)]!;
    let number = value & 31;
    for (let shift = 5; value > 31; shift += 5) {
      value = values[text.charCodeAt(at++)]!;
      number |= (value & 31) << shift;
    }
    numbers[index] = number;
  }
  return numbers;
}

function countNumbers(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (values[text.charCodeAt(at)]! < 32) count += 1;
  return count;
}
