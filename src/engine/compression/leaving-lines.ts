import { keptLines, readLines } from '../../core/chronicle/chronicle.ts';
import { printLines, type Line } from '../../core/lines/line.ts';
import { linesOf } from '../../core/chronicle/lines.ts';
import { itemsOfList } from '../../core/notes/note-lines.ts';
import type { LeavingEntry } from '../../core/messages/message.ts';
import { fileEventsIn } from '../../core/files/file-events.ts';
import { definedNames } from '../../core/files/file-index.ts';
import { rootIn } from '../../core/files/root.ts';
import type { CompressionRange } from '../../core/checkpoints/compression-state.ts';
import { quotesOf, shownHuman } from '../../core/assembly/human-section.ts';
import { itemsIn } from '../../core/assembly/select-entries.ts';
import { entitiesIn, entitiesOf, wordFinder } from '../../core/entities/entities.ts';
import type { FrameId } from '../../core/values/id.ts';
import type { Draft } from '../step/draft.ts';
import type { WorkingItem } from '../../core/state/view.ts';

// The lines of entries are made once, when a compression takes them, and used by
// all of its steps.

/** Lines by the items they were made of: the summary and the commit of a compression read the same. */
const made = new WeakMap<
  readonly WorkingItem[],
  { readonly to: string; readonly lines: readonly Line[] }
>();

/** The lines that the entries of a range leave. */
export function linesOfRange(draft: Draft, range: CompressionRange): readonly Line[] {
  const view = draft.state.views.get(range.frame);
  if (view === undefined) return [];
  const known = made.get(view.items);
  if (known?.to === range.to) return known.lines;
  const items = itemsIn(view, range);
  const lines = linesOfItems(draft, items, rootOfRange(draft, range));
  made.set(view.items, { to: range.to, lines });
  return lines;
}

/** The lines of some items of a frame of the path, with files as they are named where there is no root. */
export function linesOfItems(
  draft: Pick<Draft, 'state' | 'bodies' | 'count'>,
  items: readonly WorkingItem[],
  root: string = draft.state.chronicle.root,
): readonly Line[] {
  const entries = items
    .filter(({ form }) => form !== 'closing')
    .map(({ n }): LeavingEntry => ({ n, message: draft.bodies.message(n) }));
  const first = entries[0]?.n ?? 0;
  const turn = turnBefore(draft.state, first);
  return linesOf(entries, { turn, root, count: draft.count, list: listBefore(draft, first) });
}

/** The items of the host's list as it stood before a position. */
function listBefore(
  { state, bodies }: Pick<Draft, 'state' | 'bodies'>,
  first: number,
): readonly string[] {
  const listed = state.chronicle.lines.findLast(({ kind, n }) => kind === 'list' && n < first);
  if (listed === undefined) return [];
  return readLines([listed], (id) => bodies.text(id)).flatMap(({ text }) => itemsOfList(text));
}

/** The last entry of a person on the path before a position, whole or in part; 0 for none. */
const turnBefore = (state: Draft['state'], first: number): number =>
  [...shownHuman(state), ...quotesOf(state)].reduce(
    (last, { n }) => (n < first ? Math.max(last, n) : last),
    0,
  );

/** The folder that files are told from: the one that was found first. */
const rootFor = ({ state }: Pick<Draft, 'state'>, entries: readonly LeavingEntry[]): string =>
  state.chronicle.root === ''
    ? rootIn(entries.map(({ message }) => message))
    : state.chronicle.root;

/** The folder that the files of a range are told from. */
export function rootOfRange(draft: Draft, range: CompressionRange): string {
  const view = draft.state.views.get(range.frame);
  const items = view === undefined ? [] : itemsIn(view, range);
  return rootFor(
    draft,
    items.map(({ n }): LeavingEntry => ({ n, message: draft.bodies.message(n) })),
  );
}

/** Most texts that the lines of the chronicle are spread over: each is a row to read when a session is opened. */
const mostSources = 8;

/** Puts the texts of all lines into one, where they are spread over many. */
function gatherSources(draft: Draft): void {
  const { lines } = draft.state.chronicle;
  if (new Set(lines.map(({ source }) => source)).size < mostSources) return;
  const texts = readLines(lines, (id) => draft.bodies.text(id)).map(({ text }) => text);
  draft.record({ type: 'chronicle.gathered', source: draft.write(texts.join('\n')) });
}

/** Puts lines into the chronicle; gives the number of the first. `entities` are those of their entries. */
export function writeLines(
  draft: Draft,
  frame: FrameId,
  written: {
    readonly lines: readonly Line[];
    readonly entries: readonly LeavingEntry[];
    readonly entities: ReadonlySet<string>;
  },
): number {
  const { lines, entries, entities } = written;
  gatherSources(draft);
  const after = draft.state.chronicle.made;
  const source = draft.write(lines.map(({ text }) => text).join('\n'));
  const names = firstNames(lines, entities);
  const { compressions } = draft.state;
  const kept = keptLines(lines, { frame, source, after, made: compressions, names });
  const root = rootFor(draft, entries);
  const known = definedNames(draft.state.chronicle.index, frame);
  const events = fileEventsIn(entries, { lines, known, count: draft.count });
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
export const entitiesOfAll = (entries: readonly LeavingEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ message }) => [...entitiesOf(message).keys()]));

/** How many of the entities each line is the first to tell, those of the most worth before others. */
function firstNames(lines: readonly Line[], entities: ReadonlySet<string>): readonly number[] {
  const told = new Set<string>();
  const names = lines.map(() => 0);
  const best = [...lines.keys()].sort((a, b) => lines[b]!.worth - lines[a]!.worth);
  for (const index of best)
    for (const name of entitiesIn(lines[index]!.text).keys()) {
      if (!entities.has(name) || told.has(name)) continue;
      told.add(name);
      names[index]! += 1;
    }
  return names;
}

/** The entities that no line tells. */
export function untold(lines: readonly Line[], entities: ReadonlySet<string>): ReadonlySet<string> {
  const text = printLines(lines);
  const told = entitiesIn(text);
  const isIn = wordFinder(text);
  return new Set([...entities].filter((name) => !told.has(name) && !isIn(name)));
}
