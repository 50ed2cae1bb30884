import { expect, test } from 'vitest';
import { openStore, type Message, type Session } from '../../src/index.ts';

// A window is there to be used: right after a compression most of it is in use
// still, and between compressions nearly all of it. Each session is written by a
// generator with a seed: turns of a person, a model that states, reads, edits and
// runs, and results of every length.

/** Numbers from 0 to 1 that only depend on a seed. */
function newLots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const subjects =
  'session cache token window parser index queue retry schema worker stream ledger'.split(' ');
const verbs = 'keeps drops reads writes merges splits closes opens counts ranks stores shows'.split(
  ' ',
);

/** Messages without end, as an agent at work appends them; `most` bounds a result, in words. */
function* work(seed: number, most: number): Generator<Message> {
  const lot = newLots(seed);
  const pick = (words: readonly string[]): string => words[Math.floor(lot() * words.length)]!;
  const name = (): string => `${pick(subjects)}-${pick(verbs)}-${Math.floor(lot() * 900)}`;
  const sentence = (): string =>
    `The ${pick(subjects)} of ${name()} ${pick(verbs)} the ${pick(subjects)} because ${name()} ${pick(verbs)} it ${Math.floor(lot() * 99)} times.`;
  const sentences = (count: number): string => Array.from({ length: count }, sentence).join(' ');
  const code = (words: number): string =>
    Array.from(
      { length: Math.ceil(words / 6) },
      (_, n) =>
        `${n + 1}\tconst ${pick(subjects)}${n} = ${pick(verbs)}(${pick(subjects)}, ${Math.floor(lot() * 900)});`,
    ).join('\n');
  for (let call = 0; ;) {
    yield {
      role: 'user',
      content: `Please see to ${name()}. ${sentences(1 + Math.floor(lot() * 4))}`,
    };
    for (let left = 3 + Math.floor(lot() * 12); left > 0; left -= 1) {
      const id = `k${(call += 1)}`;
      const path = `/home/me/app/src/${name()}.ts`;
      const [tool, given] = (
        [
          ['read', { path }],
          ['edit', { path, old_string: code(6), new_string: code(6 + lot() * 60) }],
          ['bash', { command: `npm test ${name()}` }],
        ] as const
      )[Math.floor(lot() * 3)]!;
      const content = lot() < 0.5 ? sentences(1 + Math.floor(lot() * 3)) : '';
      yield { role: 'assistant', content, toolCalls: [{ id, name: tool, arguments: given }] };
      const words = tool === 'edit' ? 12 : 12 + lot() ** 3 * most;
      yield { role: 'tool', toolCallId: id, name: tool, content: code(words) };
    }
    yield { role: 'assistant', content: sentences(3 + Math.floor(lot() * 5)) };
  }
}

/** Shares of the limit in use: after each append since the first compression, and right after each. */
async function usesOf(session: Session, seed: number, window: number) {
  const between: number[] = [];
  const after: number[] = [];
  for (const message of work(seed, window / 10)) {
    const { compressions } = session.state;
    await session.append(message);
    const { total, limit } = (await session.assemble()).budget;
    if (session.state.compressions > compressions) after.push(total / limit);
    if (session.state.compressions > 0) between.push(total / limit);
    if (session.state.compressions === 8) break;
  }
  return { between, after };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

// In a small one a single unit, and what checkpoints may take, is a good part of it; large ones are used in `npm run long`.
const windows = [
  [8_000, 0.6],
  [16_000, 0.6],
  ...(process.env['LONG'] === undefined
    ? []
    : [32_000, 128_000].map((one) => [one, 0.65] as const)),
] as const;

test.each(windows)(
  'a window of %i is used',
  async (window, least) => {
    for (const seed of [1, 2]) {
      const store = await openStore(':memory:');
      const session = await store.open('s', { window });
      const { between, after } = await usesOf(session, seed, window);
      await store.close();
      expect(mean(between), `seed ${seed}`).toBeGreaterThanOrEqual(0.8);
      expect(Math.min(...after), `seed ${seed}`).toBeGreaterThanOrEqual(least);
    }
  },
  120_000,
);
