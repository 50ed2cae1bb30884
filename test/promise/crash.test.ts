import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { openOver } from '../../src/engine/open/open-store.ts';
import { isEngineError, type Summarizer } from '../../src/index.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RecordStore as Records } from '../../src/store/store.ts';
import { scriptedSummarizer, type Behavior } from '../../src/testing/scripted-summarizer.ts';
import { behavior } from '../../src/testing/fast-check/behavior.ts';
import { script, type Step } from '../engine/script.ts';
import { pass, quiet } from '../engine/turn.ts';
import { draws } from '../draws.ts';
import { revive, type Fault, type Write } from '../store/faulty-level.ts';
import { checkIdle, checkImage, doStep, pendingOf, type Promised } from './life.ts';

// A life of a session is a script that runs until a write fails, before or
// after it took effect. What was written until then is all that the next life
// has. Each append has an idempotency key, and what was not answered is asked
// again in the next life.

interface Life {
  readonly records: Records;
  readonly clock: SimulatedClock;
  readonly image: readonly Write[];
  /** Writes that were tried, the failed one included. */
  readonly attempts: number;
  /** Steps that were not answered because of the crash. */
  readonly unanswered: readonly (readonly [at: number, step: Step])[];
  /** Whether a write failed. */
  readonly crashed: boolean;
}

/** Scripts that are crashed at a few writes; one in twenty-five is at every write. */
const scripts = Number(process.env['CRASH_SCRIPTS'] ?? draws(35));

const timeout = 3_000;

async function live(given: {
  image: readonly Write[];
  fault?: Fault | undefined;
  clock: SimulatedClock;
  summarizer: Summarizer;
  steps: readonly (readonly [at: number, step: Step])[];
  promised: Promised;
}): Promise<Life> {
  const { clock, summarizer, promised } = given;
  const db = await revive(given.image, given.fault);
  const unanswered = [...given.steps];
  let records: Records | undefined;
  try {
    records = await openStoreOver(db, { location: ':memory:', sync: false });
    const store = await openOver(records, { clock, effects: { timeout } });
    const session = await pass(clock, store.open('s', { window: 1_500, summarizer }));
    session.on('*', (told) => {
      const { seq, at: _, ...fact } = told;
      // Told because nothing could be written: the one fact that stands in no journal.
      if (fact.type === 'snapshot.failed') return;
      const heard = promised.heard.get(seq) ?? [];
      promised.heard.set(seq, [...heard, JSON.stringify(fact)]);
    });
    while (unanswered.length > 0) {
      const [at, step] = unanswered[0]!;
      await pass(clock, doStep(session, [at, step], promised), { step: 500 });
      unanswered.shift();
      clock.increment((at % 3) * 150);
      await quiet(1);
    }
    await pass(clock, session.settled(), { step: 500 });
  } catch (error) {
    if (!isEngineError(error, 'STORE_UNAVAILABLE')) throw error;
  }
  const crashed = given.fault !== undefined && db.attempts > given.fault.at + given.image.length;
  return {
    records: records!,
    clock,
    image: [...db.journal],
    attempts: db.attempts,
    unanswered,
    crashed,
  };
}

/** Lives until nothing is left to do; the first ones end by `faults`. */
async function survive(given: {
  steps: readonly Step[];
  moods: readonly Behavior[];
  faults: readonly Fault[];
}): Promise<{ attempts: number; crashes: number }> {
  const clock = new SimulatedClock();
  const summarizer = scriptedSummarizer(given.moods, { clock });
  const steps = given.steps.map((step, at) => [at, step] as const);
  const promised: Promised = { ids: new Map(), heard: new Map() };
  let unanswered: Life['unanswered'] = steps;
  let image: readonly Write[] = [];
  let attempts = 0;
  let crashes = 0;
  for (const fault of [...given.faults, undefined]) {
    const before = await pendingOf(image);
    const calls = summarizer.calls.length;
    const life = await live({ image, fault, clock, summarizer, steps: unanswered, promised });
    ({ image, unanswered } = life);
    attempts = life.attempts;
    if (life.crashed) crashes += 1;
    const state = await checkImage(image, { promised, steps });
    if (life.crashed) continue;
    expect(unanswered).toEqual([]);
    expect(summarizer.calls.length).toBeGreaterThanOrEqual(calls + before);
    checkIdle(state!);
    break;
  }
  return { attempts, crashes };
}

test('whichever write fails, what was acknowledged is there, the rest can be asked again, and work ends', async () => {
  await fc.assert(
    fc.asyncProperty(script(14, 8), fc.array(behavior, { maxLength: 4 }), async (steps, moods) => {
      const { attempts } = await survive({ steps, moods, faults: [] });
      for (let at = 1; at < attempts; at += 1)
        for (const mode of ['before', 'after'] as const)
          expect((await survive({ steps, moods, faults: [{ at, mode }] })).crashes).toBe(1);
    }),
    { numRuns: Math.max(draws(3), Math.floor(scripts / 25)) },
  );
});

test('a crash while recovering from a crash loses nothing either', async () => {
  const fault = fc.record({
    at: fc.integer({ min: 1, max: 9 }),
    mode: fc.constantFrom('before', 'after'),
  });
  const faults = fc.array(fault, { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      script(16, 8),
      fc.array(behavior, { maxLength: 4 }),
      faults,
      async (steps, moods, faults) => void (await survive({ steps, moods, faults })),
    ),
    { numRuns: scripts },
  );
});
