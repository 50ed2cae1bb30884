import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { parseEntryKey, parseJournalKey, sessionKey, sessionRange } from '../../src/store/key.ts';
import { openLevelStore } from '../../src/store/level/level-store.ts';
import { newLocation } from './folder.ts';
import { compile } from '../compile.ts';

const power = { durability: 'power' } as const;
const children: ChildProcess[] = [];
let compiled: string;

beforeAll(async () => {
  compiled = await compile('src/store/level/level-store.ts');
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});

interface Writer {
  readonly process: ChildProcess;
  /** Resolves when the child said `open` and then acknowledged so many steps. */
  readonly acknowledged: (steps: number) => Promise<void>;
  /** Resolves with all steps that were acknowledged, once the child is dead. */
  readonly dead: Promise<readonly number[]>;
}

function start(location: string, durability: string, callers = 0): Writer {
  const script = join(import.meta.dirname, 'writer.mjs');
  const child = spawn(process.execPath, [script, compiled, location, durability, String(callers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const steps = (): number[] => lines.slice(1).map(Number);
  const dead = once(child, 'close').then(steps);
  return {
    process: child,
    acknowledged: async (wanted) => {
      const early = dead.then(() => Promise.reject(new Error('The child ended before its time')));
      while (lines.length < wanted + 1) await Promise.race([once(reader, 'line'), early]);
      early.catch(() => {});
    },
    dead,
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

test.each(['power', 'process'] as const)(
  'a killed process (%s) loses nothing that it acknowledged and tears no batch',
  async (durability) => {
    const location = await newLocation();
    let least = 0;
    for (const steps of [30, 200, 500]) {
      const writer = start(location, durability, 16);
      await writer.acknowledged(steps);
      await kill(writer.process);
      least = Math.max(least, ...(await writer.dead));
      const present = await wholeSteps(location);
      expect(present).toBeGreaterThanOrEqual(least);
      least = present;
    }
    expect(least).toBeGreaterThanOrEqual(730);
  },
);

/** How many steps the store holds; fails if one is torn or missing. */
async function wholeSteps(location: string): Promise<number> {
  const store = await openLevelStore(location, power);
  const head = (await store.get('session', sessionKey('s'))) as { head: number };
  const journal: number[] = [];
  const entries: number[] = [];
  for await (const [key] of store.range('journal', sessionRange('s'))) {
    journal.push(parseJournalKey(key).seq);
  }
  for await (const [key] of store.range('entry', sessionRange('s')))
    entries.push(parseEntryKey(key).n);
  await store.close();
  const numbers = Array.from({ length: head.head }, (_, n) => n + 1);
  expect(journal).toEqual(numbers);
  expect(entries).toEqual(numbers);
  return head.head;
}

test('a second process is told who has the store, and gets it when the owner was killed', async () => {
  const location = await newLocation();
  const owner = start(location, 'power');
  await owner.acknowledged(0);
  await expect(openLevelStore(location, power)).rejects.toMatchObject({
    code: 'STORE_IN_USE',
    detail: { pid: owner.process.pid },
  });
  await kill(owner.process);
  expect(JSON.parse(await readFile(join(location, 'owner.json'), 'utf8'))).toEqual({
    pid: owner.process.pid,
    command: 'test',
  });
  const store = await openLevelStore(location, power);
  await expect(openLevelStore(location, power)).rejects.toMatchObject({
    detail: { pid: process.pid },
  });
  await store.close();
});

test('the owner that a killed process left in its note is not named', async () => {
  const location = await newLocation();
  const owner = start(location, 'power');
  await owner.acknowledged(0);
  const gone = start(await newLocation(), 'power');
  await gone.acknowledged(0);
  await kill(gone.process);
  await writeFile(join(location, 'owner.json'), JSON.stringify({ pid: gone.process.pid }));
  const error: unknown = await openLevelStore(location, power).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'STORE_IN_USE', detail: { location } });
  expect((error as { detail: object }).detail).not.toHaveProperty('pid');
});
