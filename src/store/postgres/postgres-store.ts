import type { Pool, PoolClient, QueryConfig } from 'pg';
import { fail, type EngineError } from '../../core/values/error.ts';
import { recordCodec } from '../record.ts';
import type { Erasure, KeyRange, RawRow, RecordKind, RecordStore } from '../store.ts';
import { fencedCommits, type Bundle } from './commit-group.ts';
import { isTakenBack, postgresFailure } from './postgres-error.ts';
import { pageBytes, type RangeBounds, type Row, type Statements } from './statements.ts';

/** Rows of the first page: few, since many readers want only the first ones. */
const firstPage = 16;
const largestPage = 1_024;
/** How often a transaction is sent that the server took back. */
const mostTries = 5;

/**
 * The store in the tables of one schema, over a pool of connections that is ended with it; several processes at
 * once. What a cut connection kept from being known ends the steps that were decided on it, and nothing else.
 */
export function postgresStore(
  pool: Pool,
  sql: Statements,
  { location, id }: { readonly location: string; readonly id: number },
): RecordStore {
  const { encode, decode } = recordCodec(id);
  const reads = new Set<Promise<unknown>>();
  const views = new Set<PoolClient>();
  let closing: Promise<void> | null = null;

  const closed = (): EngineError =>
    fail('STORE_CLOSED', `Store "${location}" is closed`, { location });
  const refuseIfClosed = (): void => {
    if (closing !== null) throw closed();
  };
  const connect = (): Promise<PoolClient> =>
    pool.connect().catch((error: unknown) => {
      throw postgresFailure(location, error);
    });
  async function read(query: QueryConfig, over: Pool | PoolClient = pool): Promise<readonly Row[]> {
    refuseIfClosed();
    const reading = over.query<Row>(query);
    reads.add(reading);
    try {
      return (await reading).rows;
    } catch (error) {
      throw views.size > 0 && closing !== null ? closed() : postgresFailure(location, error);
    } finally {
      reads.delete(reading);
    }
  }
  /** Gives `work` a connection, which is cut where that fails. */
  async function write<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failure = error as Error;
      throw postgresFailure(location, error, { wrote: true });
    } finally {
      client.release(failure);
    }
  }
  const commits = fencedCommits(async (bundle) => {
    if (bundle.rows.length === 0 && bundle.heads.size === 0) return new Set();
    return write((client) => send(client, commitQuery(sql, bundle)));
  });

  async function* range(
    kind: RecordKind,
    { signal, ...bounds }: KeyRange,
  ): AsyncGenerator<readonly [string, unknown]> {
    signal?.throwIfAborted();
    let left = bounds.limit ?? Infinity;
    let after: Row | undefined;
    for (let most = firstPage; left > 0; most = Math.min(most * 4, largestPage)) {
      const wanted = Math.min(most, left);
      const rows = await read(rangeQuery(sql, kind, { ...bounds, after, wanted }));
      for (const { key, value } of rows) {
        signal?.throwIfAborted();
        yield [key, decode(kind, key, value)];
      }
      left -= rows.length;
      if (left > 0) signal?.throwIfAborted();
      if (isLast(rows, wanted)) return;
      after = rows.at(-1);
    }
  }

  /** Every row, in one view: a transaction that reads what was there when it began. */
  async function* rows(): AsyncGenerator<RawRow> {
    refuseIfClosed();
    const client = await connect();
    views.add(client);
    try {
      await read({ text: sql.begin }, client);
      for (let after: Row | undefined, isOver = false; !isOver;) {
        const values = [after?.kind ?? '', after?.key ?? '', largestPage];
        const page = await read({ text: sql.rows, values }, client);
        for (const { kind, key, value } of page) yield [`!${kind}!${key}`, value];
        isOver = isLast(page, largestPage);
        after = page.at(-1);
      }
    } finally {
      // With its connection the transaction ends.
      if (views.delete(client)) client.release(true);
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled([commits.settled(), ...reads]);
    for (const client of views) client.release(true);
    views.clear();
    await pool.end();
  }

  return {
    location,
    isShared: true,
    async get(kind, key) {
      const [row] = await read({ name: 'get', text: sql.get, values: [kind, key] });
      return row === undefined ? undefined : decode(kind, key, row.value);
    },
    async getMany(kind, keys) {
      if (keys.length === 0) return read({ text: 'select 1 where false' }).then(() => []);
      const found = await read({ name: 'many', text: sql.getMany, values: [kind, keys] });
      const texts = new Map(found.map(({ key, value }) => [key, value]));
      return keys.map((key) => {
        const text = texts.get(key);
        return text === undefined ? undefined : decode(kind, key, text);
      });
    },
    range,
    rows,
    async commit(changes, { expect, of } = {}) {
      refuseIfClosed();
      const rowChanges = changes.map((change) => {
        const { kind, key } = change;
        return { kind, key, value: change.type === 'del' ? null : encode(kind, key, change.value) };
      });
      await commits.commit(rowChanges, { expect, of });
    },
    async erase(session) {
      refuseIfClosed();
      await commits.settled();
      return write(async (client) => {
        // The head first, in a statement of its own: what a commit under way writes is seen by the next.
        await client.query('begin');
        await client.query(sql.hold, [session]);
        const { rows } = await client.query<{ rows: number }>(sql.erase, [session]);
        await client.query('commit');
        return { rows: rows[0]!.rows, left: [ofServer] };
      });
    },
    reclaim: () => Promise.resolve([ofServer]),
    close: () => (closing ??= close()),
  };
}

const ofServer: Erasure['left'][number] = {
  kind: 'server',
  text: 'Pages of the server until `vacuum full`, its write-ahead log, and its backups',
};

/** Sends a transaction, again where the server took it back for the sake of another; the sessions whose heads it moved. */
async function send(client: PoolClient, query: QueryConfig): Promise<ReadonlySet<string>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { rows } = await client.query<{ session: string }>(query);
      return new Set(rows.map(({ session }) => session));
    } catch (error) {
      if (tries === mostTries || !isTakenBack(error)) throw error;
    }
  }
}

function commitQuery(sql: Statements, { heads, rows }: Bundle): QueryConfig {
  const moves = [...heads];
  const values = [
    moves.map(([session]) => session),
    moves.map(([, { seq }]) => seq),
    moves.map(([, { born }]) => born),
    moves.map(([, { next }]) => next),
    rows.map(({ session }) => session),
    rows.map(({ kind }) => kind),
    rows.map(({ key }) => key),
    rows.map(({ value }) => value),
    rows.map(({ of }) => of?.session),
    rows.map(({ of }) => of?.born),
  ];
  return { name: 'commit', text: sql.commit, values };
}

interface PageRange extends KeyRange {
  readonly after: Row | undefined;
  readonly wanted: number;
}

/** A page of a range, behind the last row of the one before. */
function rangeQuery(
  sql: Statements,
  kind: RecordKind,
  { gte, gt, lt, lte, reverse = false, after, wanted }: PageRange,
): QueryConfig {
  const isUp = after !== undefined && !reverse;
  const isDown = after !== undefined && reverse;
  const bounds: RangeBounds = {
    lower: isUp || (gte === undefined && gt !== undefined) ? '>' : '>=',
    upper: isDown || (lte === undefined && lt !== undefined) ? '<' : '<=',
    reverse,
  };
  const lower = isUp ? after.key : (gte ?? gt ?? '');
  const upper = isDown ? after.key : (lte ?? lt ?? null);
  return { text: sql.range(bounds), values: [kind, lower, upper, wanted] };
}

/** Whether nothing comes after a page: it is neither full nor cut for its size. */
function isLast(rows: readonly Row[], wanted: number): boolean {
  const bytes = rows.reduce((sum, { value }) => sum + value.length, 0);
  return rows.length < wanted && bytes * 3 < pageBytes;
}
