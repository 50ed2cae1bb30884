import { MemoryLevel } from 'memory-level';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { fail } from '../../../src/core/values/error.ts';
import { load, readJournal } from '../../../src/engine/journal/load.ts';
import { newCopies } from '../../../src/engine/journal/state-copies.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { Inspection, Session, SessionOptions, Store } from '../../../src/index.ts';
import {
  honest,
  scriptedSummarizer,
  type Behavior,
} from '../../../src/testing/scripted-summarizer.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import { openStoreOver } from '../../../src/store/format.ts';
import { codecIn } from '../../store/codec.ts';
import type { RecordKind, RecordStore } from '../../../src/store/store.ts';
import { checkLaws } from '../../../src/testing/laws/laws.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { newWitness, witnessMessage, type Witness } from '../../../src/testing/laws/witness.ts';
import { pass, quiet } from '../turn.ts';

// A session is closed where a machine rests, and its rows are changed as if another version had written them:
// a state has another name, or the machine another version. Opened again, its work begins anew, and ends.

const window = 2_000;
const { count } = await loadTokenizer('o200k_base');

interface Resting {
  readonly db: MemoryLevel;
  readonly witness: Witness;
  readonly options: SessionOptions;
}

/** Where machines rest: what leads there, and what a summarizer does until then. */
const phases = {
  summarizing: { moods: [{ hold: true }], value: 'summarizing' },
  'asking strictly': { moods: [{ say: '' }, { hold: true }], value: 'summarizing' },
  waiting: { moods: [{ fail: 'busy' }], value: 'waiting' },
  confirming: { moods: [{ say: honest }], value: 'confirming', recovery: 'confirm' },
  'asking for a recap': { moods: [{ say: honest }], value: 'recap', recovery: 'recap' },
  both: { moods: [{ hold: true }], value: 'summarizing', recovery: 'confirm' },
} as const satisfies Record<
  string,
  { moods: readonly Behavior[]; value: string; recovery?: string }
>;

type Phase = keyof typeof phases;

/** A store that was closed while its session rests so, with its state in the journal, or in a copy too. */
async function restingIn(phase: Phase, given: { copy: boolean }): Promise<Resting> {
  const { moods, value, ...rest } = phases[phase];
  const db = new MemoryLevel();
  await db.open();
  const clock = new SimulatedClock();
  const store = await openOver(await recordsOver(db), { clock });
  const options = {
    window,
    reserve: 0,
    recovery: 'recovery' in rest ? 'confirm' : 'auto',
  } as const;
  const summarizer = scriptedSummarizer([...moods], { clock });
  const session = await store.open('s', { ...options, summarizer });
  const witness = newWitness({ count, system: '', window, reserve: 0 });
  const isCompressing = value === 'summarizing' || value === 'waiting';
  for (let n = 0; n < 60 && (isCompressing ? summarizer.calls.length === 0 : n < 6); n += 1) {
    await say(session, witness, n);
    await quiet();
  }
  if ('recovery' in rest) await session.recover();
  if ('recovery' in rest && rest.recovery === 'recap') await session.recovery.confirm(false);
  const { state } = await store.live('s');
  const resting = [...state.views.values()].map(({ compression }) => compression?.value);
  expect([...resting, state.losses.recovery?.value]).toContain(value);
  await leave(store);
  if (given.copy) await copyState(db);
  return { db, witness, options };
}

/** A store over a database that outlives it. */
async function recordsOver(db: MemoryLevel): Promise<RecordStore> {
  const records = await openStoreOver(db, { location: 'm', sync: false });
  return { ...records, close: async () => undefined };
}

async function say(session: Session, witness: Witness, n: number): Promise<void> {
  const message = { role: n % 3 === 0 ? 'user' : 'assistant', content: prose(70, n) } as const;
  witnessMessage(witness, message);
  await session.append(message);
}

/** Closes a store; what rests goes on resting. */
async function leave(store: Store): Promise<void> {
  await store.close();
  await quiet();
}

/** Writes a copy of the state, as every so many facts do. */
async function copyState(db: MemoryLevel): Promise<void> {
  const records = await recordsOver(db);
  const { state } = (await load(records, 's'))!;
  await records.commit(newCopies().next(state));
}

/** Makes each value in the journal and in copies of the state into another. */
async function rewrite(db: MemoryLevel, change: (value: Json) => Json): Promise<void> {
  const { encode, decode } = await codecIn(db);
  for (const kind of ['journal', 'state'] as const satisfies RecordKind[])
    for await (const [key, text] of db.sublevel(kind).iterator()) {
      const value = deep(decode(kind, key, text) as Json, change);
      await db.sublevel(kind).put(key, encode(kind, key, value));
    }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

function deep(value: Json, change: (value: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => deep(one, change));
  const parts = Object.entries(value).map(([name, one]) => [name, deep(one, change)] as const);
  return change(Object.fromEntries(parts));
}

const isResting = (value: Json): value is { value: string; version: string; memory: Json } =>
  typeof value === 'object' && value !== null && 'memory' in value && 'version' in value;

/** What another version may have written. */
const changes = {
  'a state of another name': (value: Json): Json =>
    isResting(value) ? { ...value, value: `${value.value} anew` } : value,
  'another version': (value: Json): Json => (isResting(value) ? { ...value, version: '7' } : value),
  'no version': (value: Json): Json => {
    if (!isResting(value)) return value;
    const { version: _, ...rest } = value;
    return rest;
  },
} as const;

interface Reopened {
  readonly store: Store;
  readonly session: Session;
  readonly clock: SimulatedClock;
  readonly calls: () => number;
  readonly facts: () => Promise<readonly { type: string }[]>;
  /** What an inspector of the store was told. */
  readonly inspected: readonly Inspection[];
}

async function reopen({ db, options }: Resting): Promise<Reopened> {
  const clock = new SimulatedClock();
  const records = await recordsOver(db);
  const summarizer = scriptedSummarizer([{ say: honest }], { clock });
  const inspected: Inspection[] = [];
  const store = await openOver(records, {
    clock,
    summarizers: [summarizer],
    inspect: (one) => inspected.push(one),
  });
  const session = await pass(clock, store.open('s', options));
  const facts = async (): Promise<{ type: string }[]> => {
    const all: { type: string }[] = [];
    for await (const record of readJournal(records, 's', 0)) all.push(...record.facts);
    return all;
  };
  return { store, session, clock, calls: () => summarizer.calls.length, facts, inspected };
}

const cases = (Object.keys(phases) as Phase[]).flatMap((phase) =>
  (Object.keys(changes) as (keyof typeof changes)[]).flatMap((change) =>
    (change === 'another version' ? [false, true] : [false]).map((copy) => ({
      phase,
      change,
      copy,
    })),
  ),
);

test.each(cases)(
  'a session stored while $phase, in $change, goes on (in a copy: $copy)',
  async ({ phase, change, copy }) => {
    const resting = await restingIn(phase, { copy });
    await rewrite(resting.db, changes[change]);
    const { session, clock, calls, facts, store, inspected } = await reopen(resting);
    const wait = { most: 600_000 };
    expect((await pass(clock, session.assemble(), wait)).messages.length).toBeGreaterThan(1);
    await pass(clock, session.settled(), wait);
    const asked = calls();
    expect(asked).toBe(phases[phase].value === 'summarizing' || phase === 'waiting' ? 1 : 0);
    const told = await facts();
    expect(told.filter(({ type }) => type === 'machine.restarted')).toMatchObject(
      phase === 'both'
        ? [{ machine: 'compression', frame: 'f0' }, { machine: 'recovery' }]
        : [{ machine: 'recovery' in phases[phase] ? 'recovery' : 'compression' }],
    );
    const finished = told.filter(({ type }) => type === 'compression.finished');
    expect(finished.length).toBe(asked);
    await pass(clock, session.compress(), wait);
    await pass(clock, session.settled(), wait);
    if ('recovery' in phases[phase]) {
      expect(session.state.phase).toBe('recovering');
      await session.recovery.confirm(true);
    }
    expect(session.state).toMatchObject({ phase: 'open', pending: [] });
    await checkSound({ session, clock, witness: resting.witness });
    await quiet();
    const later: Inspection[] = [];
    for await (const one of session.inspect({ after: inspected[0]!.seq, live: false }))
      later.push(one);
    expect(inspected).toEqual(later);
    const given = inspected.filter(({ event }) => event.type.endsWith('.moved'));
    expect(given.map(({ machine }) => machine)).toEqual(
      told.flatMap((one) => (one.type === 'machine.restarted' ? [(one as never)['machine']] : [])),
    );
    await store.close();
    const again = await reopen(resting);
    expect((await again.facts()).filter(({ type }) => type === 'machine.restarted')).toHaveLength(
      phase === 'both' ? 2 : 1,
    );
    await again.store.close();
  },
);

/** Every law holds of the session, and goes on to. */
async function checkSound({
  session,
  clock,
  witness,
}: {
  session: Session;
  clock: SimulatedClock;
  witness: Witness;
}): Promise<void> {
  const laws = async (): Promise<unknown> =>
    (await pass(clock, checkLaws(null, session, { witness, thorough: true }))).violations;
  expect(await laws()).toEqual([]);
  session.on('*', (fact) => witness.heard.push(fact));
  for (let n = 100; n < 112; n += 1) await say(session, witness, n);
  await pass(clock, session.settled());
  witness.asked = true;
  expect(await laws()).toEqual([]);
}

test.each([
  ['summarizing', 'compressing'],
  ['confirming', 'recovering'],
] as const)(
  'a session stored while %s, in a phase of another name, goes on',
  async (phase, name) => {
    const resting = await restingIn(phase, { copy: true });
    await rewrite(resting.db, renamedPhase(name));
    const { session, clock, facts, store } = await reopen(resting);
    await pass(clock, session.assemble());
    await pass(clock, session.settled());
    expect(session.state.phase).toBe(name === 'compressing' ? 'open' : 'recovering');
    expect((await facts()).filter(({ type }) => type === 'machine.restarted')).toMatchObject([
      { machine: 'session', state: `${name} once` },
    ]);
    if (name === 'recovering') await session.recovery.confirm(true);
    await checkSound({ session, clock, witness: resting.witness });
    await store.close();
  },
);

test('a session that was completed, in a phase of another name, stays so', async () => {
  const resting = await restingIn('confirming', { copy: false });
  const before = await reopen(resting);
  await before.session.pop({ status: 'completed', results: 'All done' });
  await before.store.close();
  await rewrite(resting.db, renamedPhase('completed'));
  const { session, store } = await reopen(resting);
  expect(session.state.phase).toBe('completed');
  await expect(session.append({ role: 'user', content: 'x' })).rejects.toMatchObject({
    code: 'SESSION_COMPLETED',
  });
  await store.close();
});

const renamedPhase =
  (name: string) =>
  (value: Json): Json =>
    hasFields(value) && value['phase'] === name ? { ...value, phase: `${name} once` } : value;

const hasFields = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('a compression that waits for nothing that is owed begins again', async () => {
  const resting = await restingIn('waiting', { copy: true });
  await rewrite(resting.db, (value) =>
    hasFields(value) && 'timers' in value ? { ...value, timers: [] } : value,
  );
  const { session, clock, calls, store } = await reopen(resting);
  await pass(clock, session.settled());
  expect(calls()).toBe(1);
  expect(session.state.phase).toBe('open');
  await store.close();
});

/** The turn that a session knows of, where a copy of its state says 999 and was folded by machines of other versions. */
async function turnBeside(given: { harm?: (db: MemoryLevel) => Promise<void> }): Promise<number> {
  const resting = await restingIn('confirming', { copy: true });
  await rewrite(resting.db, (value) => {
    if (hasFields(value) && 'copy' in value) return { ...value, turn: 999 };
    return hasFields(value) && 'machines' in value
      ? { ...value, machines: { frame: '7', session: '1' } }
      : value;
  });
  await given.harm?.(resting.db);
  const { session, store } = await reopen(resting);
  const { turn } = session.state;
  await store.close();
  return turn;
}

test('a copy of the state that machines of other versions folded gives way to the journal, if that is whole', async () => {
  expect(await turnBeside({})).toBeLessThan(9);
  const first = 's:000000000001';
  expect(await turnBeside({ harm: (db) => db.sublevel('journal').del(first) })).toBe(999);
});

test('a frame of a status that there is not is damage, and no wrong answer', async () => {
  const resting = await restingIn('confirming', { copy: true });
  await rewrite(resting.db, (value) =>
    hasFields(value) && value['status'] === 'in_progress' ? { ...value, status: 'begun' } : value,
  );
  const { encode, decode } = await codecIn(resting.db);
  const chunks = resting.db.sublevel('chunk');
  for await (const [key, text] of chunks.iterator()) {
    const changed = JSON.stringify(decode('chunk', key, text)).replaceAll('in_progress', 'begun');
    await chunks.put(key, encode('chunk', key, JSON.parse(changed)));
  }
  await expect(reopen(resting)).rejects.toMatchObject({
    code: 'RECORD_DAMAGED',
    detail: { frame: 'f0', status: 'begun' },
  });
});

test.each(['as it was', 'another version'] as const)(
  'who only reads a session that rests so is answered (%s)',
  async (how) => {
    const resting = await restingIn('waiting', { copy: false });
    if (how !== 'as it was') await rewrite(resting.db, changes[how]);
    const refusal = fail('STORE_READ_ONLY', 'For reading only', { location: 'notes' });
    const store = await openOver({ ...(await recordsOver(resting.db)), refusal });
    const session = await store.open('s');
    expect((await session.assemble()).messages.length).toBeGreaterThan(1);
    await session.settled();
    await store.close();
  },
);
