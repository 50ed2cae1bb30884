import type { ListItem } from './list-item.ts';
import type { Frame } from '../frames/frame.ts';
import type { FrameId } from '../values/id.ts';
import { clip, oneLine, uniqueLines } from '../text/sentences.ts';
import type { State } from '../state/state.ts';
import { childrenOf } from '../frames/tree.ts';
import type { Bodies } from '../messages/bodies.ts';
import { directivesOf } from '../text/directives.ts';
import { textOf } from '../messages/message.ts';

// The action items of a document: milestones, the frames around the active one,
// what to do next. Each says what it is, so that it comes back as that.

/** Most frames off the path of each sort: still to do, of which the first stay, and closed, of which the last do. */
const most = 24;

/** Longest line about a closed frame, in UTF-16 units. */
const longest = 240;

/** What is done and to do: `open` are the frames on the path, `noted` steps that were only read of. */
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
  const shown = shownOf(around.map(([frame]) => frame));
  return around
    .filter(([{ id }]) => shown.has(id))
    .map(([frame, depth]) => ({ ...itemOf(frame), ...(depth === 0 ? {} : { depth }) }));
}

function shownOf(frames: readonly Frame[]): ReadonlySet<FrameId> {
  const those = (...statuses: readonly Frame['status'][]): readonly Frame[] =>
    frames.filter(({ status }) => statuses.includes(status));
  return new Set(
    [
      ...those('in_progress'),
      ...those('planned', 'blocked').slice(0, most),
      ...those('completed', 'failed').slice(-most),
    ].map(({ id }) => id),
  );
}

/** What stands before the reason of a blocked frame, on the last line of its detail. */
export const blockedBy = 'Blocked: ';

function itemOf({ title, status, brief, criteria, results, reason }: Frame): ListItem {
  const aim = criteria === '' ? brief : criteria;
  const short = (text: string): string => clip(oneLine(text), longest);
  const of = (kind: ListItem['kind'], detail: string): ListItem => ({
    text: title,
    done: status === 'completed',
    ...(kind === undefined ? {} : { kind }),
    ...(detail === '' ? {} : { detail }),
  });
  switch (status) {
    case 'in_progress':
      return of('frame', aim);
    case 'planned':
      return of('frame, planned', aim);
    case 'blocked':
      return of(
        'frame, blocked',
        `${aim}${aim === '' ? '' : '\n'}${blockedBy}${short(reason ?? '')}`,
      );
    case 'completed':
      return of('frame, completed', short(results?.brief ?? ''));
    case 'failed':
    case 'invalidated':
      return of('frame, failed', short(reason ?? results?.brief ?? ''));
  }
}

// A document is for the day when nothing is in view. So what a person laid down
// stands in it even while the message is in the window.

/** Most that a document lists; the newest stay. */
const mostDirectives = 24;

/** Longest message that stands whole, and longest line, in UTF-16 units. */
const longestDirective = 240;

/** What people laid down, in view or not, in their words: a short message whole, of a longer one its directives. */
export function directivesIn(
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
  return uniqueLines(texts, longestDirective)
    .slice(-mostDirectives)
    .map((text) => ({ text, done: true, kind: 'directive' }));
}

function directivesAt(n: number, bodies: Bodies): readonly string[] {
  const text = textOf(bodies.message(n).content);
  const directives = directivesOf(text);
  return directives.length > 0 && text.length <= longestDirective ? [text] : directives;
}
