import { beforeAll, expect, test } from 'vitest';
import { openOver } from '../../src/engine/open/open-store.ts';
import type { RecordKind, RecordStore as Records } from '../../src/store/store.ts';
import { newDisk, type Disk } from '../engine/disk.ts';

// Work is counted in rows, not in milliseconds: what opening, one append and
// one assembly read and write must not depend on how long a session is.

/** Sizes of sessions, in entries; up to 100,000 in `npm run long`. */
const sizes = [1_000, 10_000, ...(process.env['LONG'] === undefined ? [] : [100_000])];
const window = 16_000;

interface Cost {
  readonly opening: Readonly<Record<string, number>>;
  readonly append: Readonly<Record<string, number>>;
  readonly assemble: Readonly<Record<string, number>>;
}

const costs = new Map<number, Cost>();

beforeAll(async () => {
  const disk = await newDisk();
  let entries = 0;
  for (const size of sizes) {
    entries = await growTo(disk, entries, size);
    costs.set(size, await costOf(disk, size));
    entries += 1;
  }
}, 120_000);

/** Appends until the session has `size` entries, and closes it. */
async function growTo(disk: Disk, from: number, size: number): Promise<number> {
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window });
  const batch = 10;
  const work: Promise<unknown>[] = [];
  for (let n = from; n < size; n += batch) {
    const count = Math.min(batch, size - n);
    work.push(session.append(Array.from({ length: count }, (_, k) => messageAt(n + k))));
    if (work.length >= 100) await Promise.all(work.splice(0));
  }
  await Promise.all(work);
  await store.close();
  return size;
}

function messageAt(n: number) {
  const content = `Line ${n % 50} of src/part${n % 90}.ts says ok`;
  return n % 5 === 0
    ? ({ role: 'user', content } as const)
    : ({ role: 'assistant', content } as const);
}

async function costOf(disk: Disk, size: number): Promise<Cost> {
  const records: Records = disk.mount();
  disk.reset();
  const store = await openOver(records);
  const session = await store.open('s');
  const opening = tally(disk.reads);
  expect(session.state.entries).toBe(size);
  disk.reset();
  await session.append({ role: 'assistant', content: 'One more' });
  const append = { ...tally(disk.reads), ...prefixed('put ', disk.writes), commits: disk.commits };
  disk.reset();
  const { budget } = await session.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  const assemble = { ...tally(disk.reads), ...prefixed('put ', disk.writes) };
  await store.close();
  return { opening, append, assemble };
}

const tally = (rows: ReadonlyMap<RecordKind, number>): Record<string, number> =>
  Object.fromEntries(rows);
const prefixed = (mark: string, rows: ReadonlyMap<RecordKind, number>): Record<string, number> =>
  Object.fromEntries([...rows].map(([kind, count]) => [`${mark}${kind}`, count]));

test.each(sizes)(
  'opening %i entries reads one copy of the state, the journal after it, and what is open',
  (size) => {
    const { opening } = costs.get(size)!;
    expect(opening['state'] ?? 0).toBeLessThanOrEqual(1);
    expect(opening['journal']).toBeLessThanOrEqual(1_100);
    expect(opening['entry']).toBeLessThanOrEqual(1_500);
    expect(opening['text'] ?? 0).toBeLessThanOrEqual(32);
    expect(opening['key'] ?? 0).toBe(0);
  },
);

test('an append to many entries reads nothing and writes what one to 1,000 writes', () => {
  for (const size of sizes) {
    const { append } = costs.get(size)!;
    expect(append).toEqual({ 'put journal': 1, 'put entry': 1, commits: 1 });
  }
});

test('an assembly of many entries reads and writes no row, as one of 1,000', () => {
  for (const size of sizes) expect(costs.get(size)!.assemble).toEqual({});
});
