// How far a session on a model can be relied on, by the model's size and by how
// often a model compressed it: an estimate, no measurement.
//
//   score = factor of size × max(0.3, 1 − 0.15 × compressions) × confidence
//
// Beside it stands what is measured: the share of facts that summaries kept.

/** How far to rely on what a model makes of its context. */
export type ReliabilityBand = 'high' | 'medium' | 'low' | 'critical';

/** What is to be expected of summaries by models of a size. */
export interface Quality {
  readonly models: 'small' | 'medium' | 'large';
  readonly summaries: 'basic' | 'good' | 'excellent';
  /** Compressions that a session stands without harm, from and to. */
  readonly compressions: readonly [from: number, to: number];
}

/** How far a session can be relied on. */
export interface Reliability {
  /** 0 to 1; estimated by the model's size. */
  readonly score: number;
  readonly band: ReliabilityBand;
  /** Parameters of the model, in billions. */
  readonly size: number;
  readonly quality: Quality;
  /** Those whose summary a model wrote: what a machine copies does not wear out. */
  readonly compressions: number;
  /** Share of the facts of compressed entries that summaries or the ledger took over, less where a cut prompt is suspected; 0 to 1. */
  readonly confidence: number;
  /** Share of these facts that summaries kept, as measured; null before the first compression. */
  readonly kept: number | null;
  /** What to tell a person; null where there is nothing to worry about. */
  readonly warning: string | null;
}

/** Facts of what was compressed, all compressions together. */
export interface EntityTally {
  readonly found: number;
  /** Those that stood in the summary. */
  readonly kept: number;
  /** Those that stood in the summary, or in the ledger after it. */
  readonly held: number;
  /** Compressions whose summary a model wrote. */
  readonly written: number;
}

/** Nothing compressed yet. */
export const noEntities: EntityTally = { found: 0, kept: 0, held: 0, written: 0 };

/** What is left of the score where it is suspected that a server cut the prompt. */
const suspicion = 0.5;

/** The least that compressions leave, and what each takes. */
const penalty = { least: 0.3, each: 0.15 } as const;

/** Compressions after which a small model's user is warned. */
const warnAfter = 3;

/** How far a session on a model of `size` billion parameters can be relied on. */
export function reliabilityOf(given: {
  model: string;
  size: number;
  facts: EntityTally;
  suspected: boolean;
}): Reliability {
  const { model, size, facts, suspected } = given;
  const { written: compressions } = facts;
  const share = (count: number): number => (facts.found === 0 ? 1 : count / facts.found);
  const confidence = share(facts.held) * (suspected ? suspicion : 1);
  const worn = Math.max(penalty.least, 1 - penalty.each * compressions);
  const score = factorOf(size) * worn * confidence;
  const quality = qualityOf(size);
  const worries = quality.models === 'small' && compressions >= warnAfter;
  return {
    score,
    band: bandOf(score),
    size,
    quality,
    compressions,
    confidence,
    kept: facts.found === 0 ? null : share(facts.kept),
    warning: worries ? warningOf(model, compressions) : null,
  };
}

/** The billions of parameters that a model's name tells, as `llama3.2:3b` or `Qwen2.5-0.5B-Instruct` do; null where it tells none. */
export function sizeInName(model: string): number | null {
  const found = /(?:^|[^a-z0-9.])(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,2})?)\s?([bm])(?![a-z0-9])/i.exec(
    model,
  );
  if (found === null) return null;
  const [, experts, number, unit] = found;
  const billions = Number(number) / (unit!.toLowerCase() === 'm' ? 1_000 : 1);
  const size = billions * Number(experts ?? 1);
  return size > 0 ? size : null;
}

/** What is to be expected of summaries by a model of `size` billion parameters. */
export function qualityOf(size: number): Quality {
  if (size >= 70) return { models: 'large', summaries: 'excellent', compressions: [5, 7] };
  if (size >= 13) return { models: 'medium', summaries: 'good', compressions: [3, 5] };
  return { models: 'small', summaries: 'basic', compressions: [2, 3] };
}

function factorOf(size: number): number {
  if (size >= 70) return 0.95;
  if (size >= 30) return 0.85;
  if (size >= 13) return 0.7;
  return size >= 7 ? 0.5 : 0.3;
}

function bandOf(score: number): ReliabilityBand {
  if (score >= 0.85) return 'high';
  if (score >= 0.6) return 'medium';
  return score >= 0.4 ? 'low' : 'critical';
}

function warningOf(model: string, compressions: number): string {
  return [
    `Your model (${model}) has compressed the conversation ${compressions} times.`,
    'Small models may lose accuracy after several compressions.',
    'Go on if it makes good progress; begin a new session if it invents things;',
    'take a larger model for long, intricate work.',
  ].join('\n');
}
