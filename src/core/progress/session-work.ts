import { quotesOf, shownHuman } from '../sections/human-section.ts';
import { readLines } from '../chronicle/chronicle.ts';
import { hostNotesIn } from '../notes/host-notes.ts';
import { itemsOfList } from '../notes/note-lines.ts';
import type { Line } from '../lines/line.ts';
import { changedLinesOf, linesOf } from '../chronicle/lines.ts';
import { shellText } from '../commands/shell-commands.ts';
import { rootIn } from '../files/root.ts';
import { movesIn, type FileMove } from '../files/shell-files.ts';
import { exchangesIn, resultsIn } from '../outcomes/exchanges.ts';
import { hasFailed } from '../outcomes/failures.ts';
import { readEdit, type EditMeaning } from '../documents/page-edit.ts';
import { atOnce, type Part } from '../values/parts.ts';
import { todoState } from '../notes/todo-notes.ts';
import { cureFinder } from '../frames/frame-cures.ts';
import { path } from '../frames/tree.ts';
import type { Bodies } from '../messages/bodies.ts';
import type { CheckpointDocument } from '../documents/document.ts';
import { parseDocuments } from '../documents/parse-document.ts';
import { personText, type LeavingEntry } from '../messages/message.ts';
import type { State } from '../state/state.ts';

// What the documents, the page and a recovery are made of: the lines of the
// chronicle, those that the entries in view would leave, what people said, and
// the host's own list.

/** What a person said. */
export interface Said {
  readonly n: number;
  /** In full where it is shown so, else its sentences that are kept. */
  readonly text: string;
}

/** An item of the host's list. */
export interface ListedItem {
  readonly text: string;
  readonly mark: ' ' | '~' | 'x';
  /** Position of the entry that gave it this mark. */
  readonly n: number;
}

/** What a person changed on the page, and where it was said. */
type SaidEdit = EditMeaning & Said;

/** What was asked, said and done in a session, in the order of the log. */
export interface SessionWork {
  readonly said: readonly Said[];
  /** Edits of the page by hand; they are not among what was `said`. */
  readonly edits: readonly SaidEdit[];
  readonly lines: readonly Line[];
  readonly list: readonly ListedItem[];
  /** The entries in view. */
  readonly entries: readonly LeavingEntry[];
  /** The files that were moved, or taken away, in order. */
  readonly moves: readonly (FileMove & { readonly n: number })[];
  /** The folder that files are told from; '' for none. */
  readonly root: string;
  /** What the documents of a lost store tell; null where nothing was recovered. */
  readonly recovered: CheckpointDocument | null;
}

/** The work that a state knows of; `before` is one that may still have a frame in view which this one has closed. */
export function workOf(
  state: State,
  bodies: Bodies,
  { before = null, part = atOnce }: { readonly before?: State | null; readonly part?: Part } = {},
): SessionWork {
  const states = before === null ? [state] : [before, state];
  const entries = part(() => entriesIn(states, bodies));
  const oldLines = part(() => leftLines(states, bodies));
  const spoken = part(() => saidIn(states, bodies));
  const edits = spoken.flatMap(({ n, text }) => {
    const meaning = readEdit(text);
    return meaning === null ? [] : [{ ...withoutMilestones(meaning, state), n, text }];
  });
  const said = spoken.filter(({ n }) => !edits.some((edit) => edit.n === n));
  const recordedRoot = state.chronicle.root;
  const root = recordedRoot === '' ? rootIn(entries.map(({ message }) => message)) : recordedRoot;
  const curedBelow = cureFinder(state);
  const inView = { ...placeAfter(0, { said, entries }), root, count: estimate, curedBelow, part };
  const lines = [...oldLines, ...linesOf(entries, inView)];
  return part(() => ({
    said,
    lines: lines.sort((a, b) => a.n - b.n || a.to - b.to),
    edits,
    list: edits.reduce(editedList, listIn(oldLines, entries)),
    entries,
    moves: movesOf(state, entries),
    root,
    recovered: recoveredIn(state, bodies),
  }));
}

/** The moves that the index of files knows, then those of the entries in view. */
function movesOf({ chronicle }: State, entries: readonly LeavingEntry[]): SessionWork['moves'] {
  const indexedMoves = chronicle.index.files.flatMap(({ path: name, was, became, changes }) => {
    const n = changes.at(-1) ?? 0;
    const gone = became === 'deleted' ? [{ from: name, to: '', n }] : [];
    return was === '' ? gone : [{ from: was, to: name, n }, ...gone];
  });
  const later = exchangesIn(entries)
    .filter(({ result }) => result === undefined || !hasFailed(result))
    .flatMap(({ call, n }) => movesIn(shellText(call)).map((move) => ({ ...move, n })));
  return [...indexedMoves, ...later];
}

/** An edit without the milestones that it ticked: the goal tells of these. */
function withoutMilestones(edit: EditMeaning, { goal }: State): EditMeaning {
  const milestones = new Set(goal?.milestones.map(({ text }) => text));
  const others = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => !milestones.has(line));
  return { ...edit, open: others(edit.open), done: others(edit.done) };
}

function recoveredIn({ documents }: State, bodies: Bodies): CheckpointDocument | null {
  if (documents.recovered === null) return null;
  return parseDocuments(bodies.text(documents.recovered))[0] ?? null;
}

/** The lines after a position; of a file that was changed before, too, only what came since. */
export function linesSince(work: SessionWork, since: number): readonly Line[] {
  if (since === 0) return work.lines;
  const first = work.entries[0]?.n ?? Number.POSITIVE_INFINITY;
  const isKept = ({ n, to, kind }: Line): boolean =>
    kind === 'changed' ? n > since && n < first : to > since;
  const { later, turn } = placeAfter(since, work);
  const changed = changedLinesOf(later, { turn, root: work.root, count: estimate });
  return [...work.lines.filter(isKept), ...changed].sort((a, b) => a.n - b.n || a.to - b.to);
}

/** The entries in view after a position, and what a person said last before them. */
function placeAfter(
  since: number,
  { said, entries }: Pick<SessionWork, 'said' | 'entries'>,
): { readonly later: readonly LeavingEntry[]; readonly turn: number } {
  const later = entries.filter(({ n }) => n > since);
  const first = later[0]?.n ?? 0;
  return { later, turn: said.findLast(({ n }) => n < first)?.n ?? 0 };
}

/** No count of tokens, so that the same state gives the same document before the counter is loaded. */
const estimate = (text: string): number => Math.ceil(text.length / 4);

/** The entries that the open frames have in view. */
function entriesIn(states: readonly State[], bodies: Bodies): readonly LeavingEntry[] {
  const positions = new Set<number>();
  for (const { frames, active, views } of states)
    for (const { id } of path(frames, active))
      for (const { n, form } of views.get(id)?.items ?? [])
        if (form !== 'closing') positions.add(n);
  return [...positions].sort((a, b) => a - b).map((n) => ({ n, message: bodies.message(n) }));
}

/** The lines of entries that left the window. */
function leftLines(states: readonly State[], bodies: Bodies): readonly Line[] {
  const seenIds = new Set<number>();
  const lines = states
    .toReversed()
    .flatMap(({ chronicle }) => chronicle.lines)
    .filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
  return readLines(lines, (id) => bodies.text(id));
}

function saidIn(states: readonly State[], bodies: Bodies): readonly Said[] {
  const texts = new Map<number, string>();
  for (const state of states) {
    for (const { n, text } of quotesOf(state)) texts.set(n, joined(texts.get(n), text));
    for (const { n } of shownHuman(state)) texts.set(n, personText(bodies.message(n)));
  }
  return [...texts].map(([n, text]) => ({ n, text })).sort((a, b) => a.n - b.n);
}

const joined = (before: string | undefined, text: string): string =>
  before === undefined || before.includes(text) ? (before ?? text) : `${before}\n${text}`;

/** The host's list as it stood last. */
function listIn(
  oldLines: readonly Line[],
  entries: readonly LeavingEntry[],
): readonly ListedItem[] {
  const resultOf = resultsIn(entries);
  const old = oldLines.findLast(({ kind }) => kind === 'list');
  let items = itemsOfList(old?.text ?? '').flatMap((line) => itemOf(line, old?.n ?? 0) ?? []);
  for (const { n, message } of entries)
    for (const note of hostNotesIn(message, resultOf)) {
      if (note.kind !== 'todo') continue;
      const oldItems = new Map(items.map((item) => [item.text, item]));
      const before = items.map(({ mark, text }) => `[${mark}] ${text}`);
      items = todoState(before, note).flatMap((line) => {
        const item = itemOf(line, n);
        const same = oldItems.get(item?.text ?? '');
        return (same?.mark === item?.mark ? same : item) ?? [];
      });
    }
  return items;
}

/** A list after an edit of the page; what the host listed later stays. */
function editedList(items: readonly ListedItem[], edit: SaidEdit): readonly ListedItem[] {
  const { n, open, done, gone } = edit;
  const put: readonly ListedItem[] = [
    ...open.map((text) => ({ text, mark: ' ' as const, n })),
    ...done.map((text) => ({ text, mark: 'x' as const, n })),
  ];
  const later = new Set(items.filter((item) => item.n > n).map(({ text }) => text));
  const editedByText = new Map(put.map((item) => [item.text, item]));
  const kept = items.filter((item) => item.n > n || !gone.includes(item.text));
  const listed = new Set(kept.map(({ text }) => text));
  return [
    ...kept.map((item) => (later.has(item.text) ? item : (editedByText.get(item.text) ?? item))),
    ...put.filter(({ text }) => !listed.has(text)),
  ];
}

function itemOf(line: string, n: number): ListedItem | undefined {
  const [, mark, text] = /^\[([ x~])\] (.+)$/.exec(line) ?? [];
  return text === undefined ? undefined : { text, mark: mark as ListedItem['mark'], n };
}
