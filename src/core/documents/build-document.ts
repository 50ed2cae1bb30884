import type { Bodies } from '../messages/bodies.ts';
import {
  emptyDocument,
  truncationNote,
  type CheckpointDocument,
  type FileChange,
} from './document.ts';
import type { ListItem } from './list-item.ts';
import { entitiesByPlace } from '../text/entities.ts';
import type { Frame } from '../frames/frame.ts';
import { harvest, sectionsOf } from '../checkpoints/extractive-summary.ts';
import { entryId } from '../values/id.ts';
import { textOf } from '../messages/message.ts';
import { actionsOf, directiveItems } from './document-actions.ts';
import { clip, uniqueLines, oneLine } from '../text/sentences.ts';
import type { State } from '../state/state.ts';
import { childrenOf, path } from '../frames/tree.ts';
import type { FrameView } from '../state/view.ts';
import type { DocumentReason } from '../state/document-schedule.ts';
import { breadcrumbsOf } from '../assembly/in-view.ts';
import { wholePaths } from '../text/salience.ts';

// A document is built from the state and the texts that it names, so that work can
// begin again with nothing but the document.

/** The name, the time and the reason of a document. */
interface DocumentStamp {
  readonly id: string;
  readonly at: number;
  readonly reason: DocumentReason;
}

/** The document of a state, for all frames on the path to the active one. */
export function documentOf(state: State, bodies: Bodies, stamp: DocumentStamp): CheckpointDocument {
  const open = path(state.frames, state.active);
  const found = gather(state, bodies, open);
  return {
    ...emptyDocument,
    ...stamp,
    session: state.session,
    messages: state.entries,
    note: stamp.reason === 'truncation' ? truncationNote : '',
    topic: topicOf(state, bodies, open),
    goal: goalOf(state, bodies, open),
    ...(state.goal === null ? {} : { priority: state.goal.priority, standing: state.goal.status }),
    title: open[0]!.title === state.session ? '' : open[0]!.title,
    decisions: [
      ...decisionsOf(state, open, found.decisions),
      ...directiveItems(state, bodies, open),
    ],
    actions: actionsOf(state, open, clipLines(found.next).slice(-most.next)),
    questions: clipLines(found.questions).slice(-most.questions),
    status: statusOf(state, bodies, found.next),
    files: filesOf(state, open, found.files),
    breadcrumbs: breadcrumbsOf(state, bodies),
  };
}

/** Most noted decisions and steps, questions and files; the newest stay. */
const most = { decisions: 24, next: 8, questions: 8, files: 40 } as const;

/** Longest line, and longest part of a message, in UTF-16 units. */
const longest = { line: 240, said: 600 } as const;

/** Shortest message that can be a topic, in UTF-16 units. */
const leastTopic = 16;

const clipLines = (texts: readonly string[]): readonly string[] => uniqueLines(texts, longest.line);

const clipMessage = (bodies: Bodies, n: number): string =>
  clip(oneLine(textOf(bodies.message(n).content)), longest.said);

interface DocumentItems {
  readonly decisions: readonly string[];
  readonly files: readonly FileChange[];
  readonly next: readonly string[];
  readonly questions: readonly string[];
}

/** Decisions, files, next steps and questions of the frames on the path, the outermost first. */
function gather(state: State, bodies: Bodies, open: readonly Frame[]): DocumentItems {
  const parts = open.map((frame): DocumentItems => {
    const view = state.views.get(frame.id);
    const checkpoints = view?.checkpoints ?? [];
    const last = checkpoints.at(-1);
    const summary = sectionsOf(summaryOf(state, bodies, frame));
    const paths = [...checkpoints.flatMap(({ files }) => files), ...summary.files];
    return {
      decisions: [...checkpoints.flatMap(({ decisions }) => decisions), ...summary.decisions],
      files: [...paths.map((path) => ({ path, change: 'changed' })), ...changesIn(view, bodies)],
      next: [...(last?.next ?? []), ...summary.next],
      questions: [...(last?.questions ?? []), ...summary.questions],
    };
  });
  return {
    decisions: parts.flatMap(({ decisions }) => decisions),
    files: parts.flatMap(({ files }) => files),
    next: parts.flatMap(({ next }) => next),
    questions: parts.flatMap(({ questions }) => questions),
  };
}

/** A summary of the working part of a frame: its partial result, or one made now of the active frame. */
function summaryOf({ active, views }: State, bodies: Bodies, frame: Frame): string {
  if (frame.id !== active) return frame.partial === null ? '' : bodies.text(frame.partial.text);
  const view = views.get(active);
  if (view === undefined) return '';
  return harvest({
    purpose: 'results',
    entries: view.items
      .filter(({ form }) => form !== 'closing')
      .map(({ n }) => ({ id: entryId(n), message: bodies.message(n) })),
    text: '',
    target: 800,
    count: estimate,
  });
}

/** No count of tokens, so that the same state gives the same document before the counter is loaded. */
const estimate = (text: string): number => Math.ceil(text.length / 4);

/** The files that calls among the items create or change, each with its entry. */
function changesIn(view: FrameView | undefined, bodies: Bodies): readonly FileChange[] {
  return (view?.items ?? []).flatMap(({ n, role, form }) => {
    if (role !== 'assistant' || form === 'closing') return [];
    return [...entitiesByPlace(bodies.message(n)).changed.values()].map((one) => ({
      path: one,
      change: `changed (${entryId(n)})`,
    }));
  });
}

function topicOf(state: State, bodies: Bodies, open: readonly Frame[]): string {
  const root = open[0]!;
  const active = open.at(-1)!;
  const titles = open.slice(1).map(({ title }) => title);
  if (titles.length > 0) {
    const criteria = active.brief === '' ? active.criteria : active.brief;
    return clip(
      oneLine(titles.join(' › ') + (criteria === '' ? '' : `: ${criteria}`)),
      longest.line,
    );
  }
  if (root.title !== state.session || state.newest === null) return root.title;
  const view = state.views.get(active.id);
  const said = [...(view?.human ?? []), ...(view?.items ?? []).filter(({ human }) => human)];
  const texts = [...said, state.newest].map(({ n }) => oneLine(textOf(bodies.message(n).content)));
  // A short message such as yes or go on is no topic.
  return clip(texts.findLast(({ length }) => length >= leastTopic) ?? texts.at(-1)!, longest.line);
}

function goalOf(state: State, bodies: Bodies, open: readonly Frame[]): string {
  const { goal, views } = state;
  if (goal !== null) return goal.description;
  const root = open[0]!;
  if (root.criteria !== '') return root.criteria;
  const view = views.get(root.id);
  const first = view?.human[0]?.n ?? view?.items.find(({ human }) => human)?.n ?? state.newest?.n;
  if (first === undefined) return '';
  return clipMessage(bodies, first);
}

function decisionsOf(
  { frames, goal }: State,
  open: readonly Frame[],
  found: readonly string[],
): readonly ListItem[] {
  const results = open
    .flatMap((frame) => childrenOf(frames, frame))
    .flatMap((child) => child.results?.decisions ?? []);
  const settled = clipLines([...results, ...found]).slice(-most.decisions);
  const own = goal?.decisions ?? [];
  const known = new Set(own.map(({ text }) => text));
  return [
    ...own.map(({ text, locked }) => ({ text, done: locked })),
    ...settled
      .filter((text) => !known.has(text))
      .map((text) => ({ text, done: true, kind: 'noted' as const })),
  ];
}

function statusOf(state: State, bodies: Bodies, next: readonly string[]): string {
  const { newest, active, calls, goal } = state;
  const items = state.views.get(active)?.items ?? [];
  const answer = items.findLast(
    ({ n, role, form }) =>
      role === 'assistant' &&
      form !== 'closing' &&
      oneLine(textOf(bodies.message(n).content)) !== '',
  );
  const quote = (n: number): string => `(${entryId(n)}): ${clipMessage(bodies, n)}`;
  const waiting = calls.filter(({ closed }) => !closed).map(({ name }) => name);
  const last = goal?.next.at(-1) ?? next.at(-1);
  return [
    `Turn ${state.turn}, ${state.entries} messages, in frame ${active}.`,
    ...(newest === null ? [] : [`Last request ${quote(newest.n)}`]),
    ...(answer === undefined ? [] : [`Last answer ${quote(answer.n)}`]),
    ...(waiting.length === 0 ? [] : [`Waiting for the results of: ${waiting.join(', ')}`]),
    ...(last === undefined ? [] : [`Next: ${clip(oneLine(last), longest.line)}`]),
  ].join('\n');
}

function filesOf(
  { frames, goal, ledger }: State,
  open: readonly Frame[],
  found: readonly FileChange[],
): readonly FileChange[] {
  const results = open
    .flatMap((frame) => childrenOf(frames, frame))
    .flatMap(({ title, results: left }) =>
      (left?.artifacts ?? []).map((one) => ({ path: one, change: `in “${title}”` })),
    );
  const left = ledger.names
    .filter(({ kind }) => kind === 'path')
    .sort((a, b) => a.entry - b.entry)
    .flatMap(({ changed, entry }) =>
      changed === false ? [] : [{ path: changed, change: `changed (${entryId(entry)})` }],
    );
  const files = new Map<string, string>();
  const all = [...(goal?.artifacts ?? []), ...left, ...results, ...found];
  const whole = wholePaths(all.map(({ path: one }) => one));
  for (const { path: said, change } of all) {
    const name = whole.get(said) ?? said;
    const before = files.get(name);
    files.delete(name);
    files.set(name, changeOf(before, change));
  }
  return [...files].map(([name, change]) => ({ path: name, change })).slice(-most.files);
}

/** The last change of a file; one that was created and then changed stays created. */
function changeOf(before: string | undefined, change: string): string {
  if (before === undefined) return change;
  if (change === 'changed') return before;
  return before.startsWith('created') ? change.replace(/^(?:changed|modified)/, 'created') : change;
}
