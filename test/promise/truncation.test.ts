import llama3 from 'llama3-tokenizer-js';
import { expect, test } from 'vitest';
import { openStore, toOllama, type Judgment, type Message, type Session } from '../../src/index.ts';
import { fit, type Fitting } from '../../src/testing/ollama/fit.ts';
import { toServed } from '../../src/testing/ollama/model.ts';
import { toRelease } from '../../src/testing/ollama/release.ts';
import { lines, prose } from '../../src/testing/laws/torture-text.ts';

// A server that cuts in silence and counts with Llama 3's vocabulary, at the heart of the
// scripted one: the same rules, without its HTTP. What it took from each prompt is known,
// so that each verdict of ours can be judged.

/** Sessions that are never cut, and requests that are. */
const runs = Number(process.env['TRUNCATION_RUNS'] ?? 60);

/** Counts piece by piece, between the marks of the template, each piece once. */
const pieces = new Map<string, number>();
function count(text: string): number {
  return text
    .split(/(<\|\w+\|>)/)
    .reduce((sum, piece) => sum + (piece.startsWith('<|') ? 1 : pieceCount(piece)), 0);
}
function pieceCount(piece: string): number {
  const known = pieces.get(piece);
  if (known !== undefined) return known;
  const tokens = piece === '' ? 0 : llama3.encode(piece, { bos: false, eos: false }).length;
  pieces.set(piece, tokens);
  return tokens;
}

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

const code = (size: number, n: number): string =>
  Array.from(
    { length: Math.ceil(size / 14) },
    (_, at) =>
      `  const value${at} = await read(\`src/part-${n}-${at}/index.ts\`, { tries: ${at % 4} });`,
  ).join('\n');
const chinese = (size: number): string =>
  '会话很长，窗口很小；请记住每一个文件名和错误代码。'.repeat(Math.ceil(size / 20));

function textOf(random: Random): string {
  const size = 5 + Math.floor(random() ** 3 * 700);
  const n = Math.floor(random() * 90);
  const kind = random();
  if (kind < 0.45) return prose(size, n);
  if (kind < 0.65) return lines(size);
  return kind < 0.9 ? code(size, n) : chinese(size);
}

/** How a server is set up; `served` is the window that it has in truth. */
interface Server {
  readonly version: string;
  readonly mode: 'rendered' | 'native';
  readonly served: number;
  /** How often it leaves its count out. */
  readonly silent: number;
  /** Whether its window is looked up where it does. */
  readonly looks: boolean;
}

interface Request {
  readonly cut: boolean;
  /** Whether by the rules a count gives it away for sure. */
  readonly known: boolean;
  readonly judgment: Judgment;
}

/** Asks the server for an answer to what the session holds, and reports what it said. */
async function ask(s: Session, server: Server, random: Random): Promise<Request> {
  const { served, version, mode, silent, looks } = server;
  const assembly = await s.assemble();
  const { messages } = toOllama(assembly) as unknown as { messages: never[] };
  const fitting: Fitting = {
    model: toServed('m', { mode, count }, count),
    release: toRelease(version),
    body: { model: 'm', messages },
    chat: true,
    numCtx: served,
  };
  const { asked, tokens, middle, refusal, dropped } = fit(fitting);
  const isCut = middle > 0 || dropped.length > 0 || refusal !== null;
  if (refusal !== null) {
    const judgment = await s.report({ assembly: assembly.id, error: new Error(refusal.error) });
    return { cut: true, known: true, judgment };
  }
  expect(asked >= tokens).toBe(true);
  const isSilent = random() < silent;
  const judgment = await s.report({
    assembly: assembly.id,
    usage: isSilent ? {} : { inputTokens: tokens },
    ...(isSilent && looks ? { window: served } : {}),
  });
  return { cut: isCut, known: middle > 0 && !isSilent, judgment };
}

const versions = ['0.12.3', '0.15.4', '0.30.10', '0.30.11', '0.33.2'];

function turn(random: Random, n: number): Message[] {
  const user: Message = { role: 'user', content: textOf(random) };
  if (random() < 0.5) return [user];
  const calls = Array.from({ length: 1 + Math.floor(random() * 2) }, (_, at) => ({
    id: `c${n}.${at}`,
    name: 'read_file',
    arguments: { path: `src/a-${n}.ts` },
  }));
  const results = calls.map(({ id }): Message => ({
    role: 'tool',
    toolCallId: id,
    content: textOf(random),
  }));
  return [user, { role: 'assistant', content: '', toolCalls: calls }, ...results];
}

test('a session that was never cut raises no alarm', async () => {
  const alarms: unknown[] = [];
  let requests = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const random = randomFrom(seed);
    const window = pick(random, [4_096, 8_192, 16_384]);
    const server: Server = {
      version: pick(random, versions),
      mode: pick(random, ['rendered', 'native']),
      served: Math.ceil(window * 1.25),
      silent: pick(random, [0, 0, 0.5]),
      looks: random() < 0.5,
    };
    await using store = await openStore(':memory:');
    const model = random() < 0.7 ? { model: 'llama3.2:3b' } : {};
    const s = await store.open('s', { window, system: prose(40), ...model });
    s.on('truncation.suspected', (fact) => alarms.push({ seed, ...fact }));
    const turns = 8 + Math.floor(random() * 30);
    for (let n = 0; n < turns; n += 1) {
      await s.append(turn(random, n));
      const { cut } = await ask(s, server, random);
      expect(cut).toBe(false);
      requests += 1;
      const chance = random();
      if (chance < 0.08) await s.push({ title: `part ${n}`, criteria: 'done' });
      else if (chance < 0.16 && s.state.active !== 'f0')
        await s.pop({ status: 'completed', results: textOf(random) });
      await s.append({ role: 'assistant', content: textOf(random) });
    }
  }
  expect(alarms).toEqual([]);
  expect(requests).toBeGreaterThan(runs * 8);
}, 600_000);

interface Tally {
  cut: number;
  found: number;
  known: number;
  certain: number;
  alarms: number;
}

/** What became of the requests of `sessions` whose server has a smaller window than they think, and which nobody recovers. */
async function tallyOf(
  { first, sessions }: { first: number; sessions: number },
  setup: Pick<Server, 'version' | 'mode' | 'silent'>,
): Promise<Tally> {
  const tally: Tally = { cut: 0, found: 0, known: 0, certain: 0, alarms: 0 };
  for (let seed = 1; seed <= sessions; seed += 1) {
    const random = randomFrom(seed + first);
    const window = pick(random, [8_192, 16_384]);
    const served = Math.min(window, pick(random, [2_048, 4_096, 8_192]));
    await using store = await openStore(':memory:');
    const s = await store.open('s', {
      window,
      system: prose(40),
      model: 'llama3.2:3b',
      recovery: 'confirm',
    });
    for (let n = 0; n < 40; n += 1) {
      await s.append(turn(random, n));
      if (random() < 0.06) await s.append({ role: 'user', content: prose(served + 300, n) });
      const { cut, known, judgment } = await ask(s, { ...setup, served, looks: false }, random);
      const isFound = judgment.truncation !== 'none';
      if (!cut && isFound) tally.alarms += 1;
      if (known) tally.known += 1;
      if (known && isFound) tally.certain += 1;
      if (cut && !known) tally.cut += 1;
      if (cut && !known && isFound) tally.found += 1;
      await s.append({ role: 'assistant', content: textOf(random) });
    }
  }
  return tally;
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((1_000 * part) / whole) / 10} % of ${whole}`;

/** The ways in which releases differ, and whether each answer tells its count. */
const setups = [
  { version: '0.12.3', mode: 'rendered', silent: 0 },
  { version: '0.15.4', mode: 'rendered', silent: 0 },
  { version: '0.30.10', mode: 'rendered', silent: 0 },
  { version: '0.33.2', mode: 'rendered', silent: 0 },
  { version: '0.33.2', mode: 'native', silent: 0 },
] as const;

test('a cut prompt is noticed on the very call', async () => {
  const all: Tally = { cut: 0, found: 0, known: 0, certain: 0, alarms: 0 };
  const rows: string[] = [];
  for (const [index, setup] of setups.entries()) {
    const first = 7_000 + 1_000 * index;
    const tally = await tallyOf({ first, sessions: Math.max(4, runs / 10) }, setup);
    for (const name of Object.keys(all) as (keyof Tally)[]) all[name] += tally[name];
    const { certain, known, found, cut, alarms } = tally;
    rows.push(
      `| ${setup.version} | ${setup.mode} | ${share(certain, known)} | ${share(found, cut)} | ${alarms} |`,
    );
  }
  const silent = await tallyOf(
    { first: 20_000, sessions: Math.max(4, runs / 10) },
    { version: '0.33.2', mode: 'rendered', silent: 0.25 },
  );
  rows.push(
    `| every fourth count missing | rendered | | ${share(silent.found, silent.cut)} | ${silent.alarms} |`,
  );
  const head = '| release | prompts | certain | others | alarms |';
  process.stdout.write(`${[head, ...rows].join('\n')}\n`);
  expect(all.known).toBeGreaterThan(0);
  expect(all.cut).toBeGreaterThan(100);
  expect(all.found / all.cut).toBeGreaterThanOrEqual(0.96);
  expect(all.alarms + silent.alarms).toBe(0);
}, 600_000);
