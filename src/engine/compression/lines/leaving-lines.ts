import { keptLines, readLines } from '../../../core/chronicle/chronicle.ts';
import {
  lineMaker,
  numbered,
  printLines,
  type Line,
  type LineFields,
} from '../../../core/lines/line.ts';
import { atOnce, mapInParts, type Part } from '../../../core/values/parts.ts';
import {
  endsTurn,
  hasText,
  lineFieldsIn,
  readAhead,
  turnFinder,
} from '../../../core/chronicle/lines.ts';
import type { LeavingEntry } from '../../../core/messages/message.ts';
import type { Heads } from '../../../core/file-events/held.ts';
import { fileEventsIn, readLineAhead } from '../../../core/file-events/file-events.ts';
import { definedNames } from '../../../core/file-index/defined-names.ts';
import { changedFinder, headsHeld } from '../../../core/file-index/known-files.ts';
import { cureFinder } from '../../../core/frames/frame-cures.ts';
import { rootIn } from '../../../core/files/root.ts';
import type { CompressionRange } from '../../../core/checkpoints/compression-state.ts';
import { itemsIn } from '../../../core/assembly/select-entries.ts';
import {
  entitiesIn,
  entitiesOf,
  wordFinder,
  type Entities,
} from '../../../core/entities/entities.ts';
import { ordinal, type FrameId } from '../../../core/values/id.ts';
import type { Draft } from '../../step/draft.ts';
import type { WorkingItem } from '../../../core/state/view.ts';
import { failedBefore, listBefore, statedBefore, turnBefore } from './lines-before.ts';

// The lines of entries are made once, when a compression takes them, and used by
// all of its steps.

/** The lines that a step made last: the summary and the commit of a compression read the same. */
const linesByDraft = new WeakMap<
  Draft,
  { readonly items: readonly WorkingItem[]; readonly to: string; readonly lines: readonly Line[] }
>();

/** The lines that the entries of a range leave. */
export function linesOfRange(draft: Draft, range: CompressionRange): readonly Line[] {
  const view = draft.state.views.get(range.frame);
  if (view === undefined) return [];
  const { items } = view;
  const known = linesByDraft.get(draft);
  if (known?.items === items && known.to === range.to) return known.lines;
  const leaving = draft.part(() => itemsIn(view, range));
  const lines = draft.part(() => linesOfLeaving(draft, leaving, range.frame));
  linesByDraft.set(draft, { items, to: range.to, lines });
  return lines;
}

function linesOfLeaving(
  draft: Draft,
  leaving: readonly WorkingItem[],
  frame: FrameId,
): readonly Line[] {
  const entries = draft.part(() => entriesOf(draft, leaving));
  mapInParts([...entries.keys()], draft.part, (at) => draft.part(() => readAhead(entries, at)));
  const root = draft.part(() => rootOfItems(draft, leaving));
  const held = headsHeld(draft.state.chronicle.index, { frame, root });
  const sources = lineSources(draft, leaving, { root, held, part: draft.part });
  return mapInParts(sources, draft.part, lineMaker(draft.count)).filter(hasText);
}

/** Finds the person's entry that the turn of an entry of a range began with. */
export function turnsOfRange(draft: Draft, range: CompressionRange): (n: number) => number {
  const view = draft.state.views.get(range.frame);
  const entries = entriesOf(draft, view === undefined ? [] : itemsIn(view, range));
  return turnFinder(entries, turnBefore(draft.state, ordinal(range.from)));
}

/** Whether the last turn of a range ends with it. */
export const endsWithTurn = (draft: Draft, range: CompressionRange): boolean => {
  const view = draft.state.views.get(range.frame);
  return view === undefined || endsTurn(entryBehind(draft, itemsIn(view, range)));
};

/** The lines of some items of a frame of the path, with files as they are named where there is no root. */
export function linesOfItems(
  draft: Pick<Draft, 'state' | 'bodies' | 'count'>,
  items: readonly WorkingItem[],
  root: string = draft.state.chronicle.root,
): readonly Line[] {
  return lineSources(draft, items, { root, part: atOnce })
    .map(lineMaker(draft.count))
    .filter(hasText);
}

function lineSources(
  draft: Pick<Draft, 'state' | 'bodies'>,
  items: readonly WorkingItem[],
  options: {
    readonly root: string;
    readonly held?: (path: string) => Heads;
    readonly part: Part;
  },
): readonly LineFields[] {
  const { part } = options;
  const entries = part(() => entriesOf(draft, items));
  const first = entries[0]?.n ?? 0;
  return lineFieldsIn(entries, {
    ...options,
    turn: part(() => turnBefore(draft.state, first)),
    list: part(() => listBefore(draft, first)),
    failed: part(() => failedBefore(draft, first, part)),
    stated: part(() => statedBefore(draft, first)),
    curedBelow: cureFinder(draft.state),
    next: part(() => entryBehind(draft, items)),
  });
}

/** The entry behind some items of a frame; undefined for none. */
function entryBehind(
  draft: Pick<Draft, 'state' | 'bodies'>,
  items: readonly WorkingItem[],
): LeavingEntry | undefined {
  const last = items.at(-1)?.n ?? 0;
  const all = [...draft.state.views.values()].find((view) =>
    view.items.some(({ n }) => n === last),
  );
  const behind = all?.items.filter(({ n }) => n > last).slice(0, 1);
  return entriesOf(draft, behind ?? [])[0];
}

/** The entries of items; a result that the engine added has none. */
export const entriesOf = (
  { bodies }: Pick<Draft, 'bodies'>,
  items: readonly WorkingItem[],
): readonly LeavingEntry[] =>
  items
    .filter(({ form }) => form !== 'closing')
    .map(({ n }) => ({ n, message: bodies.message(n) }));

/** The folder that files are told from: the one that was found first. */
const rootFor = ({ state }: Pick<Draft, 'state'>, entries: readonly LeavingEntry[]): string =>
  state.chronicle.root === ''
    ? rootIn(entries.map(({ message }) => message))
    : state.chronicle.root;

/** The folder that the files of a range are told from. */
export function rootOfRange(draft: Draft, range: CompressionRange): string {
  const view = draft.state.views.get(range.frame);
  return rootOfItems(draft, view === undefined ? [] : itemsIn(view, range));
}

const rootOfItems = (draft: Draft, items: readonly WorkingItem[]): string =>
  rootFor(
    draft,
    items.map(({ n }): LeavingEntry => ({ n, message: draft.bodies.message(n) })),
  );

/** Most texts that the lines of the chronicle are spread over: each is a row to read when a session is opened. */
const mostSources = 8;

/** Puts the texts of all lines into one, where they are spread over many. */
function gatherSources(draft: Draft): void {
  const { lines } = draft.state.chronicle;
  const sources = draft.part(() => new Set(lines.map(({ source }) => source)));
  if (sources.size < mostSources) return;
  const text = draft.part(() =>
    readLines(lines, (id) => draft.bodies.text(id))
      .map((line) => line.text)
      .join('\n'),
  );
  draft.record({ type: 'chronicle.gathered', source: draft.write(text) });
}

/** Puts lines into the chronicle; gives the number of the first. `entities` are those of their entries. */
export function writeLines(
  draft: Draft,
  frame: FrameId,
  content: {
    readonly lines: readonly Line[];
    /** What each of the lines names. */
    readonly named: readonly Entities[];
    readonly entries: readonly LeavingEntry[];
    readonly entities: ReadonlySet<string>;
  },
): number {
  const { lines, named, entries, entities } = content;
  gatherSources(draft);
  const after = draft.state.chronicle.made;
  const source = draft.write(draft.part(() => lines.map(({ text }) => text).join('\n')));
  const names = draft.part(() => firstNames(lines, named, entities));
  const { compressions } = draft.state;
  const context = { frame, source, after, compressions, names };
  const kept = draft.part(() => keptLines(lines, context));
  const root = draft.part(() => rootFor(draft, entries));
  const { index } = draft.state.chronicle;
  mapInParts(lines, draft.part, readLineAhead);
  const events = draft.part(() => {
    const known = definedNames(index, frame);
    const wasChanged = changedFinder(index, { frame, root });
    return fileEventsIn(entries, {
      lines,
      known,
      wasChanged,
      count: draft.count,
      part: draft.part,
    });
  });
  draft.record({
    type: 'chronicle.written',
    frame,
    root,
    source,
    lines: kept,
    events,
  });
  return after + 1;
}

/** The entities of some entries. */
export function entitiesOfAll(entries: readonly LeavingEntry[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { message } of entries) for (const name of entitiesOf(message).keys()) names.add(name);
  return names;
}

/** What each of some lines names. */
export const namedIn = (lines: readonly Line[], part: Part): readonly Entities[] =>
  mapInParts(lines, part, ({ text }) => entitiesIn(text));

/** How many of the entities each line is the first to tell, those of the most worth before others. */
function firstNames(
  lines: readonly Line[],
  named: readonly Entities[],
  entities: ReadonlySet<string>,
): readonly number[] {
  const seenNames = new Set<string>();
  const names = lines.map(() => 0);
  const best = [...lines.keys()].sort((a, b) => lines[b]!.worth - lines[a]!.worth);
  for (const index of best)
    for (const name of named[index]!.keys()) {
      if (!entities.has(name) || seenNames.has(name)) continue;
      seenNames.add(name);
      names[index]! += 1;
    }
  return names;
}

/** The entities that no line tells. */
export function entitiesOutside(
  { lines, named }: { readonly lines: readonly Line[]; readonly named: readonly Entities[] },
  entities: ReadonlySet<string>,
  part: Part,
): ReadonlySet<string> {
  return part(() => {
    const namesInLines = part(() => new Set(named.flatMap((names) => [...names.keys()])));
    const text = part(() => printLines(numbered(lines)));
    const isIn = part(() => wordFinder(text));
    const isUntold = mapInParts(
      [...entities],
      part,
      (name) => !namesInLines.has(name) && !isIn(name),
    );
    return new Set([...entities].filter((_, index) => isUntold[index]));
  });
}
