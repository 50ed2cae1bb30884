import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import type { ErrorCode } from '../../src/core/values/error.ts';
import { foldRecord } from '../../src/engine/journal/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import { encodeState } from '../../src/engine/journal/state-codec.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { load, readJournal } from '../../src/engine/journal/load.ts';
import { replayed } from '../engine/replayed.ts';
import { isEngineError, openStore, type Assembly, type Session } from '../../src/index.ts';
import { make, refusalOf, type Move } from '../../src/testing/laws/move.ts';
import { playMoves } from '../../tools/laws/play.ts';
import { newDisk } from '../engine/disk.ts';
import { act, step, type Step } from '../engine/script.ts';
import { command as move, refusals } from '../../src/testing/fast-check/commands.ts';

const back: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ type: 'undo' } as const) },
  { weight: 3, arbitrary: fc.constant({ type: 'redo' } as const) },
  { weight: 1, arbitrary: fc.constant({ type: 'snapshot' } as const) },
  { weight: 1, arbitrary: fc.nat(3).map((n): Move => ({ type: 'raise', back: n })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(6), fc.boolean())
      .map(([back, keep]): Move => ({ type: 'restore', back, keep })),
  },
);
const moves = fc.array(fc.oneof({ weight: 3, arbitrary: move }, { weight: 1, arbitrary: back }), {
  minLength: 10,
  maxLength: 40,
  size: 'max',
});
const allowed: readonly ErrorCode[] = [
  ...refusals,
  'CHECKPOINT_FINEST',
  'CHECKPOINT_NOT_FOUND',
  'CHECKPOINT_NO_ROOM',
  'CONTEXT_OVERFLOW',
  'REDO_EMPTY',
  'SNAPSHOT_NOT_FOUND',
  'UNDO_EMPTY',
];
const limits = fc.constantFrom(2_000, 2_500, 4_000, 8_000);
const patient = { numRuns: draws(100), interruptAfterTimeLimit: 60_000 } as const;

test('every law holds after every step of a session that goes back and forth', async () => {
  await fc.assert(
    fc.asyncProperty(moves, limits, async (moves, limit) => {
      const { found } = await playMoves(moves, { limit, every: 20, allowed });
      expect(found).toEqual([]);
    }),
    patient,
  );
});

test('of two calls of one id, one that was answered is not closed again when a step is taken back', async () => {
  const call = { id: 'c3', name: 'bash', arguments: '{}' };
  const moves: readonly Move[] = [
    { type: 'append', messages: [{ role: 'assistant', content: '', toolCalls: [call, call] }] },
    { type: 'snapshot' },
    { type: 'append', messages: [{ role: 'tool', toolCallId: 'c3', content: 'done' }] },
    { type: 'restore', back: 0, keep: false },
    { type: 'append', messages: [{ role: 'assistant', content: 'On.' }] },
    { type: 'undo' },
    { type: 'append', messages: [{ role: 'assistant', content: 'On.' }] },
  ];
  expect((await playMoves(moves, { limit: 2_000, every: 1, allowed })).found).toEqual([]);
});

const shown = ({ messages, budget, openCalls }: Assembly): string =>
  JSON.stringify({ messages, budget, openCalls });

/** Facts that a step can be taken back for. */
const undoable = new Set([
  'frame.pushed',
  'frame.started',
  'frame.retried',
  'frame.popped',
  'frame.invalidated',
  'goal.set',
  'compression.finished',
]);

test('undo after a step gives back the assembly byte for byte, and redo that after it', async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { minLength: 5, maxLength: 30, size: 'max' }),
      limits,
      async (moves, window) => {
        await using store = await openStore(':memory:');
        const session = await store.open('s', { window, reserve: 0 });
        for (const one of moves) {
          if (one.type === 'tools' || one.type === 'answer' || one.type === 'reopen') continue;
          const before = await assemblyOf(session);
          const { entries } = session.state;
          const heard: string[] = [];
          const off = session.on('*', ({ type }) => void heard.push(type));
          const code = await refusalOf(make(session, one, new Map()));
          off();
          if (before === null || code !== null || session.state.entries > entries) continue;
          // What was taken out for good does not come back.
          if (one.type === 'configure' || one.type === 'redact') continue;
          if (!heard.some((type) => undoable.has(type))) continue;
          const after = shown(await session.assemble());
          const { what } = await session.undo();
          undone += 1;
          expect([one.type, what, shown(await session.assemble())]).toEqual([
            one.type,
            what,
            before,
          ]);
          await session.redo();
          expect(shown(await session.assemble())).toBe(after);
        }
      },
    ),
    { ...patient, numRuns: draws(400) },
  );
  expect(undone).toBeGreaterThan(0);
});

/** What the model would see; null where nothing fits. */
async function assemblyOf(session: Session): Promise<string | null> {
  try {
    return shown(await session.assemble());
  } catch (error) {
    if (isEngineError(error, 'CONTEXT_OVERFLOW')) return null;
    throw error;
  }
}

type Turn = Step | Extract<Move, { type: 'undo' | 'redo' | 'snapshot' | 'restore' | 'raise' }>;

const bytes = (state: State): string => JSON.stringify(encodeState(state));

test('a journal of a session that went back folds to the live state, and is decided again', async () => {
  const steps: fc.Arbitrary<Turn[]> = fc.array(
    fc.oneof({ weight: 3, arbitrary: step }, { weight: 1, arbitrary: back as fc.Arbitrary<Turn> }),
    { minLength: 1, maxLength: 40, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const disk = await newDisk();
      const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
      const session = await store.open('s', { window: 1_500, system: 'You are careful.' });
      for (const [at, one] of steps.entries()) {
        if ('type' in one) await refusalOf(make(session, one, new Map()));
        else await act(session, one, at);
      }
      const live = (await store.live('s')).state;
      const records = disk.mount();
      let folded: State | null = null;
      for await (const record of readJournal(records, 's', 0)) folded = foldRecord(folded, record);
      expect(bytes(folded!)).toBe(bytes(live));
      expect(bytes((await load(records, 's'))!.state)).toBe(bytes(live));
      expect(await replayed(records, 's')).toMatchObject({ diverged: null, records: live.seq });
      await store.close();
    }),
    { numRuns: draws(40) },
  );
});
