import { openStore, type Message, type SessionOptions } from '../../src/index.ts';
import { costOf, median, type Cost } from './cost.ts';
import { textBytes, transcript } from './input/transcript.ts';
import { rivalModule } from './rivals.ts';
import { bytesOf } from './scratch.ts';

// One driver takes a transcript: each message is appended, and before each
// assistant message the prompt is made. A driver that cannot be stepped takes
// whole cycles of four messages.

/** What a session of some runtime does here. */
interface Driver {
  append?(message: Message, index: number): unknown;
  prompt(): unknown;
  cycle?(messages: readonly Message[]): unknown;
  close(): unknown;
}

interface DriverModule {
  open(folder: string): Promise<Driver>;
  reopen?(folder: string): Promise<Driver>;
}

/** What a run cost. */
export interface Race {
  /** Messages it took before its time was over. */
  readonly length: number;
  /** Microseconds per message, prompts among them. */
  readonly all: Cost;
  /** The same over the last tenth. */
  readonly last: Cost;
  /** Microseconds of a prompt, at the end, by the clock. */
  readonly prompt: number;
  readonly disk: number;
  readonly text: number;
  /** Megabytes at most. */
  readonly rss: number;
}

export interface RaceGiven {
  readonly driver: string;
  readonly folder: string;
  readonly length: number;
  /** Seconds after which it ends where it is. */
  readonly patience: number;
}

/** Runs a driver over a transcript. */
export async function racePart({ driver, folder, length, patience }: RaceGiven): Promise<Race> {
  const messages = transcript(length);
  const runner = await (await moduleOf(driver)).open(folder);
  const blocks: Cost[] = [];
  const size = 40;
  const end = performance.now() + patience * 1_000;
  let n = 0;
  for (; n + size <= length && performance.now() < end; n += size) {
    const from = n;
    blocks.push(await costOf(() => play(runner, messages.slice(from, from + size), from)));
  }
  const prompts: number[] = [];
  for (let time = 0; time < 5; time += 1) prompts.push((await costOf(() => runner.prompt())).wall);
  await runner.close();
  const tenth = Math.max(1, Math.floor(blocks.length / 10));
  return {
    length: n,
    all: mean(blocks, size),
    last: mean(blocks.slice(-tenth), size),
    prompt: median(prompts),
    disk: bytesOf(folder),
    text: messages.slice(0, n).reduce((bytes, message) => bytes + textBytes(message), 0),
    rss: process.resourceUsage().maxRSS / 1e3,
  };
}

async function play(driver: Driver, messages: readonly Message[], first: number): Promise<void> {
  if (driver.cycle !== undefined) {
    for (let n = 0; n < messages.length; n += 4) await driver.cycle(messages.slice(n, n + 4));
    return;
  }
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') await driver.prompt();
    await driver.append!(message, first + index);
  }
}

function mean(costs: readonly Cost[], size: number): Cost {
  const by = costs.length * size;
  return {
    cpu: costs.reduce((sum, { cpu }) => sum + cpu, 0) / by,
    wall: costs.reduce((sum, { wall }) => sum + wall, 0) / by,
  };
}

/** What opening a stored session up to its first prompt costs in a fresh process; null where nothing is stored. */
export async function reopenPart({
  driver,
  folder,
}: {
  driver: string;
  folder: string;
}): Promise<Cost | null> {
  const { reopen } = await moduleOf(driver);
  if (reopen === undefined) return null;
  return costOf(async () => (await reopen(folder)).prompt());
}

interface Budget {
  readonly window: number;
  readonly keep: number;
  readonly summary: string;
}

async function moduleOf(driver: string): Promise<DriverModule> {
  if (!driver.startsWith('flamestack')) return rivalModule<DriverModule>(`drivers/${driver}.mjs`);
  const { keep, summary, window } = await rivalModule<Budget>('budget.mjs');
  const options = { window, preserveRecent: keep };
  if (driver === 'flamestack') return flamestack(options);
  const summarize = async ({ target }: { readonly target: number }): Promise<string> =>
    summary.slice(0, target * 3);
  return flamestack({ ...options, summarizer: { name: 'told', summarize } });
}

/** As durable as the others are: what is written survives a killed process. */
function flamestack(options: SessionOptions): DriverModule {
  const open = async (folder: string): Promise<Driver> => {
    const store = await openStore(folder, { durability: 'process' });
    const session = await store.open('s', options);
    return {
      append: (message) => session.append(message),
      prompt: () => session.assemble(),
      close: async () => {
        await session.settled();
        await store.close();
      },
    };
  };
  return { open, reopen: open };
}
