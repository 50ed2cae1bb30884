import { contentLines, digestOf } from './document-digest.ts';
import { linesOfPage, pageChanges, readGoal, unescaped, type PageLine } from './page-edit.ts';
import { emptyDocument, type CheckpointDocument, type FileChange } from './document.ts';
import type { Mask } from '../text/redaction.ts';
import { itemKinds, type ListItem } from './list-item.ts';

// What is read of a page: whose it is, whether somebody edited it, and which lines;
// and where the work stood, for the day when nothing else is left.

/** The file of the page. */
export const pageFile = 'NOW.md';

/** What the last line of a page says of it; null where there is none of ours. */
export interface PageMark {
  readonly session: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly messages: number;
  /** Whether the lines before it are as they were written. */
  readonly isAsWritten: boolean;
}

/** What a session may be called; a forged mark leads to no other file. */
const isSessionId = /^[\w.-]{1,64}$/;

const markLine = /^<!-- flamestack page (\{.*\}) -->$/;

/** Reads the mark of a page. Never throws. */
export function readPageMark(text: string): PageMark | null {
  const json = contentLines(text).flatMap((line) => markLine.exec(line)?.[1] ?? []);
  if (json.length === 0) return null;
  try {
    const { session, at, messages, digest } = JSON.parse(json.at(-1)!) as Record<string, unknown>;
    if (typeof session !== 'string' || !isSessionId.test(session)) return null;
    const isAsWritten = digest === digestOf(withoutMark(text));
    return { session, at: wholeNumber(at), messages: wholeNumber(messages), isAsWritten };
  } catch {
    return null;
  }
}

const wholeNumber = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;

const withoutMark = (text: string): readonly string[] =>
  contentLines(text).filter((line) => !markLine.test(line));

/** A page in which a text was masked; one that was as it was written still is. */
export function maskedPage(text: string, mask: Mask): string {
  const isAsWritten = readPageMark(text)?.isAsWritten === true;
  const lines = text.split('\n').map((line) => (markLine.test(line.trimEnd()) ? line : mask(line)));
  const masked = lines.join('\n');
  if (!isAsWritten) return masked;
  const digest = digestOf(withoutMark(masked));
  return masked.replace(/(^<!-- flamestack page \{.*"digest":")[^"]*/m, `$1${digest}`);
}

/** What somebody changed on a page by hand: lines put in and taken out, and what that means, a line each. */
export interface PageEdit {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changes: readonly string[];
}

/** The lines that somebody put into a page, and those that they took out. */
export function pageEdits(before: string, after: string): PageEdit {
  const [old, now] = [withoutMark(before), withoutMark(after)];
  const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
    const otherLines = new Set(others);
    return lines.filter((line) => !otherLines.has(line));
  };
  const [added, removed] = [without(now, old), without(old, now)];
  return { added, removed, changes: pageChanges(before, after) };
}

/** How many lines of a page stand in another one, too; titles count for nothing. */
export function sharedLines(before: string, after: string): number {
  const old = new Set(withoutMark(before));
  return withoutMark(after).filter((line) => old.has(line) && !/^(?:#{2,} |> )/.test(line)).length;
}

const titleLine = /^# Now: (.*)$/;

/** What a page tells, as a document of everything, with its text behind it; null for any other text. */
export function readPage(text: string): CheckpointDocument | null {
  const mark = readPageMark(text);
  const title = titleLine.exec(contentLines(text)[0] ?? '')?.[1] ?? '';
  if (mark === null && title === '') return null;
  const { session = '', at = 0, messages = 0 } = mark ?? {};
  const lines = linesOfPage(text);
  const field = (name: string): string => {
    const start = `- **${name}:** `;
    const line = contentLines(text).find((one) => one.startsWith(start)) ?? '';
    return unescaped(line.slice(start.length));
  };
  const of = (...words: readonly string[]): readonly PageLine[] =>
    lines.filter(({ word, text: content }) => words.includes(word) && content !== '');
  const items = of('Open', 'Done').filter(
    ({ text: content }) => !content.startsWith(questionPrefix),
  );
  return {
    ...emptyDocument,
    session,
    at,
    messages,
    ...readGoal(field('Goal')),
    title: title === session ? '' : title,
    topic: field('Working on'),
    completed: field('Last completed'),
    next: field('Next'),
    decisions: of('Decision').map(decisionOf),
    actions: actionsOf(items),
    questions: of('Open').flatMap(({ text: content }) =>
      content.startsWith(questionPrefix) ? [content.slice(questionPrefix.length)] : [],
    ),
    status: of('Failed')
      .map(({ text: content }) => `- ${content}`)
      .join('\n'),
    files: of('File').flatMap(fileOf(text)),
    edited: text.trim(),
  };
}

/** Precedes an open question of the model among what is open. */
const questionPrefix = 'Asked: ';

function decisionOf({ text, mark, entry }: PageLine): ListItem {
  if (mark === 'a person') return { text, done: true, kind: 'directive', entry: entry || 'e1' };
  if (mark === 'the model') return { text, done: false, kind: 'noted', entry: entry || 'e1' };
  if (mark === 'a closed frame') return { text, done: true, kind: 'noted' };
  return { text, done: mark === 'locked' };
}

/** Open and done items; a frame in progress stands below the one before it. */
function actionsOf(lines: readonly PageLine[]): readonly ListItem[] {
  let depth = 0;
  return lines.map((line) => {
    const item = actionOf(line, depth);
    if (line.word === 'Open' && line.mark === 'frame') depth += 1;
    return item;
  });
}

/** An open or done item, with `depth` frames in progress above it. */
function actionOf({ word, text, mark, entry }: PageLine, depth: number): ListItem {
  const done = word === 'Done';
  const isFrame = mark.startsWith('frame');
  const kind = itemKinds.find((one) => one === (isFrame && done ? 'frame, completed' : mark));
  const [title, ...about] = (isFrame ? text.split(' — ') : [text]) as [string, ...string[]];
  return {
    text: title,
    done,
    ...(kind === undefined ? {} : { kind }),
    ...(entry === '' ? {} : { entry }),
    ...(about.length === 0 ? {} : { detail: about.join(' — ') }),
    ...(mark === 'frame' && !done && depth > 0 ? { depth } : {}),
  };
}

const fileOf = (text: string): ((line: PageLine) => readonly FileChange[]) => {
  const folder = /^## Files \(… is `(.+)`\)$/m.exec(text)?.[1] ?? '…';
  return ({ text: content }) => {
    const [, path, change = ''] = /^`([^`]+)`(?: — (.*))?$/.exec(content) ?? [];
    if (path === undefined) return [];
    return [{ path: path.replace(/^…/, folder), change }];
  };
};
