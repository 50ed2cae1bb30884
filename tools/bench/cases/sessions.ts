import { join } from 'node:path';
import { openStore, type Session, type Store } from '../../../src/index.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import type { Bench } from '../bench.ts';
import { costOf, median, type Cost } from '../cost.ts';
import { transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import { costRow, ratioRow, type Row } from '../row.ts';
import { withFolder } from '../scratch.ts';

const many = 10_000;
const live = 500;
const window = 32_768;

/** What many sessions cost, round by round. */
interface Sessions {
  /** Opening a session that is not live, in a store of ten and in one of ten thousand with 500 live. */
  readonly few: Cost[];
  readonly many: Cost[];
  /** A first page of a hundred, and each of all. */
  readonly page: Cost[];
  readonly each: Cost[];
  /** Kilobytes of heap that one live session takes. */
  readonly heap: number;
}

export async function sessionsPart({ rounds }: { rounds: number }): Promise<Sessions> {
  await loadTokenizer('o200k_base');
  return withFolder(async (folder) => {
    const small = await fill(join(folder, 'small'), 10);
    const large = await fill(join(folder, 'large'), many);
    const before = heap();
    const held = await Promise.all(Array.from({ length: live }, (_, n) => large.open(idOf(n))));
    const result: Sessions = {
      few: [],
      many: [],
      page: [],
      each: [],
      heap: (heap() - before) / live,
    };
    for (let round = 0; round < rounds; round += 1) {
      result.few.push(await opening(small, (n) => n % 10));
      result.many.push(
        await opening(large, (n) => live + (((round * 10 + n) * 97) % (many - live))),
      );
      result.page.push(await costOf(() => drain(large.sessions({ limit: 100 })), 100));
    }
    for (let round = 0; round < 3; round += 1)
      result.each.push(await costOf(() => drain(large.sessions()), many));
    await Promise.all(held.map((session) => session.close()));
    await small.close();
    await large.close();
    return result;
  });
}

const idOf = (n: number): string => `session-${String(n).padStart(6, '0')}`;

function heap(): number {
  gc?.();
  return process.memoryUsage().heapUsed / 1e3;
}

/** A store of `length` sessions of eight messages, closed and opened again. */
async function fill(folder: string, length: number): Promise<Store> {
  const messages = transcript(8);
  const store = await openStore(folder, { durability: 'process' });
  for (let n = 0; n < length; n += 100) {
    const ids = Array.from({ length: Math.min(100, length - n) }, (_, index) => idOf(n + index));
    await Promise.all(
      ids.map(async (id) => {
        const session = await store.open(id, { window });
        await session.append(messages);
        await session.close();
      }),
    );
  }
  await store.close();
  return openStore(folder, { durability: 'process' });
}

/** Opens ten sessions and closes them again. */
async function opening(store: Store, pick: (n: number) => number): Promise<Cost> {
  const opened: Session[] = [];
  const cost = await costOf(async () => {
    for (let n = 0; n < 10; n += 1) opened.push(await store.open(idOf(pick(n))));
  }, 10);
  for (const session of opened) await session.close();
  return cost;
}

async function drain(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of list);
}

/** An append of one session alone, and of each of 64 at once, round by round, at `power`. */
interface Together {
  readonly alone: Cost[];
  readonly together: Cost[];
}

export async function togetherPart({ rounds }: { rounds: number }): Promise<Together> {
  await loadTokenizer('o200k_base');
  return withFolder(async (folder) => {
    const store = await openStore(folder, { durability: 'power' });
    const sessions = await Promise.all(
      Array.from({ length: 64 }, (_, n) => store.open(idOf(n), { window })),
    );
    const result: Together = { alone: [], together: [] };
    const say = (n: number) => ({ role: 'assistant', content: `Looking at part ${n}` }) as const;
    const turns = 4;
    for (let round = -1; round < rounds; round += 1) {
      const alone = await costOf(async () => {
        for (let n = 0; n < 64; n += 1) await sessions[0]!.append(say(n));
      }, 64);
      const together = await costOf(async () => {
        for (let turn = 0; turn < turns; turn += 1)
          await Promise.all(sessions.map((session, n) => session.append(say(n))));
      }, 64 * turns);
      if (round < 0) continue;
      result.alone.push(alone);
      result.together.push(together);
    }
    await store.close();
    return result;
  });
}

export const sessions: Bench = {
  name: 'sessions',
  title: 'Ten thousand sessions in a store, 500 of them live',
  async run({ quick }) {
    const costs = await inProcess<Sessions>('sessions', { rounds: quick ? 7 : 21 });
    const both = await inProcess<Together>('together', { rounds: quick ? 5 : 15 });
    return [
      costRow('open one of ten', costs.few),
      costRow('open one of 10,000', costs.many),
      ratioRow('open, 10,000 over ten sessions', costs.many, {
        of: costs.few,
        goal: { atMost: 1.5 },
      }),
      costRow('list a page of 100, each', costs.page),
      costRow('list all, each', costs.each),
      { work: 'heap of a live session of eight messages', unit: 'KB', samples: [costs.heap] },
      ...togetherRows(both),
    ];
  },
};

function togetherRows({ alone, together }: Together): Row[] {
  const times = (of: (cost: Cost) => number): number[] =>
    alone.map((cost, round) => of(cost) / of(together[round]!));
  return [
    costRow('append at power, one session alone', alone),
    costRow('append at power, 64 sessions at once', together),
    {
      work: 'appends a second by the clock, 64 at once over one alone, at power',
      unit: '×',
      samples: times(({ wall }) => wall),
      goal: { atLeast: 10 },
      note: `processor time ${median(times(({ cpu }) => cpu)).toFixed(1)} ×`,
    },
  ];
}
