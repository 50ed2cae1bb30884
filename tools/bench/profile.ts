import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inProcess } from './process.ts';

// Where the time of some work goes, by module: the work runs in a process of its
// own under V8's sampling profiler, and each sample counts for the file of the
// function that was running. Samples below a compression stand in a column of
// their own; those of the suite itself, and of input that it makes, are left out.

/** Work to look into: a part of the suite, and what it is given. */
const works: Readonly<Record<string, { part: string; given: unknown }>> = {
  append: {
    part: 'append',
    given: { durability: 'process', pattern: 'one', rounds: 10, size: 800, alone: true },
  },
  together: { part: 'together', given: { rounds: 15 } },
  frames: { part: 'frames', given: { rounds: 3, many: 2_000 } },
  sessions: { part: 'sessions', given: { rounds: 7 } },
  prefix: { part: 'prefix', given: { limit: 16_000, length: 2_000 } },
};

/** What can be profiled. */
export const profiles: readonly string[] = Object.keys(works);

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** What V8 writes. */
interface CpuProfile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** Microseconds of a module. */
interface Time {
  plain: number;
  /** Below a compression. */
  compressing: number;
  /** All of it, by function. */
  readonly functions: Map<string, number>;
}

/** The time of some work by module, as a table. */
export async function profile(name: string): Promise<string> {
  const { part, given } = works[name]!;
  const folder = mkdtempSync(join(tmpdir(), 'flamestack-profile-'));
  try {
    await inProcess(part, given, { flags: ['--cpu-prof', `--cpu-prof-dir=${folder}`] });
    const [file] = readdirSync(folder);
    const read = JSON.parse(readFileSync(join(folder, file!), 'utf8')) as CpuProfile;
    return toTable(timesOf(read));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What only a compression calls. */
const compressing = /\/src\/engine\/compression\//;

function timesOf({ nodes, samples, timeDeltas }: CpuProfile): Map<string, Time> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])),
  );
  const isBelow = ({ id, callFrame }: Node): boolean => {
    if (compressing.test(callFrame.url)) return true;
    const parent = known.get(parents.get(id) ?? -1);
    return parent !== undefined && isBelow(parent);
  };
  const below = new Set(nodes.filter(isBelow).map(({ id }) => id));
  const times = new Map<string, Time>();
  samples.forEach((id, index) => {
    const { functionName, url } = known.get(id)!.callFrame;
    const module = moduleOf(functionName, url);
    if (module === null) return;
    const time = times.get(module) ?? { plain: 0, compressing: 0, functions: new Map() };
    const name = functionName === '' ? '(anonymous)' : functionName;
    const delta = timeDeltas[index]!;
    time[below.has(id) ? 'compressing' : 'plain'] += delta;
    time.functions.set(name, (time.functions.get(name) ?? 0) + delta);
    times.set(module, time);
  });
  return times;
}

const build = fileURLToPath(new URL('../..', import.meta.url));

/** The source file of a function, the package it is of, or what it is of V8 and Node; null for no work of the engine. */
function moduleOf(functionName: string, url: string): string | null {
  if (functionName === '(idle)' || functionName === '(program)') return null;
  if (url === '') return functionName.startsWith('(') ? functionName : 'V8 (builtin)';
  if (url.startsWith('node:')) return 'Node';
  const file = fileURLToPath(url);
  const packaged = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file);
  if (packaged !== null) return `package ${packaged[1]}`;
  const module = relative(build, file).replace(/\.js$/, '.ts');
  return /^(test|tools)\//.test(module) ? null : module;
}

function toTable(times: ReadonlyMap<string, Time>): string {
  const sum = (of: (time: Time) => number): number =>
    [...times.values()].reduce((all, time) => all + of(time), 0);
  const total = (time: Time): number => time.plain + time.compressing;
  const all = sum(total);
  const share = (time: number): string => `${((100 * time) / all).toFixed(1)} %`;
  const rows = [...times]
    .sort(([, a], [, b]) => total(b) - total(a))
    .filter(([, time]) => total(time) > all / 200)
    .map(([module, time]) => {
      const most = [...time.functions].sort(([, a], [, b]) => b - a).slice(0, 3);
      const names = most.map(([name, part]) => `${name.slice(0, 30)} ${share(part)}`).join(', ');
      return `| ${module} | ${share(total(time))} | ${share(time.plain)} | ${share(time.compressing)} | ${names} |`;
    });
  return [
    '| module | self time | apart from compressions | in them | most of it in |',
    '|---|---:|---:|---:|---|',
    ...rows,
    `| all | 100 % | ${share(sum(({ plain }) => plain))} | ${share(sum((time) => time.compressing))} | |`,
    `\n${(all / 1_000).toFixed(0)} ms of JavaScript in all`,
  ].join('\n');
}
