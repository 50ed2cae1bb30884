import { Level } from 'level';
import type { Message } from '../../../src/index.ts';
import { messageTokens } from '../../../src/core/messages/token-count.ts';
import { toCounter } from '../../../src/tokenizer/counter.ts';
import { costOf, type Cost } from '../cost.ts';
import { transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import { costRow } from '../row.ts';
import { withFolder } from '../scratch.ts';
import type { Bench } from '../bench.ts';

// The raw parts of an append, each on the same messages: what no engine on
// LevelDB with an exact count can go below.

/** The least that keeping a message takes, to measure the engine against. */
export interface Floor {
  /** Keeps messages as JSON, their counts made, and resolves when all are written. */
  keep(messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

/** A floor in `folder`, as durable as the engine that it is compared with. */
export async function openFloor(
  folder: string,
  { sync }: { readonly sync: boolean },
): Promise<Floor> {
  const db = new Level(folder);
  await db.open();
  const count = await freshCount();
  let next = 0;
  const put = (message: Message): Promise<void> => {
    const tokens = messageTokens(message, count);
    const value = JSON.stringify({ message, tokens });
    return db.put(keyAt((next += 1)), value, { sync });
  };
  return {
    keep: (messages) => Promise.all(messages.map(put)).then(() => undefined),
    close: () => db.close(),
  };
}

/** A counter that has met no text yet; the engine's own remembers the pieces it has met. */
async function freshCount(): Promise<(text: string) => number> {
  const { vocabulary } = await import('../../../src/tokenizer/vocabularies/o200k-base.ts');
  return toCounter('o200k_base', vocabulary()).count;
}

const keyAt = (n: number): string => `s!${String(n).padStart(12, '0')}`;

const works = [
  'JSON of a message',
  'exact count of it',
  'LevelDB put, awaited',
  'LevelDB puts, 64 at once',
  'LevelDB batch of 64',
  'LevelDB put, synced',
  'LevelDB batch of 64, synced',
] as const;
type Work = (typeof works)[number];

/** Costs of each work, one a round, in microseconds per message. */
export async function floorPart({
  rounds,
  size,
}: {
  rounds: number;
  size: number;
}): Promise<Record<Work, Cost[]>> {
  const messages = transcript(size * (rounds + 1));
  const count = await freshCount();
  const costs = Object.fromEntries(works.map((work) => [work, [] as Cost[]]));
  await withFolder(async (folder) => {
    const db = new Level(folder);
    await db.open();
    let next = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const block = messages.slice(round * size, (round + 1) * size);
      const puts = block.map((message) => ({
        type: 'put' as const,
        key: keyAt((next += 1)),
        value: JSON.stringify(message),
      }));
      const few = puts.slice(0, 64);
      const all: Record<Work, () => Promise<Cost>> = {
        'JSON of a message': () => costOf(() => block.map((one) => JSON.stringify(one)), size),
        'exact count of it': () =>
          costOf(() => block.map((one) => messageTokens(one, count)), size),
        'LevelDB put, awaited': () =>
          costOf(async () => {
            for (const { key, value } of puts) await db.put(key, value);
          }, size),
        'LevelDB puts, 64 at once': () =>
          costOf(() => Promise.all(few.map(({ key, value }) => db.put(key, value))), few.length),
        'LevelDB batch of 64': () => costOf(() => db.batch(few), few.length),
        'LevelDB put, synced': () =>
          costOf(async () => {
            for (const { key, value } of few) await db.put(key, value, { sync: true });
          }, few.length),
        'LevelDB batch of 64, synced': () =>
          costOf(() => db.batch(few, { sync: true }), few.length),
      };
      for (const work of works) {
        const cost = await all[work]();
        if (round > 0) costs[work]!.push(cost);
      }
    }
    await db.close();
  });
  return costs as Record<Work, Cost[]>;
}

export const floor: Bench = {
  name: 'floor',
  title: 'Floors, per message of 1.5 KB',
  async run({ quick }) {
    const given = { rounds: quick ? 5 : 15, size: 400 };
    const costs = await inProcess<Record<Work, Cost[]>>('floor', given);
    return works.map((work) => costRow(work, costs[work]));
  },
};
