import type { Calibration, CountedPrompt } from '../budget/calibration.ts';

// What is known of one request, or of one list of a host, when it is looked for a truncation.

/** The numbers that a rule used, in tokens, messages or entries. */
export type EvidenceNumbers = Readonly<Record<string, number>>;

/** The evidence about a request or a host's list; what is unknown is left out. */
export interface TruncationEvidence {
  /** The calibration by the reports so far. */
  readonly calibration?: Calibration;
  /** The prompt by our count, and the window that it was made for. */
  readonly prompt?: CountedPrompt & { readonly window: number };
  /** The server's own count of it. */
  readonly reported?: number;
  /** The window that the server really has. */
  readonly window?: number;
  /** Whether the server refused the prompt for its length. */
  readonly refused?: boolean;
  /** The text of the model's answer. */
  readonly answer?: string;
  /** Numbers of messages that a host has and had before. */
  readonly messages?: { readonly now: number; readonly before: number };
  /** Number of entries that a host's list lacks or has in another form. */
  readonly changed?: number;
  /** Number of entries that an assembly of ours leaves out. */
  readonly uncovered?: number;
  /** Whether somebody asks for a recovery. */
  readonly asked?: boolean;
}

/** A request, with its count if there is one. */
export interface CountedRequest {
  readonly calibration: Calibration;
  readonly prompt: CountedPrompt & { readonly window: number };
  readonly reported: number | undefined;
}

/** The request of the evidence; null where its prompt is unknown. */
export function requestOf({
  calibration,
  prompt,
  reported,
}: TruncationEvidence): CountedRequest | null {
  return calibration === undefined || prompt === undefined
    ? null
    : { calibration, prompt, reported };
}
