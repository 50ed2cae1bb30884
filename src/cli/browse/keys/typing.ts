import { stepAt as momentAt, whyNoStep } from '../../../viewer/page/session/model/moment.ts';
import { reading } from './moves.ts';
import type { Browsing, OpenSession, TypedLine } from '../browsing.ts';

/** Longest line that is typed, in UTF-16 units. */
const longest = 200;

/** The browser after a key while a line is typed. */
export function pressInLine(browsing: Browsing, line: TypedLine, key: string): Browsing {
  if (key === 'escape') return withFilter({ ...browsing, line: null }, line, line.before ?? '');
  if (key === 'enter') return done({ ...browsing, line: null }, line);
  const text = textAfter(line.text, key);
  return withFilter({ ...browsing, line: { ...line, text } }, line, text);
}

function textAfter(text: string, key: string): string {
  if (key === 'backspace') return Array.from(text).slice(0, -1).join('');
  if (key === 'erase') return '';
  const more = key.startsWith('paste:') ? key.slice('paste:'.length) : key;
  const isText = more !== key || Array.from(key).length === 1;
  // A line of a paste is enough; what a terminal obeys is cleaned where it is shown.
  const added = isText ? more.split(/[\r\n]/, 1)[0]! : '';
  return text.length + added.length > longest ? text : text + added;
}

/** The list is filtered while the words are typed. */
function withFilter(browsing: Browsing, line: TypedLine, text: string): Browsing {
  if (line.for !== 'filter' || browsing.list.filter === text) return browsing;
  return { ...browsing, list: { ...browsing.list, filter: text, at: 0 } };
}

function done(browsing: Browsing, { for: what, text }: TypedLine): Browsing {
  const { open } = browsing;
  const words = text.trim();
  if (what === 'filter' || open === null || words === '') return browsing;
  if (what === 'moment') return atMoment(browsing, open, words);
  return reading(browsing, { title: `mentions of ${words}`, question: { of: 'words', words } });
}

/** The playhead at a moment, in the words of `show --at`. */
function atMoment(browsing: Browsing, open: OpenSession, words: string): Browsing {
  const { history, count, chosen } = open;
  const at = momentAt(history, words);
  if (at === null || at < 0 || at >= count)
    return {
      ...browsing,
      notice: whyNoStep(history, words),
    };
  const moved = {
    ...open,
    at,
    follows: at === count - 1,
    chosen: { ...chosen, log: null, lost: 0 },
  };
  return { ...browsing, open: moved };
}
