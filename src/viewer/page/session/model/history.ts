import { isShort } from './axis/bands.ts';
import { many, number } from './words/amounts.ts';
import { costAfter, type Cost } from './cost.ts';
import { whatNoticed } from './words/cut.ts';
import {
  parts,
  type CompressionNews,
  type CutNews,
  type EntryNews,
  type FrameNews,
  type News,
  type ShortenedNews,
  type SnapshotNews,
  type Step,
} from './wire.ts';

/** A frame from where it began to where it ended, by the indexes of steps. */
export interface FrameSpan {
  readonly id: string;
  readonly parent: string | null;
  readonly depth: number;
  title: string;
  status: string;
  /** Null while it is planned. */
  from: number | null;
  /** Null while it is open. */
  to: number | null;
}

/** A line of the list of what happened. */
export interface Happening {
  /** The step, by its index. */
  readonly at: number;
  readonly kind:
    | 'person'
    | 'machine'
    | 'assistant'
    | 'tool'
    | 'frame'
    | 'compression'
    | 'shortened'
    | 'count'
    | 'word'
    | 'bad';
  /** What it is called. */
  readonly label: string;
  readonly text: string;
  /** An entry or frame to look at. */
  readonly ref: string | null;
}

/**
 * A step that took words out of the prompt: a compression or a cut, by its index; the end of a frame, or the
 * beginning of one, outside of which stands what was said before; entries that were shortened, in words; or what was taken back.
 */
export type Loss = { readonly at: number } & (
  | { readonly compression: number }
  | { readonly frame: string }
  | { readonly cut: number }
  | { readonly begun: string }
  | { readonly shortened: string }
  | { readonly back: string }
);

/** Somebody dropped part of a prompt, or may have; and how it was recovered. */
export interface Cut {
  readonly at: number;
  /** Null where a recovery began without one. */
  readonly news: CutNews | null;
  readonly stages: { readonly at: number; readonly news: RecoveryNews }[];
}

type RecoveryNews = Extract<News, { readonly type: 'recovery' }>;

/** All that was told of a session; it only grows. */
export interface History {
  readonly steps: Step[];
  readonly frames: Map<string, FrameSpan>;
  readonly compressions: { readonly at: number; readonly news: CompressionNews }[];
  readonly cuts: Cut[];
  /** At most one in a step. */
  readonly losses: Loss[];
  /** What servers counted. */
  readonly counts: {
    readonly at: number;
    readonly sent: number;
    readonly counted: number;
    readonly ours: number;
    readonly cached?: number;
    readonly answered?: number;
    /** Whether it was found to be of a prompt that was cut. */
    isCut?: boolean;
  }[];
  /** What was sent by the end of each step. */
  readonly costs: Cost[];
  readonly happenings: Happening[];
  /** The step of each entry, by its position from 1. */
  readonly entries: number[];
  /** When each entry was said, by its position from 1. */
  readonly times: number[];
  /** The snapshots that there are, by their ids. */
  readonly snapshots: Map<string, SnapshotNews>;
}

/** Nothing yet. */
export const emptyHistory = (): History => ({
  steps: [],
  frames: new Map(),
  compressions: [],
  cuts: [],
  losses: [],
  counts: [],
  costs: [],
  happenings: [],
  entries: [],
  times: [],
  snapshots: new Map(),
});

/** Adds a step. */
export function addStep(history: History, step: Step): void {
  const at = history.steps.push(step) - 1;
  history.costs.push(costAfter(history.costs.at(-1), history.steps[at - 1], step));
  const say = (kind: Happening['kind'], text: string, ref: string | null = null): void => {
    history.happenings.push({ at, kind, label: kind === 'bad' ? 'trouble' : kind, text, ref });
  };
  const sayWord = (label: string, text: string, isBad = false): void => {
    history.happenings.push({ at, kind: isBad ? 'bad' : 'word', label, text, ref: null });
  };
  for (const news of step.news) {
    switch (news.type) {
      case 'entry':
        history.entries[Number(news.entry.slice(1))] = at;
        history.times[Number(news.entry.slice(1))] = news.at;
        say(speakerOf(news), news.text, news.entry);
        break;
      case 'frame':
        if (news.parent !== null || news.status !== 'in_progress')
          say('frame', frameText(history, news), news.frame);
        moveFrame(history, news, at);
        break;
      case 'tree':
        say('frame', `${news.what} taken back, or again`);
        if (hasFallen(history)) lose(history, { at, back: news.what });
        for (const frame of history.frames.values()) frame.to ??= at;
        for (const frame of news.frames) moveFrame(history, frame, at);
        break;
      case 'compressed': {
        const compression = history.compressions.push({ at, news }) - 1;
        lose(history, { at, compression });
        const words = `${compression + 1}: ${number(news.before)} → ${number(news.after)} tokens`;
        say('compression', words, news.from === '' ? null : `${news.from}-${news.to}`);
        break;
      }
      case 'shortened':
        lose(history, { at, shortened: shortenedText(news) });
        say('shortened', `${shortenedText(news)}, ${fallText(history)}`);
        break;
      case 'counted':
        history.counts.push({ at, ...news });
        if (isShort(news))
          say('bad', `the server counted ${number(news.counted)} of ${number(news.sent)} tokens`);
        break;
      case 'cut': {
        const count = history.counts.at(-1);
        if (count?.at === at) count.isCut = true;
        const cut = history.cuts.push({ at, news, stages: [] }) - 1;
        lose(history, { at, cut });
        say('bad', whatNoticed(news));
        break;
      }
      case 'recovery':
        goOn(history, news, at);
        sayWord('recovery', news.text, true);
        break;
      case 'snapshot':
        history.snapshots.set(news.snapshot, news);
        if (news.by === 'person') sayWord('snapshot', news.title || news.snapshot);
        break;
      case 'snapshot gone':
        history.snapshots.delete(news.snapshot);
        break;
      case 'word':
        sayWord(news.word, news.text, news.isBad);
    }
  }
}

const speakerOf = ({ role, human }: EntryNews): Happening['kind'] =>
  role === 'user' ? (human ? 'person' : 'machine') : role;

/** How many entries were shortened, and how many put out of view. */
export function shortenedText({ entries, hidden }: Omit<ShortenedNews, 'type'>): string {
  const shorter = entries.length === 0 ? [] : [`${entriesText(entries.length)} shortened`];
  const out = hidden === 0 ? [] : [`${entriesText(hidden)} put out of view`];
  return [...shorter, ...out].join(', ');
}

const entriesText = (count: number): string => many(count, 'entry', 'entries');

/** What became of a frame; of one that hides what was said before, that, too. */
function frameText(history: History, news: FrameNews): string {
  const outcome = `${news.title}: ${statusWord(news.status)}`;
  return hides(history, news) ? `${outcome}; ${outside}, ${fallText(history)}` : outcome;
}

/** What the beginning of a frame does to the prompt. */
export const outside = 'what was said before stands outside of it';

const hides = (history: History, { parent, status }: FrameNews): boolean =>
  parent !== null && status === 'in_progress' && hasFallen(history);

/** Whether the newest step has less of what was said than the one before; older words of people are of that. */
function hasFallen({ steps }: History): boolean {
  const saidIn = ({ sizes }: Step): number =>
    sizes[parts.indexOf('human')]! + sizes[parts.indexOf('working')]!;
  const before = steps.at(-2);
  return before !== undefined && saidIn(steps.at(-1)!) < saidIn(before);
}

/** Tokens of the prompt before the newest step and after it. */
function fallText({ steps }: History): string {
  const after = steps.at(-1)!;
  return `${number(totalOf(steps.at(-2) ?? after))} → ${number(totalOf(after))} tokens`;
}

const open: ReadonlySet<string> = new Set(['in_progress', 'blocked']);

function moveFrame(history: History, news: FrameNews, at: number): void {
  const { frames } = history;
  const { frame: id, parent, title, status } = news;
  const existing = frames.get(id);
  const isOpen = open.has(status);
  if (hides(history, news)) lose(history, { at, begun: id });
  if (existing === undefined) {
    const depth = parent === null ? 0 : (frames.get(parent)?.depth ?? -1) + 1;
    const to = isOpen || status === 'planned' ? null : at;
    frames.set(id, { id, parent, depth, title, status, from: isOpen ? at : null, to });
    return;
  }
  existing.title = title;
  existing.status = status;
  if (isOpen) existing.from ??= at;
  if (isOpen || status === 'planned') existing.to = null;
  else if (existing.to === null) {
    existing.to = at;
    if (existing.from !== null) lose(history, { at, frame: id });
  }
}

/** A recovery goes on; what it puts into the prompt stands with the cut that began it. */
function goOn(history: History, news: RecoveryNews, at: number): void {
  const { cuts } = history;
  const isOver = cuts
    .at(-1)
    ?.stages.some(({ news: { stage } }) => stage === 'recovered' || stage === 'cancelled');
  if (isOver !== false) cuts.push({ at, news: null, stages: [] });
  cuts.at(-1)!.stages.push({ at, news });
  if (news.stage === 'recovered') lose(history, { at, cut: cuts.length - 1 });
}

/** Notes a loss; of several in one step a cut, or else a compression, or else the first end of a frame, or else the first. */
function lose({ losses }: History, loss: Loss): void {
  const last = losses.at(-1);
  if (last?.at !== loss.at) losses.push(loss);
  else if (rank(loss) > rank(last)) losses[losses.length - 1] = loss;
}

const rank = (loss: Loss): number =>
  ['frame', 'compression', 'cut'].findIndex((kind) => kind in loss);

/** A status as a person says it. */
export const statusWord = (status: string): string =>
  ({ in_progress: 'began', planned: 'planned', completed: 'completed', failed: 'failed' })[
    status
  ] ?? status;

/** Tokens of the prompt after a step. */
export const totalOf = ({ sizes }: Step): number => sizes.reduce((sum, size) => sum + size, 0);
