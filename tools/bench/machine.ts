import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { project } from './rivals.ts';

/** Where and of what a table was measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
  readonly date: string;
  readonly commit: string;
  /** How many processes wanted to run, on average over the last minute: before the run, and at its end. */
  readonly load: readonly [number, number];
}

/** This machine, at the end of a run that began with `load`. */
export function describeMachine(load: number): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    load: [load, loadNow()],
  };
}

/** The load of the last minute. */
export function loadNow(): number {
  return Number(loadavg()[0]!.toFixed(1));
}

/** The machine in one line. */
export function machineLine(machine: Machine): string {
  const { cpu, cores, memory, system, node, date, commit, load } = machine;
  return `${cpu}, ${cores} cores, ${memory}, ${system} · Node ${node} · ${date} · commit ${commit} · load ${load.join(' → ')}`;
}

/** The commit that is checked out, marked where files differ from it; `unknown` outside of git. */
function commit(): string {
  const git = (...given: string[]): string =>
    execFileSync('git', given, {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    const changed = git('status', '--porcelain', '--', 'src', 'machines').trim() !== '';
    return git('rev-parse', '--short', 'HEAD').trim() + (changed ? ' with changes' : '');
  } catch {
    return 'unknown';
  }
}
