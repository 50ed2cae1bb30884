import { farOf } from './far.ts';
import { readHistory, type History } from './history.ts';
import { measure, type Exam, type Outcome } from './measure.ts';
import type { MethodKind } from './method.ts';
import type { NameClass } from './names.ts';
import { needsOfAll, type Needs, type Trace } from './needs.ts';
import { readerOf } from './reader.ts';
import { usesOf } from './uses.ts';
import { ratesOf, sumOf, type Rates, type Tally } from './tally.ts';

/** What to measure, and how. */
export interface EvaluationOptions {
  /** Tokens that a context may have, one run for each. */
  readonly budgets: readonly number[];
  readonly methods: readonly MethodKind[];
  /** The format of the file; told from the content unless given. */
  readonly format?: string;
  /** Whether frames and goals of the file are played, too; true unless told. */
  readonly frames?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

/** How far an evaluation is. */
export interface EvaluationProgress {
  /** Null while the file is read. */
  readonly run: { readonly method: string; readonly budget: number } | null;
  /** Share of all work that is done, 0 to 1, as far as it is known. */
  readonly done: number;
}

/** Something that was needed from afar and not there. */
export interface Loss {
  readonly type: 'name' | 'directive';
  readonly text: string;
  /** Null for a directive. */
  readonly kind: NameClass | null;
  /** How many times it was needed in vain. */
  readonly times: number;
}

/** How one method did on one file within one budget. */
export interface Result {
  readonly file: string;
  readonly method: string;
  readonly budget: number;
  readonly tally: Tally;
  /** The most missed first. */
  readonly lost: readonly Loss[];
  /** Tokens of each context, in order; 0 where the method refused. */
  readonly course: readonly number[];
}

/** A file as it was measured. */
export interface Subject {
  readonly file: string;
  readonly session: string;
  readonly format: string;
  readonly entries: number;
  readonly frames: number;
  readonly tokens: number;
  /** Lines that could not be read. */
  readonly skipped: number;
}

/** What an evaluation found. */
export interface Evaluation {
  readonly subject: Subject;
  readonly results: readonly Result[];
}

/** Measures what each method keeps of a session file within each budget; rejects as `store.import` does. */
export async function evaluate(file: string, options: EvaluationOptions): Promise<Evaluation> {
  const { format, signal, onProgress } = options;
  onProgress?.({ run: null, done: 0 });
  const history = await readHistory(file, {
    ...(format === undefined ? {} : { format }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { subject: subjectOf(history), results: await examineAll(history, options) };
}

async function examineAll(
  history: History,
  { budgets, methods, frames = true, signal, onProgress }: EvaluationOptions,
): Promise<readonly Result[]> {
  const needs = needsOfAll(history.entries);
  const reader = readerOf(needs);
  const uses = usesOf(history.entries);
  const results: Result[] = [];
  const runs = budgets.length * methods.length;
  for (const budget of budgets) {
    const far = farOf(history.entries, needs, { budget, reader });
    const exam: Exam = { history, needs, far, reader, uses, budget, frames };
    for (const kind of methods) {
      const before = results.length;
      const outcome = await measure(exam, kind, {
        ...(signal === undefined ? {} : { signal }),
        onStep: (step) =>
          onProgress?.({
            run: { method: kind.name, budget },
            done: (before + step / history.steps.length) / runs,
          }),
      });
      const { file } = history;
      const lost = lossesOf(outcome, needs);
      const { tally, course } = outcome;
      results.push({ file, method: kind.name, budget, tally, lost, course });
    }
  }
  return results;
}

function subjectOf(history: History): Subject {
  const { file, session, format, entries, frames, tokens, skipped } = history;
  return { file, session, format, entries: entries.length, frames, tokens, skipped };
}

function lossesOf({ lost }: Outcome, { traces }: Needs): readonly Loss[] {
  return [...lost]
    .flatMap(([trace, times]) => lossOf(traces[trace]!, times))
    .sort((one, other) => other.times - one.times);
}

function lossOf(trace: Trace, times: number): readonly Loss[] {
  switch (trace.type) {
    case 'name':
      return [{ type: 'name', text: trace.name, kind: trace.kind, times }];
    case 'directive':
      return [{ type: 'directive', text: trace.text, kind: null, times }];
    case 'span':
      return [];
  }
}

/** What came of one method within one budget, all files together. */
export interface Total {
  readonly method: string;
  readonly budget: number;
  readonly tally: Tally;
  readonly rates: Rates;
}

/** What came of several files, budget by budget, in the order of the results. */
export function totalsOf(results: readonly Result[]): readonly Total[] {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = `${result.budget} ${result.method}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((group) => {
    const { method, budget } = group[0]!;
    const tally = sumOf(group.map((result) => result.tally));
    return { method, budget, tally, rates: ratesOf(tally) };
  });
}
