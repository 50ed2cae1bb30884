import { entryId, ordinal, type EntryId, type TextId } from '../values/id.ts';

// A breadcrumb says where to look, never what was there. A checkpoint has those
// of the entries it stands for; they are stored as a text beside its own, so
// that a state holds only their number. Where checkpoints merge, the new one
// follows the texts of both; what stands twice is seen when they are read.

/** What a breadcrumb leads to. */
export type BreadcrumbType = 'file' | 'function' | 'decision' | 'action' | 'external';

/** Where to look for what left the window. */
export interface Breadcrumb {
  readonly type: BreadcrumbType;
  /** A path, a name, a command, an address; for a decision the entry that has it. */
  readonly reference: string;
  /** What is to be found there, on one line. */
  readonly hint: string;
  /** The entries it came from, oldest first; at most {@link mostEntries}, the newest. */
  readonly entries: readonly EntryId[];
}

/** The breadcrumbs of a checkpoint: how many, and the texts that hold them. */
export interface BreadcrumbRefs {
  /** Oldest first: its own, or those of the checkpoints that were merged into it; at most {@link mostTexts}. */
  readonly texts: readonly TextId[];
  readonly count: number;
}

/** In the order in which a document lists them. */
export const breadcrumbTypes: readonly BreadcrumbType[] = [
  'file',
  'function',
  'decision',
  'action',
  'external',
];

/** Above this many the checkpoint is the problem, not its list; `breadcrumbs.many` says so. */
export const manyBreadcrumbs = 50;

/** Most breadcrumbs of one checkpoint; recall finds the rest. */
export const mostBreadcrumbs = 96;

/** Most texts that one trail follows; the oldest go. */
export const mostTexts = 12;

/** Most entries that one breadcrumb names. */
export const mostEntries = 4;

/**
 * Several lists, oldest first, as one: each type and reference once, with the
 * newest hint and the entries of all. Above `most` the oldest go, of whichever
 * type has the most.
 */
export function mergeBreadcrumbs(
  lists: readonly (readonly Breadcrumb[])[],
  most: number = mostBreadcrumbs,
): readonly Breadcrumb[] {
  const merged = new Map<string, Breadcrumb>();
  for (const crumb of lists.flat()) {
    const key = keyOf(crumb);
    const known = merged.get(key);
    merged.delete(key);
    merged.set(key, known === undefined ? crumb : joined(known, crumb));
  }
  return evenly([...merged.values()], most);
}

/** A decision's reference is an entry, which may hold several. */
function keyOf({ type, reference, hint }: Breadcrumb): string {
  return JSON.stringify(type === 'decision' ? [type, reference, hint] : [type, reference]);
}

function joined(older: Breadcrumb, newer: Breadcrumb): Breadcrumb {
  const hint = newer.hint === '' ? older.hint : newer.hint;
  return { ...newer, hint, entries: newestEntries([...older.entries, ...newer.entries]) };
}

/** Some entries, each once, oldest first; of too many the newest. */
export function newestEntries(entries: readonly EntryId[]): readonly EntryId[] {
  const ordinals = [...new Set(entries.map(ordinal))].sort((a, b) => a - b);
  return ordinals.slice(-mostEntries).map(entryId);
}

/** The newest of each type, so many that all together are at most `most`; types with few keep theirs. */
function evenly(crumbs: readonly Breadcrumb[], most: number): readonly Breadcrumb[] {
  if (crumbs.length <= most) return crumbs;
  const counts = new Map<BreadcrumbType, number>();
  for (const { type } of crumbs) counts.set(type, (counts.get(type) ?? 0) + 1);
  const surplus = new Map<BreadcrumbType, number>();
  for (let over = crumbs.length - most; over > 0; over -= 1) {
    const [type, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    counts.set(type, count - 1);
    surplus.set(type, (surplus.get(type) ?? 0) + 1);
  }
  return crumbs.filter(({ type }) => {
    const over = surplus.get(type) ?? 0;
    if (over > 0) surplus.set(type, over - 1);
    return over === 0;
  });
}

/** The breadcrumbs of a trail. */
export function readBreadcrumbs(
  trail: BreadcrumbRefs | undefined,
  read: (id: TextId) => string,
): readonly Breadcrumb[] {
  return mergeBreadcrumbs((trail?.texts ?? []).map((id) => decodeBreadcrumbs(read(id))));
}

/** One trail for several, oldest first: no text is written anew. Undefined where there is none. */
export function joinRefs(
  trails: readonly (BreadcrumbRefs | undefined)[],
  read: (id: TextId) => string,
): BreadcrumbRefs | undefined {
  const texts = trails.flatMap((trail) => trail?.texts ?? []).slice(-mostTexts);
  if (texts.length === 0) return undefined;
  return { texts, count: readBreadcrumbs({ texts, count: 0 }, read).length };
}

type Encoded = readonly [type: number, reference: string, hint: string, entries: readonly number[]];

/** Breadcrumbs as the text that is stored for a checkpoint. */
export function encodeBreadcrumbs(crumbs: readonly Breadcrumb[]): string {
  return JSON.stringify(
    crumbs.map(({ type, reference, hint, entries }): Encoded => [
      breadcrumbTypes.indexOf(type),
      reference,
      hint,
      entries.map(ordinal),
    ]),
  );
}

/** The breadcrumbs that {@link encodeBreadcrumbs} wrote. */
export function decodeBreadcrumbs(text: string): readonly Breadcrumb[] {
  return (JSON.parse(text) as readonly Encoded[]).map(([type, reference, hint, entries]) => ({
    type: breadcrumbTypes[type] ?? 'external',
    reference,
    hint,
    entries: entries.map(entryId),
  }));
}
