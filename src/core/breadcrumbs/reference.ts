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

/** The marker of a cleared result, with what it says of that, in which no reference stands. */
const cleared = /(\[cleared: \d{1,12} tokens, e\d{1,12});[^\]]{0,200}\]/g;

const every = new RegExp(pattern.source, 'g');

/** The part of a text that is searched for references, in UTF-16 units. */
const mostSearched = 2_000;

/** A text as the references in it, and the words beside them. */
export interface Referring {
  readonly references: readonly Reference[];
  /** What is left without them; '' where only signs and "and" are. */
  readonly words: string;
}

/**
 * The references in a text, in their order: `c3`, `f2`, `e42` or a range of entries, alone, several of
 * them (`e12, e40-e44`), or in a text such as the marker `[cleared: 900 tokens, e12]`.
 */
export function toReferring(text: string): Referring {
  const searched = text.slice(0, mostSearched).replace(cleared, '$1]');
  const references = [...searched.matchAll(every)].map(referenceOf);
  const rest = searched.replace(every, ' ') + text.slice(mostSearched);
  return { references, words: /^(?:[^\p{L}\p{N}]|\band\b)*$/u.test(rest) ? '' : rest.trim() };
}

/** Whether a text is references and nothing else: entries, ranges, frames, checkpoints. */
export function isReference(text: string): boolean {
  const { references, words } = toReferring(text);
  return references.length > 0 && words === '';
}

function referenceOf([, from, to = from, letter, number]: RegExpExecArray): Reference {
  if (letter === 'c') return { type: 'checkpoint', checkpoint: checkpointId(Number(number)) };
  if (letter === 'f') return { type: 'frame', frame: frameId(Number(number)) };
  const ends = [Number(from), Number(to)].sort((a, b) => a - b);
  return { type: 'entries', from: entryId(ends[0]!), to: entryId(ends[1]!) };
}
