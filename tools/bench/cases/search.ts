import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { entryText } from '../../../src/core/messages/message-text.ts';
import type { Message } from '../../../src/index.ts';
import { recall } from '../../../src/engine/recall/recall.ts';
import { SearchIndex } from '../../../src/engine/recall/search-index.ts';
import { entryKey } from '../../../src/store/key.ts';
import { openLevelStore } from '../../../src/store/level/level-store.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import type { Bench } from '../bench.ts';
import { costOf, quantile, type Cost } from '../cost.ts';
import { longLog, readSessions } from '../input/long-log.ts';
import { queriesOf, queryKinds } from '../input/query.ts';
import { transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import { haveRivals, rivalModule } from '../rivals.ts';
import { costRow, type Goal, type Row } from '../row.ts';
import { bytesOf, withFolder } from '../scratch.ts';
import type { Log } from '../../../src/engine/recall/recall-filter.ts';

// Search over a long log: what the index costs for each entry, how large it is,
// what the first search of a process costs, and the searches after it. The log and
// the index lie in a store each, so that one can be told from the other. Other
// search engines take the same texts and are asked the same.

/** Hits that are asked for. */
const limit = 10;

/** How long an engine may take to index or to answer all, in milliseconds: some take seconds for one answer. */
const timeout = 3_600_000;

/** What the first search of a process looks for. */
const opening = 'error';

/** What is searched, and how often. */
interface Searching {
  readonly engine: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly length: number;
  readonly queries: number;
}

/** A search engine here. */
interface Engine {
  /** Takes the texts of the log in, oldest first, and makes them durable. */
  fill(texts: Iterable<string>): unknown;
  search(query: string, limit: number): unknown;
  close(): unknown;
}

/** What it cost to index a log. */
interface Filled {
  readonly each: Cost;
  readonly disk: number;
  readonly text: number;
}

/** What it cost to search. */
interface Asked {
  /** Microseconds of the first search of the process, opening the index among it. */
  readonly first: Cost;
  /** The other searches. */
  readonly costs: readonly Cost[];
  readonly rss: number;
}

/** Indexes a log. */
export async function fillPart(given: Searching): Promise<Filled> {
  const { length, engine: name } = given;
  const folder = indexFolder(given);
  let text = 0;
  for (const message of await messagesOf(given)) text += Buffer.byteLength(entryText(message).text);
  const texts = name === 'flamestack' ? [] : await textsOf(given);
  if (name === 'flamestack') await writeLog(given);
  const engine = await open(given);
  const each = await costOf(() => engine.fill(texts), length);
  await engine.close();
  return { each, disk: bytesOf(folder), text };
}

/** Searches a log that was indexed, in a fresh process. */
export async function askPart(given: Searching): Promise<Asked> {
  const told = await toldIn(given);
  const queries = queriesOf(told, given.queries);
  gc?.();
  const before = process.memoryUsage.rss();
  let engine: Engine | null = null;
  const first = await costOf(async () => {
    engine = await open(given);
    await engine.search(opening, limit);
  });
  const costs: Cost[] = [];
  for (const query of queries) costs.push(await costOf(() => engine!.search(query, limit)));
  const rss = (process.memoryUsage.rss() - before) / 1e6;
  await engine!.close();
  return { first, costs, rss };
}

const toldIn = ({ files }: Searching): Promise<readonly Message[]> =>
  files.length === 0 ? Promise.resolve(transcript(4_000)) : readSessions(files);

const messagesOf = async (given: Searching): Promise<Iterable<Message>> =>
  longLog(await toldIn(given), given.length);

async function textsOf(given: Searching): Promise<Iterable<string>> {
  const messages = await messagesOf(given);
  return (function* () {
    for (const message of messages) yield entryText(message).text;
  })();
}

const indexFolder = ({ folder, engine }: Searching): string => join(folder, engine);

const logFolder = ({ folder }: Searching): string => join(folder, 'log');

/** Writes the log as a session does. */
async function writeLog(given: Searching): Promise<void> {
  const store = await openLevelStore(logFolder(given), { durability: 'process' });
  let n = 0;
  let writing: Promise<void> = Promise.resolve();
  for (const message of await messagesOf(given)) {
    n += 1;
    const value = { frame: 'f0', at: Date.UTC(2026, 0, 1) + n * 60_000, tokens: 0, message };
    await writing;
    writing = store.commit([{ type: 'put', kind: 'entry', key: entryKey('s', n), value }]);
  }
  await writing;
  await store.close();
}

async function open(given: Searching): Promise<Engine> {
  const folder = indexFolder(given);
  mkdirSync(folder, { recursive: true });
  if (given.engine === 'flamestack') return ours(given);
  const module = await rivalModule<{ open(folder: string): Promise<Engine> }>(
    `drivers/${given.engine}.mjs`,
  );
  return module.open(folder);
}

async function ours(given: Searching): Promise<Engine> {
  const entries = await openLevelStore(logFolder(given), { durability: 'process' });
  const rows = await openLevelStore(indexFolder(given), { durability: 'process' });
  const store: RecordStore = {
    location: entries.location,
    get: (kind, key) => (kind === 'search' ? rows : entries).get(kind, key),
    getMany: (kind, keys) => (kind === 'search' ? rows : entries).getMany(kind, keys),
    range: (kind, range) => (kind === 'search' ? rows : entries).range(kind, range),
    rows: () => entries.rows(),
    erase: (session) => entries.erase(session),
    commit: (changes) => rows.commit(changes),
    close: async () => {
      await entries.close();
      await rows.close();
    },
  };
  const index = new SearchIndex(store, { session: 's', created: 0 });
  const log: Log = { store, session: 's', index, upTo: given.length };
  const { count } = await loadTokenizer('o200k_base');
  return {
    fill: () => index.complete(given.length, new AbortController().signal),
    search: (query, most) => recall(log, query, { limit: most, count }),
    close: () => store.close(),
  };
}

const engines = [
  { engine: 'flamestack', title: 'own index' },
  { engine: 'minisearch', title: 'MiniSearch' },
  { engine: 'fts5', title: 'SQLite FTS5' },
] as const;

export const search: Bench = {
  name: 'search',
  title: 'Search over a long log',
  run: ({ quick, files }) =>
    withFolder(async (folder) => {
      const rows: Row[] = [];
      for (const { engine, title } of engines) {
        const isOurs = engine === 'flamestack';
        if (!isOurs && !haveRivals()) continue;
        const length = quick ? 20_000 : 100_000;
        const given: Searching = { engine, folder, files, length, queries: isOurs ? 400 : 100 };
        const filled = await inProcess<Filled>('fill', given, { timeout });
        const asked = await inProcess<Asked>('ask', given, { timeout });
        const found = [...fillRows(filled), ...askRows(asked)];
        rows.push(...found.map(({ goal, ...row }) => withTitle(title, isOurs ? goal : null, row)));
      }
      return rows;
    }),
};

function withTitle(title: string, goal: Row['goal'] | null, row: Row): Row {
  return { ...row, work: `${title}: ${row.work}`, ...(goal ? { goal } : {}) };
}

function fillRows({ each, disk, text }: Filled): readonly Row[] {
  const bytes = `${(disk / 1e6).toFixed(0)} MB of ${(text / 1e6).toFixed(0)}`;
  return [
    costRow('index an entry', [each], { goal: { atMost: 300 } }),
    {
      work: 'disk over text',
      unit: '×',
      samples: [disk / text],
      goal: { atMost: 1 },
      note: bytes,
    },
  ];
}

function askRows({ first, costs, rss }: Asked): readonly Row[] {
  const isLong = (_: Cost, index: number): boolean => index % queryKinds === queryKinds - 1;
  const long = costs.filter(isLong);
  const short = costs.filter((cost, index) => !isLong(cost, index));
  return [
    costRow('the first search of a process', [first], { unit: 'ms' }),
    quantileRow('up to twelve words, the median', short, { part: 0.5 }),
    quantileRow('up to twelve words, 95 of 100 within', short, {
      part: 0.95,
      goal: { atMost: 10 },
    }),
    quantileRow('the start of a message, the median', long, { part: 0.5 }),
    quantileRow('the start of a message, 95 of 100 within', long, { part: 0.95 }),
    { work: 'memory to search', unit: 'MB', samples: [rss] },
  ];
}

function quantileRow(
  work: string,
  costs: readonly Cost[],
  { part, ...rest }: { readonly part: number; readonly goal?: Goal },
): Row {
  const cost = {
    cpu: quantile(
      costs.map(({ cpu }) => cpu),
      part,
    ),
    wall: quantile(
      costs.map(({ wall }) => wall),
      part,
    ),
  };
  return costRow(work, [cost], { unit: 'ms', ...rest });
}
