import { join } from 'node:path';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import { costOf, share, sum, type Cost } from '../cost.ts';
import { transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import { costRow, ratioRow, type Row } from '../row.ts';
import { withFolder } from '../scratch.ts';
import type { Bench } from '../bench.ts';
import { openFloor } from './floor.ts';

// The engine and the floor take the same messages in turn, block by block, and
// wait alike: for each message, for each turn of four, or for 64 sessions that
// append at once. A call in which a compression was decided is kept apart: the
// floor has none.

type Durability = 'power' | 'process';
type Pattern = 'one' | 'turn' | 'sessions';

const patterns: Readonly<Record<Pattern, { calls: number; goal?: number; words: string }>> = {
  one: { calls: 1, goal: 1.5, words: 'one by one' },
  turn: { calls: 4, goal: 1.35, words: 'by turn of four' },
  sessions: { calls: 64, words: 'by 64 sessions at once' },
};

/** What one round took, in microseconds per message. */
interface Round {
  readonly floor: Cost;
  /** Of calls without a compression. */
  readonly plain: Cost;
  readonly all: Cost;
  /** Of one call with a compression, beyond one without; null where the round had none. */
  readonly compression: Cost | null;
}

interface Given {
  readonly durability: Durability;
  readonly pattern: Pattern;
  readonly rounds: number;
  /** Messages a round. */
  readonly size: number;
  /** Whether the floor is left out, for a profile; false unless told. */
  readonly alone?: boolean;
}

/** Rounds that come first and are not kept: the code is compiled, the window filled. */
const warmUp = 3;

/** Rounds of one pattern at one durability. */
export async function appendPart(given: Given): Promise<Round[]> {
  const { durability, pattern, rounds, size, alone = false } = given;
  await loadTokenizer('o200k_base');
  const messages = transcript((rounds + warmUp) * size);
  return withFolder(async (folder) => {
    const store = await openStore(join(folder, 'engine'), { durability });
    const sessions = await Promise.all(
      Array.from({ length: pattern === 'sessions' ? 64 : 1 }, (_, index) =>
        store.open(`s${index}`, { window: pattern === 'sessions' ? 131_072 : 32_768 }),
      ),
    );
    const floor = await openFloor(join(folder, 'floor'), { sync: durability === 'power' });
    const { calls } = patterns[pattern];
    const result: Round[] = [];
    for (let round = 0; round < rounds + warmUp; round += 1) {
      const block = messages.slice(round * size, (round + 1) * size);
      const runs = Array.from({ length: size / calls }, (_, index) =>
        block.slice(index * calls, (index + 1) * calls),
      );
      const order = round % 2 === 0 ? ['floor', 'engine'] : ['engine', 'floor'];
      let floorCost: Cost[] = [];
      let engine: Called[] = [];
      for (const who of order) {
        if (who === 'floor') floorCost = alone ? [] : await each(runs, (run) => floor.keep(run));
        else engine = await engineRound(runs, sessions);
      }
      if (round >= warmUp) result.push(toRound(floorCost, engine, size));
    }
    await store.close();
    await floor.close();
    return result;
  });
}

interface Called extends Cost {
  readonly compressed: number;
}

async function each(
  runs: readonly (readonly Message[])[],
  work: (run: readonly Message[]) => Promise<unknown>,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const run of runs) costs.push(await costOf(() => work(run)));
  return costs;
}

async function engineRound(
  runs: readonly (readonly Message[])[],
  sessions: readonly Session[],
): Promise<Called[]> {
  const compressions = (): number =>
    sessions.reduce((all, { state }) => all + state.compressions, 0);
  const append = (run: readonly Message[]): Promise<unknown> =>
    Promise.all(
      run.map((message, index) =>
        sessions[index % sessions.length]!.append(
          sessions.length === 1 ? message : single(message),
        ),
      ),
    );
  const called: Called[] = [];
  let before = compressions();
  for (const run of runs) {
    const cost = await costOf(() => append(run));
    const after = compressions();
    called.push({ ...cost, compressed: after - before });
    before = after;
  }
  return called;
}

/** The same text as a message that needs no other: neighbors of a transcript go to different sessions here. */
function single({ role, content }: Message): Message {
  return { role: role === 'user' ? 'user' : 'assistant', content };
}

function toRound(floor: readonly Cost[], engine: readonly Called[], size: number): Round {
  const plainCalls = engine.filter(({ compressed }) => compressed === 0);
  const perCall = size / engine.length;
  const plain = share(sum(plainCalls), plainCalls.length * perCall);
  const compressed = engine.reduce((all, one) => all + one.compressed, 0);
  const busy = sum(engine.filter((one) => one.compressed > 0));
  const extra = (engine.length - plainCalls.length) * perCall;
  const compression = {
    cpu: (busy.cpu - plain.cpu * extra) / compressed,
    wall: (busy.wall - plain.wall * extra) / compressed,
  };
  return {
    floor: share(sum(floor), size),
    plain,
    all: share(sum(engine), size),
    compression: compressed === 0 ? null : compression,
  };
}

export const append: Bench = {
  name: 'append',
  title:
    'Append, over the floor of the same bytes (JSON + exact count + put), alike in waiting and durability',
  async run({ quick }) {
    const rows: Row[] = [];
    for (const durability of ['process', 'power'] as const) {
      for (const pattern of Object.keys(patterns) as Pattern[]) {
        const size = pattern === 'sessions' ? 640 : durability === 'power' ? 160 : 400;
        const given: Given = { durability, pattern, rounds: quick ? 5 : 20, size };
        rows.push(...toRows(given, await inProcess<Round[]>('append', given)));
      }
    }
    return rows;
  },
};

function toRows({ durability, pattern }: Given, rounds: readonly Round[]): Row[] {
  const { words, goal } = patterns[pattern];
  const name = `${durability}, ${words}`;
  const floors = rounds.map(({ floor }) => floor);
  const kept = rounds.filter(({ plain }) => Number.isFinite(plain.cpu));
  const plain = kept.map((round) => round.plain);
  const compressions = rounds.flatMap(({ compression }) => compression ?? []);
  const first = pattern === 'one' && durability === 'process';
  return [
    costRow(`${name}: an append`, plain),
    ratioRow(`${name}: between compressions`, plain, {
      of: kept.map(({ floor }) => floor),
      ...(goal === undefined ? {} : { goal: { atMost: goal } }),
    }),
    ratioRow(
      `${name}: compressions and all`,
      rounds.map(({ all }) => all),
      { of: floors },
    ),
    ...(first
      ? [costRow('one compression, embedded summarizer', compressions, { unit: 'ms' })]
      : []),
  ];
}
