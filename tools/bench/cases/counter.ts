import { createRequire } from 'node:module';
import fc from 'fast-check';
import { loadTokenizer } from '../../../src/tokenizer/tiktoken.ts';
import { hostileText } from '../../../test/tokenizer/hostile.ts';
import type { Bench } from '../bench.ts';
import { costOf, median, type Cost } from '../cost.ts';
import { flat, kinds, readCorpora, type Corpora, type Kind } from '../input/corpus.ts';
import { inProcess } from '../process.ts';
import { haveRivals, rivalModule } from '../rivals.ts';
import type { Row } from '../row.ts';

type Count = (text: string) => number;

const loaders: Readonly<Record<string, () => Promise<Count>>> = {
  flamestack: async () => (await loadTokenizer('o200k_base')).count,
  'js-tiktoken': async () => {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import('js-tiktoken/ranks/o200k_base');
    const encoder = new Tiktoken(ranks);
    return (text) => encoder.encode(text, [], []).length;
  },
  tiktoken: async () => {
    const { Tiktoken } = await import('tiktoken/lite');
    const ranks = createRequire(import.meta.url)('tiktoken/encoders/o200k_base.json') as {
      bpe_ranks: string;
      special_tokens: Record<string, number>;
      pat_str: string;
    };
    const encoder = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
    return (text) => encoder.encode_ordinary(text).length;
  },
  'gpt-tokenizer': () => rivalCounter('gpt-tokenizer'),
  'ai-tokenizer': () => rivalCounter('ai-tokenizer'),
};

async function rivalCounter(name: string): Promise<Count> {
  const { counters } = await rivalModule<{ counters: Record<string, () => Promise<Count>> }>(
    'counters.mjs',
  );
  return counters[name]!();
}

/** What a counter costs before it counts. */
interface Loaded extends Cost {
  /** Megabytes it keeps. */
  readonly heap: number;
}

/** Megabytes per second of processor time. */
type Speeds = Readonly<Record<Kind, number>>;

/** What a counter is and does, in a process of its own. */
interface Counter {
  readonly loaded: Loaded;
  readonly speeds: Speeds;
}

export async function countPart({ name }: { name: string }): Promise<Counter> {
  const corpora = readCorpora();
  const load = loaders[name]!;
  const before = heap();
  let count: Count = () => 0;
  const cost = await costOf(async () => {
    count = await load();
    count('hello');
  });
  const loaded = { ...cost, heap: heap() - before };
  return { loaded, speeds: speedsOf(count, corpora) };
}

function heap(): number {
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** Speed on text not met before, in pieces of 4,096 characters, after a pass over the other halves of all texts. */
function speedsOf(count: Count, corpora: Corpora): Speeds {
  const half = (kind: Kind): number => corpora[kind].length >> 1;
  for (const kind of kinds)
    for (const piece of piecesOf(corpora[kind].slice(0, half(kind)))) count(piece);
  return Object.fromEntries(
    kinds.map((kind) => {
      const pieces = piecesOf(corpora[kind].slice(half(kind)));
      const bytes = pieces.reduce((all, piece) => all + Buffer.byteLength(piece), 0);
      const before = process.cpuUsage();
      for (const piece of pieces) count(piece);
      const { user, system } = process.cpuUsage(before);
      return [kind, bytes / (user + system)];
    }),
  ) as Speeds;
}

function piecesOf(text: string): string[] {
  const size = 4_096;
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    flat(text.slice(index * size, (index + 1) * size)),
  );
}

const characters = ['a', 'Z', ' ', '\n', '_', '=', '中', 'あ', '😀', '\u0301'];

/** Milliseconds of one count of one character repeated over so many KiB of UTF-8, the slowest character; and differences from tiktoken. */
export async function hostilePart({ texts }: { texts: number }): Promise<{
  /** By size in KiB, the slowest character of each round. */
  slowest: Record<number, number[]>;
  differences: number;
}> {
  const count = await loaders['flamestack']!();
  const slowest: Record<number, number[]> = { 10: [], 100: [] };
  const times: Record<string, number> = {};
  for (let round = 0; round < 5; round += 1) {
    for (const size of [10, 100]) {
      for (const character of characters) {
        const text = flat(character.repeat((size * 1024) / Buffer.byteLength(character)));
        times[character] = (await costOf(() => count(text))).cpu / 1_000;
      }
      slowest[size]!.push(Math.max(...Object.values(times)));
    }
  }
  const oracle = await loaders['tiktoken']!();
  const samples = fc.sample(hostileText, { numRuns: texts, seed: 4 });
  const differences = samples.filter((text) => count(text) !== oracle(text)).length;
  return { slowest, differences };
}

export const counter: Bench = {
  name: 'counter',
  title:
    'Counter, o200k_base: times as fast as others on text not met before, beside them in the same round',
  async run({ quick }) {
    const others = [
      'js-tiktoken',
      'tiktoken',
      ...(haveRivals() ? ['gpt-tokenizer', 'ai-tokenizer'] : []),
    ];
    const names = ['flamestack', ...others];
    const counters = new Map<string, Counter[]>(names.map((name) => [name, []]));
    for (let round = 0; round < (quick ? 2 : 5); round += 1)
      for (const name of names)
        counters.get(name)!.push(await inProcess<Counter>('count', { name }));
    const given = { texts: quick ? 4_000 : 40_000 };
    const hostile = await inProcess<Awaited<ReturnType<typeof hostilePart>>>('hostile', given);
    return [
      ...others.flatMap((name) => speedRows(name, counters)),
      ...speedOwn(counters.get('flamestack')!),
      ...others.map((name) => loadRow(name, counters)),
      ...heapRows(counters),
      {
        work: 'slowest of ten characters repeated over 100 KiB',
        unit: 'ms',
        samples: hostile.slowest[100]!,
        goal: { atMost: 300 },
      },
      {
        work: '100 KiB over 10 KiB of it',
        unit: '×',
        samples: hostile.slowest[100]!.map((ms, round) => ms / hostile.slowest[10]![round]!),
        goal: { atMost: 15 },
      },
      {
        work: `differences from tiktoken on ${given.texts.toLocaleString('en')} hostile strings`,
        unit: '',
        samples: [hostile.differences],
        goal: { atMost: 0 },
      },
    ];
  },
};

/** Goals of the counter: ten times js-tiktoken, half again as fast as the best of the others. */
const goals: Readonly<Record<string, number>> = {
  'js-tiktoken': 10,
  'gpt-tokenizer': 1.5,
  'ai-tokenizer': 1.5,
};

type Counters = ReadonlyMap<string, readonly Counter[]>;

function speedRows(name: string, counters: Counters): Row[] {
  const own = counters.get('flamestack')!;
  return kinds.map((kind) => {
    const judged = name in goals && !(kind === 'cjk' && name !== 'js-tiktoken');
    return {
      work: `${kind}, over ${name}`,
      unit: '×',
      samples: counters
        .get(name)!
        .map(({ speeds }, round) => own[round]!.speeds[kind] / speeds[kind]),
      ...(judged ? { goal: { atLeast: goals[name]! } } : {}),
    };
  });
}

function speedOwn(counters: readonly Counter[]): Row[] {
  return kinds.map((kind) => ({
    work: `${kind}, flamestack`,
    unit: 'MB/s',
    samples: counters.map(({ speeds }) => speeds[kind]),
  }));
}

function loadRow(name: string, counters: Counters): Row {
  const own = counters.get('flamestack')!;
  const ratio = (of: (loaded: Loaded) => number): number[] =>
    counters.get(name)!.map(({ loaded }, round) => of(own[round]!.loaded) / of(loaded));
  return {
    work: `time to load, of ${name}'s`,
    unit: '×',
    samples: ratio(({ cpu }) => cpu),
    wall: ratio(({ wall }) => wall),
    ...(name === 'js-tiktoken' ? { goal: { atMost: 0.1 } } : {}),
  };
}

function heapRows(counters: Counters): Row[] {
  const heaps = (name: string): number[] => counters.get(name)!.map(({ loaded }) => loaded.heap);
  const own = heaps('flamestack');
  const theirs = heaps('js-tiktoken');
  return [
    {
      work: 'heap, flamestack',
      unit: 'MB',
      samples: own,
      note: `js-tiktoken ${median(theirs).toFixed(0)} MB`,
    },
    {
      work: "heap, of js-tiktoken's",
      unit: '×',
      samples: own.map((heap, round) => heap / theirs[round]!),
      goal: { atMost: 0.35 },
    },
  ];
}
