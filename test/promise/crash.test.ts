import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { foldRecord } from '../../src/engine/journal/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import { encodeState } from '../../src/engine/journal/state-codec.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { load, readJournal } from '../../src/engine/journal/load.ts';
import { replayed } from '../engine/replayed.ts';
import { checkMessage } from '../../src/core/messages/message.ts';
import { isEngineError, type Message, type Session, type Summarizer } from '../../src/index.ts';
import { parseOutboxKey } from '../../src/store/key.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RecordStore as Records } from '../../src/store/store.ts';
import { scriptedSummarizer, type Behavior } from '../../src/testing/scripted-summarizer.ts';
import { behavior } from '../../src/testing/fast-check/behavior.ts';
import { act, messageOf, script, type Step } from '../engine/script.ts';
import { pass, quiet } from '../engine/turn.ts';
import { revive, type Fault, type Write } from '../store/faulty-level.ts';
import type { JournalRecord } from '../../src/core/state/input.ts';

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

/** What was promised. */
interface Promised {
  /** Ids that each answered append gave, by step. */
  readonly ids: Map<number, readonly string[]>;
  /** Facts that listeners heard, as JSON, by sequence number. */
  readonly heard: Map<number, string[]>;
}

/** Scripts that are crashed at a few writes; one in twenty-five is at every write. */
const scripts = Number(process.env['CRASH_SCRIPTS'] ?? 35);

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

async function doStep(
  session: Session,
  [at, step]: readonly [number, Step],
  promised: Promised,
): Promise<void> {
  if (step.do !== 'append') {
    if ((await act(session, step, at)) === 'STORE_UNAVAILABLE') throw broken();
    return;
  }
  try {
    const { ids } = await session.append(messagesOf(at, step), { key: `step ${at}` });
    const before = promised.ids.get(at);
    if (before !== undefined) expect(ids).toEqual(before);
    promised.ids.set(at, ids);
  } catch (error) {
    if (!isEngineError(error, 'SESSION_COMPLETED')) throw error;
  }
}

const messagesOf = (at: number, step: Step & { do: 'append' }): Message[] =>
  step.said.map((line, index) => messageOf(line, at * 10 + index));

function broken(): Error {
  return Object.assign(new Error('The store broke'), {
    code: 'STORE_UNAVAILABLE',
    [Symbol.for('flamestack.error')]: true,
  });
}

async function recordsOf(records: Records): Promise<JournalRecord[]> {
  const all: JournalRecord[] = [];
  for await (const record of readJournal(records, 's', 0)) all.push(record);
  return all;
}

/** What must hold of the rows that a crash left. */
async function checkImage(
  image: readonly Write[],
  given: { promised: Promised; steps: readonly (readonly [number, Step])[] },
): Promise<State | null> {
  const db = await revive(image);
  const records = await openStoreOver(db, { location: ':memory:', sync: false });
  const loaded = await load(records, 's');
  if (loaded === null) {
    expect([...given.promised.ids.values()].flat()).toEqual([]);
    return null;
  }
  const { state } = loaded;
  const journal = await recordsOf(records);
  const folded = journal.reduce<State | null>(foldRecord, null)!;
  expect(JSON.stringify(encodeState(folded))).toBe(JSON.stringify(encodeState(state)));
  expect((await replayed(records, 's')).diverged).toBeNull();
  await checkEntries(records, state, given);
  await checkOutbox(records, state);
  checkResults(journal);
  for (const [seq, heard] of given.promised.heard)
    expect(journal[seq - 1]?.facts.map((fact) => JSON.stringify(fact))).toEqual(heard);
  await records.close();
  return state;
}

/** Each promised entry is there, and of what was not promised whole appends only. */
async function checkEntries(
  records: Records,
  state: State,
  { promised, steps }: { promised: Promised; steps: readonly (readonly [number, Step])[] },
): Promise<void> {
  const rows: Message[] = [];
  for await (const [, row] of records.range('entry', {}))
    rows.push((row as { message: Message }).message);
  expect(rows.length).toBe(state.entries);
  let expected: Message[] = [];
  const known = new Map(promised.ids);
  for (const [at, step] of steps) {
    if (step.do !== 'append') continue;
    const messages = messagesOf(at, step).map(checkMessage);
    const ids = known.get(at);
    if (ids !== undefined)
      expect(ids).toEqual(messages.map((_, index) => `e${expected.length + index + 1}`));
    else if (expected.length >= rows.length) continue;
    else if (JSON.stringify(rows[expected.length]) !== JSON.stringify(messages[0])) continue;
    expected = [...expected, ...messages];
  }
  expect(rows).toEqual(expected);
}

async function checkOutbox(records: Records, state: State): Promise<void> {
  const rows: string[] = [];
  for await (const [key] of records.range('outbox', {})) rows.push(parseOutboxKey(key).effect);
  const owed = [...state.outbox.keys(), ...[...state.timers.keys()].map((key) => `timer ${key}`)];
  expect(rows.sort()).toEqual(owed.sort());
}

/** Each result ends something that was asked for and not yet ended. */
function checkResults(journal: readonly JournalRecord[]): void {
  const open = new Set<string>();
  const told = new Set<string>();
  for (const { input, facts } of journal) {
    if (input.type === 'settle' || input.type === 'fail') {
      expect(open).toContain(input.key);
      expect(told).not.toContain(input.key);
      told.add(input.key);
    }
    for (const fact of facts) {
      if (fact.type === 'effect.requested') open.add(fact.key);
      if (fact.type === 'effect.ended') open.delete(fact.key);
    }
  }
}

function checkIdle(state: State): void {
  expect(state.outbox.size + state.timers.size).toBe(0);
  expect([...state.views.values()].map(({ compression }) => compression).filter(Boolean)).toEqual(
    [],
  );
  expect(state.phase).not.toBe('compressing');
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

/** Effects that an image owes and that a summarizer will be asked for. */
async function pendingOf(image: readonly Write[]): Promise<number> {
  if (image.length === 0) return 0;
  const records = await openStoreOver(await revive(image), {
    location: ':memory:',
    sync: false,
  });
  const loaded = await load(records, 's');
  await records.close();
  return loaded === null || loaded.state.options.summarizer === 'embedded'
    ? 0
    : loaded.state.outbox.size;
}

test('whichever write fails, what was acknowledged is there, the rest can be asked again, and work ends', async () => {
  await fc.assert(
    fc.asyncProperty(script(14, 8), fc.array(behavior, { maxLength: 4 }), async (steps, moods) => {
      const { attempts } = await survive({ steps, moods, faults: [] });
      for (let at = 1; at < attempts; at += 1)
        for (const mode of ['before', 'after'] as const)
          expect((await survive({ steps, moods, faults: [{ at, mode }] })).crashes).toBe(1);
    }),
    { numRuns: Math.max(3, Math.floor(scripts / 25)) },
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
