import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SearchIndex } from '../../../src/engine/recall/search-index.ts';
import { openStore, postgresHost } from '../../../src/index.ts';
import { entryKey, journalKey } from '../../../src/store/key.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import { startCluster, whyNoCluster, type Cluster } from '../../../tools/processes/cluster.ts';

const missing = whyNoCluster();
const how = { durability: 'power', create: true } as const;
const put = (n: number, value: unknown = n) =>
  ({ type: 'put', kind: 'entry', key: entryKey('s', n), value }) as const;

test.each([
  [{ schema: 'Not"one' }, 'schema'],
  [{ connectionString: 'postgres://me:secret@here:port/x' }, 'connectionString'],
  [{ connections: 1 }, 'connections'],
])('%j is refused, and no password is repeated', async (options, option) => {
  const opening = (async () => postgresHost(options).open(how))();
  const error: unknown = await opening.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'OPTION_INVALID' });
  expect((error as { detail: { option: string } }).detail.option).toContain(option);
  expect(inspect(error, { depth: 9 })).not.toContain('secret');
});

describe.skipIf(missing !== null)(`PostgreSQL${missing === null ? '' : `: ${missing}`}`, () => {
  let cluster: Cluster;
  let schemas = 0;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const hostOf = (schema: string, timeout = 30_000) =>
    postgresHost({ connectionString: cluster.address, schema, timeout });
  async function opened(timeout?: number): Promise<RecordStore> {
    const store = await hostOf(`h${(schemas += 1)}`, timeout).open(how);
    onTestFinished(() => store.close());
    return store;
  }
  async function asAdmin(text: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: cluster.address });
    await client.connect();
    await client.query(text);
    onTestFinished(() => client.end());
    return client;
  }

  test('an address opens a store, names it without the password, and finds it again', async () => {
    const address = `${cluster.address}?schema=by_address`;
    const store = await openStore(address);
    const session = await store.open('s', { window: 8_192 });
    await session.append({ role: 'user', content: 'kept' });
    expect(store.location).toMatch(/^postgres:\/\/flame@.*:5432\/postgres\?schema=by_address$/);
    expect(inspect(store, { depth: 9 })).not.toContain('let-me-in');
    await store.close();
    await using again = await openStore(address, { create: false });
    expect((await again.open('s')).state.entries).toBe(1);
  });

  test('the example appends once for each key, whoever was first', async () => {
    const example = readFileSync('examples/postgres.mjs', 'utf8');
    const file = join(import.meta.dirname, 'generated-example.mjs');
    writeFileSync(file, example.replace("'flamestack'", "'../../../src/index.ts'"));
    vi.stubEnv('DATABASE_URL', `${cluster.address}?schema=example`);
    const { argv } = process;
    process.argv = argv.slice(0, 2);
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => {
      process.argv = argv;
      rmSync(file);
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });
    await import(file);
    const [ids, ...lines] = print.mock.calls.map(([text]) => String(text).trim());
    print.mockRestore();
    const [first, again] = ids!.split(' ');
    expect(first).toBe(again);
    const said = lines.map((line) => line.slice(3));
    expect(said).toHaveLength(2);
    expect(new Set(said)).toEqual(new Set(['"Build the app"', '"And test it"']));
  });

  test('without create a store that is not there is not found, and not made', async () => {
    for (let tries = 0; tries < 2; tries += 1)
      await expect(hostOf('nowhere').open({ ...how, create: false })).rejects.toMatchObject({
        code: 'STORE_NOT_FOUND',
      });
  });

  test('several that begin a store at once all open it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = [1, 2, 3, 4].map(() => hostOf(`together${round}`).open(how));
      for (const store of await Promise.all(all)) await store.close();
    }
  });

  test('a store of a newer format is refused', async () => {
    const store = await opened();
    const value = { version: 2 };
    await store.commit([{ type: 'put', kind: 'meta', key: 'format', value }]);
    const schema = /schema=(\w+)/.exec(store.location)![1]!;
    await expect(hostOf(schema).open(how)).rejects.toMatchObject({ code: 'STORE_TOO_NEW' });
  });

  test('a wrong password is refused for good, and neither is told', async () => {
    const wrong = cluster.address.replace('let-me-in', 'not-this-one');
    const opening = postgresHost({ connectionString: wrong }).open(how);
    const error: unknown = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: false,
      detail: { reason: '28P01' },
    });
    expect(inspect(error, { depth: 9 })).not.toMatch(/not-this-one|let-me-in/);
  });

  test('a server that commits before it writes is no place for what is to survive a power cut', async () => {
    const lax = `${cluster.address}?options=${encodeURIComponent('-c synchronous_commit=off')}`;
    const host = postgresHost({ connectionString: lax, schema: 'lax' });
    await expect(host.open(how)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    await (await host.open({ ...how, durability: 'process' })).close();
  });

  test('a statement that takes too long is refused, and what it would write is not there', async () => {
    const store = await opened(300);
    const schema = /schema=(\w+)/.exec(store.location)![1]!;
    await store.commit([put(1)]);
    const client = await asAdmin(`begin; lock table ${schema}.record in exclusive mode`);
    await expect(store.commit([put(2)])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
      detail: { reason: '57014' },
    });
    await client.query('rollback');
    expect(await store.get('entry', entryKey('s', 2))).toBeUndefined();
    await store.commit([put(2)]);
  });

  test('a row and a head that others hold are waited for, in any order, without an end of either', async () => {
    const store = await opened();
    const other = await postgresHost({
      connectionString: cluster.address,
      schema: /schema=(\w+)/.exec(store.location)![1]!,
    }).open(how);
    onTestFinished(() => other.close());
    const sessions = Array.from({ length: 30 }, (_, n) => `s${n}`);
    const commit = (at: RecordStore, session: string) => {
      const key = journalKey(session, 1);
      const change = { type: 'put', kind: 'journal', key, value: 1 } as const;
      return at.commit([change], { expect: { session, seq: 0, born: 1, owner: {} } });
    };
    const ends = await Promise.allSettled([
      ...sessions.map((session) => commit(store, session)),
      ...sessions.toReversed().map((session) => commit(other, session)),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'CONFLICT' });
  });

  test('while the server is gone every call says so; when it is back the same store goes on', async () => {
    const store = await openStore(hostOf('gone', 2_000));
    onTestFinished(() => store.close());
    const session = await store.open('s', { window: 8_192 });
    await session.append({ role: 'user', content: 'one' }, { key: 'one' });
    await cluster.stop();
    const gone = { code: 'STORE_UNAVAILABLE', retryable: true };
    const two = { role: 'user', content: 'two' } as const;
    await expect(session.append(two, { key: 'two' })).rejects.toMatchObject(gone);
    await expect(session.append(two, { key: 'two' })).rejects.toMatchObject(gone);
    await expect(openStore(hostOf('gone', 2_000))).rejects.toMatchObject(gone);
    await cluster.start();
    expect(await session.append(two, { key: 'two' })).toEqual({ id: 'e2' });
    expect(session.state.entries).toBe(2);
  });

  test('a search index that several make is the same, and takes nothing from under who reads it', async () => {
    const one = await opened();
    const schema = /schema=(\w+)/.exec(one.location)![1]!;
    const other = await hostOf(schema).open(how);
    onTestFinished(() => other.close());
    const message = (n: number) => ({ role: 'user', content: n % 3 === 0 ? 'ant bee' : 'cat' });
    const row = (n: number) => ({ frame: 'f0', at: n, tokens: 1, message: message(n) });
    await one.commit(
      Array.from({ length: 200 }, (_, n) => put(n + 1, row(n + 1))),
      { expect: { session: 's', seq: 0, born: 1, owner: {} } },
    );
    const size = { entries: 4, text: 1_000_000 };
    const [mine, theirs] = [one, other].map(
      (store) => new SearchIndex(store, { session: 's', created: 1 }, size),
    ) as [SearchIndex, SearchIndex];
    const entriesOf = async (index: SearchIndex): Promise<number> => {
      const searched = await index.find(['ant'], 200);
      return searched.reduce((sum, { postings }) => sum + (postings[0]?.pieces ?? 0), 0);
    };
    const never = new AbortController().signal;
    await mine.complete(60, never);
    await Promise.all([mine.complete(130, never), theirs.complete(200, never)]);
    expect(await entriesOf(mine)).toBe(66);
    expect(await entriesOf(theirs)).toBe(66);
    expect(await entriesOf(mine)).toBe(66);
  });

  test('what is derived from a session is not written when another process deletes it, or has', async () => {
    const one = await opened();
    const schema = /schema=(\w+)/.exec(one.location)![1]!;
    const other = await hostOf(schema).open(how);
    onTestFinished(() => other.close());
    const derived = (n: number) =>
      ({ type: 'put', kind: 'search', key: `s:p000/00000000000${n}`, value: 'ant' }) as const;
    const rowsLeft = async (): Promise<readonly string[]> => {
      const keys: string[] = [];
      for await (const [key] of one.rows()) if (!key.startsWith('!meta!')) keys.push(key);
      return keys;
    };
    for (let round = 1; round <= 20; round += 1) {
      const of = { session: 's', born: round };
      await one.commit([put(1)], { expect: { ...of, seq: 0, owner: {} } });
      await other.commit([derived(1)], { of });
      expect(await rowsLeft()).toHaveLength(2);
      await other.commit([derived(2)], { of: { ...of, born: 0 } });
      expect(await rowsLeft()).toHaveLength(2);
      await Promise.all([one.erase('s'), other.commit([derived(3)], { of })]);
      await other.commit([derived(4)], { of });
      expect(await rowsLeft()).toEqual([]);
    }
  });

  test('an entry is redacted in all rows, and another process sees it so', async () => {
    const host = hostOf(`h${(schemas += 1)}`);
    const store = await openStore(host, { documents: false });
    onTestFinished(() => store.close());
    const session = await store.open('s', { window: 2_000, title: 'Keys' });
    const secret = 'gV7pQ2xL9mK4';
    for (let n = 1; n <= 40; n += 1) {
      const said = n === 3 ? `The password is ${secret}, we keep it so.` : `Step ${n} of the work.`;
      await session.append([
        { role: 'user', content: said },
        { role: 'assistant', content: `Done with it. ${'More words of it. '.repeat(12)}` },
      ]);
    }
    await session.settled();
    await session.recall(secret);
    const rowsWith = async (): Promise<number> => {
      const client = new pg.Client({ connectionString: cluster.address });
      await client.connect();
      const of = `table_schema = 'h${schemas}'`;
      const tables = await client.query<{ table_name: string }>(
        `select table_name from information_schema.tables where ${of}`,
      );
      let found = 0;
      for (const { table_name: table } of tables.rows) {
        const { rows } = await client.query<{ row: string }>(
          `select t::text as row from "h${schemas}"."${table}" t`,
        );
        found += rows.filter(({ row }) => row.toLowerCase().includes(secret.toLowerCase())).length;
      }
      await client.end();
      return found;
    };
    expect(await rowsWith()).toBeGreaterThan(0);
    const { masked } = await session.redact('e5');
    expect(masked).toBeGreaterThan(0);
    expect(await rowsWith()).toBe(0);
    const other = await openStore(host, { documents: false });
    onTestFinished(() => other.close());
    const seen = await other.open('s');
    expect(await seen.entry('e5')).toMatchObject({ content: '[redacted]' });
    expect(JSON.stringify(await seen.assemble())).not.toContain(secret);
    expect(await seen.recall(secret)).toEqual([]);
    await seen.append({ role: 'user', content: 'Go on.' });
    await session.append({ role: 'user', content: 'And on.' });
    expect(await session.entry('e5')).toMatchObject({ content: '[redacted]' });
  });

  test('a copy of the store is one view, in a folder, though others write', async () => {
    const store = await opened();
    await store.commit(Array.from({ length: 3_000 }, (_, n) => put(n)));
    let rows = 0;
    for await (const [key] of store.rows()) {
      if (rows === 0) await store.commit([put(9_999)]);
      expect(key).not.toContain('9999');
      rows += 1;
    }
    expect(rows).toBe(3_001);
    for await (const _ of store.rows()) break;
    const open = store.rows()[Symbol.asyncIterator]();
    await open.next();
  });
});
