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

/** The numbers that {@link packNumbers} was given. */
export function unpackNumbers(text: string): number[] {
  const numbers: number[] = [];
  let number = 0;
  let shift = 0;
  for (let at = 0; at < text.length; at += 1) {
    const value = values[text.charCodeAt(at)]!;
    number |= (value & 31) << shift;
    shift += 5;
    if (value > 31) continue;
    numbers.push(number);
    number = 0;
    shift = 0;
  }
  return numbers;
}
