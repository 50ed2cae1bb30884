import type { EntryId, FrameId } from '../values/id.ts';

/** The entries of one frame that a checkpoint will stand for: whole units, oldest first. */
export interface CompressionRange {
  readonly frame: FrameId;
  readonly from: EntryId;
  readonly to: EntryId;
  /** Entries of the stretch; human ones stay verbatim and are not among them. */
  readonly entries: number;
  /** What they cost in the assembly, in tokens. */
  readonly tokens: number;
}

/** Why a summary was asked for. */
export type Purpose = 'checkpoint' | 'age' | 'merge' | 'results' | 'partial';

/** What the compression machine asks of its `summarize` port. */
export interface SummaryRequest {
  readonly stretch: CompressionRange;
  /** The second attempt, after a refused summary: shorter, and nothing but the sections. */
  readonly strict: boolean;
  /** How many attempts failed before this one. */
  readonly attempt: number;
  /** What to care for most, in the words of whoever asked; '' if nobody did. */
  readonly focus: string;
}

/** What the working part holds against what starts a compression, in tokens. */
export interface CompressionMeasure {
  readonly due: boolean;
  readonly working: number;
  readonly threshold: number;
}

/** Whether a summary may stand for its stretch, and if not, why. */
export type SummaryVerdict =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly reason: 'empty' | 'degenerate' | 'too long' | 'no shorter';
    };

/** What the compression machine remembers while it works. */
export interface CompressionMemory {
  readonly stretch: CompressionRange | null;
  readonly focus: string;
  readonly attempt: number;
  readonly strict: boolean;
  readonly summary: string;
  /** Who wrote the summary: the summarizer, or the deterministic fallback. */
  readonly by: 'summarizer' | 'fallback';
}

/** A compression at rest: the state of its machine and what it remembers. */
export interface CompressionState {
  readonly value: 'summarizing' | 'waiting';
  readonly memory: CompressionMemory;
}

/** The memory of a compression that has not begun. */
export const freshMemory: CompressionMemory = {
  stretch: null,
  focus: '',
  attempt: 0,
  strict: false,
  summary: '',
  by: 'summarizer',
};
