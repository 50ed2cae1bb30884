import { expect } from 'vitest';
import { foldRecord } from '../../src/engine/journal/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import { encodeState } from '../../src/engine/journal/state-codec.ts';
import { load, readJournal } from '../../src/engine/journal/load.ts';
import { replayed } from '../engine/replayed.ts';
import { checkMessage } from '../../src/core/messages/message.ts';
import { isEngineError, type Message, type Session } from '../../src/index.ts';
import { parseOutboxKey } from '../../src/store/key.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RecordStore as Records } from '../../src/store/store.ts';
import { act, messageOf, type Step } from '../engine/script.ts';
import { revive, type Write } from '../store/faulty-level.ts';
import type { JournalRecord } from '../../src/core/state/input.ts';

// What was promised by a session whose store failed, and what must hold of the rows that are left of it.

/** What was promised. */
export interface Promised {
  /** Ids that each answered append gave, by step. */
  readonly ids: Map<number, readonly string[]>;
  /** Facts that listeners heard, as JSON, by sequence number. */
  readonly heard: Map<number, string[]>;
}

/** Does a step, an append with a key of its own; rejects where the store, and not the script, is to blame for a refusal. */
export async function doStep(
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

/** The messages of a step; the same step gives the same. */
export const messagesOf = (at: number, step: Step & { do: 'append' }): Message[] =>
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
export async function checkImage(
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
  expect(rows.length).toBe(state.entryCount);
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

/** Nothing is owed or under way. */
export function checkIdle(state: State): void {
  expect(state.outbox.size + state.timers.size).toBe(0);
  expect([...state.views.values()].map(({ compression }) => compression).filter(Boolean)).toEqual(
    [],
  );
  expect(state.phase).not.toBe('compressing');
}

/** Effects that an image owes and that a summarizer will be asked for. */
export async function pendingOf(image: readonly Write[]): Promise<number> {
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
