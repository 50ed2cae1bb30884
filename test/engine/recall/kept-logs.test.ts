import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { Level } from 'level';
import { beforeAll, expect, test, vi } from 'vitest';
import { openReader, openStore, type Message, type StoreHit } from '../../../src/index.ts';
import { openLightReader } from '../../../src/reader.ts';
import { searchFile } from '../../../src/store/level/packed/packed-search.ts';
import { draws } from '../../draws.ts';
import { copyOf, newLocation } from '../../store/folder.ts';

/** Sessions of the store that each test begins with, more than are read before a search keeps anything. */
const many = 70;
const words = ['Refresh', 'cookie', 'src/auth/token.ts', 'Straße', '東京', 'blue-horse', 'retry'];

let full: string;

const idOf = (n: number): string => `s-${n % 2 === 0 ? 'even' : 'odd'}-${n}`;

/** What a session says, most of it as others do. */
function said(n: number, word = words[n % words.length]!): Message[] {
  return [
    { role: 'user', content: `Where is ${word}, and ${words[(n * 3) % words.length]}?` },
    { role: 'assistant', content: 'Looking.', toolCalls: [{ name: 'bash|x=', arguments: { n } }] },
    { role: 'tool', name: 'bash|x=', content: `${word} ${word} stands in place ${n}` },
    { role: 'assistant', content: `The ${word} lives here.` },
  ];
}

beforeAll(async () => {
  full = await newLocation();
  await using store = await openStore(full, { durability: 'process' });
  for (let n = 0; n < many; n += 1) {
    await using session = await store.open(idOf(n), { window: 8_192 });
    await session.append(said(n));
  }
}, 120_000);

const searches = [
  ['refresh', {}],
  ['token.ts cookie', { limit: 30 }],
  ['strasse straße 東京', { role: 'person' }],
  ['bash lives', { tool: 'bash|x=', limit: 40 }],
  ['horse place', { time: { from: 0 }, tokens: 400 }],
  ['password', {}],
  ['the', {}],
] as const;

/** What is found in a store, in all of it and in some sessions, the latest first. */
async function foundIn(location: string): Promise<readonly (readonly StoreHit[])[]> {
  await using reader = await openReader(location);
  const ids: string[] = [];
  for await (const { id } of reader.sessions()) ids.unshift(id);
  const found: (readonly StoreHit[])[] = [];
  for (const [query, options] of searches)
    for (const session of [undefined, ids, ids.filter((_, at) => at % 3 > 0)])
      found.push(await reader.recall(query, { ...options, ...(session && { session }) }));
  return found;
}

/** The same of a copy for which nothing is kept. */
async function foundAnew(location: string): Promise<readonly (readonly StoreHit[])[]> {
  const copy = await copyOf(location);
  await rm(join(copy, searchFile), { force: true });
  return foundIn(copy);
}

const keptIn = (location: string): Promise<string> =>
  readFile(join(location, searchFile), 'latin1').catch(() => '');

/** What may happen to a store between two searches. */
const steps = {
  add: async (location: string, n: number) => say(location, `new-${n}`, said(n)),
  change: async (location: string, n: number) => say(location, idOf(n), said(n + 1)),
  delete: async (location: string, n: number) => {
    await using store = await openStore(location);
    for await (const { id } of store.sessions({ prefix: idOf(n) }))
      if (id === idOf(n)) await store.delete(id);
  },
  redact: async (location: string, n: number) => {
    await say(location, idOf(n), said(n, 'password'));
    await using store = await openStore(location);
    await using session = await store.open(idOf(n));
    const secret = (await session.recall('password', { limit: 50, tokens: 20_000 })).filter(
      ({ role }) => role !== 'frame',
    );
    for (const { entry, same } of secret)
      for (const id of [entry, ...same]) await session.redact(id);
  },
  damage: async (location: string, n: number) => {
    const kept = await keptIn(location);
    const at = kept.length - 1 - ((n * 97) % Math.max(1, kept.length));
    if (kept !== '')
      await writeFile(
        join(location, searchFile),
        `${kept.slice(0, at)}#${kept.slice(at + 1)}`,
        'latin1',
      );
  },
};

async function say(location: string, id: string, messages: readonly Message[]): Promise<void> {
  await using store = await openStore(location);
  await using session = await store.open(id, { window: 8_192 });
  await session.append(messages);
}

test('what is kept of searches changes nothing of what they find, whatever happens to the store', async () => {
  const step = fc.tuple(
    fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])),
    fc.nat({ max: many - 1 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (taken) => {
      const location = await copyOf(full);
      expect(await foundIn(location)).toEqual(await foundAnew(location));
      expect(existsSync(join(location, searchFile))).toBe(true);
      for (const [name, n] of taken) {
        await steps[name](location, n);
        expect(await foundIn(location)).toEqual(await foundAnew(location));
      }
      expect(await keptIn(location)).not.toContain('password');
    }),
    { numRuns: draws(60) },
  );
}, 600_000);

test('a search of a store whose sessions are all kept opens no database where nothing is found', async () => {
  const location = await copyOf(full);
  await foundIn(location);
  const opened = vi.spyOn(Level.prototype, 'open');
  // A property that ran out of its time may still be at work on stores of its own.
  const opensIn = async (): Promise<number> => {
    opened.mockClear();
    await using reader = await openReader(location);
    expect(await reader.recall('nowhere')).toEqual([]);
    const levels = opened.mock.contexts as readonly Level[];
    return levels.filter((level) => level.location.startsWith(location)).length;
  };
  expect(await opensIn()).toBe(0);
  await say(location, 'another', said(3));
  expect(await opensIn()).toBeGreaterThan(0);
  opened.mockRestore();
});

test('who deletes takes away what is kept, and a reader of before does not bring it back', async () => {
  const location = await copyOf(full);
  await foundIn(location);
  await using before = await openReader(location);
  await rm(join(location, searchFile));
  await before.recall('refresh');
  await steps.delete(location, 5);
  await before[Symbol.asyncDispose]();
  expect(existsSync(join(location, searchFile))).toBe(false);
  await foundIn(location);
  expect(existsSync(join(location, searchFile))).toBe(true);
  await steps.delete(location, 6);
  expect(existsSync(join(location, searchFile))).toBe(false);
});

test('what is kept for another store is not read, and beside a writer nothing is kept', async () => {
  const location = await copyOf(full);
  await foundIn(location);
  const kept = await keptIn(location);
  const strangers = await newLocation();
  await say(strangers, idOf(0), said(1));
  await writeFile(join(strangers, searchFile), kept, 'latin1');
  expect(await foundIn(strangers)).toEqual(await foundAnew(strangers));
  await rm(join(location, searchFile));
  await using writer = await openStore(location);
  await foundIn(writer.location);
  expect(await keptIn(location)).toBe('');
});

test('a session that is named twice is kept as it is', async () => {
  const location = await copyOf(full);
  const ids = Array.from({ length: many }, (_, n) => idOf(n));
  {
    await using reader = await openReader(location);
    await reader.recall('nothing', { session: [...ids, ids[3]!, ids[3]!] });
  }
  expect(await keptIn(location)).not.toBe('');
  expect(await foundIn(location)).toEqual(await foundAnew(location));
});

test('what is kept of a session that is gone is taken away by the next search, whoever left it', async () => {
  const location = await copyOf(full);
  await foundIn(location);
  const kept = await readFile(join(location, searchFile));
  expect(kept.toString('latin1')).toContain(`"${idOf(5)}"`);
  await steps.delete(location, 5);
  await writeFile(join(location, searchFile), kept);
  await foundIn(location);
  expect(await keptIn(location)).not.toContain(`"${idOf(5)}"`);
  expect(await foundIn(location)).toEqual(await foundAnew(location));
});

test('what is no file of ours in its place is not read, and keeps nobody from deleting', async () => {
  const location = await copyOf(full);
  await mkdir(join(location, searchFile));
  await foundIn(location);
  await steps.delete(location, 5);
  expect(existsSync(join(location, searchFile))).toBe(false);
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(location, searchFile)]);
  expect(await foundIn(location)).toEqual(await foundAnew(location));
}, 60_000);

test('words that stand nowhere have their near spellings from what is kept, from long logs and from short ones', async () => {
  const location = await copyOf(full);
  const missing = async (query: string, session?: string) => {
    await using reader = await openLightReader(location);
    return await reader.missing(query, session === undefined ? {} : { session });
  };
  const expected = [
    { word: 'cokie', parts: [], near: ['cookie'] },
    { word: 'retryCookie', parts: ['retry', 'Cookie'], near: [] },
  ];
  expect(await missing('cokie cookie retryCookie stands')).toEqual(expected);
  expect(existsSync(join(location, searchFile))).toBe(true);
  expect(await missing('cokie cookie retryCookie stands')).toEqual(expected);
  expect(await missing('cokie', idOf(3))).toEqual([{ word: 'cokie', parts: [], near: [] }]);
  await using store = await openStore(location, { durability: 'process' });
  await using long = await store.open('long', { window: 8_192 });
  await long.append(
    Array.from({ length: 40 }, (_, n): Message => ({ role: 'user', content: `dialyzer ${n}` })),
  );
  await long.close();
  await store.close();
  expect(await missing('dialyser')).toEqual([{ word: 'dialyser', parts: [], near: ['dialyzer'] }]);
});
