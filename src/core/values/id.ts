import { fail } from './error.ts';
import { checkArgument, text } from './validation.ts';

// Ids are short because they stand in the model's context: `e42` costs two
// tokens, a UUID more than twenty. They are made from a counter in the state,
// so the same inputs always give the same ids.

declare const brand: unique symbol;

/** A string that only its own maker below can produce. */
type Id<Name extends string> = string & { readonly [brand]: Name };

/** An entry of the log: `e` and its position in the session, from 1. */
export type EntryId = Id<'entry'>;
/** A frame of the tree: `f` and its ordinal; the root is `f0`. */
export type FrameId = Id<'frame'>;
/** A checkpoint: `c` and its ordinal, from 1. */
export type CheckpointId = Id<'checkpoint'>;
/** A stored text that is not an entry (a summary, results in full): `t` and its ordinal. */
export type TextId = Id<'text'>;

/** The id of the entry at position `n`. */
export const entryId = (n: number): EntryId => `e${n}` as EntryId;
/** The id of the frame with ordinal `n`. */
export const frameId = (n: number): FrameId => `f${n}` as FrameId;
/** The id of the checkpoint with ordinal `n`. */
export const checkpointId = (n: number): CheckpointId => `c${n}` as CheckpointId;
/** The id of the text with ordinal `n`. */
export const textId = (n: number): TextId => `t${n}` as TextId;

/** The number inside an id, whatever it names. */
export const ordinal = (id: string): number => Number(id.slice(1));

/** Reads an entry id that came from outside; throws `ENTRY_NOT_FOUND` for anything else. */
export function toEntryId(value: string): EntryId {
  if (/^e[1-9]\d{0,11}$/.test(value)) return value as EntryId;
  throw fail('ENTRY_NOT_FOUND', `There is no entry "${value}"`, { entry: value });
}

/** Reads a frame id that came from outside; throws `FRAME_NOT_FOUND` for anything else. */
export function toFrameId(value: string): FrameId {
  if (/^f(0|[1-9]\d{0,11})$/.test(value)) return value as FrameId;
  throw fail('FRAME_NOT_FOUND', `There is no frame "${value}"`, { frame: value });
}

/**
 * Reads a session id; throws `SESSION_ID_INVALID` unless it is 1 to 64 letters, digits, dots, underscores or dashes, and
 * `OPTION_INVALID` for what is no text.
 */
export function toSessionId(value: unknown): string {
  checkArgument('session', value, text);
  const id = value as string;
  if (/^[0-9A-Za-z_.-]{1,64}$/.test(id)) return id;
  throw fail(
    'SESSION_ID_INVALID',
    `Session id "${id.slice(0, 80)}" is not 1 to 64 letters, digits, dots, underscores or dashes`,
    { session: id },
  );
}
