import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Cost } from './cost.ts';
import { describeMachine, loadNow, machineLine } from './machine.ts';
import { inProcess } from './process.ts';
import type { Race, RaceGiven } from './race.ts';
import { haveRivals, rivalNode, rivalsFolder } from './rivals.ts';
import { ratioRow, type Goal, type Row } from './row.ts';
import { withFolder } from './scratch.ts';
import { toMeasured, toTable, type Measured } from './table.ts';

// Flamestack beside other runtimes on one transcript, each in a process of its
// own. Ratios are theirs over ours in the same round, under the same Node.

interface Runner {
  readonly driver: string;
  readonly title: string;
  /** The Node it runs under: some ask for 22, a driver built for this one cannot. */
  readonly node: 'newer' | 'this';
  /** What it must cost at least, times ours. */
  readonly goal?: Goal;
}

const runners: readonly Runner[] = [
  { driver: 'pi', title: "pi's session manager", node: 'newer', goal: { atLeast: 5 } },
  { driver: 'mastra', title: 'Mastra memory on libSQL', node: 'newer', goal: { atLeast: 8 } },
  {
    driver: 'langgraph',
    title: 'LangGraph with summary on SQLite',
    node: 'this',
    goal: { atLeast: 15 },
  },
  { driver: 'ai-sdk', title: 'AI SDK, prune and save', node: 'newer' },
  { driver: 'openai-agents', title: 'OpenAI Agents session', node: 'newer' },
];

/** Messages from which on goals are judged. */
const judgedLength = 10_000;

const usage = `npm run bench:rivals -- [--quick] [--only <driver>]… [--rounds <n>] [--json]

--quick   2,000 messages each instead of 20,000
--only    ${runners.map(({ driver }) => driver).join(', ')}
--rounds  how often all is run; 1 unless told
--json    every number
`;

/** What one runtime did in one round. */
interface Ran extends Race {
  readonly reopen: Cost | null;
}

async function main(given: string[]): Promise<void> {
  const { values } = parseArgs({
    args: given,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '1' },
    },
  });
  const { quick, json, help, only, rounds } = values;
  const chosen = runners.filter(({ driver }) => only.length === 0 || only.includes(driver));
  if (help || chosen.length === 0) {
    process.stdout.write(usage);
    process.exitCode = help ? 0 : 2;
    return;
  }
  if (!haveRivals()) install();
  const load = loadNow();
  const length = quick ? 2_000 : 20_000;
  const ran = await race(chosen, { length, rounds: Number(rounds) });
  const parts = toParts(chosen, ran);
  const machine = describeMachine(load);
  process.stdout.write(
    json
      ? `${JSON.stringify({ machine, ran: Object.fromEntries(ran), rows: parts.flatMap((part) => part.rows) }, null, 1)}\n`
      : `${toTable(parts)}\n\n${machineLine(machine)}\n`,
  );
}

/** Installs the rivals beside the suite, and says so. */
function install(): void {
  process.stderr.write(`Installing the rivals into ${rivalsFolder} (700 MB, some minutes) …\n`);
  const { status } = spawnSync('npm', ['ci'], { cwd: rivalsFolder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci in ${rivalsFolder} ended with ${status}`);
}

type Results = Map<string, Ran[]>;

/** Names our own runs: by what summarizes, and by the Node they ran under. */
const ours = (told: boolean, node: Runner['node']): string =>
  `flamestack${told ? '-told' : ''} ${node}`;

async function race(
  chosen: readonly Runner[],
  { length, rounds }: { readonly length: number; readonly rounds: number },
): Promise<Results> {
  const nodes = new Set(chosen.map(({ node }) => node));
  const own = [...nodes].flatMap((node) => [
    { name: ours(false, node), driver: 'flamestack', node },
    { name: ours(true, node), driver: 'flamestack-told', node },
  ]);
  const all = [...own, ...chosen.map(({ driver, node }) => ({ name: driver, driver, node }))];
  const results: Results = new Map(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const { name, driver, node } of all) {
      process.stderr.write(`${name} … `);
      const ran = await runOne({ driver, length, patience: 90 }, node);
      process.stderr.write(`${ran.length} messages, ${ran.all.cpu.toFixed(0)} µs each\n`);
      results.get(name)!.push(ran);
    }
  return results;
}

async function runOne(given: Omit<RaceGiven, 'folder'>, node: Runner['node']): Promise<Ran> {
  const options = node === 'newer' ? { node: rivalNode() } : {};
  return withFolder(async (parent) => {
    const folder = join(parent, 'session');
    mkdirSync(folder);
    const race = await inProcess<Race>('race', { ...given, folder }, options);
    const reopen = { driver: given.driver, folder };
    return { ...race, reopen: await inProcess<Cost | null>('reopen', reopen, options) };
  });
}

function toParts(
  chosen: readonly Runner[],
  results: Results,
): { title: string; rows: readonly Measured[] }[] {
  const nodes = [...new Set(chosen.map(({ node }) => node))];
  const own = nodes.flatMap((node) => [
    { name: ours(false, node), title: `Flamestack, embedded summarizer (${node} Node)` },
    {
      name: ours(true, node),
      title: `Flamestack, told its summaries as others are (${node} Node)`,
    },
  ]);
  return [
    ...own.map(({ name, title }) => toPart(name, title, absoluteRows(results.get(name)!))),
    ...chosen.map(({ driver, title, node, goal }) => {
      const theirs = results.get(driver)!;
      const isLong = results.get(ours(false, node))![0]!.length >= judgedLength;
      const rows = [
        ...absoluteRows(theirs),
        ...ratioRows(theirs, {
          own: results.get(ours(false, node))!,
          name: 'ours',
          goal: isLong ? goal : undefined,
        }),
        ...ratioRows(theirs, { own: results.get(ours(true, node))!, name: 'ours, told' }).slice(
          0,
          2,
        ),
      ];
      return toPart(driver, title, rows);
    }),
  ];
}

function toPart(
  bench: string,
  title: string,
  rows: readonly Row[],
): { title: string; rows: readonly Measured[] } {
  return { title, rows: rows.map((row) => toMeasured(bench, row)) };
}

function absoluteRows(ran: readonly Ran[]): Row[] {
  const [first] = ran;
  const costs = (of: (one: Ran) => Cost): Pick<Row, 'samples' | 'wall'> => ({
    samples: ran.map((one) => of(one).cpu),
    wall: ran.map((one) => of(one).wall),
  });
  const length = first!.length.toLocaleString('en');
  return [
    { work: `a message, over ${length}`, unit: 'µs', ...costs(({ all }) => all) },
    { work: 'a message, the last tenth', unit: 'µs', ...costs(({ last }) => last) },
    {
      work: 'a prompt at the end, by the clock',
      unit: 'µs',
      samples: ran.map(({ prompt }) => prompt),
    },
    ...reopenRow(ran),
    { work: 'disk over text', unit: '×', samples: ran.map(({ disk, text }) => disk / text) },
    { work: 'memory at most', unit: 'MB', samples: ran.map(({ rss }) => rss) },
  ];
}

function reopenRow(ran: readonly Ran[]): Row[] {
  const opened = ran.flatMap(({ reopen }) => reopen ?? []);
  if (opened.length === 0) return [];
  return [
    {
      work: 'open again, up to the first prompt',
      unit: 'ms',
      samples: opened.map(({ cpu }) => cpu / 1_000),
      wall: opened.map(({ wall }) => wall / 1_000),
    },
  ];
}

function ratioRows(
  theirs: readonly Ran[],
  { own, name, goal }: { own: readonly Ran[]; name: string; goal?: Goal | undefined },
): Row[] {
  const over = (work: string, of: (one: Ran) => Cost, judged?: Goal): Row =>
    ratioRow(`${work}, over ${name}`, theirs.map(of), {
      of: own.map(of),
      ...(judged === undefined ? {} : { goal: judged }),
    });
  const opened = theirs.every(({ reopen }) => reopen !== null);
  return [
    over('a message', ({ all }) => all, goal),
    over('a message of the last tenth', ({ last }) => last),
    ...(opened ? [over('open again', ({ reopen }) => reopen!)] : []),
  ];
}

await main(process.argv.slice(2));
