// The reliability of a session, estimated by the model's size and by how often a
// model compressed it.
//
//   score = factor of size × max(0.3, 1 − 0.15 × compressions) × confidence
//
// Beside it stands a measurement: the share of entities that summaries kept.

/** The bands of a reliability score. */
export type ReliabilityBand = 'high' | 'medium' | 'low' | 'critical';

/** The quality of summaries that is expected of models of a size. */
export interface Quality {
  readonly models: 'small' | 'medium' | 'large';
  readonly summaries: 'basic' | 'good' | 'excellent';
  /** Compressions that a session takes without harm, from and to. */
  readonly compressions: readonly [from: number, to: number];
}

/** The reliability of a session. */
export interface Reliability {
  /** 0 to 1; estimated by the model's size. */
  readonly score: number;
  readonly band: ReliabilityBand;
  /** Parameters of the model, in billions. */
  readonly size: number;
  readonly quality: Quality;
  /** Compressions whose summary a model wrote; an extractive one does no harm. */
  readonly compressions: number;
  /** Share of the compressed entities that summaries or the ledger hold, halved where a cut is suspected; 0 to 1. */
  readonly confidence: number;
  /** Share of these entities that summaries kept; null before the first compression. */
  readonly kept: number | null;
  /** A warning for a person; null where there is no reason for one. */
  readonly warning: string | null;
}

/** Counts of the entities of all compressed entries. */
export interface EntityTally {
  readonly found: number;
  /** Those in the summary. */
  readonly kept: number;
  /** Those in the summary, or in the ledger after it. */
  readonly held: number;
  /** Compressions whose summary a model wrote. */
  readonly written: number;
}

/** The counts before the first compression. */
export const noEntities: EntityTally = { found: 0, kept: 0, held: 0, written: 0 };

/** Factor of the confidence where it is suspected that a server cut the prompt. */
const suspicion = 0.5;

/** The least factor of compressions, and what each takes off. */
const penalty = { least: 0.3, each: 0.15 } as const;

/** Compressions from which the user of a small model is warned. */
const warnAfter = 3;

/** The reliability of a session on a model of `size` billion parameters. */
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
  const wear = Math.max(penalty.least, 1 - penalty.each * compressions);
  const score = factorOf(size) * wear * confidence;
  const quality = qualityOf(size);
  const warns = quality.models === 'small' && compressions >= warnAfter;
  return {
    score,
    band: bandOf(score),
    size,
    quality,
    compressions,
    confidence,
    kept: facts.found === 0 ? null : share(facts.kept),
    warning: warns ? warningOf(model, compressions) : null,
  };
}

/** The size in a model's name, in billions of parameters, as in `llama3.2:3b` or `Qwen2.5-0.5B-Instruct`; null where it has none. */
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

/** The quality of summaries that is expected of a model of `size` billion parameters. */
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
