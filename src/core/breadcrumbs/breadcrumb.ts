import { entryId, ordinal, type EntryId, type TextId } from '../values/id.ts';
import { readLately } from '../values/read-once.ts';

// A breadcrumb says where to look, never what was there. Those of a checkpoint are
// stored as a text beside its own, so that a state holds only their number. When
// checkpoints merge, the new one refers to the texts of both; duplicates are
// removed when they are read.

/** The kinds of places that a breadcrumb leads to. */
export type BreadcrumbType = 'file' | 'function' | 'decision' | 'action' | 'external';

/** A place to look for what left the window. */
export interface Breadcrumb {
  readonly type: BreadcrumbType;
  /** A path, a name, a command, an address; for a decision the entry that has it. */
  readonly reference: string;
  /** A description of what is there, on one line. */
  readonly hint: string;
  /** The entries it came from, oldest first; at most {@link mostEntries}, the newest. */
  readonly entries: readonly EntryId[];
}

/** The stored breadcrumbs of a checkpoint: their texts and number. */
export interface BreadcrumbRefs {
  /** Oldest first: its own, or those of the checkpoints merged into it; at most {@link mostTexts}. */
  readonly texts: readonly TextId[];
  readonly count: number;
}

/** All types, in the order in which a document lists them. */
export const breadcrumbTypes: readonly BreadcrumbType[] = [
  'file',
  'function',
  'decision',
  'action',
  'external',
];

/** Breadcrumbs of one checkpoint above which `breadcrumbs.many` warns that it stands for too much. */
export const manyBreadcrumbs = 50;

/** Most breadcrumbs of one checkpoint; recall finds the rest. */
export const mostBreadcrumbs = 96;

/** Most texts that one checkpoint refers to; the oldest are dropped. */
export const mostTexts = 12;

/** Most entries that one breadcrumb names. */
export const mostEntries = 4;

/**
 * Several lists, oldest first, merged: each type and reference once, with the
 * newest hint and the entries of all. Above `most` the oldest of the type that
 * has the most are dropped.
 */
export function mergeBreadcrumbs(
  lists: readonly (readonly Breadcrumb[])[],
  most: number = mostBreadcrumbs,
): readonly Breadcrumb[] {
  const merged = new Map<string, Breadcrumb>();
  for (const breadcrumb of lists.flat()) {
    const key = keyOf(breadcrumb);
    const existing = merged.get(key);
    merged.delete(key);
    merged.set(key, existing === undefined ? breadcrumb : merge(existing, breadcrumb));
  }
  return evenly([...merged.values()], most);
}

/** The key of equal breadcrumbs; a decision's has the hint, too, because one entry may hold several. */
function keyOf({ type, reference, hint }: Breadcrumb): string {
  return `${type} ${reference}${type === 'decision' ? ` ${hint}` : ''}`;
}

function merge(older: Breadcrumb, newer: Breadcrumb): Breadcrumb {
  const hint = newer.hint === '' ? older.hint : newer.hint;
  return { ...newer, hint, entries: newestEntries([...older.entries, ...newer.entries]) };
}

/** The newest of some entries, each once, oldest first; at most {@link mostEntries}. */
export function newestEntries(entries: readonly EntryId[]): readonly EntryId[] {
  const ordinals = [...new Set(entries.map(ordinal))].sort((a, b) => a - b);
  return ordinals.slice(-mostEntries).map(entryId);
}

/** The newest breadcrumbs of each type, at most `most` in all; the types with the most lose first. */
function evenly(breadcrumbs: readonly Breadcrumb[], most: number): readonly Breadcrumb[] {
  if (breadcrumbs.length <= most) return breadcrumbs;
  const counts = new Map<BreadcrumbType, number>();
  for (const { type } of breadcrumbs) counts.set(type, (counts.get(type) ?? 0) + 1);
  const surplus = new Map<BreadcrumbType, number>();
  for (let over = breadcrumbs.length - most; over > 0; over -= 1) {
    const [type, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    counts.set(type, count - 1);
    surplus.set(type, (surplus.get(type) ?? 0) + 1);
  }
  return breadcrumbs.filter(({ type }) => {
    const over = surplus.get(type) ?? 0;
    if (over > 0) surplus.set(type, over - 1);
    return over === 0;
  });
}

/** The stored breadcrumbs, merged. */
export function readBreadcrumbs(
  refs: Pick<BreadcrumbRefs, 'texts'> | undefined,
  read: (id: TextId) => string,
): readonly Breadcrumb[] {
  return mergeBreadcrumbs((refs?.texts ?? []).map((id) => decodeBreadcrumbs(read(id))));
}

/** A breadcrumb as it is stored. */
type Encoded = readonly [type: number, reference: string, hint: string, entries: readonly number[]];

/** Breadcrumbs as the text that is stored for a checkpoint. */
export function encodeBreadcrumbs(breadcrumbs: readonly Breadcrumb[]): string {
  return JSON.stringify(
    breadcrumbs.map(({ type, reference, hint, entries }): Encoded => [
      breadcrumbTypes.indexOf(type),
      reference,
      hint,
      entries.map(ordinal),
    ]),
  );
}

/** The breadcrumbs that {@link encodeBreadcrumbs} wrote. */
const decodeBreadcrumbs = readLately(
  (text): readonly Breadcrumb[] =>
    (JSON.parse(text) as readonly Encoded[]).map(([type, reference, hint, entries]) => ({
      type: breadcrumbTypes[type] ?? 'external',
      reference,
      hint,
      entries: entries.map(entryId),
    })),
  64,
);
