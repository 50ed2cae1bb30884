import { contextText } from '../context-text.ts';
import { contextsAt } from '../contexts.ts';
import type { History } from '../history.ts';
import type { MethodKind } from '../method.ts';
import type { Share } from '../share.ts';
import { cutPlace } from './cut-place.ts';
import type { Probes } from './probe.ts';
import { standingsIn, type Standing } from './standing.ts';

/** What one method's context at the cut of one session holds. */
export interface ProbeResult {
  readonly probes: string;
  readonly session: string;
  readonly method: string;
  readonly budget: number;
  /** Of the context; null where the method refused. */
  readonly tokens: number | null;
  readonly answers: readonly {
    readonly id: string;
    readonly kind: string;
    readonly standing: Standing;
  }[];
  /** The whole context. */
  readonly context: string;
}

/** How probes are asked. */
export interface ProbingOptions {
  readonly budgets: readonly number[];
  readonly methods: readonly MethodKind[];
  /** Whether frames and goals of the session are played, too. */
  readonly frames: boolean;
  readonly signal?: AbortSignal;
  /** How far it is, 0 to 1, and at what. */
  readonly onProgress?: (done: number, run: { method: string; budget: number }) => void;
}

/** Asks the questions of a probe file of each method's context at the cut, budget by budget. */
export async function probeAll(
  probes: Probes,
  history: History,
  { budgets, methods, frames, signal, onProgress }: ProbingOptions,
): Promise<readonly ProbeResult[]> {
  const cut = cutPlace(history, probes);
  const results: ProbeResult[] = [];
  for (const budget of budgets)
    for (const kind of methods) {
      const run = { method: kind.name, budget };
      const runs = budgets.length * methods.length;
      const playing = {
        history,
        budget,
        frames,
        ...(signal === undefined ? {} : { signal }),
        onStep: (step: number) =>
          onProgress?.((results.length + step / history.steps.length) / runs, run),
      };
      for await (const { context } of contextsAt(kind, [cut], playing)) {
        const text = contextText(context ?? []);
        const standing = standingsIn(text);
        results.push({
          probes: probes.file,
          session: history.file,
          ...run,
          tokens: context?.reduce((sum, { tokens }) => sum + tokens, 0) ?? null,
          answers: probes.probes.map(({ id, kind: asked, keys }) => ({
            id,
            kind: asked,
            standing: standing(keys),
          })),
          context: text,
        });
      }
    }
  return results;
}

/** What one method came to within one budget, all sessions together. */
export interface ProbeTotal {
  readonly method: string;
  readonly budget: number;
  /** Probes whose keys stand near each other, by what they ask for. */
  readonly kinds: Readonly<Record<string, Share>>;
  /** The same by probe file. */
  readonly files: Readonly<Record<string, Share>>;
  readonly all: Share;
  /** Tokens of a context, on average; null where none was made. */
  readonly tokens: number | null;
}

/** The totals of results, in their order. */
export function probeTotals(results: readonly ProbeResult[]): readonly ProbeTotal[] {
  const groups = grouped(results, ({ budget, method }) => `${budget} ${method}`);
  return [...groups.values()].map((group) => {
    const { method, budget } = group[0]!;
    const answers = group.flatMap((result) => result.answers);
    const made = group.flatMap(({ tokens }) => (tokens === null ? [] : [tokens]));
    return {
      method,
      budget,
      kinds: shares(grouped(answers, ({ kind }) => kind)),
      files: shares(new Map(group.map((result) => [result.probes, result.answers]))),
      all: shareOf(answers),
      tokens: made.length === 0 ? null : made.reduce((sum, one) => sum + one, 0) / made.length,
    };
  });
}

function grouped<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

type Answers = ProbeResult['answers'];

function shares(groups: ReadonlyMap<string, Answers>): Readonly<Record<string, Share>> {
  return Object.fromEntries([...groups].map(([name, answers]) => [name, shareOf(answers)]));
}

function shareOf(answers: Answers): Share {
  return {
    kept: answers.filter(({ standing }) => standing === 'near').length,
    of: answers.length,
  };
}
