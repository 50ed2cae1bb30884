import {
  openSession,
  type Browsing,
  type OpenSession,
  type Overlay,
  type SessionList,
} from '../browsing.ts';
import { viewOf } from '../frame.ts';
import { chosenDeed, moved, over, reading } from './moves.ts';
import { clamped } from '../panes/rows.ts';
import { listedSessions } from '../panes/session-list.ts';
import { pressInSession } from './press-session.ts';
import { pressInLine } from './typing.ts';

/** The browser after a key. */
export function press(browsing: Browsing, key: string): Browsing {
  if (key === 'interrupt') return { ...browsing, ended: 'interrupted' };
  const heard = browsing.notice === '' ? browsing : { ...browsing, notice: '' };
  if (heard.line !== null) return pressInLine(heard, heard.line, key);
  if (key.startsWith('paste:')) return heard;
  const top = heard.over.at(-1);
  if (key === '?') return top?.type === 'help' ? heard : over(heard, { type: 'help', at: 0 });
  if (top !== undefined) return pressInOverlay(heard, top, key);
  if (heard.open === null) return pressInList(heard, key);
  return key === 'q' || key === 'escape'
    ? { ...heard, open: null }
    : pressInSession(heard, heard.open, key);
}

/** Without what lies on top. */
const uncovered = (browsing: Browsing): Browsing => ({
  ...browsing,
  over: browsing.over.slice(0, -1),
});

/** With another topmost overlay. */
const withTop = (browsing: Browsing, overlay: Overlay): Browsing => ({
  ...browsing,
  over: [...browsing.over.slice(0, -1), overlay],
});

/** Where a key of rows and pages goes in what is read and listed: `page-down` as the space bar, `home` and `end`, too. */
function movedInRows(browsing: Browsing, key: string): number | null {
  const { rows } = viewOf(browsing);
  if (key === 'home') return 0;
  if (key === 'end') return clamped(rows.length, rows.length);
  const same: Readonly<Record<string, string>> = { 'page-down': ' ', 'page-up': 'b' };
  return moved(browsing, same[key] ?? key);
}

function pressInOverlay(browsing: Browsing, top: Overlay, key: string): Browsing {
  if (key === 'q' || key === 'escape') return uncovered(browsing);
  const at = movedInRows(browsing, key);
  if (at !== null) return withTop(browsing, { ...top, at });
  if (key !== 'enter' || browsing.open === null) return browsing;
  const deed = chosenDeed(browsing);
  if (deed?.type === 'read') return reading(browsing, deed);
  if (deed?.type !== 'entry') return browsing;
  return { ...browsing, over: [], open: atEntry(browsing.open, deed.entry) };
}

/** The session with its playhead where an entry came, and the log on it. */
function atEntry(open: OpenSession, entry: string): OpenSession {
  const at = open.history.entries[Number(entry.slice(1))];
  if (at === undefined || at >= open.count) return open;
  const chosen = { ...open.chosen, log: null };
  return { ...open, at, follows: at === open.count - 1, pane: 'log', chosen, isBrief: false };
}

function pressInList(browsing: Browsing, key: string): Browsing {
  const { list } = browsing;
  const at = movedInRows(browsing, key);
  if (at !== null) return { ...browsing, list: { ...list, at } };
  switch (key) {
    case 'enter':
      return opened(browsing, list);
    case '/':
      return {
        ...browsing,
        list: { ...list, filter: '', at: 0 },
        line: { for: 'filter', text: '', before: list.filter },
      };
    case 'escape':
      if (list.filter !== '') return { ...browsing, list: { ...list, filter: '', at: 0 } };
      return { ...browsing, ended: 'left' };
    case 'q':
      return { ...browsing, ended: 'left' };
    default:
      return browsing;
  }
}

function opened(browsing: Browsing, { sessions, filter, at }: SessionList): Browsing {
  const listed = listedSessions(sessions, filter);
  const session = listed[clamped(at, listed.length)]?.session;
  if (session === undefined) return browsing;
  return { ...browsing, open: openSession(session.id) };
}
