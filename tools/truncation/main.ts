import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureHistory, type HistoryRow } from './history.ts';
import { measureLives, type LifeRow } from './lives/lives.ts';
import { turnsOf } from './real.ts';
import { measureRequests, type RequestRow } from './requests/requests.ts';
import { historyTable, kindTable, lifeTable, requestTable, tokenizerTable } from './table.ts';
import { isTooLoud, measureTokenizers, type TokenizerRow } from './tokenizers/measure.ts';

const parts = ['requests', 'tokenizers', 'history', 'life'] as const;

type Part = (typeof parts)[number];

const usage = `npm run eval:truncation -- [--sessions <n>] [--whole <n>] [--trials <n>] [--blows <n>] [--habits <n>]
                          [--window <n>] [--seed <n>]
                          [--only <part>]… [--json] [<session file>…]

--sessions  made sessions for each server that cuts (40)
--whole     made sessions that are never cut (1000)
--trials    sessions for each thing that a host does to its list (280)
--habits    sessions for each vocabulary and each habit of its server (2); more than one suspicion in
            200 requests, or a recovery, fails
--blows     cuts of each kind for each file in the part life (5)
--window    of the sessions in that part (8000)
--seed      other sessions (1)
--only      ${parts.join(', ')}
--json      every number of every row

Session files are played in place of made sessions; the part life plays examples/notes-app.jsonl
unless there are some.
`;

interface Typed {
  readonly sessions: number;
  readonly whole: number;
  readonly trials: number;
  readonly blows: number;
  readonly habits: number;
  readonly window: number;
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
      sessions: { type: 'string', default: '40' },
      whole: { type: 'string', default: '1000' },
      trials: { type: 'string', default: '280' },
      blows: { type: 'string', default: '5' },
      habits: { type: 'string', default: '2' },
      window: { type: 'string', default: '8000' },
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
  return {
    sessions: amount(values.sessions),
    whole: amount(values.whole),
    trials: amount(values.trials),
    blows: amount(values.blows),
    habits: amount(values.habits),
    window: amount(values.window),
    seed: amount(values.seed),
    only,
    json,
    help,
    files,
  };
}

function amount(text: string): number {
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

async function measure(given: Typed): Promise<void> {
  const { sessions: cut, whole, trials, blows, window, seed, only, json, files } = given;
  let requests: readonly RequestRow[] = [];
  let tokenizers: readonly TokenizerRow[] = [];
  let history: readonly HistoryRow[] = [];
  let life: readonly LifeRow[] = [];
  if (only.includes('requests')) {
    const real = await Promise.all(files.map(turnsOf));
    requests = await measureRequests({ cut, whole, seed, real, onSession: progress() });
  }
  if (only.includes('tokenizers'))
    tokenizers = await measureTokenizers({ sessions: given.habits, seed, onTokenizer: say });
  if (tokenizers.some(isTooLoud)) process.exitCode = 1;
  if (only.includes('history'))
    history = await measureHistory({ trials, seed, onEvent: (event) => say(event) });
  if (only.includes('life'))
    life = await measureLives({
      files: files.length > 0 ? files : [join('examples', 'notes-app.jsonl')],
      window,
      blows,
      seed,
      victim: join(import.meta.dirname, 'lives/victim.js'),
      onFile: (file, blow) => say(`${basename(file)}: ${blow}`),
    });
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ seed, requests, tokenizers, history, life }, null, 1)}\n`,
    );
    return;
  }
  const tables = [
    ...(requests.length > 0 ? [requestTable(requests), kindTable(requests)] : []),
    ...(tokenizers.length > 0 ? [tokenizerTable(tokenizers)] : []),
    ...(history.length > 0 ? [historyTable(history)] : []),
    ...(life.length > 0 ? [lifeTable(life)] : []),
  ];
  process.stdout.write(`${tables.join('\n\n')}\n`);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Says where it is, every tenth part of a row. */
function progress(): (server: string, n: number, of: number) => void {
  return (server, n, of) => {
    if (n % Math.max(1, Math.floor(of / 10)) === 0) say(`${server}: ${n} of ${of}`);
  };
}

await main(process.argv.slice(2));
