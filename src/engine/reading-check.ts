import {
  between,
  checkFields,
  filled,
  flag,
  limit,
  signal,
  text,
  wait,
  type Fields,
} from '../core/argument.ts';
import type { SessionsOptions } from './listing.ts';

// What only reads is looked at as closely as what changes something: a misspelled
// bound would give more than was asked for, and nobody would know.

/** The last record that a journal can have. */
const most = 10 ** 12 - 1;

/** From which fact on to follow; throws `OPTION_INVALID`. */
export function checkEvents(options: { after?: number; signal?: AbortSignal }): void {
  checkFields('options', options, { after: between(0, most), signal });
}

/** What a compression cares for; throws `OPTION_INVALID`. */
export function checkCompress(options: { focus?: string; signal?: AbortSignal }): void {
  checkFields('options', options, { focus: text, signal });
}

/** Where a recovery reads; throws `OPTION_INVALID`. */
export function checkRecover(options: { from?: string }): void {
  checkFields('options', options, { from: filled('a folder or a file') });
}

const ofSessions: Fields<keyof SessionsOptions> = {
  prefix: text,
  after: text,
  limit,
  reverse: flag,
};

/** Which sessions to list; throws `OPTION_INVALID`. */
export function checkSessions(options: SessionsOptions): void {
  checkFields('options', options, ofSessions);
}

/** How long closing a store may take; throws `OPTION_INVALID`. */
export function checkClose(options: { timeout?: number }): void {
  checkFields('options', options, { timeout: wait(0) });
}
