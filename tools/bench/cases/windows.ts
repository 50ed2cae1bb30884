import { join } from 'node:path';
import { openStore, type Message, type Session, type Summarizer } from '../../../src/index.ts';
import { modelSummarizer } from '../../../src/llm/prompt/model-summarizer.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import { costOf, share, type Cost } from '../cost.ts';
import { transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import { rivalModule } from '../rivals.ts';
import { ratioRow, type Row } from '../row.ts';
import { withFolder } from '../scratch.ts';
import { longestTurn } from '../turn.ts';
import type { Bench } from '../bench.ts';
import { openFloor } from './floor.ts';

// What a message costs in windows of several sizes, compressions and all, and how
// long the engine keeps anything else of the process waiting. The window is full
// before anything is measured.

interface Given {
  readonly window: number;
  readonly rounds: number;
  /** Messages a round: so many that each has a compression. */
  readonly size: number;
  /** Messages that come first, at least: V8 goes on compiling for some 12,000. */
  readonly before: number;
  /** Whether a model writes the summaries, which answers at once: what it is asked is written, and what it says is checked. */
  readonly isTold: boolean;
}

interface Round {
  readonly floor: Cost;
  readonly all: Cost;
  readonly compressions: number;
  /** The longest turn of the event loop, in milliseconds. */
  readonly longest: number;
}

/** The windows, in tokens, with the messages of a round; the largest, and one of the size that local models have, with a model, too. */
const windows = [
  { window: 8_192, size: 200, isTold: false },
  { window: 32_768, size: 400, isTold: false },
  { window: 131_072, size: 800, isTold: false },
  { window: 32_768, size: 400, isTold: true },
  { window: 1_048_576, size: 1_600, isTold: false },
  { window: 1_048_576, size: 1_600, isTold: true },
] as const;

/** A model that answers at once. */
async function toldSummarizer(): Promise<Summarizer> {
  const { summary } = await rivalModule<{ readonly summary: string }>('budget.mjs');
  const ask = async () => ({ text: summary, cut: false });
  return modelSummarizer('told', async () => ({ window: 32_768, ask }));
}

/** Compressions that come first at least: the window is filled. */
const leastCompressions = 2;

/** Messages that are counted out at once while the window fills. */
const filling = 100;

/** Rounds in a window that is full. */
export async function windowsPart(given: Given): Promise<Round[]> {
  const { window, rounds, size, before, isTold } = given;
  await loadTokenizer('o200k_base');
  return withFolder(async (folder) => {
    const store = await openStore(join(folder, 'engine'), { durability: 'process' });
    const summarizer = isTold ? { summarizer: await toldSummarizer() } : {};
    const session = await store.open('s', { window, ...summarizer });
    const floor = await openFloor(join(folder, 'floor'), { sync: false });
    let seed = 1;
    const fresh = (length: number): readonly Message[] => transcript(length, (seed += 1));
    while (session.state.compressions < leastCompressions || session.state.entries < before)
      await appendAll(session, fresh(filling));
    const result: Round[] = [];
    for (let round = 0; round < rounds; round += 1) result.push(await measured(fresh(size)));
    await store.close();
    await floor.close();
    return result;

    async function measured(messages: readonly Message[]): Promise<Round> {
      const floorCost = await costOf(async () => {
        for (const message of messages) await floor.keep([message]);
      });
      const compressed = session.state.compressions;
      let all: Cost = { cpu: 0, wall: 0 };
      const longest = await longestTurn(async () => {
        all = await costOf(() => appendAll(session, messages));
      });
      return {
        floor: share(floorCost, messages.length),
        all: share(all, messages.length),
        compressions: session.state.compressions - compressed,
        longest,
      };
    }
  });
}

async function appendAll(session: Session, messages: readonly Message[]): Promise<void> {
  for (const message of messages) await session.append(message);
}

export const windowsBench: Bench = {
  name: 'windows',
  title: 'A message in a full window, compressions and all, over the floor; one by one, process',
  async run({ quick }) {
    const rows: Row[] = [];
    for (const { window, size, isTold } of quick ? windows.slice(0, 4) : windows) {
      const most = quick ? { rounds: 3, before: 500 } : { rounds: 7, before: 12_000 };
      const given: Given = { window, size, isTold, ...most };
      const rounds = await inProcess<Round[]>('windows', given);
      const name = `${window / 1_024}K${isTold ? ', with a model' : ''}`;
      const compressions = rounds.reduce((sum, one) => sum + one.compressions, 0);
      rows.push(
        ratioRow(
          `${name}: a message`,
          rounds.map(({ all }) => all),
          {
            of: rounds.map(({ floor }) => floor),
            ...(isTold ? {} : { goal: { atMost: 8 } }),
            note: `${compressions} compressions`,
          },
        ),
        {
          work: `${name}: the longest turn of the event loop`,
          unit: 'ms',
          samples: rounds.map(({ longest }) => longest),
          goal: { atMost: 20 },
        },
      );
    }
    return rows;
  },
};
