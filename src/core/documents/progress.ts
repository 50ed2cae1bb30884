import { frameId } from '../values/id.ts';
import { entryId } from '../values/id.ts';
import type { Frame } from '../frames/frame.ts';
import { nextStepOf } from '../frames/next-step.ts';
import { childrenOf, frameOf, path } from '../frames/tree.ts';
import { hasFailed, shortCall } from '../chronicle/failures.ts';
import type { Line } from '../chronicle/line.ts';
import type { Bodies } from '../messages/bodies.ts';
import { isHuman, personText, textOf, type ToolCall } from '../messages/message.ts';
import type { State } from '../state/state.ts';
import { plainSentence } from '../text/decisions.ts';
import { typedIn } from '../text/pasted.ts';
import { isHarsh, isOnward, requestIn } from '../text/requests.ts';
import { clip, oneLine, prose, sentences } from '../text/sentences.ts';
import type { RecoveredContext } from '../truncation/recovery.ts';
import type { CheckpointDocument } from './document.ts';
import { readEdit } from './page-edit.ts';
import { workOf, type SessionWork } from './session-work.ts';

// Where the work stands, in three answers: what it is about, what was completed
// last, and what comes next. What a host or a person keeps (goal, frames, list)
// comes first; after that what people asked in their words, what was committed,
// and what the model said at the end of a turn.

/** Where the work stands, as a recovery tells it. */
export function contextOf(state: State, bodies: Bodies): RecoveredContext {
  return progressOf(state, workOf(state, bodies));
}

/** The same of work that was read already. */
export function progressOf(state: State, work: SessionWork): RecoveredContext {
  const task = taskOf(work);
  return {
    workingOn: workingOn(state, work, task),
    lastCompleted: lastCompleted(state, work),
    nextStep: nextStep(state, work, task),
    open: openItems(state, work),
    files: changedFiles(state, work),
  };
}

/** Longest text of an answer, in UTF-16 units. */
const longest = 200;

/** Longest part of a result that is quoted, in UTF-16 units. */
const longestResult = 80;

/** Most items of a list. */
const most = 12;

/** A text on one line, without a stop at its end; what is too long is cut at a pause. */
export function short(text: string, length: number = longest): string {
  const line = plainSentence(oneLine(text));
  if (line.length <= length) return line.replace(/[.:;,]$/, '');
  const head = clip(line, length);
  const pause = Math.max(...['. ', '; ', ': ', ' — ', ', '].map((mark) => head.lastIndexOf(mark)));
  return pause > length / 2 ? `${head.slice(0, pause)}…` : head;
}

const at = (n: number): string => `(${entryId(n)})`;

/** A person's words as theirs. */
const quoted = (text: string, n: number): string =>
  `“${short(text).replace(/[“”]/g, '"')}” ${at(n)}`;

/** The request that is worked on. */
export interface Task {
  /** Position of the entry that made it. */
  readonly n: number;
  readonly text: string;
}

/** What people asked last: for work without doubt, or what brought some, or at length; null where nothing was asked. */
function taskOf({ said, edits, lines }: SessionWork): Task | null {
  const worked = new Set(lines.filter(isWork).map(({ turn }) => turn));
  const named = edits.findLast(({ topic }) => topic !== '');
  for (const { n, text } of said.toReversed()) {
    if (named !== undefined && named.n > n) break;
    if (isOnward(partsOf(text).at(-1) ?? '')) continue;
    const request = requestIn(text);
    if (request?.isSure === true) return { n, text: request.text };
    const atLength = messageAtLength(text);
    if (atLength !== '' && (worked.has(n) || !isTalk(atLength))) return { n, text: atLength };
    if (request !== null && worked.has(n)) return { n, text: request.text };
  }
  if (named !== undefined) return { n: named.n, text: named.topic };
  const first = said.find(({ text }) => /\p{L}{2}/u.test(text));
  return first === undefined ? null : { n: first.n, text: short(first.text) };
}

/** Shortest message that is about something whatever its form, in UTF-16 units. */
const leastAtLength = 41;

/** What was typed in a longer message, from its beginning and without curses; '' for one that is short. */
function messageAtLength(text: string): string {
  const typed = prose(typedIn(text));
  if (typed.trim().length < leastAtLength) return '';
  const said = oneLine(
    partsOf(typed)
      .filter((part) => !isHarsh(part))
      .join(' '),
  );
  return said.length > leastAtLength / 2 ? short(said) : '';
}

/** The sentences of a text, also those that begin without a capital letter. */
const partsOf = (text: string): readonly string[] =>
  sentences(text).flatMap((sentence) => sentence.split(/(?<=[.?!])\s+/));

/** Whether a message answers or is small talk: it neither asks nor names work. */
const isTalk = (said: string): boolean =>
  /^(?:y|yes|yeah|yep|no|nope|thanks?|sure)\b|\byou (?:still )?there\?|\bi hope\b/i.test(said) ||
  (requestIn(said) === null && !said.includes('?'));

/** Whether a line tells of work: of calls, or of what they changed. */
const isWork = ({ kind }: Line): boolean => kind === 'changed' || kind === 'done';

/** Whether a line tells of a commit or a pull request. */
export const isCommit = ({ kind, text }: Line): boolean =>
  kind === 'done' && /^(?:commit|pull request): /.test(text);

/** Whether nothing was asked or done since what was recovered. */
export const isResting = ({ recovered, said, lines, entries }: SessionWork): boolean =>
  recovered !== null &&
  !said.some(({ text }) => requestIn(text) !== null) &&
  !lines.some(isWork) &&
  !entries.some(({ message }) => message.role === 'assistant' && message.toolCalls?.length);

/** Whether the goal is no more than what was asked first before a recovery: a later request comes before it. */
export const isAskedGoal = ({ goal }: State, { recovered }: SessionWork): boolean =>
  recovered !== null && recovered.asked !== '' && goal?.description === recovered.goal;

function workingOn(state: State, work: SessionWork, task: Task | null): string {
  const { goal, frames, active } = state;
  const topic = isResting(work) ? work.recovered!.topic : '';
  if (topic !== '') return short(topic);
  const frame = frameOf(frames, active);
  const isSet = goal !== null && goal.status !== 'completed' && !(task && isAskedGoal(state, work));
  const aim = isSet ? short(goal.description) : '';
  if (frame.id !== frameId(0))
    return aim === '' ? short(frame.title) : `${short(frame.title)} (${aim})`;
  if (aim !== '') return aim;
  return task === null ? '' : quoted(task.text, task.n);
}

/** Something that was completed, and where. */
interface Completed {
  readonly n: number;
  readonly text: string;
}

function lastCompleted(state: State, work: SessionWork): string {
  if (work.recovered !== null) return completedSince(state, work, work.recovered);
  const milestone = state.goal?.milestones.findLast(({ status }) => status === 'completed');
  if (milestone !== undefined) return short(milestone.text);
  const sure = [completedFrame(state), ...completedIn(work), ...doneIn(work)];
  const last = newest(sure);
  if (last !== undefined) return last.text;
  const stated = work.lines
    .filter(({ kind, text }) => kind === 'said' && tellsCompletion(text))
    .map(({ n, text }) => ({ n, text: `${short(text)} ${at(n)}` }));
  const changed = work.lines
    .filter(({ kind }) => kind === 'changed')
    .map(({ to, file }) => ({ n: to, text: `a change of ${file} ${at(to)}` }));
  return (newest(stated) ?? newest(changed) ?? lastResult(work))?.text ?? '';
}

/** What was completed after a recovery; as it was told before while nothing was. */
function completedSince(
  state: State,
  work: SessionWork,
  { actions, completed }: CheckpointDocument,
): string {
  const known = new Set(actions.flatMap(({ text, done }) => (done ? [text] : [])));
  const milestone = state.goal?.milestones.findLast(
    ({ status, text }) => status === 'completed' && !known.has(text),
  );
  if (milestone !== undefined) return short(milestone.text);
  const frame = completedFrame(state);
  const later = work.lines.filter(({ n }) => n > 1);
  const last = newest([
    frame !== null && frame.n > 1 ? frame : null,
    ...completedIn({ ...work, lines: later }),
    ...doneIn({ ...work, lines: later }),
  ]);
  return last?.text ?? (completed || (lastResult(work)?.text ?? ''));
}

/** The last call whose result did not fail, with what it said. */
function lastResult({ entries }: SessionWork): Completed | undefined {
  for (const { n, message } of entries.toReversed()) {
    if (message.role !== 'tool' || hasFailed(message)) continue;
    const calls = callsBefore(n, entries);
    const call = calls.findLast(({ id }) => id === message.toolCallId) ?? calls.at(-1);
    const said = clip(firstLine(textOf(message.content)), longestResult).replace(/[“”]/g, '"');
    if (call === undefined || said === '') continue;
    return { n, text: `\`${shortCall(call)}\`, which said “${said}” ${at(n)}` };
  }
  return undefined;
}

/** The calls of the message of the model that a result follows. */
function callsBefore(n: number, entries: SessionWork['entries']): readonly ToolCall[] {
  const caller = entries.findLast((one) => one.n < n && one.message.role === 'assistant')?.message;
  return caller?.role === 'assistant' ? (caller.toolCalls ?? []) : [];
}

const firstLine = (text: string): string =>
  oneLine(text.split('\n', 200).find((line) => line.trim() !== '') ?? '');

const newest = (found: readonly (Completed | null)[]): Completed | undefined =>
  found.reduce<Completed | undefined>(
    (last, one) => (one !== null && one.n >= (last?.n ?? 0) ? one : last),
    undefined,
  );

/** The frame that was completed last beside those on the path. */
function completedFrame({ frames, active }: State): Completed | null {
  const done = path(frames, active)
    .flatMap((frame) => childrenOf(frames, frame))
    .filter(({ status }) => status === 'completed')
    .map((frame) => ({ n: frame.span?.[1] ?? 0, text: outcomeOf(frame) }));
  return newest(done) ?? null;
}

function outcomeOf({ title, results }: Frame): string {
  const brief = oneLine(results?.brief ?? '');
  return short(brief === '' ? title : `${title}: ${brief}`);
}

/** What the host's structure calls done: commits, items of its list. */
function doneIn({ lines, list }: SessionWork): readonly Completed[] {
  const commits = lines.filter(isCommit).map(({ n, text }) => ({
    n,
    text: `${short(text.split(' · ', 1)[0]!)} ${at(n)}`,
  }));
  const items = list.filter(({ mark }) => mark === 'x');
  return [...commits, ...items.map(({ n, text }) => ({ n, text: `“${short(text)}” ${at(n)}` }))];
}

const completion =
  /\b(?:done|completed?|finished|fixed|created|added|updated|implemented|removed|renamed|moved|recorded|applied|verified|written|rewritten|replaced|extracted|resolved|merged|committed|pushed|cleaned|installed|migrated|passes|passing|passed|works|succeeds|succeeded|successfully|now (?:uses?|reads?|returns?|handles?|supports?|has|is|are|matches))\b/i;

const uncertain =
  /\b(?:not|never|still|yet|remaining|would|should|could|will|might|may|needs?|need to|if|once|until|when|before|want|let me|i['’]ll|going to|plan to)\b|n['’]t\b|\?$/i;

/** A file that a marker names. */
const isArtifact = /^(?:created|modified|updated) \S+$/i;

/** Whether a statement tells that something is done. */
export function tellsCompletion(text: string): boolean {
  const said = text.replace(/\([^()]*\)/g, '');
  return completion.test(said) && !uncertain.test(said) && !isArtifact.test(said);
}

/** What the model said was done when it ended a turn. */
function completedIn({ lines, entries }: SessionWork): readonly Completed[] {
  const answers = new Set(
    entries
      .filter(({ message }) => message.role === 'assistant' && !message.toolCalls?.length)
      .map(({ n }) => n),
  );
  const inView = entries[0]?.n ?? Number.POSITIVE_INFINITY;
  const said = lines.filter(({ kind, text }) => kind === 'said' && !text.startsWith('asked “'));
  const ends = new Map(said.map(({ turn, n }) => [turn, n]));
  const closes = ({ n, turn }: Line): boolean =>
    n < inView ? ends.get(turn) === n : answers.has(n);
  const told = new Set<number>();
  return said
    .filter((line) => closes(line) && tellsCompletion(line.text))
    .filter(({ n }) => !told.has(n) && told.add(n))
    .map(({ n, text }) => ({ n, text: `${short(text)} ${at(n)}` }));
}

function nextStep(state: State, work: SessionWork, task: Task | null): string {
  if (isResting(work) && work.recovered!.next !== '') return short(work.recovered!.next);
  const edited = editedNext(work);
  if (edited !== null) return edited;
  const kept = nextStepOf(state);
  if (kept !== null) return short(kept);
  const listed = currentList(work, task);
  const item = listed.find(({ mark }) => mark === '~') ?? listed.find(({ mark }) => mark === ' ');
  if (item !== undefined) return `“${short(item.text)}” ${at(item.n)}`;
  const end = endOf(work);
  if (end === null) return task === null ? '' : afterAll;
  const { n, message } = end;
  const text = message.role === 'assistant' ? textOf(message.content) : personText(message);
  if (message.role === 'tool' || (message.role === 'assistant' && message.toolCalls?.length))
    return stepOn(work, task);
  if (message.role === 'user') {
    const request = requestIn(text);
    if (request !== null) return quoted(request.text, n);
    return text.trim().endsWith('?') ? `the answer to ${quoted(text, n)}` : stepOn(work, task);
  }
  const question = questionIn(text);
  if (question !== null) return `the answer to ${quoted(question, n)}`;
  const ahead = work.lines.find((line) => line.n === n && isAhead.test(line.text));
  if (ahead !== undefined) return `${short(ahead.text)} ${at(n)}`;
  return `${afterAll}; the last answer ${at(n)} asks nothing`;
}

/** What a person wrote as the next step, until they say something else or the model has answered. */
function editedNext({ edits, said, entries }: SessionWork): string | null {
  const edit = edits.findLast(({ next }) => next !== '');
  if (edit === undefined || (said.at(-1)?.n ?? 0) > edit.n) return null;
  const isAnswered = entries.some(
    ({ n, message }) => n > edit.n && message.role === 'assistant' && !message.toolCalls?.length,
  );
  return isAnswered ? null : quoted(edit.next, edit.n);
}

/** What comes next where everything that was asked is answered. */
const afterAll = 'what the user asks next';

/** What a closing statement leaves to do. */
const isAhead = /^(?:next(?: steps?)?|to-?do|remaining|left to do|still (?:open|to do)|open)\b/i;

/** What the model just said it would do, else to go on with the task; where the last call failed, with what it said. */
function stepOn({ lines, entries }: SessionWork, task: Task | null): string {
  const last = entries.findLast(
    ({ message }) => message.role === 'assistant' && message.toolCalls?.length,
  );
  if (last === undefined || last.n < (task?.n ?? 0)) return 'to begin with it';
  const failed = lines.findLast(({ kind }) => kind === 'failed');
  if (failed !== undefined && failed.to > last.n)
    return `to go on with it: ${short(failed.text)} ${at(failed.to)}`;
  const intended = intentionIn(entries.slice(-recent).filter(({ n }) => n > (task?.n ?? 0)));
  if (intended !== null) return intended;
  return task === null ? 'to go on with it' : `to go on with ${quoted(task.text, task.n)}`;
}

/** Entries in which what the model said it would do may still be ahead. */
const recent = 8;

/** What the model said last that it would do. */
function intentionIn(entries: SessionWork['entries']): string | null {
  for (const { n, message } of entries.toReversed()) {
    if (message.role !== 'assistant') continue;
    const said = sentences(prose(textOf(message.content))).map(plainSentence);
    const found = said.findLast((one) => intending.test(one) && one.length > 20);
    if (found !== undefined) return quoted(found.replace(/:$/, ''), n);
  }
  return null;
}

const intending =
  /^(?:\w+[,.!] )?(?:(?:now|next|then|so|first|finally)\b,? )?(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to)\b/i;

/** The last entry of a person or the model, or of a tool; machine text asks and answers nothing. */
const endOf = ({ entries }: SessionWork): SessionWork['entries'][number] | null =>
  entries.findLast(
    ({ message }) =>
      message.role !== 'user' || (isHuman(message) && readEdit(personText(message)) === null),
  ) ?? null;

/** The question that the last message ends with, while nobody answered it. */
export function openQuestion(
  work: SessionWork,
): { readonly n: number; readonly text: string } | null {
  const end = endOf(work);
  if (end?.message.role !== 'assistant' || end.message.toolCalls?.length) return null;
  const text = questionIn(textOf(end.message.content));
  return text === null ? null : { n: end.n, text: short(text) };
}

/** The question that a text ends with. */
function questionIn(text: string): string | null {
  const last = sentences(prose(text)).slice(-3).map(plainSentence);
  return last.findLast((one) => one.endsWith('?') && one.length > 12) ?? null;
}

/** The host's list where it belongs to what is worked on; one of an older request is history. */
function currentList({ list }: SessionWork, task: Task | null): SessionWork['list'] {
  return Math.max(0, ...list.map(({ n }) => n)) >= (task?.n ?? 0) ? list : [];
}

function openItems(state: State, work: SessionWork): readonly string[] {
  const { goal, frames, active } = state;
  const milestones = goal?.milestones.filter(({ status }) => status !== 'completed') ?? [];
  const planned = childrenOf(frames, frameOf(frames, active)).filter(({ status }) =>
    ['planned', 'blocked'].includes(status),
  );
  const listed = currentList(work, taskOf(work)).filter(({ mark }) => mark !== 'x');
  return unique([
    ...(goal?.next ?? []),
    ...milestones.map(({ text }) => text),
    ...planned.map(({ title }) => title),
    ...listed.map(({ text }) => text),
    ...(work.recovered?.actions ?? []).flatMap(({ text, done, kind }) =>
      !done && kind?.startsWith('list') === true ? [text] : [],
    ),
    ...(isResting(work) ? work.recovered!.questions : []),
  ]);
}

function changedFiles({ goal }: State, { lines, recovered }: SessionWork): readonly string[] {
  const changed = lines.flatMap(({ kind, file }) =>
    kind === 'changed' && file !== '' ? [file] : [],
  );
  return unique([
    ...changed.toReversed(),
    ...(goal?.artifacts ?? []).map((one) => one.path).toReversed(),
    ...(recovered?.files ?? []).map(({ path: file }) => file).toReversed(),
  ]);
}

const unique = (items: readonly string[]): readonly string[] =>
  [...new Set(items.map((item) => short(item)))].filter((item) => item !== '').slice(0, most);
