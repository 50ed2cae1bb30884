import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureHistory, type HistoryRow } from './history.ts';
import { turnsOf } from './real.ts';
import { measureRequests, type RequestRow } from './requests.ts';
import { historyTable, kindTable, requestTable } from './table.ts';

const parts = ['requests', 'history'] as const;

type Part = (typeof parts)[number];

const usage = `npm run eval:truncation -- [--sessions <n>] [--trials <n>] [--seed <n>] [--only <part>]… [--json]
                          [<session file>…]

--sessions  made sessions for each server, and ten times as many that are never cut (100)
--trials    sessions for each thing that a host does to its list (280)
--seed      other sessions (1)
--only      ${parts.join(', ')}
--json      every number of every row

Session files are played in place of made sessions.
`;

interface Typed {
  readonly sessions: number;
  readonly trials: number;
  readonly seed: number;
  readonly only: readonly Part[];
  readonly json: boolean;
  readonly help: boolean;
  readonly files: readonly string[];
}

/** What was typed; refuses what there is not, by name. */
function typed(args: string[]): Typed {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sessions: { type: 'string', default: '100' },
      trials: { type: 'string', default: '280' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true, default: [...parts] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new TypeError(`There is no file "${missing}"`);
  const only = values.only.map((name) => {
    const part = parts.find((one) => one === name);
    if (part === undefined) throw new TypeError(`There is no part "${name}"`);
    return part;
  });
  const { json, help } = values;
  const [sessions, trials, seed] = [values.sessions, values.trials, values.seed].map(whole);
  return { sessions: sessions!, trials: trials!, seed: seed!, only, json, help, files };
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`"${text}" is no whole number`);
  return Number(text);
}

async function main(args: string[]): Promise<void> {
  let given: Typed;
  try {
    given = typed(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (given.help) process.stdout.write(usage);
  else await measure(given);
}

async function measure({ sessions, trials, seed, only, json, files }: Typed): Promise<void> {
  let requests: readonly RequestRow[] = [];
  let history: readonly HistoryRow[] = [];
  if (only.includes('requests'))
    requests = await measureRequests({
      cut: sessions,
      whole: 10 * sessions,
      seed,
      real: await Promise.all(files.map(turnsOf)),
      onSession: progress(),
    });
  if (only.includes('history'))
    history = await measureHistory({ trials, seed, onEvent: (event) => say(event) });
  if (json) {
    process.stdout.write(`${JSON.stringify({ seed, requests, history }, null, 1)}\n`);
    return;
  }
  if (requests.length > 0)
    process.stdout.write(`${requestTable(requests)}\n\n${kindTable(requests)}\n`);
  if (history.length > 0) process.stdout.write(`\n${historyTable(history)}\n`);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Says where it is, every tenth part of a row. */
function progress(): (server: string, n: number, of: number) => void {
  return (server, n, of) => {
    if (n % Math.max(1, Math.floor(of / 10)) === 0) say(`${server}: ${n} of ${of}`);
  };
}

await main(process.argv.slice(2));
