// The reliability of a session, estimated by the model's size and by how often a
// model compressed it.
//
//   score = factor of size × max(0.3, 1 − 0.15 × compressions) × confidence
//
// Confidence is measured: the share of the entities of what was compressed that the
// prompt holds now.

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
  /** Share of the compressed entities that the prompt holds now, halved where a cut is suspected; 0 to 1. */
  readonly confidence: number;
  /** The same without regard to a cut; null where nothing is compressed. */
  readonly kept: number | null;
  /** A warning for a person, from the first prompt on where the band is low or critical; null elsewhere. */
  readonly warning: string | null;
}

/** How many entities compressed entries have: paths, commands, identifiers, numbers, errors, links, decisions. */
export interface EntityTally {
  readonly found: number;
  /** Those that lines of the prompt hold now. */
  readonly kept: number;
}

/** Factor of the confidence where it is suspected that a server cut the prompt. */
const suspicion = 0.5;

/** The least factor of compressions, and what each takes off. */
const penalty = { least: 0.3, each: 0.15 } as const;

/** The reliability of a session on a model of `size` billion parameters. */
export function reliabilityOf(given: {
  model: string;
  size: number;
  facts: EntityTally;
  /** Compressions whose summary a model wrote. */
  compressions: number;
  suspected: boolean;
}): Reliability {
  const { model, size, facts, compressions, suspected } = given;
  const kept = facts.found === 0 ? null : facts.kept / facts.found;
  const confidence = (kept ?? 1) * (suspected ? suspicion : 1);
  const wear = Math.max(penalty.least, 1 - penalty.each * compressions);
  const score = factorOf(size) * wear * confidence;
  const quality = qualityOf(size);
  const band = bandOf(score);
  const warns = band === 'low' || band === 'critical';
  return {
    score,
    band,
    size,
    quality,
    compressions,
    confidence,
    kept,
    warning: warns ? warningOf({ model, size, quality, compressions, suspected }) : null,
  };
}

/** The size in a model's name, in billions of parameters, as in `llama3.2:3b` or `Qwen2.5-0.5B-Instruct`; null where it has none. */
export function sizeInName(model: string): number | null {
  const match = /(?:^|[^a-z0-9.])(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,2})?)\s?([bm])(?![a-z0-9])/i.exec(
    model,
  );
  if (match === null) return null;
  const [, experts, number, unit] = match;
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

/** What the score is low for, and what to do. */
function warningOf(inputs: {
  model: string;
  size: number;
  quality: Quality;
  compressions: number;
  suspected: boolean;
}): string {
  const { model, size, quality, compressions, suspected } = inputs;
  const [from, to] = quality.compressions;
  const times = compressions === 1 ? 'once' : `${compressions} times`;
  return [
    compressions < from
      ? `Your model (${model}) is ${quality.models}: ${Math.round(size * 10) / 10} billion parameters.`
      : `Your model (${model}) has compressed the conversation ${times}.`,
    `${quality.models === 'small' ? 'Small models' : 'Models of its size'} may lose accuracy after ${from} to ${to} compressions.`,
    ...(suspected ? ['Its server may have cut the last prompt.'] : []),
    'Go on if it makes good progress; begin a new session if it invents things;',
    'take a larger model for long, intricate work.',
  ].join('\n');
}
