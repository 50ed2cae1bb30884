import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { CompressionState } from '../checkpoints/compression-state.ts';
import { entryId, ordinal, type EntryId, type TextId } from '../values/id.ts';

// A frame's log is everything that was said in it and is never shortened. Its
// view is how the assembly shows it while the frame is open:
//
//   checkpoints        human              items
//   ┌────────────┐     ┌───────────┐     ┌─────────────────────────────┐
//   │ e2–e40     │     │ e1  e17   │     │ e41 e42 e43 …           e60 │
//   │ as summary │     │ verbatim  │     │ verbatim, short or cleared  │
//   └────────────┘     └───────────┘     └─────────────────────────────┘
//
// A compression moves the oldest items behind a new checkpoint; what a person
// typed among them stays verbatim, in `human`, until its share is used up, and
// then leaves its directives, in `quotes`.

/** How an item stands in the assembly. */
export type ItemForm =
  /** Verbatim. */
  | 'whole'
  /** Head, tail and marker; the text is stored under `text`. */
  | 'short'
  /** A marker in place of a tool result. */
  | 'cleared'
  /** A result whose call is closed or unknown: as machine text. */
  | 'stray'
  /** Added by the engine for a call that got no result. */
  | 'closing';

/** One message of the working part. */
export interface WorkingItem {
  /** Position of its entry in the session; for `closing`, that of the entry with the call. */
  readonly n: number;
  /** Position of the first entry of its unit. */
  readonly unit: number;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly human: boolean;
  readonly form: ItemForm;
  /** Tokens of the entry as it came. */
  readonly tokens: number;
  /** Tokens as it stands. */
  readonly shown: number;
  /** Cumulative hash of the log up to this entry. */
  readonly hash: string;
  /** The shortened message, for `short`. */
  readonly text?: TextId;
  /** The call that it answers, for `tool` and `closing`. */
  readonly call?: string;
  /** Name of the tool, for `closing`. */
  readonly name?: string;
}

/** A result below this many tokens is not worth a marker. */
const leastCleared = 60;

/** Whether a marker could stand in place of a tool result. */
export function isClearable({ role, form, shown }: WorkingItem): boolean {
  return role === 'tool' && shown >= leastCleared && (form === 'whole' || form === 'short');
}

/** A human entry that left the working part and stands before it. */
export interface HumanEntry {
  readonly n: number;
  readonly tokens: number;
  readonly shown: number;
  /** The shortened message, where it is above what one human entry may take. */
  readonly text?: TextId;
}

/** A sentence out of a human entry that is no longer shown whole. */
export interface Quote {
  readonly n: number;
  readonly text: string;
  /** Its place among the quotes of its entry, from 0: the most telling first. */
  readonly rank: number;
  /** Its place in the text of its entry, in UTF-16 units. */
  readonly at: number;
  /** Whether it lays down what goes on to hold; left out where it does not. */
  readonly isRule?: true;
  /** Whether its entry says nothing but this and its quotes of a lower rank; left out where it does. */
  readonly isAll?: true;
  /** Whether such an entry lies in a frame that was left, and is none of those that the frame of the quote has out of view. */
  readonly isBound?: true;
}

/** Sorts quotes by what they tell: what was laid down, then the best of each entry, the newest first, then the second of each, and so on. */
export const byTelling = (a: Quote, b: Quote): number =>
  Number(b.isRule === true) - Number(a.isRule === true) || a.rank - b.rank || b.n - a.n;

/** Entries behind one breadcrumb. */
export interface OffloadedRange {
  readonly from: EntryId;
  readonly to: EntryId;
  readonly entries: number;
}

/** How an open frame is shown. */
export interface FrameView {
  /** Oldest first. */
  readonly items: readonly WorkingItem[];
  /** Sum of what the items cost as they stand, in tokens. */
  readonly tokens: number;
  /** Oldest first, at most four. */
  readonly checkpoints: readonly Checkpoint[];
  readonly human: readonly HumanEntry[];
  /** Oldest first. */
  readonly quotes: readonly Quote[];
  /** Human entries that were offloaded, if any. */
  readonly offloaded: OffloadedRange | null;
  readonly compression: CompressionState | null;
  /** What the items cost when a compression was last skipped; 0 after one that was not. */
  readonly stuckAt: number;
  /** Whether it was gone back to at the trigger: no compression begins by itself while all fits. */
  readonly isHeld?: true;
}

/** The view of a frame without entries. */
export const emptyView: FrameView = {
  items: [],
  tokens: 0,
  checkpoints: [],
  human: [],
  quotes: [],
  offloaded: null,
  compression: null,
  stuckAt: 0,
};

/** Positions of what people said in a frame and its children, as far as its view shows or quotes it. */
export const saidIn = (view: FrameView = emptyView): readonly number[] =>
  [...view.human, ...view.items.filter(({ human }) => human), ...view.quotes].map(({ n }) => n);

/** The view, held no more. */
export function released(view: FrameView): FrameView {
  const { isHeld: _, ...rest } = view;
  return rest;
}

/** The view with these items, their cost summed anew. */
export function withItems(view: FrameView, items: readonly WorkingItem[]): FrameView {
  return { ...view, items, tokens: items.reduce((sum, item) => sum + item.shown, 0) };
}

/** The view with one more item at its end. */
export function addItem(view: FrameView, item: WorkingItem): FrameView {
  return { ...view, items: [...view.items, item], tokens: view.tokens + item.shown };
}

/** The view with items of the same position and form slot replaced. */
export function replaceItems(
  view: FrameView,
  changed: ReadonlyMap<number, Partial<WorkingItem>>,
): FrameView {
  return withItems(
    view,
    view.items.map((item) => {
      const patch = item.form === 'closing' ? undefined : changed.get(item.n);
      return patch === undefined ? item : { ...item, ...patch };
    }),
  );
}

/** A crumb that covers `n` too. */
export function widen(crumb: OffloadedRange | null, n: number): OffloadedRange {
  const id = entryId(n);
  if (crumb === null) return { from: id, to: id, entries: 1 };
  const before = ordinal(crumb.from) <= n;
  return {
    from: before ? crumb.from : id,
    to: ordinal(crumb.to) >= n ? crumb.to : id,
    entries: crumb.entries + 1,
  };
}

/** A run of items that stand or fall together, as indexes into `view.items`. */
export interface Unit {
  readonly start: number;
  /** One past the last. */
  readonly end: number;
  readonly tokens: number;
}

/** The units of a view, oldest first. */
export function unitsOf(view: FrameView): readonly Unit[] {
  const units: Unit[] = [];
  let start = 0;
  let tokens = 0;
  view.items.forEach((item, index) => {
    tokens += item.shown;
    if (view.items[index + 1]?.unit === item.unit) return;
    units.push({ start, end: index + 1, tokens });
    start = index + 1;
    tokens = 0;
  });
  return units;
}

/** A human item as it stands before the working part. */
export function toHuman(item: WorkingItem): HumanEntry {
  return {
    n: item.n,
    tokens: item.tokens,
    shown: item.shown,
    ...(item.text === undefined ? {} : { text: item.text }),
  };
}
