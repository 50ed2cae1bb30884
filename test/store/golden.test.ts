import { readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { MemoryLevel } from 'memory-level';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import type { State } from '../../src/core/state/state.ts';
import { foldRecord } from '../../src/engine/journal/fold.ts';
import { readJournal } from '../../src/engine/journal/load.ts';
import { decodeRecord, encodeRecord, encodeState } from '../../src/engine/journal/state-codec.ts';
import { readCopy } from '../../src/engine/journal/state-copies.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { openStoreOver } from '../../src/store/format.ts';
import type { RawRow, RecordStore } from '../../src/store/store.ts';
import { format, upcasters } from '../../src/store/upcast.ts';
import { honest, scriptedSummarizer } from '../../src/testing/scripted-summarizer.ts';
import { answersOf, overRows } from '../../tools/golden/answers.ts';
import { goldenRows } from '../../tools/golden/sessions.ts';
import { pass } from '../engine/turn.ts';
import { codecOf, goldenStore, rowOf } from './golden.ts';

// A store of every format that was released, and what today's code makes of it. Where one of these fails, the
// format has changed: give it a new number, an upcaster for what was written before, and a store of its own.
// As long as a format was not released, `npm run golden -- --rows` writes its store anew.

const formats = Array.from({ length: format }, (_, index) => index + 1);
const newest = goldenStore(format);

test('there is a store of every format, and an upcaster of each but the newest', () => {
  const folders = readdirSync(new URL('../fixtures', import.meta.url));
  expect(folders.toSorted()).toEqual(formats.map((n) => `format-${n}`).toSorted());
  expect(upcasters).toHaveLength(format - 1);
});

test.each(formats)('a store of format %i answers what it did', async (n) => {
  const { rows, answers } = goldenStore(n);
  expect(await overRows(rows, answersOf)).toEqual(answers);
});

test('every record is written as it stands', () => {
  const { encode, decode } = codecOf(newest.rows);
  for (const row of newest.rows) {
    const { kind, key, text } = rowOf(row);
    const value = decode(kind, key, text);
    const kept = kind === 'journal' ? encodeRecord(decodeRecord(value)) : value;
    expect(kept).toEqual(value);
    // How a large body is deflated is the business of zlib.
    if (text[8] === ' ') expect(encode(kind, key, kept)).toBe(text);
  }
});

test('the copy of a state is what its journal comes to', async () => {
  const records = await recordsOf(newest.rows);
  const copy = (await readCopy(records, 'garden'))!;
  expect(copy.isCurrent).toBe(true);
  let state: State | null = null;
  for await (const record of readJournal(records, 'garden', 0))
    if (record.seq <= copy.state.seq) state = foldRecord(state, record);
  const plain = (one: State): unknown => JSON.parse(JSON.stringify(encodeState(one)));
  expect(plain(state!)).toEqual(plain(copy.state));
});

test('what is written today has no field that the store of its format has not', async () => {
  const known = new Set(shapesOf(newest.rows));
  const strange = shapesOf(await goldenRows()).filter((path) => !known.has(path));
  expect([...new Set(strange)]).toEqual([]);
});

test('what was owed is done once, and the work goes on', async () => {
  const records = await recordsOf(newest.rows);
  const clock = new SimulatedClock();
  clock.increment(Date.UTC(2026, 0, 6));
  const summarizer = scriptedSummarizer([{ say: honest }], { clock });
  const store = await openOver(records, { clock, summarizers: [summarizer] });
  for (const id of ['garden', 'tower']) {
    const session = await store.open(id);
    await pass(clock, session.settled());
    expect(session.state.pending).toEqual([]);
    await session.append({ role: 'user', content: 'Go on' });
    expect((await pass(clock, session.assemble())).messages.length).toBeGreaterThan(1);
  }
  expect(summarizer.calls.filter(({ task }) => task.purpose === 'checkpoint')).toHaveLength(2);
  const types: string[] = [];
  for await (const { facts } of readJournal(records, 'garden', 0))
    types.push(...facts.map(({ type }) => type));
  expect(types).not.toContain('machine.restarted');
  await store.close();
});

async function recordsOf(rows: readonly RawRow[]): Promise<RecordStore> {
  const db = new MemoryLevel();
  await db.open();
  await db.batch(rows.map(([key, value]) => ({ type: 'put', key, value })));
  return openStoreOver(db, { location: 'golden', sync: false });
}

/** Which fields rows have, and of which types; what a list holds is one thing, whatever its place. */
function shapesOf(rows: readonly RawRow[]): readonly string[] {
  const { decode } = codecOf(rows);
  return rows.flatMap((row) => {
    const { kind, key, text } = rowOf(row);
    const value = decode(kind, key, text);
    return [...paths(kind, kind === 'journal' ? decodeRecord(value) : value)];
  });
}

/** Fields whose members are named by somebody else: models, tools, places in a text. */
const open = new Set(['arguments', 'meta', 'numbers', 'pastCalibrations', 'look']);

function* paths(path: string, value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const one of value) yield* paths(`${path}[]`, one);
  } else if (typeof value === 'object' && value !== null) {
    const named = 'type' in value ? `${path}<${String(value.type)}>` : path;
    for (const [name, one] of Object.entries(value))
      yield* open.has(name) ? [`${named}.${name}`] : paths(`${named}.${name}`, one);
  } else yield `${path}: ${value === null ? 'null' : typeof value}`;
}

test('a store whose rows lack anything is not what it was', async () => {
  for (const at of [3, 90, 200, newest.rows.length - 1]) {
    const answers = await overRows(newest.rows.toSpliced(at, 1), answersOf).catch(() => null);
    expect(isDeepStrictEqual(answers, newest.answers)).toBe(false);
  }
});
