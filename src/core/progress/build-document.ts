import type { Breadcrumb } from '../breadcrumbs/breadcrumb.ts';
import { artifactPath } from '../chronicle/harvest.ts';
import type { Frame } from '../frames/frame.ts';
import { idsOf, type Line } from '../lines/line.ts';
import { isReplyLine } from '../lines/replies.ts';
import { aroundPath, frameOf, path } from '../frames/tree.ts';
import { wholePaths } from '../entities/salience.ts';
import { nothingReported, type DocumentReason, type Told } from '../state/document-schedule.ts';
import type { State } from '../state/state.ts';
import type { Bodies } from '../messages/bodies.ts';
import { requestIn } from '../people/requests.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { entryId, frameId } from '../values/id.ts';
import { byPerson, decisionsIn } from './decisions.ts';
import { actionsOf, goalDecisions, isReportedClosed } from './document-actions.ts';
import { meaningOf, rowsOf } from './document-rows.ts';
import {
  emptyDocument,
  truncationNote,
  type CheckpointDocument,
  type FileChange,
} from '../documents/document.ts';
import { ontoRecovered } from '../documents/fold-documents.ts';
import type { ListItem } from '../documents/list-item.ts';
import { tellsCompletion } from './completed.ts';
import { openQuestion } from './next-step.ts';
import { progressOf } from './progress.ts';
import { short } from '../documents/short-text.ts';
import { isAskedGoal, isResting } from './task.ts';
import { linesSince, workOf, type SessionWork } from './session-work.ts';

// A document tells what changed since the last one: decisions, closed and new
// items, files, failures with their cures, what is open. All documents of a session
// together say what there is; where the work stands, each says by itself.

/** The name, the time and the reason of a document. */
interface DocumentStamp {
  readonly id: string;
  readonly at: number;
  readonly reason: DocumentReason;
}

/** The document of everything that a state knows. */
export const documentOf = (
  state: State,
  bodies: Bodies,
  stamp: DocumentStamp,
): CheckpointDocument =>
  documentSince(state, workOf(state, bodies), { stamp, baseline: nothingReported });

/** What a document is made for. */
interface DocumentAim {
  readonly stamp: DocumentStamp;
  readonly baseline: Told;
}

/** The document of what was not told yet; the first one after a recovery tells what was recovered, too. */
export function documentSince(
  state: State,
  work: SessionWork,
  aim: DocumentAim,
): CheckpointDocument {
  const own = ownSince(state, work, aim);
  const { recovered } = work;
  if (recovered === null || aim.baseline.id !== '') return own;
  const questions = isResting(work) ? [...recovered.questions, ...own.questions] : own.questions;
  return { ...ontoRecovered(recovered, own), questions };
}

/** The document of what the session itself knows and did not tell yet. */
function ownSince(
  state: State,
  work: SessionWork,
  { stamp, baseline }: DocumentAim,
): CheckpointDocument {
  const { workingOn, lastCompleted, nextStep } = progressOf(state, work);
  const root = frameOf(state.frames, frameId(0));
  const lines = linesSince(work, baseline.messages);
  const room = stamp.reason === 'command' ? roomy.most : roomFor(state, baseline);
  const decisions = decided(state, work, baseline).slice(-mostDecisions);
  const question = openQuestion(work);
  return {
    ...emptyDocument,
    ...stamp,
    session: state.session,
    messages: state.entryCount,
    after: baseline.id,
    note: stamp.reason === 'truncation' ? truncationNote : '',
    topic: topicOf(state) || workingOn,
    ...goalOf(state, work, baseline),
    ...(state.goal === null ? {} : { priority: state.goal.priority, standing: state.goal.status }),
    title: root.title === state.session ? '' : root.title,
    decisions: [
      ...goalDecisions(state.goal, baseline.goal),
      ...withinRoom(decisions, Math.max(leastDecided, room * shares.decisions), ({ text }) => text),
    ],
    actions: actionsOf(state, work, baseline),
    questions: question === null ? [] : [`${question.text} (${entryId(question.n)})`],
    completed: lastCompleted,
    next: nextStep,
    status: statusOf(state, lines, {
      room: room * shares.status,
      coveredTexts: new Set([lastCompleted, ...decisions.map(({ text }) => text)]),
    }),
    files: filesOf(state, lines, { baseline, room: room * shares.files }),
    breadcrumbs: withinRoom(rowsOf(work, lines, baseline), room * shares.breadcrumbs, rowText),
  };
}

/** Whether a document tells nothing but where the work stands. */
export const tellsNothing = (document: CheckpointDocument): boolean =>
  [document.decisions, document.actions, document.questions, document.files].every(
    ({ length }) => length === 0,
  ) && !document.status.includes('- e');

/** Most decisions of a document that the goal does not hold; the newest stay. */
const mostDecisions = 24;

/** What the lines of a document may take, in UTF-16 units: by the tokens of what they tell, and at least and at most. */
const roomy = { share: 0.3, least: 400, most: 6_400 } as const;

/** What decisions may take in any document, in UTF-16 units: one that is left out is told by no later one. */
const leastDecided = 1_200;

/** How the room is divided. */
const shares = { decisions: 0.3, status: 0.25, files: 0.2, breadcrumbs: 0.25 } as const;

/** Longest goal that is told again where it did not change, and longest request that stands for one, in UTF-16 units. */
const longest = { again: 120, request: 400, line: 240 } as const;

function roomFor({ tokens }: State, baseline: Told): number {
  return Math.max(roomy.least, Math.min(roomy.most, (tokens - baseline.tokens) * roomy.share));
}

/** The newest items whose texts fit together, in their order; one at least. */
function withinRoom<T>(
  items: readonly T[],
  room: number,
  textOf: (item: T) => string,
): readonly T[] {
  const kept: T[] = [];
  let remaining = room;
  for (const item of items.toReversed()) {
    remaining -= textOf(item).length + 12;
    if (remaining < 0 && kept.length > 0) break;
    kept.push(item);
  }
  return kept.toReversed();
}

const rowText = ({ reference, hint }: Breadcrumb): string => reference + hint;

/** The frames that are entered, with the criteria of the active one; '' in the root. */
function topicOf({ frames, active }: State): string {
  const open = path(frames, active);
  const { brief, criteria } = open.at(-1)!;
  const aim = brief === '' ? criteria : brief;
  const titles = open.slice(1).map(({ title }) => title);
  if (titles.length === 0) return '';
  return clip(oneLine(titles.join(' › ') + (aim === '' ? '' : `: ${aim}`)), longest.line);
}

/** The goal as it is told: what was told before only in short. */
function goalOf(
  state: State,
  work: SessionWork,
  baseline: Told,
): Pick<CheckpointDocument, 'goal' | 'asked' | 'isSameGoal'> {
  const { goal, frames } = state;
  const kept = goal?.description ?? frameOf(frames, frameId(0)).criteria;
  if (kept !== '') {
    const isSame = kept === baseline.goal?.description && kept.length > longest.again;
    const asked = isAskedGoal(state, work) ? work.recovered!.asked : '';
    return { goal: isSame ? clip(kept, longest.again) : kept, asked, isSameGoal: isSame };
  }
  const first = work.said.find(({ text }) => requestIn(text) !== null) ?? work.said[0];
  if (first === undefined) return { goal: '', asked: '', isSameGoal: false };
  const isSame = first.n <= baseline.messages;
  return {
    goal: clip(oneLine(first.text), isSame ? longest.again : longest.request),
    asked: entryId(first.n),
    isSameGoal: isSame,
  };
}

/** The decisions since, of closed frames where the goal has them not, of people, of the model; and those told before that hold no longer. */
function decided(
  state: State,
  { said, edits, lines }: SessionWork,
  baseline: Told,
): readonly ListItem[] {
  const results = unreportedFrames(state, baseline)
    .flatMap(({ results: found }) => found?.decisions ?? [])
    .filter((text) => !(state.goal?.decisions ?? []).some((one) => one.text === text))
    .map((text): ListItem => ({ text: short(text, longest.line), done: true, kind: 'noted' }));
  const isReported = ({ n }: { readonly n: number }): boolean => n <= baseline.messages;
  const edited = edits
    .filter((edit) => !isReported(edit))
    .flatMap(({ n, decisions }) => decisions.map((text) => byPerson(clip(text, longest.line), n)));
  const isGone = (item: ListItem): boolean =>
    edits.some(({ n, gone }) => n > placeOf(item) && gone.includes(item.text));
  const all = decisionsIn(said, lines).filter((item) => !isGone(item));
  const newDecisions = all.filter((item) => !isReported({ n: placeOf(item) }));
  const before = decisionsIn(said.filter(isReported), lines.filter(isReported));
  const isLeft = ({ text }: ListItem): boolean => all.some((item) => item.text.startsWith(text));
  return [
    ...[...results, ...newDecisions, ...edited].filter((item) => !isGone(item)),
    ...before.filter((item) => !isLeft(item)).map(withdrawn),
  ];
}

/** The position of the entry that decided; 0 where none is known. */
const placeOf = ({ entry = 'e0' }: ListItem): number => Number(entry.slice(1));

/** A decision that was told and holds no longer. */
const withdrawn = (item: ListItem): ListItem => ({
  ...item,
  done: false,
  kind: item.kind === 'noted' ? 'noted, withdrawn' : 'directive, withdrawn',
});

/** The frames around the path but those that were told as closed. */
const unreportedFrames = ({ frames, active }: State, baseline: Told): readonly Frame[] =>
  aroundPath(frames, active).filter(({ id }) => !isReportedClosed(id, baseline));

/** The tools whose results are waited for, in one text. */
export const awaited = ({ calls }: State): string =>
  calls.flatMap(({ closed, name }) => (closed ? [] : [name])).join(', ');

/** What came out and what failed since, and what is waited for. */
function statusOf(
  state: State,
  lines: readonly Line[],
  { room, coveredTexts }: { readonly room: number; readonly coveredTexts: ReadonlySet<string> },
): string {
  const isCovered = (text: string, n: number): boolean =>
    coveredTexts.has(short(text, longest.line)) ||
    coveredTexts.has(`${short(text)} (${entryId(n)})`);
  const candidates = lines
    .filter(
      ({ kind, text, n }) =>
        kind === 'failed' ||
        (kind === 'said' && (tellsCompletion(text) || isFinding.test(text)) && !isCovered(text, n)),
    )
    .filter(({ text }) => !isReplyLine(text))
    .sort((a, b) => b.worth - a.worth);
  const waiting = awaited(state);
  const chosen = new Set(
    withinRoom(candidates.toReversed(), room, ({ text }) => short(text, longest.line)),
  );
  return [
    ...(waiting === '' ? [] : [`Waiting for the results of: ${waiting}`]),
    ...lines
      .filter((line) => chosen.has(line))
      .map((line) => `- ${idsOf(line)} ${short(line.text, longest.line)}`),
  ].join('\n');
}

const isFinding =
  /\b(?:root cause|turns? out|caused by|because|the (?:cause|bug|reason) (?:is|was)|found that|confirmed)\b/i;

function filesOf(
  state: State,
  lines: readonly Line[],
  { baseline, room }: { readonly baseline: Told; readonly room: number },
): readonly FileChange[] {
  const results = unreportedFrames(state, baseline).flatMap(({ title, results: found }) =>
    (found?.artifacts ?? []).map((one) => ({ path: artifactPath(one), change: `in “${title}”` })),
  );
  const knownPaths = new Set((baseline.goal?.artifacts ?? []).map(({ path: one }) => one));
  const artifacts = (state.goal?.artifacts ?? []).filter(({ path: one }) => !knownPaths.has(one));
  const changed = lines
    .filter(({ kind, file }) => kind === 'changed' && file !== '')
    .map((line) => ({ path: line.file, change: `${meaningOf(line, 130)} (${idsOf(line)})` }));
  const files = new Map<string, string>();
  const size = ({ path: name, change }: FileChange): string => name + change;
  const all = [...artifacts, ...results, ...withinRoom(changed, room, size)];
  const whole = wholePaths(all.map(({ path: one }) => one));
  for (const { path: name, change } of all) {
    const full = whole.get(name)!;
    const before = files.get(full);
    files.delete(full);
    files.set(full, changeOf(before, change));
  }
  return [...files].map(([name, change]) => ({ path: name, change }));
}

/** The last change of a file; one that was created and then changed stays created. */
function changeOf(before: string | undefined, change: string): string {
  if (before === undefined) return change;
  if (change === 'modified') return before;
  return before.startsWith('created') ? change.replace(/^(?:changed|modified)/, 'created') : change;
}
