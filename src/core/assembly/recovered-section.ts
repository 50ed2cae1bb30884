import type { Bodies } from '../messages/bodies.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { isHuman, textOf } from '../messages/message.ts';
import { entitiesByPlace } from '../text/entities.ts';
import type { Frame } from '../frames/frame.ts';
import { frameId } from '../values/id.ts';
import type { RecoveredContext } from '../truncation/recovery.ts';
import { parseSections } from '../text/sections.ts';
import type { State } from '../state/state.ts';
import type { Count } from '../messages/token-count.ts';
import { childrenOf, frameOf, path } from '../frames/tree.ts';
import type { FrameView } from '../state/view.ts';

// What a recovery says of the work is read from what the session keeps anyway: its
// goal, its frames, the checkpoints of the active frame, and the entries since.

/** What a recovery tells of the work, by the state alone. */
export function contextOf(state: State, bodies: Bodies): RecoveredContext {
  const view = state.views.get(state.active);
  const checkpoints = (view?.checkpoints ?? []).toReversed();
  return {
    workingOn: workingOn(state, bodies, checkpoints),
    lastCompleted: lastCompleted(state, bodies, checkpoints),
    nextStep: nextStep(state, bodies, checkpoints),
    open: openItems(state, checkpoints),
    files: changedFiles(state, bodies, { view, checkpoints }),
  };
}

/**
 * The section of an assembly after a recovery: the line, open items, changed files; whole lines
 * within `target` tokens, the first line always.
 */
export function recoveredBlock(
  line: string,
  { open, files }: Pick<RecoveredContext, 'open' | 'files'>,
  { target, count }: { readonly target: number; readonly count: Count },
): string {
  const close = '</recovered>';
  const lines = [
    ...(open.length > 0 ? ['Open:', ...open.map((item) => `- ${item}`)] : []),
    ...(files.length > 0 ? ['Files changed:', ...files.map((file) => `- ${file}`)] : []),
  ];
  let text = `<recovered>\n${line}`;
  for (const next of lines) {
    const longer = `${text}\n${next}`;
    if (count(`${longer}\n${close}`) > target) break;
    text = longer;
  }
  return `${text.replace(/\n(?:Open|Files changed):$/, '')}\n${close}`;
}

/** Most items of a list. */
const most = 12;

/** Longest item, in UTF-16 units. */
const longest = 160;

/** Newest first. */
type Checkpoints = readonly Checkpoint[];

function workingOn(state: State, bodies: Bodies, checkpoints: Checkpoints): string {
  const { goal } = state;
  const active = frameOf(state.frames, state.active);
  const task = active.id === frameId(0) ? '' : firstLine(active.title);
  const aim = goal !== null && goal.status !== 'completed' ? firstLine(goal.description) : '';
  if (task !== '') return aim === '' ? task : `${task} (${aim})`;
  if (aim !== '') return aim;
  const asked = checkpoints.flatMap(({ text }) =>
    itemsUnder(bodies.text(text), /request|goal|task/i),
  );
  return firstLine(asked.at(0) ?? '') || lastRequest(state, bodies);
}

function lastCompleted(state: State, bodies: Bodies, checkpoints: Checkpoints): string {
  const milestone = state.goal?.milestones.findLast(({ status }) => status === 'completed');
  if (milestone !== undefined) return firstLine(milestone.text);
  const child = childrenOf(state.frames, frameOf(state.frames, state.active)).findLast(
    ({ status }) => status === 'completed',
  );
  if (child !== undefined) return outcomeLine(child);
  const answer = lastAnswer(state, bodies);
  if (answer !== '') return answer;
  const decided = firstLine(checkpoints.flatMap(({ decisions }) => decisions.slice(-1))[0] ?? '');
  return decided !== '' ? decided : completedAbove(state);
}

/** What was completed last beside the active frame or further up. */
function completedAbove({ frames, active }: State): string {
  for (const frame of path(frames, active).toReversed()) {
    const child = childrenOf(frames, frame).findLast(({ status }) => status === 'completed');
    if (child !== undefined) return outcomeLine(child);
  }
  return '';
}

function outcomeLine({ title, results }: Frame): string {
  return firstLine(`${title}: ${results?.brief ?? ''}`.replace(/: $/, ''));
}

function nextStep(state: State, bodies: Bodies, checkpoints: Checkpoints): string {
  const { goal } = state;
  const milestone =
    goal?.milestones.find(({ status }) => status === 'in_progress') ??
    goal?.milestones.find(({ status }) => status === 'pending');
  const planned = childrenOf(state.frames, frameOf(state.frames, state.active)).find(
    ({ status }) => status === 'planned',
  );
  const candidates = [
    goal?.next[0],
    milestone?.text,
    planned?.title,
    checkpoints.flatMap(({ next }) => next.slice(0, 1))[0],
  ];
  const next = candidates.find((text) => text !== undefined && text !== '');
  return next === undefined ? lastRequest(state, bodies) : firstLine(next);
}

function openItems({ goal, frames, active }: State, checkpoints: Checkpoints): readonly string[] {
  const milestones = goal?.milestones.filter(({ status }) => status !== 'completed') ?? [];
  const planned = childrenOf(frames, frameOf(frames, active)).filter(({ status }) =>
    ['planned', 'blocked'].includes(status),
  );
  return unique([
    ...(goal?.next ?? []),
    ...milestones.map(({ text }) => text),
    ...planned.map(({ title }) => title),
    ...checkpoints.flatMap(({ next, questions }) => [...next, ...questions]),
  ]);
}

function changedFiles(
  { goal }: State,
  bodies: Bodies,
  {
    view,
    checkpoints,
  }: { readonly view: FrameView | undefined; readonly checkpoints: Checkpoints },
): readonly string[] {
  const since = (view?.items ?? [])
    .filter(({ role, form }) => role === 'assistant' && form !== 'closing')
    .toReversed()
    .flatMap(({ n }) => [...entitiesByPlace(bodies.message(n)).changed.keys()]);
  return unique([
    ...since,
    ...(goal?.artifacts ?? []).map(({ path }) => path).toReversed(),
    ...checkpoints.flatMap(({ files }) => files),
  ]);
}

function lastRequest({ newest }: State, bodies: Bodies): string {
  if (newest === null) return '';
  const message = bodies.message(newest.n);
  return isHuman(message) ? firstLine(textOf(message.content)) : '';
}

/** The first line of what the model said last. */
function lastAnswer({ views, active }: State, bodies: Bodies): string {
  const items = views.get(active)?.items ?? [];
  for (const { n, role, form } of items.toReversed()) {
    if (role !== 'assistant' || form === 'closing') continue;
    const text = firstLine(textOf(bodies.message(n).content));
    if (text !== '') return text;
  }
  return '';
}

/** Items of the sections whose head matches. */
function itemsUnder(text: string, head: RegExp): readonly string[] {
  return parseSections(text).flatMap((section) =>
    head.test(section.head) ? section.items.map((item) => item.replace(/^- /, '')) : [],
  );
}

/** The first line that says anything, cut at a word. */
function firstLine(text: string): string {
  const line =
    text
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ?? '';
  if (line.length <= longest) return line.replace(/[.:;,]$/, '');
  return `${line.slice(0, longest).replace(/\s+\S*$/, '')}…`;
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items.map(firstLine).filter((item) => item !== ''))].slice(0, most);
}
