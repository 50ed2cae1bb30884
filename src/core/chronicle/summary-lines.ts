import type { Count } from '../messages/token-count.ts';
import { plainSentence } from '../text/decisions.ts';
import { containsWord } from '../entities/entities.ts';
import { citationsIn, splitCitations } from '../lines/citations.ts';
import { lineMaker, type Line } from '../lines/line.ts';
import { worthOf } from '../lines/worth.ts';
import { fromRoot } from '../files/root.ts';

/** What a line that a model wrote tells, by how it begins; one that begins otherwise as much as what was found. */
const values = { decided: 3.2, failed: 2.2, found: 2.4, changed: 2, open: 2.4, done: 1.2 } as const;

/** What each line tells beside the one before it: a summary begins with what matters most. */
const nextShare = 0.985;

/** What a line that a model wrote is worth, the `index`th of its summary. */
export function worthWritten(text: string, index = 0): number {
  const [, kind = 'found'] = /^(?:\*\*)?(decided|failed|changed|open|done)\b/i.exec(text) ?? [];
  return worthOf(values[kind.toLowerCase() as keyof typeof values] * nextShare ** index, text);
}

/** Most entries from the first to the last of a line's own for these to stand before it in place of behind it. */
const mostSpread = 12;

/** A line that only announces those after it. */
const isHead = (line: string): boolean =>
  /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|(?![-*+•]\s)[^`]{1,60}:\s*$)/.test(line);

/** Whether a line says what is still to do or to answer. */
export const isOpen = (text: string): boolean => /^(?:\*\*)?open(?:\*\*)?:/i.test(text);

/**
 * The lines of a summary that a model wrote about entries `from` to `to`, the first worth most, so
 * that what is dropped goes from the end; each in the place of the entries that it rests on. Files are
 * told from `root`.
 */
export function summaryLines(
  summary: string,
  given: {
    readonly from: number;
    readonly to: number;
    readonly turn: number;
    readonly root: string;
    readonly count: Count;
  },
): readonly Line[] {
  const { turn, root, count } = given;
  const make = lineMaker(count);
  const said = summary.split('\n').filter((line) => plainSentence(line) !== '');
  const told = said.filter((line) => !isHead(line));
  const texts = (told.length === 0 ? said : told).map(plainSentence);
  const lines = texts.map((line, index) => {
    const { text, ...place } = placed(line, given);
    const worth = worthWritten(text, index);
    return make({ ...place, turn, kind: 'said', text: fromRoot(text, root), worth });
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
 * files, commits, failures of entries that none of its own failures rests on, and lists. A line that tells of
 * a file in place of what was found takes it over, one each.
 */
export function withFound(
  told: readonly Line[],
  found: readonly Line[],
  root: string,
): readonly Line[] {
  const lines = [...told];
  const failures = told.filter(({ text }) => /^(?:\*\*)?failed/i.test(text));
  const spans = failures.flatMap(({ n, to, text }) => [[n, to] as const, ...citationsIn(text)]);
  const untold = found.filter(({ kind, file, n, to, text }) => {
    if (kind === 'failed') return !spans.some(([first, last]) => first <= to && last >= n);
    if (kind === 'done') {
      const subject = subjectOf(text);
      return subject !== '' && !lines.some((line) => line.text.includes(subject));
    }
    if (kind !== 'changed') return kind === 'list';
    const name = fromRoot(file, root);
    const telling = lines.findIndex(
      (line) => (line.file === '' || line.file === file) && containsWord(line.text, name),
    );
    if (telling >= 0) lines[telling] = { ...lines[telling]!, file };
    return telling < 0;
  });
  return [...lines, ...untold].sort((a, b) => a.n - b.n || a.to - b.to);
}

/** The first line of the commit or pull request that a line tells of; '' for none. */
const subjectOf = (text: string): string =>
  /^(?:commit|pull request): (.+?)(?: · |$)/.exec(text)?.[1] ?? '';
