import type { Count } from '../messages/token-count.ts';
import { plainSentence } from '../text/decisions.ts';
import { containsWord, entitiesIn } from '../entities/entities.ts';
import { citationsIn, splitCitations } from '../lines/citations.ts';
import { lineMaker, type Line } from '../lines/line.ts';
import { worthOf } from '../lines/worth.ts';
import { isReplyLine } from '../lines/replies.ts';
import { fromRoot } from '../files/root.ts';

/**
 * What a line that a model wrote tells, by how it begins, one that begins otherwise as much as what was found:
 * about as much as the words of the log, which stand beside it. Worth more, a model's lines of the newest
 * stretches crowd out all of the first ones.
 */
const values = {
  decided: 1.8,
  required: 1.6,
  failed: 1,
  found: 1.1,
  changed: 0.9,
  open: 1.1,
  done: 0.85,
} as const;

/** What each line tells beside the one before it: a summary begins with what matters most, and of each something is to stand for long. */
const nextShare = 0.94;

/** What each name in a line adds to its value, and the most names that do: a line without any is hardly ever what is looked for later. */
const nameShare = 0.1;
const mostNames = 8;

/** What a text names: all but what it decides. */
const namesIn = (text: string): readonly string[] =>
  [...entitiesIn(text)].flatMap(([name, kind]) => (kind === 'decision' ? [] : [name]));

/** What a line that a model wrote is worth, the `index`th of its summary. */
function worthWritten(text: string, index = 0): number {
  const [, kind = 'found'] =
    /^(?:\*\*)?(required|decided|failed|changed|open|done)\b/i.exec(text) ?? [];
  const names = Math.min(mostNames, namesIn(text).length);
  const value = values[kind.toLowerCase() as keyof typeof values] * (1 + nameShare * names);
  return worthOf(value * nextShare ** index, text);
}

/** Most entries from the first to the last of a line's own for these to stand before it in place of behind it. */
const mostSpread = 12;

/** A line that only announces those after it. */
const isHead = (line: string): boolean =>
  /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|(?![-*+•]\s)[^`]{1,60}:\s*$)/.test(line);

/** Whether a line says what is to be done or answered, which may end. */
export const isUnsettled = (text: string): boolean =>
  /^(?:\*\*)?(?:open|required)(?:\*\*)?:/i.test(text);

/**
 * The lines of a summary that a model wrote about entries `from` to `to`, the first worth most, so
 * that what is dropped goes from the end; each in the place of the entries that it rests on. Files are
 * told from `root`.
 */
export function summaryLines(
  summary: string,
  context: {
    readonly from: number;
    readonly to: number;
    readonly turnOf: (n: number) => number;
    readonly root: string;
    readonly count: Count;
  },
): readonly Line[] {
  const { turnOf, root, count } = context;
  const make = lineMaker(count);
  const textLines = summary.split('\n').filter((line) => plainSentence(line) !== '');
  const bodyLines = textLines.filter((line) => !isHead(line));
  const texts = (bodyLines.length === 0 ? textLines : bodyLines).map(plainSentence);
  const lines = texts.map((line, index) => {
    const { text: read, ...place } = placed(line, context);
    const [worth, text, turn] = [worthWritten(read, index), fromRoot(read, root), turnOf(place.n)];
    return make({ ...place, turn, kind: 'said', text, worth });
  });
  return lines.filter(({ text }) => text !== '');
}

/**
 * Where a line belongs. What is printed before it is left out of it: the ids at its end, where they
 * are near one another.
 */
function placed(
  line: string,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly n: number; readonly to: number; readonly text: string } {
  const { text, cited } = splitCitations(line);
  const [n, last] = [
    Math.min(...cited.map(([one]) => one)),
    Math.max(...cited.map(([, one]) => one)),
  ];
  const isOwn = cited.length > 0 && n >= from && last <= to;
  if (isOwn && (cited.length === 1 || last - n <= mostSpread)) return { n, to: last, text };
  const named = isOwn ? n : (citationsIn(line)[0]?.[0] ?? 0);
  return named >= from && named <= to
    ? { n: named, to: named, text: line }
    : { n: from, to, text: line };
}

/**
 * The lines of a summary with those found in its entries that it does not tell itself: changes of
 * files, commits, failures of entries that none of its own failures rests on, and lists; and what was
 * said, answered and read, where that names things of which it says nothing. A line that tells of a file
 * or a commit in place of what was found takes it over, a file one each, and is worth no less for it.
 * `endsTurn` says whether the last turn of the entries ends with them.
 */
export function withFound(
  summaryLines: readonly Line[],
  entryLines: readonly Line[],
  { root, endsTurn }: { readonly root: string; readonly endsTurn: boolean },
): readonly Line[] {
  const lines = [...summaryLines];
  const failures = summaryLines.filter(({ text }) => /^(?:\*\*)?failed/i.test(text));
  const spans = failures.flatMap(({ n, to, text }) => [[n, to] as const, ...citationsIn(text)]);
  const untold = entryLines.filter((one) => {
    const { kind, file, n, to } = one;
    if (kind === 'failed') return !spans.some(([first, last]) => first <= to && last >= n);
    if (kind === 'done' && file === '') {
      const subject = subjectOf(one.text);
      if (subject === '') return false;
      const telling = lines.findIndex(({ text }) => text.includes(subject));
      if (telling >= 0) lines[telling] = inPlaceOf(lines[telling]!, one);
      return telling < 0;
    }
    if (kind !== 'changed') return kind === 'list' || kind === 'done';
    const name = fromRoot(file, root);
    const telling = lines.findIndex(
      (line) => (line.file === '' || line.file === file) && containsWord(line.text, name),
    );
    if (telling >= 0) lines[telling] = { ...lines[telling]!, file };
    return telling < 0;
  });
  return [...lines, ...untold, ...wordsBeside(summaryLines, entryLines, endsTurn)].sort(
    (a, b) => a.n - b.n || a.to - b.to,
  );
}

/** Names of which the lines of a summary tell nothing that a statement has to have to stand beside them. */
const leastNames = 2;

/**
 * What was said and read beside a summary, in the words of the log: what people answered, what a turn of work
 * ends with, for that was said to be kept, and what names things of which the summary tells nothing. It is told
 * as what was read: nobody has to put it right.
 */
function wordsBeside(
  summaryLines: readonly Line[],
  entryLines: readonly Line[],
  endsTurn: boolean,
): readonly Line[] {
  const summaryNames = new Set(summaryLines.flatMap(({ text }) => namesIn(text)));
  const begun = new Map<number, number>();
  const closing = new Map<number, number>();
  for (const { turn, kind, n } of entryLines) {
    if (kind === 'asked') continue;
    const first = begun.get(turn);
    if (first === undefined) begun.set(turn, n);
    else if (kind === 'said' && n > first) closing.set(turn, n);
  }
  if (!endsTurn) closing.delete(entryLines.at(-1)?.turn ?? 0);
  return entryLines.flatMap((line) => {
    const { kind, turn, n, text } = line;
    if (kind !== 'said' && kind !== 'read') return [];
    const isKept = isReplyLine(text) || (kind === 'said' && closing.get(turn) === n);
    const untold = isKept ? [] : namesIn(text).filter((name) => !summaryNames.has(name));
    return isKept || untold.length >= leastNames ? [{ ...line, kind: 'read' }] : [];
  });
}

/** A line that tells what was found, of the same value at least. */
const inPlaceOf = (line: Line, entryLine: Line): Line => ({
  ...line,
  worth: Math.max(
    line.worth,
    (entryLine.worth * worthOf(1, line.text)) / worthOf(1, entryLine.text),
  ),
});

/** The first line of the commit or pull request that a line tells of; '' for none. */
const subjectOf = (text: string): string =>
  /^(?:commit|pull request): (.+?)(?: · |$)/.exec(text)?.[1] ?? '';
