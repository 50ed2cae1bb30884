import { contentLines } from './document-digest.ts';

// An edit of the page by hand, by its sections: what was put in and taken out, as a
// person would say it, one line each behind a word for its section. So no line of an
// edit is a heading or a mark, and what it means can be read from the log again.

/** What a person changed on a page. */
export interface EditMeaning {
  readonly next: string;
  readonly topic: string;
  readonly decisions: readonly string[];
  readonly open: readonly string[];
  readonly done: readonly string[];
  /** What was taken out of open items and decisions. */
  readonly gone: readonly string[];
}

const opening = 'I edited NOW.md by hand; it counts as what I say now.';

/** Most lines that are told of what was taken out. */
const mostGone = 12;

/** A line of a page: the word for its section, and its text as it was before it was printed. */
interface PageLine {
  readonly word: string;
  readonly text: string;
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
function linesOfPage(text: string): readonly PageLine[] {
  let section = 'Note';
  return contentLines(text).flatMap((line): readonly PageLine[] => {
    const title = /^## ([^(]*)/.exec(line)?.[1]?.trim().toLowerCase() ?? '';
    const word = sections[title];
    if (word !== undefined) section = word;
    if (word !== undefined || section === '' || isFurniture.test(line)) return [];
    const field = /^- \*\*(Goal|Working on|Last completed|Next|Waiting for):\*\* (.*)$/.exec(line);
    if (field !== null) return [{ word: field[1]!, text: plain(field[2]!) }];
    const [, mark, rest] = /^[-*+] (?:\[([ xX])\] ?)?(.*)$/.exec(line) ?? [null, undefined, line];
    const ticked = mark === undefined ? section : mark === ' ' ? 'Open' : 'Done';
    return [{ word: section === 'Decision' ? section : ticked, text: plain(rest) }];
  });
}

const isFurniture = /^(?:# Now: |> One page on where |- \*\*As of:\*\*|<!-- flamestack page )/;

/** A text without the escapes, the marks and the quotes that a page puts to it. */
const plain = (text: string): string =>
  text
    .replace(
      / \((?:[a-z, ]*(?:list|frame|commit|milestone|locked)[a-z, ]*(?:, )?)?(?:e\d+)?\)$/,
      '',
    )
    .replace(/ — (?:a person|the model|a closed frame)(?:, e\d+)?$/, '')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/^“([^“”]*)”(?: \(e\d+\))?$/, '$1')
    .trim();

/** What was changed between two texts of a page, one line each. */
export function pageChanges(before: string, after: string): readonly string[] {
  const [old, now] = [linesOfPage(before), linesOfPage(after)];
  const key = ({ word, text }: PageLine): string => `- ${word}: ${text}`;
  const without = (lines: readonly PageLine[], others: readonly PageLine[]): PageLine[] => {
    const known = new Set(others.map(key));
    return lines.filter((line) => line.text !== '' && !known.has(key(line)));
  };
  const added = without(now, old);
  const moved = new Set(added.flatMap(({ word, text }) => [text, isField(word) ? word : text]));
  const gone = without(old, now).filter(({ word, text }) => !moved.has(text) && !moved.has(word));
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
    next: all('Next').at(-1) ?? '',
    topic: all('Working on').at(-1) ?? '',
    decisions: all('Decision'),
    open: all('Open'),
    done: all('Done'),
    gone: ['Open', 'Done', 'Decision'].flatMap((word) => all(`Taken out: ${word}`)),
  };
}
