import { countTokens } from '../../src/index.ts';
import { toSaid, type Called, type Shown } from './said.ts';

// How the baselines shorten a message: head and tail of its text, then of the
// long strings in its tool arguments, whose JSON stays whole.

/** A copy of a message with other content or calls. */
export async function edited(
  message: Shown,
  changes: Partial<Pick<Shown, 'content' | 'calls'>>,
): Promise<Shown> {
  const said = await toSaid({ ...message, ...changes });
  return { ...message, ...said, kind: 'shortened' };
}

/** Characters above which an argument counts as long. */
const longArgument = 200;

/** Parts of the room that the long arguments get, one try after the other: escaping costs, too. */
const tries: readonly number[] = [1, 0.7, 0.4, 0.1];

/** A message in about `most` tokens; one that is within them as it is. */
export async function shortened(message: Shown, most: number): Promise<Shown> {
  const { content, calls, tokens, place } = message;
  if (tokens <= most) return message;
  const over = tokens - most;
  const size = await countTokens(content);
  const about = (what: string): Marking => ({ what, place });
  if (calls.length === 0 || size > over + 60)
    return edited(message, {
      content: await mark(content, Math.max(8, size - over - 34), about('text')),
    });
  const isLong = size > 200;
  const short = isLong ? await mark(content, 100, about('text')) : content;
  const long = await Promise.all(calls.flatMap(longOf).map((text) => countTokens(text)));
  const sum = long.reduce((one, other) => one + other, 0);
  const freed = isLong ? size - 130 : 0;
  const room = Math.max(40, most - (tokens - sum) - 40 * long.length + freed);
  let copy = message;
  for (const part of tries) {
    const cutAll = calls.map((call) =>
      withArguments(call, async (text) =>
        mark(
          text,
          Math.max(8, Math.floor((part * room * (await countTokens(text))) / sum)),
          about('argument'),
        ),
      ),
    );
    copy = await edited(message, { content: short, calls: await Promise.all(cutAll) });
    if (copy.tokens <= most) break;
  }
  return copy;
}

function longOf({ arguments: given }: Called): readonly string[] {
  return (typeof given === 'string' ? [] : Object.values(given)).filter(isLongText);
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length > longArgument;
}

async function withArguments(
  call: Called,
  change: (text: string) => Promise<string>,
): Promise<Called> {
  if (typeof call.arguments === 'string') return call;
  const changed = Object.entries(call.arguments).map(
    async ([name, value]) => [name, isLongText(value) ? await change(value) : value] as const,
  );
  return { ...call, arguments: Object.fromEntries(await Promise.all(changed)) };
}

interface Marking {
  readonly what: string;
  readonly place: number | null;
}

/** Head and tail of a text in `room` tokens, with a marker between them. */
async function mark(text: string, room: number, { what, place }: Marking): Promise<string> {
  const size = await countTokens(text);
  if (size <= room) return text;
  const head = Math.floor(room * 0.6);
  return [
    await headOf(text, head),
    `[… ${size - room} tokens of ${what} left out, full text: log ${place} …]`,
    await tailOf(text, room - head),
  ].join('\n');
}

/** The longest start of a text within so many tokens, as far as its count grows with it. */
async function headOf(text: string, most: number): Promise<string> {
  return text.slice(0, await longest(text.length, most, (length) => text.slice(0, length)));
}

/** The longest end of a text within so many tokens. */
async function tailOf(text: string, most: number): Promise<string> {
  const from = (length: number): string => text.slice(text.length - length);
  return from(await longest(text.length, most, from));
}

/** The greatest length, up to `end`, of which the part is within `most` tokens. */
async function longest(
  end: number,
  most: number,
  part: (length: number) => string,
): Promise<number> {
  let fits = 0;
  let breaks = end + 1;
  for (let guess = Math.min(end, most * 4); breaks - fits > 1;) {
    if ((await countTokens(part(guess))) <= most) fits = guess;
    else breaks = guess;
    guess = Math.min(Math.floor((fits + breaks) / 2), 2 * fits + 16);
  }
  return fits;
}
