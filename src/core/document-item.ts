import type { ItemKind, ListItem } from './document.ts';
import { parseText, printText } from './document-text.ts';

// A line of a list, and back. What an item is beside its text stands in
// parentheses at its end; where a text ends like that on its own, a backslash
// stands before.

const kinds: Readonly<Record<ItemKind, true>> = {
  noted: true,
  directive: true,
  milestone: true,
  'milestone, in progress': true,
  frame: true,
  'frame, planned': true,
  'frame, blocked': true,
  'frame, completed': true,
  'frame, failed': true,
};

const markOfItem = endingWith(Object.keys(kinds));
const markOfGoal = endingWith([
  '(?:high|low) priority(?:, (?:paused|completed))?',
  'paused|completed',
]);

/** Words in parentheses at the end of a line. */
function endingWith(words: readonly string[]): RegExp {
  return new RegExp(`(?:^|[ \\t])\\((${words.join('|')})\\)$`, 'i');
}

/** An item as a line of a list: box, text, what it is. */
export function printItem({ text, done, kind, detail = '', depth = 0 }: ListItem): string {
  const isFrame = kind?.startsWith('frame') === true;
  const name = isFrame ? withoutDash(printText(text, 'item')) : printText(text, 'item');
  const about = isFrame && detail !== '' ? after('—', printText(detail, 'item')) : '';
  const all = name === '' || about === '' ? name + about : `${name} ${about}`;
  const line = after(done ? '[x]' : '[ ]', marked(all, kind ?? '', markOfItem));
  return `${'  '.repeat(depth)}${after('-', line)}`;
}

/** The item that {@link printItem} printed, or that a person wrote; `depth` is how far it is indented below others. */
export function parseItem(markdown: string, depth: number): ListItem {
  const done = /x/i.test(box.exec(markdown)?.[1] ?? '');
  const { rest, mark } = unmarked(withoutBox(markdown), markOfItem);
  if (mark === '') return { text: parseText(rest, 'item'), done };
  const kind = mark.toLowerCase() as ItemKind;
  if (!kind.startsWith('frame')) return { text: parseText(rest, 'item'), done, kind };
  const [, name = rest, about = ''] = dash.exec(rest) ?? [];
  const detail = parseText(about, 'item');
  return {
    text: parseText(name, 'item'),
    done,
    kind,
    ...(detail === '' ? {} : { detail }),
    ...(depth === 0 ? {} : { depth }),
  };
}

/** What stands between two parts of a line, and does not stand in the first. */
const dash = /^([^]*?)(?:^|[ \t\n])[—–](?:[ \t]([^]*)|)$/;

/** A line `**Label:** text`, with what else is to say in parentheses. */
export function printLabelled(label: string, text: string, marks: readonly string[] = []): string {
  const line = marked(printText(text, 'item'), marks.join(', '), markOfGoal);
  return after('-', after(`**${label}:**`, line));
}

/** The text behind a label among items, and the marks at its end. */
export function parseLabelled(
  items: readonly string[],
  label: string,
): { readonly text: string; readonly marks: readonly string[] } {
  const pattern = new RegExp(`^\\*\\*${label}(?::\\*\\*|\\*\\*:?)[ \\t]*([^]*)$`, 'i');
  for (const item of items) {
    const found = pattern.exec(item)?.[1];
    if (found === undefined) continue;
    const marks: string[] = [];
    let { rest, mark } = unmarked(found, markOfGoal);
    for (; mark !== ''; { rest, mark } = unmarked(rest, markOfGoal))
      marks.unshift(...mark.toLowerCase().split(', '));
    return { text: parseText(rest, 'item'), marks };
  }
  return { text: '', marks: [] };
}

const box = /^\[([ xX]?)\](?:[ \t]+|$)/;

/** An item without its box. */
export const withoutBox = (item: string): string => item.replace(box, '');

const after = (sign: string, markdown: string): string =>
  markdown === '' ? sign : `${sign} ${markdown}`;

function marked(markdown: string, mark: string, marks: RegExp): string {
  const own = marks.exec(markdown)?.[1];
  const at = own === undefined ? -1 : markdown.length - own.length - 2;
  const text = at < 0 ? markdown : `${markdown.slice(0, at)}\\${markdown.slice(at)}`;
  if (mark === '') return text;
  return text === '' ? `(${mark})` : `${text} (${mark})`;
}

function unmarked(markdown: string, marks: RegExp): { rest: string; mark: string } {
  const found = marks.exec(markdown);
  return { rest: markdown.slice(0, found?.index), mark: found?.[1] ?? '' };
}

/** A title whose dashes part nothing. */
function withoutDash(markdown: string): string {
  return markdown.replace(/[—–]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
