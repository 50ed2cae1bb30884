import { isWide, panes, stepAt, type Browsing, type OpenSession, type Pane } from '../browsing.ts';
import { chosenDeed, moved, over, reading } from './moves.ts';
import { clamped, type Deed } from '../panes/rows.ts';

/** The browser after a key in a session that nothing lies over. */
export function pressInSession(browsing: Browsing, open: OpenSession, key: string): Browsing {
  const row = moved(browsing, key);
  if (row !== null)
    return { ...browsing, open: { ...open, chosen: { ...open.chosen, [open.pane]: row } } };
  const to = playheadAfter(open, key);
  if (to !== null) return { ...browsing, open: placed(open, to) };
  switch (key) {
    case 'tab':
      return { ...browsing, open: inPane(open, neighbor(open.pane, 1)) };
    case 'back-tab':
      return { ...browsing, open: inPane(open, neighbor(open.pane, -1)) };
    case '1':
    case '2':
    case '3':
    case '4':
      return { ...browsing, open: inPane(open, panes[Number(key) - 1]!) };
    case 'enter':
      return acted(browsing, open);
    case 'a':
      return { ...browsing, open: allFolded(open, browsing) };
    case 't':
      return {
        ...browsing,
        open: { ...open, isBrief: !open.isBrief, chosen: { ...open.chosen, log: null } },
      };
    case '/':
      return { ...browsing, line: { for: 'search', text: '' } };
    case 'g':
      return { ...browsing, line: { for: 'moment', text: '' } };
    case 'o':
      return over(browsing, { type: 'page', link: null, at: 0 });
    default:
      return browsing;
  }
}

/** Where the playhead goes; null for a key that does not move it. */
function playheadAfter(open: OpenSession, key: string): number | null {
  const { at, count, history } = open;
  const { losses } = history;
  switch (key) {
    case 'left':
      return at - 1;
    case 'right':
      return at + 1;
    case 'home':
      return 0;
    case 'end':
      return count - 1;
    case 'page-up':
      return turnBefore(open);
    case 'page-down':
      return turnAfter(open);
    case 'n':
      return losses.find((one) => one.at > at)?.at ?? at;
    case 'p':
      return losses.findLast((one) => one.at < at)?.at ?? at;
    default:
      return null;
  }
}

/** The playhead at a step that is there; at the last one it follows. The log goes with it. */
function placed(open: OpenSession, to: number): OpenSession {
  const at = clamped(to, open.count);
  const chosen = { ...open.chosen, log: null, lost: 0 };
  return { ...open, at, follows: at >= open.count - 1, chosen };
}

/** The most steps that a turn is gone by: a tenth of the session. */
const stride = ({ count }: OpenSession): number => Math.max(1, Math.ceil(count / 10));

function turnAfter(open: OpenSession): number {
  const { history, at, count } = open;
  const { steps } = history;
  const turn = stepAt(open)?.turn ?? 0;
  const most = Math.min(count - 1, at + stride(open));
  for (let index = at + 1; index < most; index += 1) if (steps[index]!.turn > turn) return index;
  return most;
}

/** The beginning of this turn, or of the one before where this is one. */
function turnBefore(open: OpenSession): number {
  const { history, at } = open;
  const { steps } = history;
  const most = Math.max(0, at - stride(open));
  for (let index = at - 1; index > most; index -= 1)
    if (steps[index]!.turn > steps[index - 1]!.turn) return index;
  return most;
}

const neighbor = (pane: Pane, by: number): Pane =>
  panes[(panes.indexOf(pane) + by + panes.length) % panes.length]!;

const inPane = (open: OpenSession, pane: Pane): OpenSession => ({
  ...open,
  pane,
  beside: pane === 'log' ? open.beside : pane,
});

/** Folds every part out, or in where one is open. */
function allFolded(open: OpenSession, browsing: Browsing): OpenSession {
  const pane = isWide(browsing) ? open.beside : open.pane;
  const { unfolded } = open;
  const names =
    pane === 'lost'
      ? (open.change?.lost ?? []).map(({ kind }) => `gone: ${kind}`)
      : (open.moment?.prompt.messages ?? []).map(({ section }) => section);
  const isOpen = names.some((name) => unfolded.has(name));
  const others = [...unfolded].filter((name) => !names.includes(name));
  return { ...open, unfolded: new Set(isOpen ? others : [...others, ...names]) };
}

/** Does what Enter does on the chosen row. */
function acted(browsing: Browsing, open: OpenSession): Browsing {
  const deed = chosenDeed(browsing);
  return deed === undefined ? browsing : doneOn(browsing, open, deed);
}

function doneOn(browsing: Browsing, open: OpenSession, deed: Deed): Browsing {
  switch (deed.type) {
    case 'fold': {
      const unfolded = new Set(open.unfolded);
      if (!unfolded.delete(deed.part)) unfolded.add(deed.part);
      return { ...browsing, open: { ...open, unfolded } };
    }
    case 'read':
      return reading(browsing, deed);
    case 'loss':
      return { ...browsing, open: inPane(placed(open, deed.at), 'lost') };
    case 'entry':
      return browsing;
  }
}
