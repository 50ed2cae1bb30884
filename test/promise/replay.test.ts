import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { decodeState, encodeState } from '../../src/engine/journal/state-codec.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { load, readJournal, type EntryRow } from '../../src/engine/journal/load.ts';
import { replayed } from '../engine/replayed.ts';
import { foldRecord } from '../../src/engine/journal/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import { journalKey, textKey } from '../../src/store/key.ts';
import type { RecordKind, RecordStore as Records } from '../../src/store/store.ts';
import { scriptedSummarizer } from '../../src/testing/scripted-summarizer.ts';
import { newDisk, type Disk } from '../engine/disk.ts';
import { act, endsSession, script } from '../engine/script.ts';
import { behavior } from '../../src/testing/fast-check/behavior.ts';
import { pass, quiet } from '../engine/turn.ts';
import type { JournalRecord } from '../../src/core/state/input.ts';

async function foldOf(records: Records): Promise<State> {
  let state: State | null = null;
  for await (const record of readJournal(records, 's', 0)) state = foldRecord(state, record);
  return state!;
}

const bytes = (state: State): string => JSON.stringify(encodeState(state));

/** What must hold of the rows of a session, whatever was done to it. */
async function checkRows(disk: Disk, live: State): Promise<void> {
  const records = disk.mount();
  expect(bytes(await foldOf(records))).toBe(bytes(live));
  expect(bytes(decodeState(JSON.parse(bytes(live))))).toBe(bytes(live));
  expect(bytes((await load(records, 's'))!.state)).toBe(bytes(live));
  expect(await replayed(records, 's')).toMatchObject({ diverged: null, records: live.seq });
}

test('a journal folds to the live state, byte for byte, and its inputs decide to its facts', async () => {
  await fc.assert(
    fc.asyncProperty(script(40), async (steps) => {
      const disk = await newDisk();
      const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
      const session = await store.open('s', { window: 1_500, system: 'You are careful.' });
      for (const [at, step] of steps.entries()) await act(session, step, at);
      await checkRows(disk, (await store.live('s')).state);
      await store.close();
    }),
    { numRuns: draws(25) },
  );
});

test('a journal of a slow and moody summarizer is decided again without it', async () => {
  await fc.assert(
    fc.asyncProperty(script(30), fc.array(behavior, { maxLength: 6 }), async (steps, moods) => {
      const disk = await newDisk();
      const clock = new SimulatedClock();
      const summarizer = scriptedSummarizer(moods, { clock });
      const store = await openOver(disk.mount(), { clock, effects: { timeout: 5_000 } });
      const session = await store.open('s', { window: 1_500, summarizer });
      for (const [at, step] of steps.entries()) {
        await pass(clock, act(session, step, at), { step: 1_000 });
        clock.increment((at % 3) * 300);
        await quiet(2);
      }
      await checkRows(disk, (await store.live('s')).state);
      await store.close();
    }),
    { numRuns: draws(25) },
  );
});

test('a state that was copied in between and one that was folded from the start are the same', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const session = await store.open('s', { window: 1_500 });
  const steps = fc
    .sample(script(60), { numRuns: 6, seed: 7 })
    .flat()
    .filter((s) => !endsSession(s));
  for (const [at, step] of steps.entries()) await act(session, step, at);
  await checkRows(disk, (await store.live('s')).state);
  const records = disk.mount();
  const copies: (readonly [string, unknown])[] = [];
  for await (const row of records.range('state', {})) copies.push(row);
  const [[key, copy]] = copies as [[string, object]];
  await records.commit([{ type: 'put', kind: 'state', key, value: { ...copy, tokens: -1 } }]);
  expect((await replayed(records, 's')).diverged).toMatchObject({
    seq: ordinalIn(key),
    kind: 'state',
    path: 'tokens',
    stored: -1,
  });
  await store.close();
});

test('a journal that was tampered with is named by the record where it diverges', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 2_000 });
  await session.append({ role: 'user', content: 'Build it' });
  await session.push({ title: 'Part one' });
  await store.close();
  const records = disk.mount();
  const key = journalKey('s', 3);
  const record = (await records.get('journal', key)) as JournalRecord;
  const input = { ...record.input, identity: { title: 'Part two', criteria: '', brief: '' } };
  await records.commit([{ type: 'put', kind: 'journal', key, value: { ...record, input } }]);
  expect((await replayed(records, 's')).diverged).toEqual({
    seq: 3,
    kind: 'fact',
    id: 'frame.pushed',
    path: '[0].identity.title',
    stored: 'Part one',
    decided: 'Part two',
  });
});

test('a text that was tampered with diverges, too', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 2_000 });
  await session.push({ title: 'Part one' });
  await session.pop({ status: 'completed', results: 'All done' });
  await store.close();
  const records = disk.mount();
  await records.commit([{ type: 'put', kind: 'text', key: textKey('s', 1), value: 'Half done' }]);
  expect((await replayed(records, 's')).diverged).toEqual({
    seq: 3,
    kind: 'text',
    id: 't1',
    path: '',
    stored: 'Half done',
    decided: 'All done',
  });
});

/** A change of a stored row that no checksum tells, and what it is named. */
type Tampering = readonly [row: RecordKind, change: (value: never) => unknown, kind: string];

const changes: readonly Tampering[] = [
  ['journal', (row: JournalRecord) => ({ ...row, facts: [] }), 'fact'],
  ['journal', (row: JournalRecord) => ({ ...row, facts: [...row.facts, row.facts[0]] }), 'fact'],
  ['text', (text: string) => `${text}.`, 'text'],
  ['entry', (row: EntryRow) => ({ ...row, message: { ...row.message, content: 'x' } }), 'entry'],
];

test('a row that was tampered with in a random session is named', async () => {
  const [steps] = fc.sample(script(60, 50), { numRuns: 1, seed: 7 });
  const disk = await newDisk();
  const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const session = await store.open('s', { window: 1_500 });
  for (const [at, step] of steps!.entries()) if (!endsSession(step)) await act(session, step, at);
  await store.close();
  const records = disk.mount();
  for (const [kind, change, named] of changes) {
    const rows: (readonly [string, unknown])[] = [];
    // Appends are packed; their facts are tampered with by the texts and entries they name.
    for await (const row of records.range(kind, {})) if (!Array.isArray(row[1])) rows.push(row);
    for (const [key, value] of fc.sample(fc.constantFrom(...rows), { numRuns: 3, seed: 11 })) {
      await records.commit([{ type: 'put', kind, key, value: change(value as never) }]);
      const { diverged } = await replayed(records, 's');
      expect([diverged?.kind, key]).toEqual([named, key]);
      const n = ordinalIn(key);
      const id = { entry: `e${n}`, text: `t${n}` }[named];
      expect(id === undefined ? diverged?.seq : diverged?.id).toBe(id ?? n);
      await records.commit([{ type: 'put', kind, key, value }]);
    }
  }
  expect((await replayed(records, 's')).diverged).toBeNull();
});

const ordinalIn = (key: string): number => Number(key.split(':').at(-1));

test('replaying a session that is not there is refused', async () => {
  await expect(replayed((await newDisk()).mount(), 's')).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
  });
});
