import { newGoal, withoutDone, type Goal } from '../frames/goal.ts';
import type { Message } from '../messages/message.ts';
import { oneLine } from '../text/sentences.ts';
import { contentLines } from './document-digest.ts';
import type { CheckpointDocument } from './document.ts';
import type { ItemKind, ListItem } from './list-item.ts';

// An edit of the page by hand, by its sections: what was put in and taken out, as a
// person would say it, one line each behind a word for its section. So no line of an
// edit is a heading or a mark, and what it means can be read from the log again.

/** What a person changed on a page. */
export interface EditMeaning {
  /** With the marks behind it; '' where it stayed, and so are the others. */
  readonly goal: string;
  readonly next: string;
  readonly topic: string;
  readonly completed: string;
  readonly decisions: readonly string[];
  readonly open: readonly string[];
  readonly done: readonly string[];
  /** What was taken out of open items and decisions. */
  readonly gone: readonly string[];
}

const opening = 'I edited NOW.md by hand; it counts as what I say now.';

/** Most lines that are told of what was taken out. */
const mostGone = 12;

/** A line of a page. */
export interface PageLine {
  /** For its section, or the field that it is. */
  readonly word: string;
  /** As it was before it was printed. */
  readonly text: string;
  /** What the page put behind it: what it was made from, or whose it is. */
  readonly mark: string;
  /** The entry that the page names behind it; '' for none. */
  readonly entry: string;
}

const sections: Readonly<Record<string, string>> = {
  open: 'Open',
  'decisions in force': 'Decision',
  done: 'Done',
  files: 'File',
  failed: 'Failed',
  'where to look': '',
};

/** The lines of a page that say something; its titles, its instruction and where to look say nothing. */
export function linesOfPage(text: string): readonly PageLine[] {
  let section = 'Note';
  return contentLines(text).flatMap((line): readonly PageLine[] => {
    const title = /^## ([^(]*)/.exec(line)?.[1]?.trim().toLowerCase() ?? '';
    const word = sections[title];
    if (word !== undefined) section = word;
    if (word !== undefined || section === '' || isFurniture.test(line)) return [];
    const field = /^- \*\*(Goal|Working on|Last completed|Next|Waiting for):\*\* (.*)$/.exec(line);
    if (field !== null) return [{ word: field[1]!, ...unprinted(field[2]!) }];
    const [, mark, rest] = /^[-*+] (?:\[([ xX])\] ?)?(.*)$/.exec(line) ?? [null, undefined, line];
    const ticked = mark === undefined ? section : mark === ' ' ? 'Open' : 'Done';
    return [{ word: section === 'Decision' ? section : ticked, ...unprinted(rest) }];
  });
}

const isFurniture = /^(?:# Now: |> One page on where |- \*\*As of:\*\*|<!-- flamestack page )/;

const madeFrom =
  / \((?:((?:list|frame|commit|milestone|locked)(?:, (?:in progress|planned|blocked))?)(?:, (e\d+))?|(e\d+)(?:–e\d+)?)\)$/;

const madeBy = / — (a person|the model|a closed frame)(?:, (e\d+))?$/;

/** A text without the escapes, the marks and the quotes that a page puts to it. */
function unprinted(printed: string): Omit<PageLine, 'word'> {
  const [end = '', kind, ...entries] = madeFrom.exec(printed) ?? madeBy.exec(printed) ?? [];
  const text = unescaped(printed.slice(0, printed.length - end.length));
  return {
    text: text.replace(/^“([^“”]*)”(?: \(e\d+\))?$/, '$1').trim(),
    mark: kind ?? '',
    entry: entries.find((entry) => entry !== undefined) ?? '',
  };
}

/** A text without the escapes that a page puts to it. */
export const unescaped = (printed: string): string => printed.replace(/\\(?=[!-/:-@[-`{-~])/g, '');

/** What was changed between two texts of a page, one line each. */
export function pageChanges(before: string, after: string): readonly string[] {
  const [old, now] = [linesOfPage(before), linesOfPage(after)];
  const key = ({ word, text }: PageLine): string => `- ${word}: ${text}`;
  const without = (lines: readonly PageLine[], others: readonly PageLine[]): PageLine[] => {
    const otherKeys = new Set(others.map(key));
    return lines.filter((line) => line.text !== '' && !otherKeys.has(key(line)));
  };
  const added = without(now, old);
  const texts = new Set(added.map(({ text }) => text));
  const replaced = new Set(added.map(({ word }) => word).filter(isField));
  const gone = without(old, now).filter(
    ({ word, text }) => !texts.has(text) && !replaced.has(word),
  );
  if (now.length === 0 && old.length > 0) return ['- I emptied it.'];
  const more = gone.length > mostGone ? [`- Taken out: ${gone.length - mostGone} lines more`] : [];
  return [
    ...added.map(key),
    ...gone.slice(0, mostGone).map((line) => `- Taken out: ${line.word}: ${line.text}`),
    ...more,
  ];
}

const isField = (word: string): boolean =>
  ['Goal', 'Working on', 'Last completed', 'Next', 'Waiting for'].includes(word);

/** What was changed, as the message of a person. */
export const editMessage = ({ changes }: { readonly changes: readonly string[] }): string =>
  [opening, ...changes].join('\n');

/** What an edit in a message of a person means; null for any other message. */
export function readEdit(text: string): EditMeaning | null {
  if (!text.startsWith(opening)) return null;
  const lines = text.split('\n').slice(1);
  const all = (word: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`- ${word}: `) ? [line.slice(word.length + 4)] : []));
  return {
    goal: all('Goal').at(-1) ?? '',
    next: all('Next').at(-1) ?? '',
    topic: all('Working on').at(-1) ?? '',
    completed: all('Last completed').at(-1) ?? '',
    decisions: all('Decision'),
    open: all('Open'),
    done: all('Done'),
    gone: ['Open', 'Done', 'Decision'].flatMap((word) => all(`Taken out: ${word}`)),
  };
}

/** Whether a message tells of an edit of the page: ours, which no list of a host has. */
export const isEdit = ({ role, content }: Message): boolean =>
  role === 'user' && typeof content === 'string' && readEdit(content) !== null;

const goalLine =
  /^(.*?)(?: \(((?:asked in e\d+|(?:high|low) priority|paused|completed)(?:, (?:(?:high|low) priority|paused|completed))*)\))?$/;

/** A goal as the page prints it. */
export function readGoal(
  printed: string,
): Pick<CheckpointDocument, 'goal' | 'asked' | 'priority' | 'standing'> {
  const [, goal = '', marks = ''] = goalLine.exec(printed) ?? [];
  const asked = /asked in (e\d+)/.exec(marks)?.[1] ?? '';
  const priority = /(high|low) priority/.exec(marks)?.[1] ?? 'medium';
  const standing = /paused|completed/.exec(marks)?.[0] ?? 'active';
  return { goal, asked, priority, standing } as ReturnType<typeof readGoal>;
}

/** The goal that an edit leaves: its line, milestones and next steps that were ticked or taken out, decisions that were. */
export function editedGoal(before: Goal | null, edit: EditMeaning): Goal | null {
  const { goal: description, priority, standing: status } = readGoal(edit.goal);
  // One that the page has in part only stays as it is.
  const isNew = description !== '' && !description.endsWith('…');
  const named = isNew ? { description, priority, status } : {};
  const goal = before ?? (isNew ? newGoal(description) : null);
  if (goal === null) return null;
  const { isDone, isOpen, isGone } = ticksOf(edit);
  const after: Goal = {
    ...goal,
    ...named,
    milestones: goal.milestones
      .filter((one) => !isGone(one))
      .map((one) => {
        if (isDone(one)) return { ...one, status: 'completed' };
        return isOpen(one) && one.status === 'completed' ? { ...one, status: 'pending' } : one;
      }),
    decisions: goal.decisions.filter((one) => !isGone(one)),
  };
  const { next } = withoutDone(goal, after);
  return { ...after, next: next.filter((text) => !isGone({ text }) && !isDone({ text })) };
}

/** What documents tell, as a page that was edited since has it; decisions that were put in are told by the edit itself. */
export function withEdit(document: CheckpointDocument, edit: EditMeaning): CheckpointDocument {
  const { isDone, isOpen, isGone } = ticksOf(edit);
  const actions = document.actions
    .filter((item) => isDone(item) || isOpen(item) || !isGone(item))
    .map((item) => (isDone(item) || isOpen(item) ? withTick(item, isDone(item)) : item));
  const isKnown = (line: string): boolean => document.actions.some((item) => isLineOf(line, item));
  const added = (texts: readonly string[], done: boolean): readonly ListItem[] =>
    texts.filter((text) => !isKnown(text)).map((text) => ({ text, done, kind: 'list' }));
  return {
    ...document,
    ...(edit.goal === '' ? {} : { ...readGoal(edit.goal), asked: '' }),
    topic: edit.topic || document.topic,
    completed: edit.completed || document.completed,
    next: edit.next || document.next,
    decisions: document.decisions.filter((one) => !isGone(one)),
    actions: [...actions, ...added(edit.open, false), ...added(edit.done, true)],
    questions: document.questions.filter((question) => {
      const item = { text: `Asked: ${question}` };
      return !isGone(item) && !isDone(item);
    }),
  };
}

/** An item as somebody ticked or unticked it; what was told of a frame is no longer so then. */
function withTick(item: ListItem, done: boolean): ListItem {
  if (item.done === done) return item;
  const { kind, detail: _, ...rest } = item;
  const family = kind?.split(', ', 1)[0] as ItemKind | undefined;
  if (family === 'frame')
    return { ...rest, done, kind: done ? 'frame, completed' : 'frame, planned' };
  return { ...rest, done, ...(family === undefined ? {} : { kind: family }) };
}

/** What a line of an edit may be about. */
type Named = Pick<ListItem, 'text' | 'detail'>;

/** Tests for what was ticked, unticked and taken out. */
function ticksOf({
  done,
  open,
  gone,
}: EditMeaning): Record<'isDone' | 'isOpen' | 'isGone', (item: Named) => boolean> {
  const within =
    (lines: readonly string[]) =>
    (item: Named): boolean =>
      lines.some((line) => isLineOf(line, item));
  return { isDone: within(done), isOpen: within(open), isGone: within(gone) };
}

/** Whether a line of the page tells an item, which it may show in part. */
function isLineOf(line: string, { text, detail = '' }: Named): boolean {
  const [lineWords, whole] = [wordsOf(line), wordsOf(text)];
  if (lineWords === whole) return true;
  if (detail !== '' && line.startsWith(`${oneLine(text)} — `)) return true;
  return line.endsWith('…') && lineWords.length > 20 && whole.startsWith(lineWords);
}

const wordsOf = (text: string): string =>
  text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || text.trim();
