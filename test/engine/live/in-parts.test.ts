import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { newRuns } from '../../../src/core/values/parts.ts';
import type * as deciding from '../../../src/engine/decide/decide.ts';
import { openStore, type Message } from '../../../src/index.ts';
import { scriptedSummarizer } from '../../../src/testing/scripted-summarizer.ts';
import { playMoves } from '../../../tools/laws/play.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { command as move, refusals } from '../../../src/testing/fast-check/commands.ts';
import { draws } from '../../draws.ts';

// Every step is decided twice here: broken off wherever it may be, as often as it
// may be, and then at once.

const taken = vi.hoisted(() => ({ isTwice: false, runs: 0, steps: 0 }));

vi.mock('../../../src/engine/decide/decide.ts', async (original) => {
  const { decide, ...others } = await original<typeof deciding>();
  return {
    ...others,
    decide: (...[state, input, context]: Parameters<typeof decide>) => {
      if (!taken.isTwice) return decide(state, input, context);
      const { run } = newRuns({ begin: () => undefined, isOver: () => true });
      let inParts = null;
      while (inParts === null) {
        taken.runs += 1;
        inParts = run((part) => decide(state, input, { ...context, part }));
      }
      taken.steps += 1;
      const { part: _, ...whole } = context;
      expect(inParts.value).toEqual(decide(state, input, whole));
      return inParts.value;
    },
  };
});

afterEach(() => {
  Object.assign(taken, { isTwice: false, runs: 0, steps: 0 });
  vi.restoreAllMocks();
});

test('a step that is broken off at every part is decided as at once', async () => {
  taken.isTwice = true;
  const moves = fc.array(move, { minLength: 10, maxLength: 40, size: 'max' });
  const answers = fc.constantFrom(null, prose(40), '');
  await fc.assert(
    fc.asyncProperty(moves, fc.constantFrom(2_000, 8_000), answers, async (list, limit, say) => {
      const summarizer = say === null ? {} : { summarizer: scriptedSummarizer([{ say }]) };
      const { found } = await playMoves(list, {
        limit,
        every: 40,
        allowed: refusals,
        ...summarizer,
      });
      expect(found).toEqual([]);
    }),
    { numRuns: draws(100), interruptAfterTimeLimit: 60_000 },
  );
  expect(taken.runs).toBeGreaterThan(5 * taken.steps);
});

const turn = (n: number): readonly Message[] => [
  { role: 'user', content: `Step ${n}: ${prose(20, n)}` },
  { role: 'assistant', content: prose(200, n + 1) },
];

/** A clock by which everything takes its time. */
function slowMachine(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 4));
}

test('others have their turn while a compression is decided, and see nothing of it before', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const told: string[] = [];
  session.on('*', ({ type }) => told.push(type));
  slowMachine();
  let most = 0;
  for (let n = 0; n < 40; n += 1) {
    const before = { epoch: session.state.epoch, entries: session.state.entries };
    const appended = session.append(turn(n)).then(() => true);
    for (let turns = 0; !(await Promise.race([appended, nextTurn(false)])); turns += 1) {
      most = Math.max(most, turns);
      const { epoch, entries } = session.state;
      expect([before.entries, before.entries + 2]).toContain(entries);
      if (entries === before.entries) expect(epoch).toBe(before.epoch);
    }
  }
  expect(told).toContain('compression.finished');
  expect(most).toBeGreaterThan(20);
});

test('calls that come meanwhile wait for the step, and so does closing', async () => {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  slowMachine();
  const entries: Promise<unknown>[] = [];
  for (let n = 0; n < 30; n += 1) entries.push(session.append(turn(n)));
  const assembled = session.assemble();
  const closed = store.close();
  await Promise.all(entries);
  expect((await assembled).messages.at(-1)).toMatchObject({ content: prose(200, 30) });
  await closed;
  expect(session.state.entries).toBe(60);
  expect(session.state.epoch).toBeGreaterThan(0);
});
