import type { ListItem } from './list-item.ts';
import type { Frame } from '../frames/frame.ts';
import type { FrameId } from '../values/id.ts';
import { clip, oneLine, uniqueLines } from '../text/sentences.ts';
import type { State } from '../state/state.ts';
import { childrenOf } from '../frames/tree.ts';
import type { Bodies } from '../messages/bodies.ts';
import { directivesOf } from '../text/directives.ts';
import { textOf } from '../messages/message.ts';

// The items of a document with a box. Each says what it is, so that it is read back as
// that. Directives are listed even while their message is in the window: a document
// is for the day when nothing is in view.

/** The action items: `open` are the frames on the path, `noted` next steps that were only mentioned. */
export function actionsOf(
  { frames, goal }: State,
  open: readonly Frame[],
  noted: readonly string[],
): readonly ListItem[] {
  const milestones = (goal?.milestones ?? []).map(({ text, status }): ListItem => ({
    text,
    done: status === 'completed',
    kind: status === 'in_progress' ? 'milestone, in progress' : 'milestone',
  }));
  const work = framesAround(frames, open);
  const next = goal?.next ?? [];
  const known = new Set([...milestones, ...work].map(({ text }) => text));
  for (const text of next) known.add(text);
  return [
    ...milestones,
    ...work,
    ...noted
      .filter((text) => !known.has(text))
      .map((text): ListItem => ({ text, done: false, kind: 'noted' })),
    ...next.map((text): ListItem => ({ text, done: false })),
  ];
}

/** The directives of people, in view or not, in their words: a short message whole, of a longer one its directives. */
export function directiveItems(
  state: State,
  bodies: Bodies,
  open: readonly Frame[],
): readonly ListItem[] {
  const views = open.flatMap(({ id }) => state.views.get(id) ?? []);
  const shown = views.flatMap(({ human, items }) => [
    ...human,
    ...items.filter((one) => one.human),
  ]);
  const said = new Map(
    [...shown, ...(state.newest === null ? [] : [state.newest])].map(({ n }) => [
      n,
      directivesAt(n, bodies),
    ]),
  );
  for (const { n, text } of views.flatMap(({ quotes }) => quotes))
    said.set(n, [...(said.get(n) ?? []), text]);
  const texts = [...said].sort(([one], [other]) => one - other).flatMap(([, own]) => own);
  return uniqueLines(texts, longestLine)
    .slice(-mostDirectives)
    .map((text) => ({ text, done: true, kind: 'directive' }));
}

/** Precedes the reason of a blocked frame, on the last line of its detail. */
export const blockedBy = 'Blocked: ';

/** Most frames off the path to do, and most closed ones. */
const mostFrames = 24;

/** Most directives; the newest stay. */
const mostDirectives = 24;

/** Longest line, and longest message that is quoted whole, in UTF-16 units. */
const longestLine = 240;

/** The children of the frames on the path as nested items, in the order of the tree. */
function framesAround(frames: State['frames'], open: readonly Frame[]): readonly ListItem[] {
  const before: (readonly [Frame, depth: number])[] = [];
  const after: (readonly [Frame, depth: number])[] = [];
  open.forEach((parent, depth) => {
    const children = childrenOf(frames, parent);
    const entered = children.findIndex(({ id }) => id === open[depth + 1]?.id);
    const split = entered < 0 ? children.length : entered + 1;
    before.push(...children.slice(0, split).map((child) => [child, depth] as const));
    after.unshift(...children.slice(split).map((child) => [child, depth] as const));
  });
  const around = [...before, ...after];
  const listed = listedIds(around.map(([frame]) => frame));
  return around
    .filter(([{ id }]) => listed.has(id))
    .map(([frame, depth]) => ({ ...itemOf(frame), ...(depth === 0 ? {} : { depth }) }));
}

/** The ids of those that are listed: all in progress, the first to do, the last closed. */
function listedIds(frames: readonly Frame[]): ReadonlySet<FrameId> {
  const having = (...statuses: readonly Frame['status'][]): readonly Frame[] =>
    frames.filter(({ status }) => statuses.includes(status));
  return new Set(
    [
      ...having('in_progress'),
      ...having('planned', 'blocked').slice(0, mostFrames),
      ...having('completed', 'failed').slice(-mostFrames),
    ].map(({ id }) => id),
  );
}

function itemOf({ title, status, brief, criteria, results, reason }: Frame): ListItem {
  const aim = criteria === '' ? brief : criteria;
  const short = (text: string): string => clip(oneLine(text), longestLine);
  const ofKind = (kind: ListItem['kind'], detail: string): ListItem => ({
    text: title,
    done: status === 'completed',
    ...(kind === undefined ? {} : { kind }),
    ...(detail === '' ? {} : { detail }),
  });
  switch (status) {
    case 'in_progress':
      return ofKind('frame', aim);
    case 'planned':
      return ofKind('frame, planned', aim);
    case 'blocked':
      return ofKind(
        'frame, blocked',
        `${aim}${aim === '' ? '' : '\n'}${blockedBy}${short(reason ?? '')}`,
      );
    case 'completed':
      return ofKind('frame, completed', short(results?.brief ?? ''));
    case 'failed':
    case 'invalidated':
      return ofKind('frame, failed', short(reason ?? results?.brief ?? ''));
  }
}

function directivesAt(n: number, bodies: Bodies): readonly string[] {
  const text = textOf(bodies.message(n).content);
  const directives = directivesOf(text);
  return directives.length > 0 && text.length <= longestLine ? [text] : directives;
}
