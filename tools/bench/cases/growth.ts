import { join } from 'node:path';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import type { Bench } from '../bench.ts';
import { costOf, type Cost } from '../cost.ts';
import { shortTranscript, textBytes, transcript } from '../input/transcript.ts';
import { inProcess } from '../process.ts';
import { costRow, ratioRow, type Row } from '../row.ts';
import { bytesOf, withFolder } from '../scratch.ts';

// One session at several lengths, each in a store of its own, then the same work
// on a short and a long one in turn: what grows with history shows as a ratio
// above one. Messages are short here, so that a million of them are made in
// minutes; the disk is measured on messages of full length.

const window = 32_768;

/** Megabytes of a process: all of it, and its objects. */
interface Memory {
  readonly rss: number;
  readonly heap: number;
}

/** A grown store. */
interface Grown {
  readonly entries: number;
  /** Megabytes of the process that grew it, at 10,000 entries and at the end. */
  readonly early: Memory;
  readonly late: Memory;
  readonly text: number;
  readonly disk: number;
}

interface Growing {
  readonly folder: string;
  readonly entries: number;
  readonly input: 'short' | 'full';
  /** Seconds after which it ends where it is. */
  readonly patience: number;
}

/** Grows a session until it has `entries`. */
export async function growPart(given: Growing): Promise<Grown> {
  const { folder, entries, input, patience } = given;
  const length = Math.min(entries, 20_000);
  const messages = input === 'short' ? shortTranscript(length) : transcript(length);
  const sizes = messages.map(textBytes);
  const store = await openStore(folder, { durability: 'process' });
  const session = await store.open('s', { window });
  const end = performance.now() + patience * 1_000;
  let early: Memory | null = null;
  let n = 0;
  let text = 0;
  while (n < entries && performance.now() < end) {
    const work: Promise<unknown>[] = [];
    for (let turn = 0; turn < 50 && n < entries; turn += 1, n += 4) {
      const at = n % length;
      work.push(session.append(messages.slice(at, at + 4)));
      text += sizes.slice(at, at + 4).reduce((all, size) => all + size, 0);
    }
    await Promise.all(work);
    if (n >= 10_000) early ??= memory();
  }
  const late = memory();
  await store.close();
  return { entries: n, early: early ?? late, late, text, disk: bytesOf(folder) };
}

function memory(): Memory {
  gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 1e6, heap: heapUsed / 1e6 };
}

/** What opening and the first calls cost in a fresh process. */
interface Opened {
  readonly open: Cost;
  readonly assemble: Cost;
  readonly append: Cost;
  readonly rss: number;
}

export async function openPart({ folder }: { folder: string }): Promise<Opened> {
  const before = process.memoryUsage.rss();
  const store = await openStore(folder, { durability: 'process' });
  let session: Session | null = null;
  const open = await costOf(async () => (session = await store.open('s')));
  const assemble = await costOf(() => session!.assemble());
  const append = await costOf(() => session!.append({ role: 'user', content: 'One more thing' }));
  const rss = (process.memoryUsage.rss() - before) / 1e6;
  await store.close();
  return { open, assemble, append, rss };
}

/** What a round of the same work cost at each length. */
interface Pair {
  readonly append: readonly Cost[];
  readonly assemble: readonly Cost[];
  readonly again: readonly Cost[];
  readonly read: readonly Cost[];
  readonly log: readonly Cost[];
}

/** Rounds of the same work on each of the stores in `folders`, in turn. */
export async function pairPart({
  folders,
  rounds,
}: {
  folders: readonly string[];
  rounds: number;
}): Promise<Pair[]> {
  const messages = shortTranscript(2_000, 7);
  await loadTokenizer('o200k_base');
  const stores = await Promise.all(
    folders.map((folder) => openStore(folder, { durability: 'process' })),
  );
  const sessions = await Promise.all(stores.map((store) => store.open('s')));
  const result: Pair[] = [];
  const warmUp = 3;
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const start = (round * 100) % messages.length;
    const block = messages.slice(start, start + 100);
    const all = { append: [], assemble: [], again: [], read: [], log: [] } as Record<
      keyof Pair,
      Cost[]
    >;
    for (const session of round % 2 === 0 ? sessions : sessions.toReversed())
      for (const [work, cost] of Object.entries(await workOn(session, block)))
        all[work as keyof Pair].push(cost);
    if (round % 2 === 1) for (const costs of Object.values(all)) costs.reverse();
    if (round >= warmUp) result.push(all);
  }
  await Promise.all(stores.map((store) => store.close()));
  return result;
}

async function workOn(
  session: Session,
  block: readonly Message[],
): Promise<Record<keyof Pair, Cost>> {
  const plain: Cost[] = [];
  const assembled: Cost[] = [];
  for (const message of block) {
    const { compressions } = session.state;
    const cost = await costOf(() => session.append(message));
    const assemble = await costOf(() => session.assemble());
    if (session.state.compressions !== compressions) continue;
    plain.push(cost);
    assembled.push(assemble);
  }
  const { entries } = session.state;
  const old = Array.from(
    { length: 50 },
    (_, index) => `e${1 + Math.floor((index / 50) * entries)}`,
  );
  return {
    append: mean(plain),
    assemble: mean(assembled),
    again: await costOf(async () => {
      for (let time = 0; time < 200; time += 1) await session.assemble();
    }, 200),
    read: await costOf(async () => {
      for (const id of old) await session.entry(id);
    }, old.length),
    log: await costOf(async () => {
      for await (const _ of session.log({ reverse: true, limit: 100 }));
    }, 100),
  };
}

function mean(costs: readonly Cost[]): Cost {
  const all = costs.reduce(
    (sum, { cpu, wall }) => ({ cpu: sum.cpu + cpu, wall: sum.wall + wall }),
    { cpu: 0, wall: 0 },
  );
  return { cpu: all.cpu / costs.length, wall: all.wall / costs.length };
}

export const growth: Bench = {
  name: 'growth',
  title: 'One session as it grows',
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const lengths = [1_000, 10_000, quick ? 100_000 : 1_000_000] as const;
      const folders = lengths.map((entries) => join(folder, String(entries)));
      const grow = (given: Omit<Growing, 'patience'>): Promise<Grown> =>
        inProcess<Grown>('grow', { ...given, patience: 420 });
      const [disk, ...grown] = await Promise.all([
        grow({ folder: join(folder, 'full'), entries: quick ? 4_000 : 20_000, input: 'full' }),
        ...lengths.map((entries, index) =>
          grow({ folder: folders[index]!, entries, input: 'short' }),
        ),
      ]);
      const opened: Opened[][] = [];
      for (let round = 0; round < (quick ? 5 : 9); round += 1) {
        const one: Opened[] = [];
        for (const at of [0, 2]) one.push(await inProcess<Opened>('open', { folder: folders[at] }));
        opened.push(one);
      }
      const given = { folders, rounds: quick ? 9 : 21 };
      const pairs = await inProcess<Pair[]>('pair', given);
      const longest = grown.at(-1)!.entries;
      const rows = [
        ...pairRows(pairs, longest),
        ...openRows(opened, longest),
        ...sizeRows(grown, disk),
      ];
      return longest === lengths.at(-1) ? rows : rows.map(unjudged);
    }),
};

/** A row of a session that did not grow as long as its goal is for. */
function unjudged({ work, unit, samples, wall }: Row): Row {
  return { work, unit, samples, note: 'stopped early', ...(wall === undefined ? {} : { wall }) };
}

function pairRows(pairs: readonly Pair[], longest: number): Row[] {
  const at = (work: keyof Pair, index: number): Cost[] => pairs.map((pair) => pair[work][index]!);
  const most = longest.toLocaleString('en');
  return [
    costRow(`append between compressions, ${most} entries`, at('append', 2)),
    ratioRow(`append, ${most} over 10,000 entries`, at('append', 2), {
      of: at('append', 1),
      goal: { atMost: 1.3 },
    }),
    costRow(`assemble after an append, ${most} entries`, at('assemble', 2), {
      goal: { atMost: 10 },
    }),
    costRow('assemble after an append, 1,000 entries', at('assemble', 0), { goal: { atMost: 10 } }),
    costRow(`assemble again, nothing new, ${most} entries`, at('again', 2), {
      goal: { atMost: 10 },
    }),
    ratioRow(`assemble, ${most} over 1,000 entries`, at('assemble', 2), {
      of: at('assemble', 0),
      goal: { atMost: 2 },
    }),
    costRow(`read by id, ${most} entries`, at('read', 2)),
    ratioRow(`read by id, ${most} over 1,000 entries`, at('read', 2), { of: at('read', 0) }),
    costRow(`read the last 100 of the log, each, ${most} entries`, at('log', 2)),
  ];
}

function openRows(opened: readonly Opened[][], longest: number): Row[] {
  const most = longest.toLocaleString('en');
  const long = opened.map(([, second]) => second!);
  const short = opened.map(([first]) => first!);
  const opens = (list: readonly Opened[]): Cost[] => list.map(({ open }) => open);
  return [
    costRow(`open, ${most} entries, a fresh process`, opens(long), {
      unit: 'ms',
      goal: { atMost: 60 },
    }),
    ratioRow(`open, ${most} over 1,000 entries`, opens(long), {
      of: opens(short),
      goal: { atMost: 5 },
    }),
    costRow(
      'first assemble after that',
      long.map(({ assemble }) => assemble),
      { unit: 'ms' },
    ),
    costRow(
      'first append after that, counter not loaded',
      long.map(({ append }) => append),
      { unit: 'ms', goal: { atMost: 5 } },
    ),
    { work: 'memory that opening it took', unit: 'MB', samples: long.map(({ rss }) => rss) },
  ];
}

function sizeRows(grown: readonly Grown[], full: Grown): Row[] {
  const longest = grown.at(-1)!;
  const { early, late } = longest;
  const most = longest.entries.toLocaleString('en');
  return [
    {
      work: `memory at ${most} less at 10,000 entries, one process`,
      unit: 'MB',
      samples: [late.rss - early.rss],
      goal: { atMost: 64 },
      note: `heap ${early.heap.toFixed(0)} → ${late.heap.toFixed(0)} MB`,
    },
    {
      work: `disk over text, ${full.entries.toLocaleString('en')} messages of 1.5 KB`,
      unit: '×',
      samples: [full.disk / full.text],
      goal: { atMost: 1 },
    },
    {
      work: `disk over text, ${most} messages of 140 bytes`,
      unit: '×',
      samples: [longest.disk / longest.text],
    },
  ];
}
