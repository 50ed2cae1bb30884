import { callsOf } from '../commands/scripted-calls.ts';
import {
  isHuman,
  personText,
  textOf,
  type LeavingEntry,
  type Message,
  type ToolCall,
  type ToolMessage,
} from '../messages/message.ts';
import type { Count } from '../messages/token-count.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import { readOnce } from '../values/read-once.ts';
import { documentLines, readDocumentAhead } from '../outcomes/documents.ts';
import { entitiesOf } from '../entities/entities.ts';
import { editLines, filesChanged, readEditsAhead } from '../file-events/edits.ts';
import { readFileAhead } from '../file-events/shown-files.ts';
import { heldFinder, type Heads } from '../file-events/held.ts';
import { exchangesIn, type Exchange } from '../outcomes/exchanges.ts';
import { curesIn, withCure, withFolder, type OpenFailure } from '../outcomes/cures.ts';
import { failuresIn, hasFailed } from '../outcomes/failures.ts';
import { callLabel } from '../outcomes/call-label.ts';
import { isClosing, issueLines } from '../outcomes/issues.ts';
import { outputLines } from '../outcomes/outputs.ts';
import {
  lineMaker,
  numbered,
  type Line,
  type LineFields,
  type LineKind,
  type NumberedLine,
} from '../lines/line.ts';
import { interruptionsIn } from '../lines/interruptions.ts';
import { noteLinesIn } from '../notes/note-lines.ts';
import { ruleLines } from '../notes/rule-lines.ts';
import { withOvertaken } from './overtaken.ts';
import { asks, questionOf, repliesIn } from '../lines/replies.ts';
import { fromRoot } from '../files/root.ts';
import { withoutSource } from '../lines/sources.ts';
import { statementsOf } from '../lines/statements.ts';
import { statementLines, worthOf, type UnplacedLine } from '../lines/worth.ts';

// The lines that entries leave when they leave the window: what the model stated,
// most of all at the end of a turn; what people answered; what edits changed; what
// failed and what cured it; what was read that is prose; and what the host's own
// structure says.

/**
 * The lines of entries of one frame, in order; `turn` is the person's entry before them, 0 for
 * none, `root` the folder that files are told from, '' for none, and `list` the items of the
 * host's list as it stood before, `failed` what failed before and is not known to work, `stated`
 * what documents and the model stated before, and `curedBelow` finds where what failed worked in a frame below.
 */
export function linesOf(
  entries: readonly LeavingEntry[],
  given: {
    readonly turn: number;
    readonly root: string;
    readonly count: Count;
    readonly list?: readonly string[];
    readonly failed?: readonly OpenFailure[];
    readonly stated?: readonly string[];
    readonly curedBelow?: (n: number) => number;
    readonly next?: LeavingEntry | undefined;
    readonly part?: Part;
  },
): readonly NumberedLine[] {
  const { count, part = atOnce } = given;
  return numbered(mapInParts(lineFieldsIn(entries, given), part, lineMaker(count)).filter(hasText));
}

/** Whether anything is left of a line. */
export const hasText = ({ text }: Line): boolean => text !== '';

/** What the lines of entries are made of, in their order; see {@link linesOf}. */
export function lineFieldsIn(
  entries: readonly LeavingEntry[],
  context: {
    readonly turn: number;
    readonly root: string;
    readonly list?: readonly string[];
    readonly failed?: readonly OpenFailure[];
    readonly stated?: readonly string[];
    readonly held?: (path: string) => Heads;
    readonly curedBelow?: (n: number) => number;
    /** The entry behind these, which may answer the last of them. */
    readonly next?: LeavingEntry | undefined;
    readonly part?: Part;
  },
): readonly LineFields[] {
  const { turn: before, root, list = [], failed = [], stated = [], held, part = atOnce } = context;
  const { curedBelow = () => 0, next } = context;
  const turnOf = turnFinder(entries, before);
  const exchanges = part(() => exchangesIn(entries));
  const nameOf = (call: ToolCall): string => fromRoot(callLabel(call), root);
  const folderOf = (folder: string): string => (folder === root ? '' : fromRoot(folder, root));
  const filesOf = (exchange: Exchange): readonly string[] =>
    filesChanged(exchange).map((path) => fromRoot(path, root));
  const failures = part(() => [
    ...failuresIn(exchanges, filesChanged).map((one) => withCure(one, curedBelow(one.to))),
    ...curesIn(exchanges, failed, { nameOf, folderOf, filesOf }),
  ]).map(({ value, text, ...one }) => ({
    ...one,
    kind: 'failed' as const,
    text: withFolder(text, folderOf),
    worth: worthOf(value, text),
  }));
  const issues = part(() => issueLines(exchanges));
  const closed = new Map(
    issues.flatMap(({ file, n, text }) => (isClosing(text) ? [[file, n]] : [])),
  );
  const unplaced = [
    ...saidLines(entries, next, part),
    ...part(() => interruptionsIn(entries)),
    ...part(() => documentLines(exchanges, turnOf)).filter(
      ({ file, n }) => !(closed.get(file)! > n),
    ),
    ...issues,
    ...part(() => noteLinesIn(entries, { exchanges, list })),
    ...failures,
    ...part(() => outputLines(exchanges)).filter((line) => !issues.some(({ n }) => n === line.n)),
    ...part(() => editLines(exchanges, turnOf, heldFinder(exchanges, held))),
  ];
  return withOvertaken(
    part(() => withoutRepeats(placed(unplaced, root, turnOf), stated)),
    part,
  );
}

/** Lines without what a document or a report states that was read or written before, or that the model says itself. */
function withoutRepeats(
  lines: readonly LineFields[],
  before: readonly string[],
): readonly LineFields[] {
  const said = lines.filter(({ kind }) => kind === 'said').map(({ text }) => text);
  const seen = new Set([...before.map(withoutSource), ...said]);
  return lines.filter(({ kind, text }) => {
    if (kind !== 'read') return true;
    const stated = withoutSource(text);
    return !seen.has(stated) && seen.add(stated);
  });
}

/** Lines in their order, each in its turn and with its files told from the root. */
const placed = (
  lines: readonly Omit<LineFields, 'turn'>[],
  root: string,
  turnOf: (n: number) => number,
): readonly LineFields[] =>
  lines
    .map((line) => ({ to: line.n, ...line, text: fromRoot(line.text, root), turn: turnOf(line.n) }))
    .sort((a, b) => a.n - b.n || order[a.kind] - order[b.kind] || a.to - b.to);

/** Of the lines of entries those that tell what was changed; see {@link linesOf}. */
export function changedLinesOf(
  entries: readonly LeavingEntry[],
  { turn, root, count }: { readonly turn: number; readonly root: string; readonly count: Count },
): readonly Line[] {
  const turnOf = turnFinder(entries, turn);
  const exchanges = exchangesIn(entries);
  const lines = editLines(exchanges, turnOf, heldFinder(exchanges));
  const changed = lines.filter(({ kind }) => kind === 'changed');
  return placed(changed, root, turnOf).map(lineMaker(count)).filter(hasText);
}

const order: Readonly<Record<LineKind, number>> = {
  asked: 0,
  list: 1,
  said: 2,
  read: 3,
  done: 4,
  changed: 5,
  failed: 6,
};

/** Finds the person's entry that the turn of a position began with. */
export function turnFinder(
  entries: readonly LeavingEntry[],
  before: number,
): (n: number) => number {
  const starts = entries.filter(({ message }) => isHuman(message)).map(({ n }) => n);
  // As a rule the next position that is asked for is near the last one.
  let at = -1;
  return (n) => {
    while (starts[at + 1]! <= n) at += 1;
    while (starts[at]! > n) at -= 1;
    return starts[at] ?? before;
  };
}

/** Shortest text that can close a turn, in UTF-16 units. */
const leastClosing = 60;

/** The last entries of turns in which the model says something: what came out of them. A turn ends before a person's entry, and where nothing comes behind it. */
function closingEntries(
  entries: readonly LeavingEntry[],
  next: LeavingEntry | undefined,
): ReadonlySet<number> {
  const closing = new Set<number>();
  let last = 0;
  for (const { n, message } of entries) {
    if (isHuman(message)) {
      closing.add(last);
      last = 0;
    } else if (message.role === 'assistant' && textOf(message.content).length >= leastClosing)
      last = n;
  }
  return endsTurn(next) ? closing.add(last) : closing;
}

/** Whether a turn ends before an entry, undefined for none. */
export const endsTurn = (next: LeavingEntry | undefined): boolean =>
  next === undefined || isHuman(next.message);

/** Longest repetition of what was asked, in UTF-16 units; the words of people stand by themselves. */
const longestAsked = 70;

/** What a statement at the end of a turn is worth beside others, and one that a person refused. */
const shares = { closing: 1.35, refused: 0.5 } as const;

/** What a message states. */
const statementsIn = readOnce((message: Message) => statementsOf(textOf(message.content)));

/**
 * Reads the entry at an index of a list, which is remembered: what it names, states and changes, what
 * the one before it asks, and what a call shows that it answers. {@link linesOf} has less to do then.
 */
export function readAhead(entries: readonly LeavingEntry[], at: number): void {
  const { message } = entries[at]!;
  const before = entries[at - 1]?.message;
  entitiesOf(message);
  if (isHuman(message) && before?.role === 'assistant') questionOf(before);
  if (message.role === 'tool') readResultAhead(entries, at, message);
  if (message.role !== 'assistant') return;
  statementsIn(message);
  for (const call of callsOf(message)) readEditsAhead({ n: 0, call, result: undefined, to: 0 });
}

/** Reads what a result shows beside its call, which stands before it since a person spoke last. */
function readResultAhead(entries: readonly LeavingEntry[], at: number, result: ToolMessage): void {
  hasFailed(result);
  const isCall = ({ id }: ToolCall): boolean => id !== undefined && id === result.toolCallId;
  for (let from = at - 1; from >= 0; from -= 1) {
    const { n, message } = entries[from]!;
    if (isHuman(message)) return;
    const call = callsOf(message).find(isCall);
    if (call === undefined) continue;
    const exchange = { n, call, result, to: entries[at]!.n };
    readDocumentAhead(exchange);
    readFileAhead(exchange);
    return;
  }
}

/** What was asked and stated in each entry, and what people answered to it. */
function saidLines(
  entries: readonly LeavingEntry[],
  next: LeavingEntry | undefined,
  part: Part,
): readonly (UnplacedLine & { readonly n: number })[] {
  const closing = part(() => closingEntries(entries, next));
  const answered = next === undefined ? entries : [...entries, next];
  const replies = new Map(part(() => repliesIn(answered)).map((reply) => [reply.n, reply]));
  const saidIn = ({
    n,
    message,
  }: LeavingEntry): readonly (UnplacedLine & { readonly n: number })[] => {
    if (message.role === 'user') {
      const text = isHuman(message) ? clip(oneLine(personText(message)), longestAsked) : '';
      if (text !== '') return [{ n, kind: 'asked', text, worth: 1 }];
      return ruleLines(message).map((line) => ({ ...line, n }));
    }
    if (message.role !== 'assistant') return [];
    const reply = replies.get(n);
    const share = closing.has(n) ? shares.closing : 1;
    const refused = reply?.refuses === true ? shares.refused : 1;
    const stated = statementLines(statementsIn(message), 'said', share * refused);
    const isAsked = ({ text }: UnplacedLine): boolean => reply !== undefined && asks(reply, text);
    return [
      ...stated.filter((line) => !isAsked(line)),
      ...(reply === undefined ? [] : [reply.line]),
    ].map((line) => ({
      ...line,
      n,
    }));
  };
  return mapInParts(entries, part, saidIn).flat();
}
