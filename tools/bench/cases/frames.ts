import { join } from 'node:path';
import { openStore, type Session } from '../../../src/index.ts';
import { newBodies } from '../../../src/engine/journal/body-cache.ts';
import { decide } from '../../../src/engine/decide/decide.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openLevelStore } from '../../../src/store/level/level-store.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import type { Bench } from '../bench.ts';
import { costOf, type Cost } from '../cost.ts';
import { inProcess } from '../process.ts';
import { costRow, ratioRow } from '../row.ts';
import { withFolder } from '../scratch.ts';

/** Frames below the one that is invalidated. */
const below = 10_000;
const window = 32_768;

/** What frames cost, round by round. */
interface Frames {
  /** Deciding that a frame and all below it are invalidated. */
  readonly decide: Cost[];
  /** The same, decided and durable. */
  readonly invalidate: Cost[];
  /** A push and a pop, in a session of ten frames and in one of many. */
  readonly few: Cost[];
  readonly many: Cost[];
}

export async function framesPart({
  rounds,
  many,
}: {
  rounds: number;
  many: number;
}): Promise<Frames> {
  return withFolder(async (folder) => {
    const cascades = await cascadeRounds(join(folder, 'cascade'), rounds);
    const pushes = await pushRounds(join(folder, 'push'), { rounds: rounds * 3, many });
    return { ...cascades, ...pushes };
  });
}

async function cascadeRounds(
  folder: string,
  rounds: number,
): Promise<Pick<Frames, 'decide' | 'invalidate'>> {
  const records = await openLevelStore(folder, { durability: 'process' });
  const store = await openOver(records);
  const { count } = await loadTokenizer('o200k_base');
  const result: Pick<Frames, 'decide' | 'invalidate'> = { decide: [], invalidate: [] };
  for (let round = -1; round < rounds; round += 1) {
    const session = await store.open(`s${round}`, { window });
    const top = await planBelow(session, below);
    const { state } = await store.live(session.id);
    const input = { type: 'invalidate', frame: top, reason: 'Measured' } as const;
    const around = { count, bodies: newBodies(), at: 0 };
    const decided = await costOf(() => decide(state, input, around));
    const invalidated = await costOf(() => session.frames.invalidate(top, 'Measured'));
    await session.close();
    if (round < 0) continue;
    result.decide.push(decided);
    result.invalidate.push(invalidated);
  }
  await store.close();
  return result;
}

/** Plans a frame and `length` below it, ten below each; gives the topmost. */
async function planBelow(session: Session, length: number): Promise<string> {
  const { id: top } = await session.frames.plan({ title: 'Measured' });
  const ids = [top];
  while (ids.length <= length) {
    const parents = ids.slice(Math.floor((ids.length - 1) / 10)).slice(0, 50);
    const planned = await Promise.all(
      parents.flatMap((parent) =>
        Array.from({ length: 10 }, (_, index) =>
          session.frames.plan({ title: `Part ${index}`, parent }),
        ),
      ),
    );
    ids.push(...planned.map(({ id }) => id));
  }
  return top;
}

async function pushRounds(
  folder: string,
  { rounds, many }: { readonly rounds: number; readonly many: number },
): Promise<Pick<Frames, 'few' | 'many'>> {
  const store = await openStore(folder, { durability: 'process' });
  await loadTokenizer('o200k_base');
  const few = await store.open('few', { window });
  const lots = await store.open('many', { window });
  for (let n = 0; n < 10; n += 1) await pushPop(few, n);
  for (let n = 0; n < many; n += 1) await pushPop(lots, n);
  const result: Pick<Frames, 'few' | 'many'> = { few: [], many: [] };
  for (let round = 0; round < rounds; round += 1) {
    const both = [few, lots] as const;
    for (const session of round % 2 === 0 ? both : both.toReversed())
      result[session === few ? 'few' : 'many'].push(
        await costOf(async () => {
          for (let n = 0; n < 5; n += 1) await pushPop(session, n);
        }, 5),
      );
  }
  await store.close();
  return result;
}

async function pushPop(session: Session, n: number): Promise<void> {
  await session.push({ title: `Task ${n}`, criteria: 'It is measured' });
  await session.pop({ status: 'completed', results: `Measured as number ${n}` });
}

export const frames: Bench = {
  name: 'frames',
  title: 'Ten thousand frames',
  async run({ quick }) {
    const given = quick ? { rounds: 3, many: 2_000 } : { rounds: 7, many: 10_000 };
    const costs = await inProcess<Frames>('frames', given);
    const most = given.many.toLocaleString('en');
    return [
      costRow('deciding a cascade over 10,000', costs.decide, { unit: 'ms', goal: { atMost: 10 } }),
      costRow('the same, decided, written and evolved', costs.invalidate, { unit: 'ms' }),
      costRow('push and pop, ten frames', costs.few),
      costRow(`push and pop, ${most} frames`, costs.many),
      ratioRow(`push and pop, ${most} over ten frames`, costs.many, {
        of: costs.few,
        goal: { atMost: 1.3 },
      }),
    ];
  },
};
