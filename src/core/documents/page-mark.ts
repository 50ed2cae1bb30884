import { contentLines, digestOf } from './document-digest.ts';
import { pageChanges } from './page-edit.ts';
import type { CheckpointDocument } from './document.ts';

// What is read of a page: whose it is, whether somebody edited it, and which lines;
// and where the work stood, for the day when nothing else is left.

/** The file of the page. */
export const pageFile = 'NOW.md';

/** What the last line of a page says of it; null where there is none of ours. */
export interface PageMark {
  readonly session: string;
  /** Whether the lines before it are as they were written. */
  readonly isAsWritten: boolean;
}

/** What a session may be called; a forged mark leads to no other file. */
const isSessionId = /^[\w.-]{1,64}$/;

const markLine = /^<!-- flamestack page (\{.*\}) -->$/;

/** Reads the mark of a page. Never throws. */
export function readPageMark(text: string): PageMark | null {
  const lines = contentLines(text);
  const at = lines.findLastIndex((line) => markLine.test(line));
  try {
    const json = markLine.exec(lines[at] ?? '')?.[1] ?? '';
    const { session, digest } = JSON.parse(json) as Record<string, unknown>;
    if (typeof session !== 'string' || !isSessionId.test(session)) return null;
    return { session, isAsWritten: digest === digestOf(withoutMark(text)) };
  } catch {
    return null;
  }
}

const withoutMark = (text: string): readonly string[] =>
  contentLines(text).filter((line) => !markLine.test(line));

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
    const known = new Set(others);
    return lines.filter((line) => !known.has(line));
  };
  const [added, removed] = [without(now, old), without(old, now)];
  return { added, removed, changes: pageChanges(before, after) };
}

/** How many lines of a page stand in another one, too; titles count for nothing. */
export function sharedLines(before: string, after: string): number {
  const old = new Set(withoutMark(before));
  return withoutMark(after).filter((line) => old.has(line) && !/^(?:#{2,} |> )/.test(line)).length;
}

/** The lines of a page that say where the work stands, by the field of a document. */
const labels = {
  goal: 'Goal',
  topic: 'Working on',
  completed: 'Last completed',
  next: 'Next',
} as const;

/** What stands behind the goal of a page. */
const marks = / \((?:asked in|high|low|paused|completed)[^()]*\)$/;

/** Where the work stood by a page of ours; nothing for any other text. */
export function readPage(text: string): Partial<CheckpointDocument> {
  const mark = readPageMark(text);
  if (mark === null) return {};
  const lines = contentLines(text);
  const found = Object.entries(labels).map(([field, label]) => {
    const start = `- **${label}:** `;
    const line = lines.find((one) => one.startsWith(start))?.slice(start.length) ?? '';
    return [field, line.replace(marks, '').replace(/\\(?=[!-/:-@[-`{-~])/g, '')];
  });
  return { session: mark.session, ...Object.fromEntries(found) } as Partial<CheckpointDocument>;
}
