import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/index.ts';
import { startCluster, whyNoCluster } from './cluster.ts';
import { compareHosts } from './figures.ts';
import { judge, type Ledger } from './judge.ts';
import { print, type Orders, type Told } from './work.ts';

// npm run processes -- [--sessions 64] [--processes 3] [--seconds 60] [--figures]
//
// Several processes append to the same sessions over PostgreSQL, and one of them is killed every second
// and started again. At the end every session is compared with what was acknowledged, and every law is
// checked. Exits with 4 where anything was lost, done twice or broken.
// With `--figures` it prints appends a second over LevelDB and PostgreSQL instead.

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '64' },
    processes: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '60' },
    figures: { type: 'boolean', default: false },
  },
});
const [sessions, processes, seconds] = [values.sessions, values.processes, values.seconds].map(
  Number,
) as [number, number, number];
/** Small enough for compressions. */
const window = 4_000;
/** Processes that wait for one to be killed: on a busy machine the next takes longer than a second to load. */
const inReserve = 10;

/** A process that loads everything, and then waits for its orders. */
interface Standby {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
  /** Resolves when it has loaded everything. */
  readonly ready: Promise<unknown>;
}

/** One place of a worker: processes follow each other in it. */
interface Place {
  readonly name: string;
  runs: number;
  child: Standby['child'] | null;
  /** What was sent, and not yet acknowledged. */
  readonly open: Map<string, readonly [session: string, key: string]>;
  gone: Promise<unknown>;
}

const ledgers = new Map<string, Ledger>();
const refused = new Map<string, number>();
let kills = 0;
let behind = 0;

function newStandby(address: string): Standby {
  const script = join(import.meta.dirname, 'worker.js');
  const child = spawn(process.execPath, [script, address, String(sessions)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  return { child, lines, ready: once(lines, 'line') };
}

function start(place: Place, { child, lines }: Standby): void {
  place.runs += 1;
  const orders: Orders = { name: `${place.name}.${place.runs}`, left: [...place.open.values()] };
  child.stdin.write(`${JSON.stringify(orders)}\n`);
  lines.on('line', (line) => hear(place, JSON.parse(line) as Told));
  place.child = child;
  place.gone = Promise.all([once(child, 'exit'), once(lines, 'close')]);
}

function hear({ open }: Place, told: Told): void {
  if (told.is === 'behind') behind += 1;
  if (told.is === 'refused') refused.set(told.code, (refused.get(told.code) ?? 0) + 1);
  if (told.is !== 'sent' && told.is !== 'kept') return;
  const { sent, kept } = ledgers.get(told.session)!;
  if (told.is === 'sent') {
    sent.add(told.key);
    open.set(told.key, [told.session, told.key]);
  } else {
    kept.set(told.key, told.id);
    open.delete(told.key);
  }
}

async function kill(place: Place): Promise<void> {
  place.child!.kill('SIGKILL');
  await place.gone;
  kills += 1;
}

async function trial(address: string): Promise<boolean> {
  const store = await openStore(address);
  for (let n = 0; n < sessions; n += 1) {
    ledgers.set(`s${n}`, { sent: new Set(), kept: new Map() });
    await (await store.open(`s${n}`, { window, reserve: 0 })).close();
  }
  await store.close();
  const places = Array.from({ length: processes }, (_, n): Place => ({
    name: `p${n}`,
    runs: 0,
    child: null,
    open: new Map(),
    gone: Promise.resolve(),
  }));
  const standbys = Array.from({ length: processes + inReserve }, () => newStandby(address));
  for (const { ready } of standbys) await ready;
  for (const place of places) start(place, standbys.shift()!);
  const ends = performance.now() + seconds * 1_000;
  for (;;) {
    await Promise.all([sleep(1_000), standbys[0]!.ready]);
    if (performance.now() > ends) break;
    const place = places[kills % processes]!;
    await kill(place);
    start(place, standbys.shift()!);
    standbys.push(newStandby(address));
  }
  for (const { child } of standbys) child.kill();
  for (const { child } of places) child!.stdin.end();
  await Promise.all(places.map(({ gone }) => gone));
  const failed = places.filter(({ child }) => child!.exitCode !== 0).length;
  await using again = await openStore(address);
  const verdict = await judge(again, ledgers, window);
  return report(failed, verdict);
}

function report(failed: number, verdict: Awaited<ReturnType<typeof judge>>): boolean {
  const { faults, ...found } = verdict;
  const kept = [...ledgers.values()].reduce((sum, ledger) => sum + ledger.kept.size, 0);
  const told = [...refused].map(([code, times]) => `${times} × ${code}`).join(', ') || 'none';
  print(`${sessions} sessions, ${processes} processes, ${seconds} s, ${kills} killed`);
  print(
    `${kept} messages acknowledged, ${Math.round(kept / seconds)} a second; ${behind} decided again; refused: ${told}`,
  );
  print(
    Object.entries(found)
      .map(([name, count]) => `${count} ${name}`)
      .join(' · '),
  );
  if (failed > 0) print(`${failed} workers ended with an error`);
  for (const fault of faults) print(`  ${fault}`);
  const { entries: _, ...bad } = found;
  return failed === 0 && kept > 0 && Object.values(bad).every((count) => count === 0);
}

const missing = whyNoCluster();
if (missing !== null) {
  print(`Not run: ${missing}`);
} else {
  const cluster = await startCluster();
  try {
    if (values.figures) await compareHosts(cluster.address);
    else if (!(await trial(cluster.address))) process.exitCode = 4;
  } finally {
    await cluster.remove();
  }
}
