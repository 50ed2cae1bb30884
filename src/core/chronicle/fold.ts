import type { Count } from '../messages/token-count.ts';
import { entryId, ordinal } from '../values/id.ts';
import {
  arrow,
  between,
  goneMark,
  isNew,
  longestList,
  mostLines,
  restOf,
  changedFileLines,
} from '../file-events/edits.ts';
import {
  describeFailure,
  failureIn,
  withoutNumbers,
  type FailureFields,
} from '../outcomes/failure-text.ts';
import { bareCommand } from '../outcomes/call-label.ts';
import { isClosing, titleIn, withTitle } from '../outcomes/issues.ts';
import { entitiesIn } from '../entities/entities.ts';
import { lineMaker, type Line } from '../lines/line.ts';
import { tellsFields, withFields } from '../files/members.ts';
import { fromRoot } from '../files/root.ts';
import { worthOf, type UnplacedLine } from '../lines/worth.ts';
import { repeatedLines } from './repeated.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';

// What was told of a file, and of the same failure, at several times, as one: the
// union of what the file was brought, the newest value of each thing. It stands
// where the last of it stood, and names the entry that it goes back to.
//
//   - e12 changed src/limits.ts (A: 1 → 5)
//   - e88 changed src/limits.ts (A: 5 → 9; + B = 2)
//   - e88 changed src/limits.ts since e12 (+ B = 2; A: 1 → 9)
//
// What was left to do is told as it stood last.

/** Lines, and those that tell the same in their place. */
export interface Fold<L extends Line> {
  readonly gone: readonly L[];
  readonly lines: readonly Line[];
}

/** Times that a file was changed which are told apart, the newest: what came after what tells more than the sum. */
const apart = 6;

/** The lines that can be told as one, of a frame's lines in their order. */
export function foldsOf<L extends Line>(
  lines: readonly L[],
  options: { readonly root: string; readonly count: Count; readonly part?: Part },
): readonly Fold<L>[] {
  const { root, count, part = atOnce } = options;
  const make = lineMaker(count);
  const issues = part(() => [...groupsBy(lines.filter(isOfIssue), ({ file }) => file)]);
  const closed = mapInParts(issues, part, ([issue, all]) => issueFold(issue, all, make)).flat();
  const groups = part(() => [...groupsBy(lines, keyOf).values()]);
  const cureOf = part(() => cureFinder(lines));
  const folded = mapInParts(groups, part, (all): readonly Fold<L>[] => {
    const newest = all.at(-1)!.file === '' ? [] : [...new Set(all.map(({ n }) => n))].slice(-apart);
    const group = all.filter(({ n }) => !newest.includes(n));
    const [first, last] = [group[0], group.at(-1)];
    const cured = last?.kind === 'failed' ? cureOf(last) : '';
    if (first === undefined || last === undefined || (first.n === last.n && cured === ''))
      return [];
    const { n, to, turn, file } = last;
    const foldedLines =
      file === '' ? [foldedFailure(group, cured)] : foldedEdits(fromRoot(file, root), group);
    return [
      { gone: group, lines: foldedLines.map((line) => make({ ...line, n, to, turn, file })) },
    ];
  });
  const overtaken = [
    ...new Set([...part(() => overtakenLists(lines)), ...repeatedLines(lines, part)]),
  ];
  return [
    ...folded.flat(),
    ...closed,
    ...(overtaken.length === 0 ? [] : [{ gone: overtaken, lines: [] }]),
  ];
}

/** What says what is left to do, or to decide, as of that moment. */
const ofWhatIsLeft =
  /^(?:(?:the )?(?:open|remaining|outstanding) (?:questions?|items?|points?|work|tasks?|steps?)\b|(?:what(?:['’]s| is)|the only things?|all that(?:['’]s| is)) (?:left|open|still open|remaining|next)\b|remaining\b|still (?:open|to do|left|pending)\b|next steps?\b|(?:left|still) to do\b|pending tasks?\b)/i;

/** Lines that say what was left, where a later one says it again: it begins alike, or names the same. */
function overtakenLists<L extends Line>(lines: readonly L[]): readonly L[] {
  const lists = lines
    .filter(({ kind, text }) => kind === 'said' && ofWhatIsLeft.test(text))
    .map((line) => ({ line, head: headOf(line.text), names: [...entitiesIn(line.text).keys()] }));
  return lists
    .filter(({ line, head, names }, at) =>
      lists
        .slice(at + 1)
        .some(
          (later) =>
            later.line.n > line.n &&
            (later.head === head || names.some((name) => later.names.includes(name))),
        ),
    )
    .map(({ line }) => line);
}

/** The first two words of a text. */
const headOf = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}’']+/gu)!
    .slice(0, 2)
    .join(' ');

/** Whether a line tells what an issue says, or where it stands. */
const isOfIssue = ({ kind, file }: Pick<Line, 'kind' | 'file'>): boolean =>
  file !== '' && (kind === 'read' || kind === 'done');

/** Of an issue that was closed last the line that says so, in place of what was told of it before. */
function issueFold<L extends Line>(
  issue: string,
  lines: readonly L[],
  make: (line: Line) => Line,
): readonly Fold<L>[] {
  const last = lines.findLast(({ kind }) => kind === 'done');
  if (last === undefined) return [];
  const isPast = ({ n, kind }: L): boolean =>
    n < last.n && (kind === 'done' || isClosing(last.text));
  const gone = lines.filter(isPast);
  if (gone.length === 0) return [];
  const titles = gone.map(({ text }) => titleIn(text, issue));
  const title = titles.find((one) => one !== '') ?? '';
  return [{ gone: [...gone, last], lines: [make({ ...last, text: withTitle(last.text, title) })] }];
}

/** Lines by a key; without those that have none. */
function groupsBy<L extends Line>(
  lines: readonly L[],
  keyFor: (line: L) => string,
): ReadonlyMap<string, readonly L[]> {
  const groups = new Map<string, L[]>();
  for (const line of lines) {
    const key = keyFor(line);
    if (key === '') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return groups;
}

/** What lines of the same file have in common, and those of the same failure, which may have moved by a line. */
function keyOf({ kind, file, text }: Line): string {
  if (kind === 'changed') return file === '' ? '' : `changed ${file}`;
  const failure = kind === 'failed' ? failureIn(text) : null;
  if (failure === null) return '';
  return `${commandOf(failure)}\n${withoutNumbers(failure.why)}`;
}

/** By what the failures of the same command are known. */
const commandOf = ({ what, place }: FailureFields): string =>
  `failed ${bareCommand(what)}\n${place}`;

/** Finds the first entry in which the command of a failure that stands open worked after it, as lines tell; '' for none. */
function cureFinder(lines: readonly Line[]): (line: Line) => string {
  const cures = new Map<string, string[]>();
  for (const { kind, text } of lines) {
    const failure = kind === 'failed' ? failureIn(text) : null;
    if (failure === null || failure.cured === '') continue;
    const command = commandOf(failure);
    cures.set(command, [...(cures.get(command) ?? []), failure.cured]);
  }
  return ({ to, text }) => {
    const failure = failureIn(text);
    if (failure === null || failure.cured !== '' || failure.what.includes('…')) return '';
    return cures.get(commandOf(failure))?.find((id) => ordinal(id) > to) ?? '';
  };
}

/** Of lines those that tell what is settled by now: those of issues, and failures that stand open above the line of their cure, with that. */
export function settledLines<L extends Line>(lines: readonly L[]): readonly L[] {
  const isCured = ({ text }: L): boolean => failureIn(text)?.cured !== '';
  const failures = groupsBy(lines, (line) => (line.kind === 'failed' ? keyOf(line) : ''));
  const cureOf = cureFinder(lines);
  const cured = [...failures.values()].flatMap((group) => {
    const last = group.findLastIndex(isCured);
    const open = group.slice(0, Math.max(0, last)).filter((line) => !isCured(line));
    return open.length === 0 ? [] : [...open, group[last]!];
  });
  const cures = new Map(lines.map((line) => [line, line.kind === 'failed' ? cureOf(line) : '']));
  const needed = new Set([...cures.values()].filter(Boolean));
  const settled = new Set(cured);
  const isSettled = (line: L): boolean =>
    isOfIssue(line) ||
    settled.has(line) ||
    cures.get(line) !== '' ||
    (line.kind === 'failed' && needed.has(failureIn(line.text)?.cured ?? ''));
  return lines.filter(isSettled);
}

/** The same failure, told at several times. */
function foldedFailure(group: readonly Line[], cured: string): UnplacedLine {
  const failures = group.map(({ text }) => failureIn(text)!);
  const isCure = (index: number): boolean => failures[index]!.cured === entryId(group[index]!.n);
  const times = failures.reduce((sum, one, index) => sum + (isCure(index) ? 0 : one.times), 0);
  const last = failures.at(-1)!;
  const from = Math.min(group[0]!.n, ...failures.map((one) => sinceOf(one.since)));
  const since = from < group.at(-1)!.n ? entryId(from) : '';
  const { value, text } = describeFailure({
    ...last,
    times,
    since,
    cured: last.cured === '' ? cured : last.cured,
  });
  return { kind: 'failed', text, worth: worthOf(value, text) };
}

/** What the lines of a file tell together. */
function foldedEdits(path: string, lines: readonly Line[]): readonly UnplacedLine[] {
  const itemsByName = new Map<string, string>();
  let since = lines[0]!.n;
  for (const [index, { text }] of lines.entries()) {
    const parts = partsOf(text, path);
    since = Math.min(since, parts.since);
    const isLast = index === lines.length - 1;
    for (const item of parts.items) if (isLast || item !== restOf) takeUp(itemsByName, item);
  }
  const rank = (item: string): number => {
    if (item === restOf) return 3;
    return isNew(item) ? 0 : item.startsWith(goneMark) ? 2 : 1;
  };
  const items = lastOf([...itemsByName.values()]).toSorted((a, b) => rank(a) - rank(b));
  return changedFileLines({ path, since: entryId(since) }, items);
}

/** What a line tells of a file, as `changedFileLines` tells it. */
function partsOf(text: string, path: string): { since: number; items: readonly string[] } {
  const head = `changed ${path}`;
  const items = (list: string): readonly string[] => list.split(between).filter(Boolean);
  if (!text.startsWith(head))
    return { since: Infinity, items: items(text.replace(/^in .{1,61}?: /, '')) };
  const [, since = '', list = ''] =
    /^(?: since (e\d+))?(?: \((?:\+ )?(.*)\))?$/.exec(text.slice(head.length)) ?? [];
  return { since: sinceOf(since), items: items(list) };
}

const sinceOf = (since: string): number => (since === '' ? Infinity : ordinal(since));

/** The last things, as many as the lines of a file hold. */
function lastOf(items: readonly string[]): readonly string[] {
  let remaining = mostLines * longestList * 0.9;
  const isBeyond = (item: string): boolean => {
    remaining -= item.length + between.length;
    return remaining < 0;
  };
  return items.slice(items.findLastIndex(isBeyond) + 1);
}

/** Takes up what was told later, in place of what was told before under its name; what was brought and taken away again never was. */
function takeUp(itemsByName: Map<string, string>, item: string): void {
  const name = nameIn(item);
  const earlier = itemsByName.get(name);
  itemsByName.delete(name);
  const isGone = item.startsWith(goneMark);
  if (earlier !== undefined && tellsFields(item)) {
    const type = withFields(earlier, item);
    if (type !== '') itemsByName.set(name, type);
    return;
  }
  if (earlier === undefined || !(isGone || isChanged(earlier))) {
    itemsByName.set(name, item);
    return;
  }
  if (isGone) {
    if (!isNew(earlier)) itemsByName.set(name, item);
    return;
  }
  const [before, now] = [valuesIn(earlier), valuesIn(item)];
  if (before === null || now === null || before.now !== now.was) itemsByName.set(name, item);
  else if (before.was !== now.now)
    itemsByName.set(name, `${name}: ${before.was}${arrow}${now.now}`);
}

const isChanged = (item: string): boolean => valuesIn(item) !== null;

/** The name of a value that was changed, the value before, and the one it has now. */
function valuesIn(item: string): { name: string; was: string; now: string } | null {
  const [, name, was, now] = /^([^:]+): (.*?) → (.*)$/.exec(item) ?? [];
  return name === undefined ? null : { name, was: was!, now: now! };
}

/** What a thing is known by: the name of a value or a definition; all of it where that is not certain. */
function nameIn(item: string): string {
  if (item.startsWith(goneMark)) return item.slice(goneMark.length);
  if (/^in \S+: /.test(item)) return item;
  const changed = valuesIn(item)?.name;
  const test = /^test “(.*)”$/.exec(item)?.[1];
  const defined = definition.exec(item)?.[1];
  return changed ?? test ?? defined ?? item;
}

/** A definition as it is told, up to its name. */
const definition =
  /^(?:[a-z]+ (?:\([^)]*\) )?){0,5}([\w$#@?!]+)(?=\(|<|: | = |(?: (?:struct|interface))? \{| (?:extends|implements)\b|$)/;
