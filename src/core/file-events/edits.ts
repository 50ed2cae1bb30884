import { clip } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';
import type { FileFact } from '../files/changed-lines.ts';
import { shortName } from '../definitions/settings.ts';
import { isPassing } from '../files/script-edits.ts';
import { changesIn, type FileChange } from '../files/changes.ts';
import { extentOf, headText } from './file-facts.ts';
import type { HeldBefore, Heads } from './held.ts';
import { fieldsChanged, isTyped, tellsFields } from '../files/members.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { wasDone } from '../outcomes/failures.ts';
import { statementsOf } from '../lines/statements.ts';
import { statementLines, worthOf, type UnplacedLine } from '../lines/worth.ts';

// What became of each file: all edits of a turn together, what they brought in
// lines of bounded length, the first with the file, the others where there is room.

/** Longest list of what a file was brought that one line tells, in UTF-16 units. */
export const longestList = 240;

/** Most lines that tell of one file in a turn. */
export const mostLines = 4;

/** Most lines of code that are told of a file in a turn. */
const mostCodeLines = 6;

/** What a line tells that has only the file; one with what became of it; what the next lines tell beside it. */
const values = { bare: 0.3, file: 0.7, next: 0.6 } as const;

/** What each thing adds that became of a file: a definition or a value that is otherwise, another line of code or a setting, a comment or what is gone; and the most things that count. */
const factValues = { definition: 0.4, line: 0.25, remark: 0.15 } as const;
const mostFacts = 4;

/** What a statement of a document is worth that the model wrote: as telling as what it says. */
const writtenShare = 0.6;

/** What became of a file in a turn. */
interface TurnChange {
  readonly file: string;
  readonly n: number;
  to: number;
  readonly facts: Map<string, FileFact>;
  /** Whether an edit says more than the facts tell. */
  isCut: boolean;
}

interface EditLine extends UnplacedLine {
  readonly n: number;
  readonly to: number;
  readonly file: string;
}

/**
 * What became of each file in a turn, all edits of it together; those that failed brought nothing,
 * and one that writes a file anew only what that did not hold.
 */
export function editLines(
  exchanges: readonly Exchange[],
  turnOf: (n: number) => number,
  heldBefore: HeldBefore,
): readonly EditLine[] {
  const files = new Map<string, TurnChange>();
  const documentLines: EditLine[] = [];
  for (const [at, { n, call, result }] of exchanges.entries()) {
    if (!wasDone({ call, result })) continue;
    for (const change of changesIn({ call, result })) {
      const { path, isCut, lost } = change;
      const key = `${turnOf(n)} ${path}`;
      const turnChange = files.get(key) ?? { file: path, n, to: n, facts: new Map(), isCut: false };
      turnChange.to = n;
      turnChange.isCut ||= isCut;
      const isWhole = extentOf(call, path) === 'whole';
      const facts = isWhole
        ? withoutHeld(change.facts, heldBefore(path, at), turnChange.facts)
        : change.facts;
      for (const fact of facts) addFact(turnChange.facts, fact);
      withdraw(turnChange.facts, lost);
      files.set(key, turnChange);
      for (const line of statementLines(statementsIn(change), 'read', writtenShare))
        documentLines.push({ ...line, text: `${path}: ${begun(line.text)}`, n, to: n, file: '' });
    }
  }
  const changed = [...files.values()].flatMap((change) =>
    linesOfFile(change).map((line) => ({ ...line, n: change.n, to: change.to, file: change.file })),
  );
  return [...changed, ...documentLines];
}

/** What an edit brought that a file did not hold, and what it changes again of the facts of a turn. */
const withoutHeld = (
  facts: readonly FileFact[],
  held: Heads,
  turnFacts: ReadonlyMap<string, FileFact>,
): readonly FileFact[] =>
  held.size === 0
    ? facts
    : facts.filter((fact) => turnFacts.has(fact.name) || held.get(fact.name) !== headText(fact));

/** The files that a call changed, but for those that only pass on a text; none where it failed. */
export const filesChanged = (exchange: Exchange): readonly string[] =>
  wasDone(exchange)
    ? changesIn(exchange).flatMap(({ path }) => (isPassing(path) ? [] : [path]))
    : [];

/** Reads what a call changed, which is remembered: {@link editLines} has less to do then. */
export function readEditsAhead(exchange: Exchange): void {
  for (const change of changesIn(exchange)) statementsIn(change);
}

/** A statement with a mark where the edit that wrote it begins within a sentence. */
const begun = (text: string): string => (/^\p{Ll}/u.test(text) ? `${restOf} ${text}` : text);

/** What a document states as an edit wrote it. */
const statementsIn = readOnce(({ prose }: FileChange) => statementsOf(prose));

/** Takes back what was brought and is lost again, a comment with its first line. */
function withdraw(facts: Map<string, FileFact>, lost: readonly string[]): void {
  for (const [key, { was, now }] of facts)
    if (
      was === '' &&
      lost.some((line) => now === line || (isComment.test(line) && now.startsWith(line)))
    )
      facts.delete(key);
}

const isComment = /^(?:\/\/|#|\*) .{12}/;

/** Takes up what one more edit did: what was brought and taken away again never was. */
function addFact(facts: Map<string, FileFact>, fact: FileFact): void {
  const { name, was, now } = fact;
  if (was === now) return;
  if (name === '') {
    facts.set(`line ${was} ${now}`, fact);
    return;
  }
  const earlier = facts.get(name);
  facts.delete(name);
  const first = earlier === undefined ? was : earlier.now === '' ? '' : earlier.was;
  if (first !== '' || now !== '') facts.set(name, { name, was: first, now });
}

function factText({ name, was, now }: FileFact): string {
  if (now === '') return `${goneMark}${name === '' ? was : name}`;
  const changed = fieldsChanged(was, now);
  if (changed !== '') return changed;
  if (was === '' || isTyped(was)) return now.replaceAll(between, ';');
  const label = shortName(name);
  return `${label}: ${was}${arrow}${now.slice(label.length).replace(/^\s*[:=]\s*/, '')}`;
}

/** What stands for the rest of a list. */
export const restOf = '…';

/** What stands between things that are told of a file, between two values, and before what is gone. */
export const between = '; ';
export const arrow = ' → ';
export const goneMark = '− ';

/**
 * The place of a fact among others: what is new, functions and types before fields, what is otherwise, new lines; what is
 * gone last, so that nothing behind a mark of it seems to be gone, too.
 */
function rankOf({ name, was, now }: FileFact): number {
  if (now === '') return name === '' ? 5 : 4;
  if (name === '') return 3;
  if (was !== '') return 2;
  return /^[^:=]*\(|^(?:\w+ )*(?:class|interface|type|enum|struct|trait|\w*module)\s/.test(now)
    ? 0
    : 1;
}

/** The lines of a file: what is new in it, what is otherwise and what is gone, as many as that takes. */
function linesOfFile({ file, facts: all, isCut }: TurnChange): readonly UnplacedLine[] {
  const isLine = ({ name }: FileFact): boolean => name === '';
  const brought = new Set(Array.from(all.values(), ({ now }) => now));
  const listed = [...all.values()].filter(({ was, now }) => now !== '' || !brought.has(was));
  const lines = listed.filter(isLine);
  const facts = [...listed.filter((fact) => !isLine(fact)), ...lines.slice(0, mostCodeLines)];
  facts.sort((a, b) => rankOf(a) - rankOf(b));
  const isMore = isCut || lines.length > mostCodeLines;
  return changedFileLines({ path: file, since: '' }, [
    ...withPlaces(facts),
    ...(isMore ? [restOf] : []),
  ]);
}

/** What is told of facts, in order; lines of one definition as one thing: `in load: a / b`. */
function withPlaces(facts: readonly FileFact[]): readonly string[] {
  const texts: string[] = [];
  const open = new Map<string, number>();
  for (const fact of facts) {
    const text = factText(fact);
    const place = fact.now === '' ? '' : (fact.inside ?? '');
    const at = open.get(place) ?? -1;
    if (place === '') texts.push(text);
    else if (at >= 0 && texts[at]!.length + text.length < longestList) texts[at] += ` / ${text}`;
    else open.set(place, texts.push(`in ${place}: ${text}`) - 1);
  }
  return texts;
}

/** What a line tells of the file that it says was changed: `+ what it was brought`, or what is otherwise; '' for nothing. */
export const broughtIn = (line: string): string => changed.exec(line)?.groups?.['what'] ?? '';

/** The file that a line says was changed, as it is told; '' for another line. */
export const changedIn = (line: string): string => changed.exec(line)?.groups?.['path'] ?? '';

const changed = /^changed (?<path>.+?)(?: since e\d+)?(?: \((?<what>.*)\))?$/;

/** What is told of a file as lines of bounded length, as many as that takes, each but the last with a mark of what follows; `since` is an entry that the lines do not stand for. */
export function changedFileLines(
  { path, since }: { readonly path: string; readonly since: string },
  items: readonly string[],
): readonly UnplacedLine[] {
  const lists: string[][] = [];
  let length = longestList + 1;
  for (const text of items) {
    if (text === restOf) {
      lists.at(-1)?.push(restOf);
      continue;
    }
    length += text.length + 2;
    if (length > longestList) {
      lists.at(-1)?.push(restOf);
      if (lists.length === mostLines) break;
      lists.push([]);
      length = text.length;
    }
    lists.at(-1)!.push(text);
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [first = [], ...rest] = lists;
  const what = first.length === 0 ? '' : ` (${isNew(first[0]!) ? '+ ' : ''}${first.join(between)})`;
  const head = `changed ${path}${since === '' ? '' : ` since ${since}`}${what}`;
  const gains = items
    .filter((text) => text !== restOf)
    .map(valueOf)
    .sort((a, b) => b - a);
  const gain = gains.slice(0, mostFacts).reduce((sum, one) => sum + one, 0);
  const value = gains.length === 0 ? values.bare : values.file + gain;
  return [
    { kind: 'changed', text: head, worth: worthOf(value, head) },
    ...rest.map((list, index): UnplacedLine => {
      const text = `in ${clip(name, 60)}: ${list.join(between)}`;
      return { kind: 'changed', text, worth: worthOf(value, text) * values.next ** (index + 1) };
    }),
  ];
}

/** What a thing adds that became of a file, as it is told. */
function valueOf(item: string): number {
  if (isRemark.test(item)) return factValues.remark;
  return item.includes(arrow) || isDefinition.test(item) ? factValues.definition : factValues.line;
}

const isRemark = /^(?:in [^:]{1,60}: )?(?:− |#|\/\/|--|\*)/;
const isDefinition =
  /^[^:="'`]*\(|^(?:\w+ )*(?:class|interface|type|enum|struct|trait|\w*module) |^test “/;

/** Whether what is told of a file is there since. */
export const isNew = (item: string): boolean =>
  !item.startsWith(goneMark) && !item.includes(arrow) && !tellsFields(item);
