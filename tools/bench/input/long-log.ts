import { openStore, type Message } from '../../../src/index.ts';
import { randomOf } from '../../random.ts';

// A log as long as is asked for, out of sessions that took place: they follow one
// another again and again. So that the log does not say the same things again and
// again, each round calls most of its seldom words by other names; two rounds
// share the words that are common, and some of the others.

/** Entries of the sessions that hold a word, from which on it keeps its name. */
const common = 40;
/** Of the words that are not common, the share that keeps its name in a round. */
const kept = 0.4;

const words = /[A-Za-z_]{4,40}/g;

/** The entries of session files, one file after the other. */
export async function readSessions(files: readonly string[]): Promise<readonly Message[]> {
  await using store = await openStore(':memory:');
  const read: Message[] = [];
  for (const file of files) {
    const { id } = await store.import(file, { window: 1_000_000_000 });
    await using session = await store.open(id);
    for await (const entry of session.log()) {
      const { id: _id, frame: _frame, at: _at, tokens: _tokens, ...message } = entry;
      read.push(message);
    }
  }
  return read;
}

/** `length` messages made of `told`; the same every time. */
export function* longLog(told: readonly Message[], length: number): Generator<Message> {
  const held = countWords(told);
  for (let n = 0; n < length; n += 1) {
    const round = Math.floor(n / told.length);
    const message = told[n % told.length]!;
    yield round === 0 ? message : renamed(message, round, held);
  }
}

/** In how many messages each word stands. */
function countWords(told: readonly Message[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const message of told)
    for (const word of new Set(JSON.stringify(message).match(words)))
      held.set(word, (held.get(word) ?? 0) + 1);
  return held;
}

function renamed(message: Message, round: number, held: ReadonlyMap<string, number>): Message {
  return mapTexts(message, (text) =>
    text.replace(words, (word) => {
      if ((held.get(word) ?? common) >= common) return word;
      const next = randomOf(hash(word) + round * 7_919);
      return next() < kept ? word : turned(word, 1 + Math.floor(next() * 19));
    }),
  );
}

/** Every text of a message but its ids and names. */
function mapTexts<T>(value: T, change: (text: string) => string, field = ''): T {
  if (typeof value === 'string') return (fixed.has(field) ? value : change(value)) as T;
  if (Array.isArray(value)) return value.map((one) => mapTexts(one as unknown, change, field)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapTexts(one as unknown, change, name)]),
  ) as T;
}

const fixed: ReadonlySet<string> = new Set([
  'role',
  'origin',
  'id',
  'toolCallId',
  'name',
  'type',
  'mediaType',
  'signature',
  'data',
]);

const consonants = 'bcdfghjklmnpqrstvwxz';

/** A word with its consonants turned by so many places: as long, and as easy to say. */
const turned = (word: string, by: number): string =>
  word.replace(/[b-df-hj-np-tv-xz]/gi, (letter) => {
    const small = letter.toLowerCase();
    const other = consonants[(consonants.indexOf(small) + by) % consonants.length]!;
    return letter === small ? other : other.toUpperCase();
  });

function hash(word: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1)
    sum = Math.imul(sum ^ word.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
