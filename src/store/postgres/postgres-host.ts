import type pg from 'pg';
import { fail, isEngineError, type EngineError } from '../../core/values/error.ts';
import {
  checkArgument,
  integer,
  nonEmptyText,
  objectOf,
  wait,
} from '../../core/values/validation.ts';
import { checkHeader } from '../format.ts';
import type { OpenOptions, RecordStore, StoreHost } from '../store.ts';
import { postgresAddress } from './address.ts';
import { postgresFailure } from './postgres-error.ts';
import { postgresStore } from './postgres-store.ts';
import { statements } from './statements.ts';

/** Where a database is, and how it is spoken to. */
export interface PostgresOptions {
  /** `postgres://user@host:5432/database`; what it leaves out is taken from the environment (`PGHOST`, `PGUSER`, `PGPASSWORD` …). */
  readonly connectionString?: string;
  /** The schema that holds the store; `flamestack` unless told. Several stores share a database under several names. */
  readonly schema?: string;
  /** Most connections at once; 10 unless told. */
  readonly connections?: number;
  /** How long one statement may take, and how long a connection is waited for, in milliseconds; 30,000 unless told. */
  readonly timeout?: number;
}

type Pg = Pick<typeof pg, 'Client' | 'Pool'>;

/** A store in a PostgreSQL database, for several processes at once; needs the package `pg`. */
export function postgresHost(options: PostgresOptions = {}): StoreHost {
  checkArgument('postgres', options, postgresOptions);
  const { connectionString } = options;
  if (connectionString !== undefined && !isAddress(connectionString)) throw noAddress();
  const schema = options.schema ?? schemaIn(options.connectionString) ?? 'flamestack';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw refused('schema', 'A schema has up to 63 small letters, digits and underscores');
  return { open: (how) => openPostgres({ ...options, schema }, how) };
}

const postgresOptions = objectOf<PostgresOptions>({
  connectionString: nonEmptyText('postgres://user@host:5432/database'),
  schema: nonEmptyText(),
  connections: integer(2),
  timeout: wait(1),
});

/** `?schema=` of an address, which a location has too. */
const schemaIn = (address = ''): string | undefined => /[?&]schema=([^&]*)/.exec(address)?.[1];

async function openPostgres(
  options: PostgresOptions & { readonly schema: string },
  { durability, create }: OpenOptions,
): Promise<RecordStore> {
  const driver = await loadDriver();
  const config = configOf(options, durability);
  const location = locationOf(driver, config, options.schema);
  const sql = statements(options.schema);
  const pool = new driver.Pool(config);
  // What ended a connection is said by the query under way on it, or by the next one on another.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    const { rows } = await pool.query<{ exists: boolean; commits: string }>(sql.look);
    const { exists, commits } = rows[0]!;
    if (durability === 'power' && commits === 'off') throw lax(location);
    if (!exists && !create)
      throw fail('STORE_NOT_FOUND', `There is no store in "${location}"`, { location });
    if (!exists) await pool.query(sql.create);
    const { id } = await checkHeader(postgresStore(pool, sql, { location, id: 0 }));
    return postgresStore(pool, sql, { location, id });
  } catch (error) {
    await pool.end();
    throw isEngineError(error) ? error : postgresFailure(location, error);
  }
}

async function loadDriver(): Promise<Pg> {
  try {
    return (await import('pg')).default;
  } catch {
    throw refused('host', 'PostgreSQL needs the package "pg": npm install pg');
  }
}

function configOf(
  { connectionString, connections = 10, timeout = 30_000 }: PostgresOptions,
  durability: OpenOptions['durability'],
): pg.PoolConfig {
  return {
    ...(connectionString === undefined ? {} : { connectionString }),
    max: connections,
    application_name: 'flamestack',
    keepAlive: true,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    // For a server that does not answer any more.
    query_timeout: timeout + 5_000,
    ...(durability === 'process' ? { options: '-c synchronous_commit=off' } : {}),
  };
}

/** The address of a store without its password; throws `OPTION_INVALID` where there is none to be read. */
function locationOf({ Client }: Pg, config: pg.PoolConfig, schema: string): string {
  try {
    const { user, host, port, database } = new Client(config);
    const at = `${user ?? ''}@${encodeURIComponent(host)}:${port}/${database ?? ''}`;
    return `postgres://${at}?schema=${schema}`;
  } catch {
    // What was given may hold a password, so it is not repeated.
    throw noAddress();
  }
}

/** Whether the driver reads an address in it, or the folder of a socket, and not the name of a database. */
const isAddress = (text: string): boolean => text.startsWith('/') || postgresAddress(text) !== null;

const noAddress = (): EngineError =>
  refused('connectionString', 'connectionString takes postgres://user@host:5432/database');

function lax(location: string): EngineError {
  const message = `"${location}" has synchronous_commit off, so what it commits does not survive a power cut; set it on, or open with durability 'process'`;
  return fail('OPTION_INVALID', message, { option: 'durability', location });
}

const refused = (option: string, message: string): EngineError =>
  fail('OPTION_INVALID', message, { option });
