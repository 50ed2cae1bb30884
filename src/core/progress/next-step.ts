import { nextStepOf } from '../frames/next-step.ts';
import { isHuman, personText, textOf } from '../messages/message.ts';
import { frameAt } from '../frames/frame-ranges.ts';
import { isClosed } from '../frames/frame.ts';
import { childrenOf, frameOf } from '../frames/tree.ts';
import type { State } from '../state/state.ts';
import { plainSentence } from '../text/decisions.ts';
import { withOptions } from '../text/options.ts';
import { refusalIn } from '../messages/refusal.ts';
import { refusedIn as refusedCallIn } from '../notes/choice-notes.ts';
import { requestIn } from '../people/requests.ts';
import { clip, prose, sentences } from '../text/sentences.ts';
import { frameId } from '../values/id.ts';
import { readEdit } from '../documents/page-edit.ts';
import type { SessionWork } from './session-work.ts';
import { at, quoted, short } from '../documents/short-text.ts';
import { begunAt, handedIn, isCommit, isResting, isRun, pastedText, type Task } from './task.ts';

// What comes next: what a person wrote or a host keeps, else the question or the
// request that waits, else what the model said it would do.

/** What comes next; '' where nothing was asked. */
export function nextStep(state: State, work: SessionWork, task: Task | null): string {
  if (isResting(work) && work.recovered!.next !== '') return short(work.recovered!.next);
  const edited = editedNext(work);
  if (edited !== null) return edited;
  const waiting = waitingRequest(state, work, task);
  const kept = nextStepOf(state);
  // What is kept may have come of the first request.
  const isLater = waiting !== null && work.said.some(({ n }) => n < waiting.n);
  if (kept !== null) return isLater ? `${waiting.text}, then ${short(kept)}` : short(kept);
  const listed = currentList(work, frameTask(state) ?? task);
  const isListed = waiting === null || listed.some(({ n }) => n >= waiting.n);
  const item = listed.find(({ mark }) => mark === '~') ?? listed.find(({ mark }) => mark === ' ');
  if (isListed && item !== undefined) return `“${short(item.text)}” ${at(item.n)}`;
  if (waiting !== null) return waiting.text;
  const end = endOf(work);
  if (end !== null && isFollowed(state, end.n)) return afterFrame(state, task);
  if (end === null) return task === null ? '' : afterAll;
  if (handedIn(work) > 0) return afterAll;
  const { n, message } = end;
  if (message.role === 'user') return stepOn(work, task);
  const refused = refusedIn(work, end);
  if (refused !== '') return `what the user says: they refused ${refused} ${at(n)}`;
  if (message.role === 'tool' || message.toolCalls?.length)
    return stepOn(work, frameTask(state) ?? task);
  const text = textOf(message.content);
  const question = questionIn(text);
  if (question !== null) return `the answer to ${quoted(question, n)}`;
  const ahead = work.lines.find((line) => line.n === n && isAhead.test(line.text));
  if (ahead !== undefined) return `${short(ahead.text)} ${at(n)}`;
  const offer = offerIn(text);
  if (offer !== '') return `what the user says to ${quoted(offer, n)}`;
  return `${afterAll}; the last answer ${at(n)} asks nothing`;
}

/** What a person refused without a word of what to do instead, with which the work ended; '' for nothing. */
function refusedIn(
  { lines, entries }: SessionWork,
  { message }: SessionWork['entries'][number],
): string {
  if (message.role !== 'tool' || refusalIn(message) !== '') return '';
  const call = entries.findLast((entry) => entry.message.role === 'assistant')?.n ?? 0;
  const refusedCalls = lines.filter(({ n }) => n === call).map(({ text }) => refusedCallIn(text));
  return short(refusedCalls.find((one) => one !== '') ?? '');
}

/** Whether a frame below the active one was begun after a position, and completed. */
function isFollowed({ frames, active }: State, n: number): boolean {
  const below = childrenOf(frames, frameOf(frames, active));
  return below.some(({ status, span }) => status === 'completed' && span !== null && span[0] > n);
}

/** What comes after a frame that was completed last: nobody said whether it was all that was asked. */
function afterFrame(state: State, task: Task | null): string {
  const above = frameTask(state);
  if (above !== null) return `to go on with ${quoted(above.text, above.n)}`;
  return task === null
    ? afterAll
    : `what is left of ${quoted(task.text, task.n)}, else ${afterAll}`;
}

/** What a person asked with the last entry, which no answer and no result of its frame followed, and no frame was completed for; null for nothing. */
function waitingRequest(
  state: State,
  work: SessionWork,
  task: Task | null,
): { readonly n: number; readonly text: string } | null {
  const { frames, frameRanges } = state;
  const end = endOf(work);
  if (end?.message.role !== 'user' || isFollowed(state, end.n)) return null;
  const { n } = end;
  const frame = frameAt(frameRanges, n);
  if (frame !== undefined && isClosed(frameOf(frames, frame))) return null;
  if (task?.pasted?.n === n) return { n, text: `the answer to ${pastedText(task.pasted)}` };
  const said = personText(end.message);
  const request = requestIn(said);
  if (request !== null && task?.n === n) return { n, text: quoted(task.text, n) };
  if (request !== null) return { n, text: quoted(request.text, n) };
  return said.trim().endsWith('?') ? { n, text: `the answer to ${quoted(said, n)}` } : null;
}

/** What the active frame is for; null in the root. */
function frameTask({ frames, active }: State): Task | null {
  const { id, title, span } = frameOf(frames, active);
  return id === frameId(0) || span === null ? null : { n: span[0], text: title };
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

/** What the model offers to do next at the end of a text; '' for nothing. */
const offerIn = (text: string): string =>
  sentences(prose(text))
    .map(plainSentence)
    .slice(-2)
    .findLast((one) => offering.test(one) && one.length > leastOffer) ?? '';

const offering =
  /^(?:(?:i['’]?m|we['’]?re) )?ready (?:to|for)\b|\bwhen(?:ever)? you(?:['’]re| are)? (?:ready|want|like)\b|^(?:the )?next (?:up|step)\b|\blet me know (?:if|when|whether) you(?:['’]d| would)? (?:want|like)\b/i;

/** Shortest offer that says what it offers, in UTF-16 units. */
const leastOffer = 24;

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
  const committed = lines.findLast(isCommit)?.n ?? 0;
  const since = Math.max(task?.pasted?.n ?? task?.n ?? 0, committed);
  const intended = intentionIn(entries.slice(-recent).filter(({ n }) => n > since));
  if (intended !== null) return intended;
  if (task === null) return 'to go on with it';
  if (committed > task.n && asksCommit.test(task.text)) return afterAll;
  const { n, text, pasted } = task;
  return `to go on with ${pasted === undefined ? quoted(text, n) : pastedText(pasted)}`;
}

/** A request for no more than a commit. */
const asksCommit =
  /^(?:(?:please|ok(?:ay)?|now|and)[,.!]? )*commit(?: (?:it|this|that|all|everything|(?:the|your) changes))?[.!]?$/i;

/** Entries in which what the model said it would do may still be ahead. */
const recent = 8;

/** What the model said it would do when it said something last. */
function intentionIn(entries: SessionWork['entries']): string | null {
  const last = entries.findLast(
    ({ message }) => message.role === 'assistant' && textOf(message.content),
  );
  if (last === undefined) return null;
  const statements = sentences(prose(textOf(last.message.content))).map(plainSentence);
  const intention = statements.findLast((one) => intending.test(one) && one.length > 20);
  return intention === undefined ? null : quoted(intention, last.n);
}

const intending =
  /^(?:\w+[,.!] )?(?:(?:now|next|then|so|first|finally)\b,? )?(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to)\b/i;

/** The last entry of a person or the model, or of a tool; machine text asks and answers nothing. */
const endOf = ({ entries }: SessionWork): SessionWork['entries'][number] | null =>
  entries.findLast(
    ({ message }) =>
      message.role !== 'user' ||
      (isHuman(message) && readEdit(personText(message)) === null && !isRun(personText(message))),
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

/** The question that a text ends with, with the sentence that it leans on. */
function questionIn(text: string): string | null {
  const statements = sentences(prose(text)).map((one) => plainSentence(one).replace(/\*\*/g, ''));
  const index = statements.findLastIndex((one) => one.endsWith('?') && one.length > 12);
  if (index < 0 || index < statements.length - 3) return null;
  const question = withOptions(statements[index]!, text);
  if (question !== statements[index]) return question;
  const before = statements[index - 1] ?? '';
  const room = longestQuestion - question.length;
  if (!isLeaning(question) || before.length < 12 || room < leastBefore) return question;
  return `${clip(before, room)} ${question}`;
}

/** Longest question with what it leans on, and least of that which is told, in UTF-16 units. */
const longestQuestion = 198;
const leastBefore = 90;

/** Whether a question says too little by itself. */
const isLeaning = (question: string): boolean =>
  question.length < 40 ||
  /^(?:or|and)\b|\b(?:it|this|that|these|those|them|there|either|both)\b/i.test(question);

/** The host's list where it belongs to what is worked on; one of an older request is history. */
export function currentList(work: SessionWork, task: Task | null): SessionWork['list'] {
  const since = task === null ? 0 : begunAt(work, task);
  return Math.max(0, ...work.list.map(({ n }) => n)) >= since ? work.list : [];
}
