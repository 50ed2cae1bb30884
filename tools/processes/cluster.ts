import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

// A PostgreSQL server of one's own, in a folder for temporary files and on a socket there: nobody else's
// server is touched, and no port is taken. It refuses to run as root, so root starts it as `postgres`.

/** A server that runs until it is stopped. */
export interface Cluster {
  /** The address of its database, with the password. */
  readonly address: string;
  /** Ends all connections and starts again; `immediate` as if the power had gone. */
  restart(how?: 'fast' | 'immediate'): Promise<void>;
  /** Stops and starts without more. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops, and removes the folder. */
  remove(): Promise<void>;
}

const run = promisify(execFile);
const versions = '/usr/lib/postgresql';

/** Where the programs of a server are; null where there are none. */
function programs(): string | null {
  if (!existsSync(versions)) return null;
  const [newest] = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  const folder = join(versions, newest ?? '', 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : null;
}

/** Why no server can be started here; null where one can. */
export function whyNoCluster(): string | null {
  if (programs() === null) return `there is no PostgreSQL server in ${versions}`;
  if (process.getuid?.() === 0 && userId() === null)
    return 'root has no user postgres to run it as';
  return null;
}

/** The user and the group that root runs a server as. */
function userId(): readonly [uid: number, gid: number] | null {
  try {
    const of = (what: string): number =>
      Number(execFileSync('id', [what, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return [of('-u'), of('-g')];
  } catch {
    return null;
  }
}

/** Starts a server; settings are those of `postgresql.conf`. */
export async function startCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const bin = programs()!;
  const folder = mkdtempSync(join(tmpdir(), 'flamestack-pg-'));
  const password = 'let-me-in';
  const secret = join(folder, 'password');
  writeFileSync(secret, password, { mode: 0o600 });
  const owner = process.getuid?.() === 0 ? userId() : null;
  if (owner !== null) for (const path of [folder, secret]) chownSync(path, ...owner);
  const call = (program: string, args: readonly string[]): Promise<unknown> => {
    const whole = [join(bin, program), ...args];
    const [file, ...rest] = owner === null ? whole : ['runuser', '-u', 'postgres', '--', ...whole];
    return run(file!, rest, { cwd: folder });
  };
  const data = join(folder, 'data');
  const control = (...args: string[]): Promise<unknown> =>
    call('pg_ctl', ['-D', data, '-w', '-s', '-l', join(folder, 'log'), ...args]);
  const user = ['-U', 'flame', '-A', 'scram-sha-256', '--pwfile', secret];
  await call('initdb', ['-D', data, ...user, '-E', 'UTF8', '--no-locale', '--no-sync']);
  const given = { listen_addresses: '', unix_socket_directories: folder, ...settings };
  const words = Object.entries(given).map(([name, value]) => `-c ${name}='${value}'`);
  const start = async (): Promise<void> => void (await control('-o', words.join(' '), 'start'));
  const stop = async (how = 'fast'): Promise<void> => void (await control('-m', how, 'stop'));
  await start();
  return {
    address: `postgres://flame:${password}@${encodeURIComponent(folder)}:5432/postgres`,
    start,
    stop,
    async restart(how) {
      await stop(how);
      await start();
    },
    async remove() {
      await stop('immediate').catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
