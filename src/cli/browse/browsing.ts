import type { SessionSummary } from '../../index.ts';
import {
  addStep,
  emptyHistory,
  type History,
  type Loss,
} from '../../viewer/page/session/model/history.ts';
import type { Change, Head, Step, WholeEntry } from '../../viewer/page/session/model/wire.ts';
import type { Paper } from '../paper/paper.ts';
import type { Moment } from './moment.ts';

// Everything that the screen shows is here, as a value: a key makes another one of it, and so does what was
// read. What it lacks it says (a moment that is not there, entries that are null), and who holds it reads that.

/** A part of the screen of a session. */
export const panes = ['prompt', 'log', 'frames', 'lost'] as const;
export type Pane = (typeof panes)[number];

/** The browser as it is. */
export interface Browsing {
  readonly columns: number;
  readonly rows: number;
  readonly paper: Paper;
  /** Where the sessions are kept, for a person. */
  readonly place: string;
  readonly list: SessionList;
  /** Null where the list is shown. */
  readonly open: OpenSession | null;
  /** What lies over it, the topmost last. */
  readonly over: readonly Overlay[];
  /** A line that is being typed; null for none. */
  readonly line: TypedLine | null;
  /** What is to be said at the bottom until the next key; '' for nothing. */
  readonly notice: string;
  /** How it ended; null while it goes on. */
  readonly ended: 'left' | 'interrupted' | null;
}

/** The list of sessions. */
export interface SessionList {
  /** The latest first; null until they are read. */
  readonly sessions: readonly SessionSummary[] | null;
  /** Words that all of them hold. */
  readonly filter: string;
  /** The chosen one, by its place among those that are listed. */
  readonly at: number;
}

/** A session that is looked at. */
export interface OpenSession {
  readonly id: string;
  readonly head: Head | null;
  /** All that was told of it. It grows in place: `count` says how many steps of it there are. */
  readonly history: History;
  readonly count: number;
  /** Whether all that was stored has been told. */
  readonly isRead: boolean;
  /** Why nothing more comes; '' as long as it may. */
  readonly trouble: string;
  /** The playhead: a step, by its index. */
  readonly at: number;
  /** Whether it stays at the end. */
  readonly follows: boolean;
  readonly pane: Pane;
  /** What stands beside the log where there is room. */
  readonly beside: Exclude<Pane, 'log'>;
  /** The chosen row of each pane; null in the log for the one at the playhead. */
  readonly chosen: Readonly<Record<Pane, number | null>>;
  /** Parts that are folded out, by their names. */
  readonly unfolded: ReadonlySet<string>;
  /** Whether the log is without answers and tools. */
  readonly isBrief: boolean;
  /** The newest moment that was read, which may lie behind the playhead; null for none yet. */
  readonly moment: Moment | null;
  /** What a loss changed; null until one was read. */
  readonly change: Change | null;
}

/** What is asked of a session. */
export type Question =
  | { readonly of: 'entries'; readonly refs: readonly string[] }
  | { readonly of: 'frame'; readonly frame: string }
  | { readonly of: 'words'; readonly words: string }
  | { readonly of: 'name'; readonly name: string; readonly seq: number }
  | { readonly of: 'sources'; readonly text: string; readonly seq: number };

/** What lies over the screen. */
export type Overlay = HelpOverlay | Reading | PageOverlay;

export interface HelpOverlay {
  readonly type: 'help';
  readonly at: number;
}

/** Entries, word for word. */
export interface Reading {
  readonly type: 'reading';
  readonly title: string;
  readonly question: Question;
  /** Null until they are read. */
  readonly entries: readonly WholeEntry[] | null;
  readonly at: number;
}

/** The link of the page in a browser. */
export interface PageOverlay {
  readonly type: 'page';
  /** Null until the page is served. */
  readonly link: string | null;
  readonly at: number;
}

/** A line at the bottom that somebody types. */
export interface TypedLine {
  readonly for: 'filter' | 'search' | 'moment';
  readonly text: string;
  /** The filter that Escape goes back to. */
  readonly before?: string;
}

/** The browser as it begins: with the list, or with a session. */
export function beginBrowsing(
  screen: Pick<Browsing, 'columns' | 'rows' | 'paper' | 'place'>,
  { sessions, id }: { readonly sessions: readonly SessionSummary[]; readonly id: string | null },
): Browsing {
  const at = Math.max(
    0,
    sessions.findIndex((one) => one.id === id),
  );
  return {
    ...screen,
    list: { sessions, filter: '', at },
    open: id === null ? null : openSession(id),
    over: [],
    line: null,
    notice: '',
    ended: null,
  };
}

/** A session of which nothing was told yet. */
export function openSession(id: string): OpenSession {
  return {
    id,
    head: null,
    history: emptyHistory(),
    count: 0,
    isRead: false,
    trouble: '',
    at: 0,
    follows: true,
    pane: 'prompt',
    beside: 'prompt',
    chosen: { prompt: 0, log: null, frames: 0, lost: 0 },
    unfolded: new Set(),
    isBrief: false,
    moment: null,
    change: null,
  };
}

/** The session with what was told of it: whose it is, steps, or that all of them are there. */
export function withNews(
  open: OpenSession,
  news: readonly (Head | Step | { readonly seq: number })[],
): OpenSession {
  let { head, isRead } = open;
  for (const one of news) {
    if ('session' in one) head = one;
    else if ('sizes' in one) addStep(open.history, one);
    else isRead = true;
  }
  const count = open.history.steps.length;
  const at = open.follows ? Math.max(0, count - 1) : open.at;
  return { ...open, head, isRead, count, at };
}

/** The step at the playhead; null before there is one. */
export const stepAt = ({ history, count, at }: OpenSession): Step | null =>
  count === 0 ? null : (history.steps[at] ?? null);

/** How many compressions there were at the playhead. */
export const compressionsAt = ({ history, at }: OpenSession): number =>
  history.compressions.findLastIndex((one) => one.at <= at) + 1;

/** The last step at the playhead that took words out of the prompt; null for none. */
export const lossAt = ({ history, at }: OpenSession): Loss | null =>
  history.losses.findLast((one) => one.at <= at) ?? null;

/** The record of that step; null for none. */
export function changeWanted(open: OpenSession): number | null {
  const loss = lossAt(open);
  return loss === null ? null : open.history.steps[loss.at]!.seq;
}

/** Where there is room for two panes. */
export const isWide = ({ columns }: Pick<Browsing, 'columns'>): boolean => columns >= 110;
