import {
  checkpointId,
  entryId,
  frameId,
  type CheckpointId,
  type EntryId,
  type FrameId,
} from '../values/id.ts';

/** A reference to a checkpoint, a frame or entries. */
export type Reference =
  | { readonly type: 'checkpoint'; readonly checkpoint: CheckpointId }
  | { readonly type: 'frame'; readonly frame: FrameId }
  /** One entry, or a range; both ends inside. */
  | { readonly type: 'entries'; readonly from: EntryId; readonly to: EntryId };

/** An id; of entries also a range: `e4-e9`, `e4–e9`, `e4..e9`, `e4 to e9`. */
const pattern =
  /(?<![\w./-])(?:e([1-9]\d{0,11})(?:\s{0,2}(?:-|–|—|…|\.\.\.?|to)\s{0,2}e?([1-9]\d{0,11}))?|([cf])(0|[1-9]\d{0,11}))(?![\w/])/;

/** The same, and nothing else. */
const whole = new RegExp(`^${pattern.source}$`);

/** Whether a text is a reference and nothing else: an entry, a range, a frame or a checkpoint. */
export const isReference = (text: string): boolean => whole.test(text.trim());

/** The part of a text that is searched for a reference, in UTF-16 units. */
const mostSearched = 2_000;

/**
 * The first reference in a text: `c3`, `f2`, `e42` or a range of entries, alone or in a text such as
 * the marker `[cleared: 900 tokens, e12]`. Null where there is none.
 */
export function toReference(text: string): Reference | null {
  const found = pattern.exec(text.slice(0, mostSearched));
  if (found === null) return null;
  const [, from, to = from, letter, number] = found;
  if (letter === 'c') return { type: 'checkpoint', checkpoint: checkpointId(Number(number)) };
  if (letter === 'f') return { type: 'frame', frame: frameId(Number(number)) };
  const ends = [Number(from), Number(to)].sort((a, b) => a - b);
  return { type: 'entries', from: entryId(ends[0]!), to: entryId(ends[1]!) };
}
