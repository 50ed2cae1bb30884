import type { EntryId, FrameId } from '../values/id.ts';

/** The entries of one frame that a checkpoint will stand for: whole units, oldest first. */
export interface CompressionRange {
  readonly frame: FrameId;
  readonly from: EntryId;
  readonly to: EntryId;
  /** Number of entries; human ones stay verbatim and are not counted. */
  readonly entries: number;
  /** Their tokens in the assembly. */
  readonly tokens: number;
}

/** The purpose of a summary. */
export type Purpose = 'checkpoint' | 'age' | 'results' | 'partial';

/** A request to the `summarize` port of the compression machine. */
export interface SummaryRequest {
  readonly stretch: CompressionRange;
  /** The second attempt, after a refused summary. */
  readonly strict: boolean;
  /** Failed attempts before this one. */
  readonly attempt: number;
  /** What matters most, in the words of whoever asked; '' if nobody did. */
  readonly focus: string;
}

/** The size of the working part against the threshold of a compression, in tokens, and what one would replace. */
export interface CompressionMeasure {
  readonly due: boolean;
  readonly working: number;
  readonly threshold: number;
  /** Null for nothing; need not be looked for where none is due and none was forced. */
  readonly stretch: CompressionRange | null;
}

/** Why a summary may not stand for its range: there is none, it repeats itself, or it is mostly made up. */
export type Refusal = 'empty' | 'degenerate' | 'invented';

/** A summary that came and may not stand for its range. */
export interface RefusedSummary {
  readonly refused: Refusal;
}

/** A request to the `commit` port of the compression machine. */
export interface CommitRequest {
  readonly memory: CompressionMemory;
  /** Names the compression: what was committed under it is not committed again. */
  readonly key: string;
}

/** The context of the compression machine. */
export interface CompressionMemory {
  readonly stretch: CompressionRange | null;
  readonly focus: string;
  readonly attempt: number;
  readonly strict: boolean;
  /** '' where there is none, and the deterministic one takes its place. */
  readonly summary: string;
  /** The author of the summary. */
  readonly by: 'summarizer' | 'fallback';
}

/** A compression at rest: the state of its machine, and the context. */
export interface CompressionState {
  /** The version of the machine that rests. */
  readonly version: string;
  readonly value: 'summarizing' | 'waiting';
  readonly memory: CompressionMemory;
}

/** The context before a compression begins. */
export const freshMemory: CompressionMemory = {
  stretch: null,
  focus: '',
  attempt: 0,
  strict: false,
  summary: '',
  by: 'summarizer',
};
