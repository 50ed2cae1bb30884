import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Session, type Store } from '../../../src/index.ts';
import { sliceLength } from '../../../src/tokenizer/slice.ts';
import { countTokens } from '../../../src/tokenizer/tiktoken.ts';
import { countAhead } from '../../../src/engine/live/counting.ts';

let store: Store;
let session: Session;

beforeEach(async () => {
  store = await openStore(':memory:');
  session = await store.open('s', { window: 8_000, title: 'Work' });
});

afterEach(() => store.close());

/** A text of some `slices` slices. */
const giant = (slices: number): string => 'some words '.repeat((slices * sliceLength) / 11);

/** Turns of the event loop that others get until `work` is over. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer: NodeJS.Immediate;
  const turn = (): void => {
    turns += 1;
    timer = setImmediate(turn);
  };
  turn();
  await work.finally(() => clearImmediate(timer));
  return turns;
}

test('others get a turn after each slice of a giant text', async () => {
  const text = giant(8);
  const appending = session.append({ role: 'user', content: text });
  expect(await turnsDuring(appending)).toBeGreaterThanOrEqual(8);
  const { id } = await appending;
  expect((await session.entry(id)).tokens).toBe(4 + (await countTokens(text)));
});

test('arguments of a call are counted in slices, too', async () => {
  const message = {
    role: 'assistant',
    content: '',
    toolCalls: [{ name: 'write', arguments: { text: giant(6) } }],
  } as const;
  const appending = session.append(message);
  expect(await turnsDuring(appending)).toBeGreaterThanOrEqual(6);
  const { id } = await appending;
  const tokens = await countTokens(`write ${JSON.stringify(message.toolCalls[0].arguments)}`);
  expect((await session.entry(id)).tokens).toBe(4 + 8 + tokens);
});

test('what is appended after a giant stands after it', async () => {
  const ids = await Promise.all([
    session.append({ role: 'user', content: giant(4) }),
    session.append({ role: 'assistant', content: 'Read' }),
    session.append([
      { role: 'user', content: giant(2) },
      { role: 'user', content: 'Last' },
    ]),
  ]);
  expect(ids).toEqual([{ id: 'e1' }, { id: 'e2' }, { ids: ['e3', 'e4'] }]);
  expect((await session.entry('e2')).content).toBe('Read');
  expect((await session.entry('e4')).content).toBe('Last');
});

test('an append that is aborted between two slices appends nothing, and the next one goes on', async () => {
  const abort = new AbortController();
  let counted = 0;
  const count = (text: string): number => {
    counted += 1;
    if (counted === 2) abort.abort(new Error('Enough'));
    return text.length;
  };
  const message = { role: 'user', content: giant(8) } as const;
  await expect(countAhead([message], count, abort.signal)).rejects.toThrow('Enough');
  expect(counted).toBe(2);

  const stop = new AbortController();
  const appending = session.append(message, { signal: stop.signal });
  const next = session.append({ role: 'user', content: 'Next' });
  setImmediate(() => stop.abort(new Error('Stop')));
  await expect(appending).rejects.toThrow('Stop');
  expect(await next).toEqual({ id: 'e1' });
});

test('a text is counted once, in slices: the step asks for no more than its parts', async () => {
  const text = giant(4);
  const asked: number[] = [];
  const count = (part: string): number => {
    asked.push(part.length);
    return part.length;
  };
  const known = await countAhead([{ role: 'user', content: text }], count, undefined);
  expect(Math.max(...asked)).toBeLessThanOrEqual(sliceLength);
  expect(known(text)).toBe(asked.reduce((sum, length) => sum + length, 0));
  expect(asked.every((length) => length < text.length)).toBe(true);
});

test('messages of usual length wait for no turn', () => {
  const count = (text: string): number => text.length;
  const content = 'x'.repeat(sliceLength);
  expect(countAhead([{ role: 'user', content }], count, undefined)).toBe(count);
});
