import type { ItemKind, ListItem } from '../documents/list-item.ts';
import type { Frame } from '../frames/frame.ts';
import type { FrameId } from '../values/id.ts';
import { entryId, ordinal } from '../values/id.ts';
import type { Goal } from '../frames/goal.ts';
import { clip, oneLine } from '../text/sentences.ts';
import type { State } from '../state/state.ts';
import { childrenOf, path } from '../frames/tree.ts';
import { at } from '../values/persistent-vector.ts';
import { isOpenStatus, type Told } from '../state/document-schedule.ts';
import { isCommit } from './task.ts';
import type { ListedItem, SessionWork } from './session-work.ts';

// The items of a document with a box, as far as they changed since the last one:
// what is new, what has another box, and what is no longer there. Each says what it
// is, so that all documents together are read back as what there was.

/** The decisions of a goal that are new or otherwise than they were told; those that are gone are withdrawn. */
export function goalDecisions(goal: Goal | null, previousGoal: Goal | null): readonly ListItem[] {
  const items = (one: Goal | null): readonly ListItem[] =>
    (one?.decisions ?? []).map(({ text, locked }) => ({ text, done: locked }));
  return changesOf(items(goal), items(previousGoal), 'withdrawn');
}

/** The action items that changed: milestones, frames, the host's list, commits, next steps. */
export function actionsOf(state: State, work: SessionWork, baseline: Told): readonly ListItem[] {
  return [
    ...changesOf(milestonesOf(state.goal), milestonesOf(baseline.goal), 'milestone, withdrawn'),
    ...framesOf(state, baseline),
    ...listChanges(work.list.map(toItem), baseline.list.flatMap(fromKept)),
    ...commitsOf(work, baseline.messages),
    ...changesOf(stepsOf(state.goal), stepsOf(baseline.goal), 'withdrawn'),
  ];
}

/** Precedes the reason of a blocked frame, on the last line of its detail. */
export const blockedBy = 'Blocked: ';

/** Most frames that are open or to do, and most closed ones. */
const mostFrames = { open: 200, closed: 24 } as const;

/** Longest line, in UTF-16 units. */
const longestLine = 240;

/** Items that are new or have another box or kind; those that are gone, as withdrawn. */
function changesOf(
  now: readonly ListItem[],
  before: readonly ListItem[],
  gone: ItemKind,
): readonly ListItem[] {
  const oldItems = new Map(before.map((item) => [item.text, item]));
  const currentTexts = new Set(now.map(({ text }) => text));
  return [
    ...now.filter((item) => {
      const old = oldItems.get(item.text);
      return old?.done !== item.done || old.kind !== item.kind;
    }),
    ...before
      .filter(({ text }) => !currentTexts.has(text))
      .map(({ text }): ListItem => ({ text, done: false, kind: gone })),
  ];
}

const milestonesOf = (goal: Goal | null): readonly ListItem[] =>
  (goal?.milestones ?? []).map(({ text, status }) => ({
    text,
    done: status === 'completed',
    kind: status === 'in_progress' ? 'milestone, in progress' : 'milestone',
  }));

const stepsOf = (goal: Goal | null): readonly ListItem[] =>
  (goal?.next ?? []).map((text) => ({ text, done: false }));

const toItem = ({ text, mark, n }: ListedItem): ListItem => ({
  text,
  done: mark === 'x',
  kind: mark === '~' ? 'list, in progress' : 'list',
  entry: entryId(n),
});

/** What changed of the host's list. Of one that has nothing in common with the list before nothing was withdrawn: it is another list. */
function listChanges(now: readonly ListItem[], before: readonly ListItem[]): readonly ListItem[] {
  const open = before.filter(({ done }) => !done);
  const texts = new Set(now.map(({ text }) => text));
  const isSame = before.some(({ text }) => texts.has(text));
  return changesOf(now, before, 'list, withdrawn').filter(
    ({ kind, text }) =>
      kind !== 'list, withdrawn' || (isSame && open.some((item) => item.text === text)),
  );
}

/** The host's list as it is kept between documents. */
export const toKept = (list: readonly ListedItem[]): readonly string[] =>
  list.map(({ mark, text }) => mark + text);

const fromKept = (kept: string): readonly ListItem[] => [
  toItem({ text: kept.slice(1), mark: kept.slice(0, 1) as ListedItem['mark'], n: 0 }),
];

/** The commits and pull requests since a position. */
const commitsOf = ({ lines }: SessionWork, since: number): readonly ListItem[] =>
  lines
    .filter((line) => isCommit(line) && line.n > since)
    .map(({ n, text }) => ({
      text: clip(oneLine(text.replace(/^(?:commit|pull request): /, '')), longestLine),
      done: true,
      kind: 'commit',
      entry: entryId(n),
    }));

/** The children of the frames on the path whose status was not told, as nested items in the order of the tree. */
function framesOf(state: State, baseline: Told): readonly ListItem[] {
  const isReported = ({ id, status }: Frame): boolean =>
    isOpenStatus(status) ? baseline.frames[id] === status : isReportedClosed(id, baseline);
  const around = framesAround(state.frames, path(state.frames, state.active)).filter(
    ([frame]) => !isReported(frame),
  );
  const open = around.filter(([{ status }]) => isOpenStatus(status)).slice(0, mostFrames.open);
  const closed = around
    .filter(([{ status }]) => status === 'completed' || status === 'failed')
    .slice(-mostFrames.closed);
  const listed = new Set([...open, ...closed].map(([{ id }]) => id));
  const gone = Object.keys(baseline.frames).filter((id) => isGone(state, id));
  return [
    ...around
      .filter(([{ id }]) => listed.has(id))
      .map(([frame, depth]) => ({ ...itemOf(frame), ...(depth === 0 ? {} : { depth }) })),
    ...gone.map((id): ListItem => ({
      text: at(state.frames, ordinal(id))?.title ?? id,
      done: false,
      kind: 'frame, withdrawn',
      frame: id,
    })),
  ];
}

/** Whether a closed frame was told: it was there when the last document was written, and not open. */
export const isReportedClosed = (id: FrameId, baseline: Told): boolean =>
  baseline.frames[id] === undefined && ordinal(id) < baseline.made;

/** Whether a frame that was told as open was invalidated or undone. */
function isGone({ frames }: State, id: string): boolean {
  const frame = at(frames, ordinal(id));
  return frame === undefined || frame.branch !== undefined || frame.status === 'invalidated';
}

/** The children of the frames on the path with their depth, in the order of the tree. */
function framesAround(
  frames: State['frames'],
  open: readonly Frame[],
): readonly (readonly [frame: Frame, depth: number])[] {
  const before: (readonly [Frame, depth: number])[] = [];
  const after: (readonly [Frame, depth: number])[] = [];
  open.forEach((parent, depth) => {
    const children = childrenOf(frames, parent);
    const entered = children.findIndex(({ id }) => id === open[depth + 1]?.id);
    const split = entered < 0 ? children.length : entered + 1;
    before.push(...children.slice(0, split).map((child) => [child, depth] as const));
    after.unshift(...children.slice(split).map((child) => [child, depth] as const));
  });
  return [...before, ...after];
}

function itemOf({ id, parent, title, status, brief, criteria, results, reason }: Frame): ListItem {
  const aim = criteria === '' ? brief : criteria;
  const line = (text: string): string => clip(oneLine(text), longestLine);
  const ofKind = (kind: ItemKind, detail: string): ListItem => ({
    text: title,
    done: status === 'completed',
    kind,
    ...(detail === '' ? {} : { detail }),
    frame: id,
    parent: parent ?? id,
  });
  switch (status) {
    case 'in_progress':
      return ofKind('frame', aim);
    case 'planned':
      return ofKind('frame, planned', aim);
    case 'blocked':
      return ofKind(
        'frame, blocked',
        `${aim}${aim === '' ? '' : '\n'}${blockedBy}${line(reason ?? '')}`,
      );
    case 'completed':
      return ofKind('frame, completed', line(outcomeOf(results)));
    case 'failed':
    case 'invalidated':
      return ofKind('frame, failed', line(reason ?? results?.brief ?? ''));
  }
}

/** What a completed frame came to; a check that failed last first, whatever is reported. */
export function outcomeOf(results: Frame['results']): string {
  const { failing = [], brief = '' } = results ?? {};
  return failing.length === 0 ? brief : `Failing: ${failing.at(-1)!}. ${brief}`;
}
