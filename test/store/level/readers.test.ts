import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { sessionKey, sessionRange } from '../../../src/store/key.ts';
import { openLevelReader, openLevelStore } from '../../../src/store/level/level-store.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import { compile } from '../../compile.ts';
import { copyOf, filesIn, newLocation } from '../folder.ts';

// Readers beside another process that writes as fast as it can, so that LevelDB begins a log and compacts
// tables many times while they open.

/** Digests in the text of a step: with them a table is full after some thousand steps. */
const digests = 40;
const children: ChildProcess[] = [];
let compiled: string;

beforeAll(async () => {
  compiled = await compile('src/store/level/level-store.ts');
});

afterEach(async () => {
  for (const child of children.splice(0)) await ended(child, 'SIGKILL');
});

/** Starts a writer with so many callers; `acknowledged` is the newest step that it was told to be durable. */
function startWriter(location: string, callers: number) {
  const script = join(import.meta.dirname, '../writer.mjs');
  const words = [script, compiled, location, 'process', String(callers), String(digests)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const told = { child, acknowledged: 0, opened: once(lines, 'line') };
  lines.on('line', (line) => (told.acknowledged = Math.max(told.acknowledged, Number(line) || 0)));
  return told;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

const textOf = (n: number): string => {
  const digest = (part: number) => createHash('sha256').update(`${n} ${part}`).digest('hex');
  return (
    'words '.repeat(100) + Array.from({ length: digests }, (_, part) => digest(part)).join(' ')
  );
};

/** The newest step in a store; fails where one of the 500 before it is missing, or has another text. */
async function newestStep(store: RecordStore): Promise<number> {
  const row = await store.get('session', sessionKey('s'));
  const { head = 0 } = (row ?? {}) as { head?: number };
  const newest = sessionRange('s', { reverse: true, limit: 500 });
  const steps: number[] = [];
  for await (const [, value] of store.range('entry', newest)) {
    const { n, text } = value as { n: number; text: string };
    steps.push(n);
    if (n > head - 20 && text !== textOf(n)) expect.fail(`Step ${n} has another text`);
  }
  expect(steps).toEqual(Array.from({ length: Math.min(head, 500) }, (_, back) => head - back));
  return head;
}

test('a reader sees all that was acknowledged before it opened, and a whole beginning of it, whatever the owner does', async () => {
  const location = await newLocation();
  const writer = startWriter(location, 16);
  await writer.opened;
  let before = 0;
  const log = (): Promise<string> => readFile(join(location, 'LOG'), 'utf8');
  const compacted = async (): Promise<number> => (await log()).split('Compacted').length;
  for (let round = 0; round < 15 || (await compacted()) <= 5; round += 1) {
    // Callers are answered out of turn, but no step is acknowledged before those that came earlier.
    const { acknowledged } = writer;
    const store = await openLevelReader(location);
    const newest = await newestStep(store);
    expect(newest).toBeGreaterThanOrEqual(Math.max(acknowledged, before));
    before = newest;
    await store.close();
  }
  expect(await filesIn(location, /readers/)).toEqual([]);
  await ended(writer.child, 'SIGKILL');
  const store = await openLevelStore(location, { durability: 'power' });
  expect(await newestStep(store)).toBeGreaterThanOrEqual(writer.acknowledged);
  await store.close();
}, 120_000);

test('who finds a store in use is told what has it, and reads it meanwhile', async () => {
  const location = await newLocation();
  const { child, opened } = startWriter(location, 0);
  await opened;
  await expect(openLevelStore(location, { durability: 'power' })).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    message: `Store "${location}" is in use: your test, process ${child.pid}`,
    detail: { location, pid: child.pid, command: 'test' },
  });
  const reader = await openLevelReader(location);
  expect(reader.refusal).toMatchObject({ code: 'STORE_READ_ONLY', detail: { location } });
  await reader.close();
});

test('a reader and the owner of a store may be in one process', async () => {
  const location = await newLocation();
  const owner = await openLevelStore(location, { durability: 'power' });
  const put = (value: unknown) =>
    owner.commit([{ type: 'put', kind: 'session', key: sessionKey('s'), value }]);
  await put(1);
  const reader = await openLevelReader(location);
  await put(2);
  expect(await reader.get('session', sessionKey('s'))).toBe(1);
  await reader.close();
  await owner.close();
  const again = await openLevelReader(location);
  expect(await again.get('session', sessionKey('s'))).toBe(2);
  await again.close();
});

test('nothing is left of a reader that ends without closing, and what a killed one left goes with the next opening', async () => {
  const location = await newLocation();
  await (await openLevelStore(location, { durability: 'power' })).close();
  const script = `
    const { openLevelReader } = await import(process.argv[1]);
    await openLevelReader(process.argv[2]);
    console.log('open');
    process.stdin.resume().on('end', () => process.exit());`;
  const source = join(compiled, 'src/store/level/level-store.js');
  const words = ['--input-type=module', '-e', script, source, location];
  const read = async () => {
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    await once(child.stdout, 'data');
    expect(await readdir(join(location, 'readers'))).toHaveLength(1);
    return child;
  };
  const first = await read();
  first.stdin.end();
  await once(first, 'exit');
  expect(await readdir(join(location, 'readers'))).toEqual([]);
  await ended(await read(), 'SIGKILL');
  expect(await readdir(join(location, 'readers'))).toHaveLength(1);
  const store = await openLevelStore(location, { durability: 'power' });
  expect(await filesIn(location, /readers/)).toEqual([]);
  await store.close();
});

test('the copy of a machine that shares the folder is left alone', async () => {
  const location = await newLocation();
  await (await openLevelStore(location, { durability: 'power' })).close();
  const theirs = join(location, 'readers', `flamestack-copy-not-${hostname()}-1-abcdef`);
  await mkdir(theirs, { recursive: true });
  await (await openLevelReader(location)).close();
  expect(await readdir(join(location, 'readers'))).toHaveLength(1);
});

test('a table that no MANIFEST names is not taken: LevelDB may write to its number', async () => {
  const location = await newLocation();
  const store = await openLevelStore(location, { durability: 'power' });
  await store.close();
  const tables = Array.from({ length: 40 }, (_, n) => `${String(n + 1).padStart(6, '0')}.ldb`);
  for (const table of tables)
    await writeFile(join(location, table), 'not yet named', { flag: 'wx' });
  await (await openLevelReader(location)).close();
  for (const table of tables)
    expect(await readFile(join(location, table), 'utf8')).toBe('not yet named');
});

test('a reader of a store whose tables are missing is refused', async () => {
  const location = await newLocation();
  const store = await openLevelStore(location, { durability: 'power' });
  await store.commit([{ type: 'put', kind: 'session', key: sessionKey('s'), value: 1 }]);
  await store.close();
  await (await openLevelStore(location, { durability: 'power' })).close();
  const copy = await copyOf(location);
  const [table = ''] = await filesIn(copy, /\.ldb$/);
  await rm(join(copy, table));
  await expect(openLevelReader(copy)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});
