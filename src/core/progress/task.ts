import type { Line } from '../lines/line.ts';
import { hasFailed } from '../outcomes/failures.ts';
import type { State } from '../state/state.ts';
import { errorIn, isAllPasted, typedIn } from '../people/pasted.ts';
import { isHarsh, isImperative, isOnward, requestIn } from '../people/requests.ts';
import { oneLine, prose, sentences, wordCount } from '../text/sentences.ts';
import type { SessionWork } from './session-work.ts';
import { at, quoted, short } from '../documents/short-text.ts';

// What is worked on: what people asked last, and, where that was in few words,
// what they asked before it for work or at length; and whether anything was asked
// or done at all.

/** The request that is worked on. */
export interface Task {
  /** Position of the entry that made it. */
  readonly n: number;
  readonly text: string;
  /** What was asked before one of few words, which says little by itself. */
  readonly after?: Task;
  /** What they pasted since, without a word of what is wanted of it. */
  readonly pasted?: Pasted;
}

/** What was pasted alone, by the line of it that says what failed; '' for none. */
export interface Pasted {
  readonly n: number;
  readonly text: string;
}

/** What people asked last, in few words or many; null where nothing was asked. */
export function taskOf(work: SessionWork): Task | null {
  const full = fullTask(work);
  const brief = briefTask(work, full?.n ?? 0);
  const asked = brief === null || full === null ? (brief ?? full) : { ...brief, after: full };
  const task = asked ?? firstSaid(work);
  const pasted = task === null ? undefined : pastedSince(work, task.n);
  return task === null || pasted === undefined ? task : { ...task, pasted };
}

/** What was said first, best in words of a person. */
function firstSaid({ said }: SessionWork): Task | null {
  const worded = said.filter(({ text }) => /\p{L}{2}/u.test(text));
  const first = worded.find(({ text }) => !isAllPasted(text)) ?? worded[0];
  return first === undefined ? null : { n: first.n, text: short(first.text) };
}

/** What a person pasted last after a position. */
function pastedSince({ said }: SessionWork, since: number): Pasted | undefined {
  const last = said.findLast(({ n, text }) => n > since && isAllPasted(text) && !isRun(text));
  return last && { n: last.n, text: errorIn(last.text) };
}

/** What was pasted, as it is told. */
export const pastedText = ({ n, text }: Pasted): string =>
  text === '' ? `what they pasted ${at(n)}` : `what they pasted: ${quoted(text, n)}`;

/** A task as it is told, with what was asked before it and pasted since. */
export const taskText = ({ n, text, after, pasted }: Task): string =>
  [
    quoted(text, n),
    ...(after === undefined ? [] : [`asked after ${quoted(after.text, after.n)}`]),
    ...(pasted === undefined ? [] : [`then ${pastedText(pasted)}`]),
  ].join(', ');

/** Position from which on a host's list is of a task: of one of few words that brought no work, that of the one before it. */
export const begunAt = ({ lines }: SessionWork, { n, after }: Task): number =>
  after === undefined || lines.some((line) => isWork(line) && line.turn === n) ? n : after.n;

/** What was asked last after a position, in few words or with doubt; null where nothing was. */
function briefTask({ said, lines }: SessionWork, since: number): Task | null {
  let onward = 0;
  for (const { n, text } of said.toReversed()) {
    if (n <= since) break;
    const request = askedIn(text);
    if (isOnwardAtEnd(text)) onward = Math.max(onward, n);
    else if (request !== '' && !isSettled(lines, n, onward)) return { n, text: short(request) };
  }
  return null;
}

/** What a message asks that is a question, names work or is no more than an order; '' for none. */
function askedIn(text: string): string {
  if (isAllPasted(text)) return '';
  const typed = oneLine(typedIn(prose(text)));
  if (isImperative(typed)) return typed;
  if (wordCount(typed) < 2) return requestIn(text)?.text ?? '';
  if (isSmallTalk(typed)) return '';
  const parts = partsOf(typed).filter((part) => !isHarsh(part));
  const isQuestion = parts.some((part) => part.endsWith('?') && wordCount(part) > 1);
  return isQuestion || requestIn(typed) !== null ? typed : '';
}

/** Whether a text tells of a command that a person ran, as a host does in their words. */
export const isRun = (text: string): boolean => text.startsWith('Ran `');

/** What people asked last for work without doubt, or what brought some, or at length; null for none. */
function fullTask({ said, edits, lines }: SessionWork): Task | null {
  const worked = new Set(lines.filter(isWork).map(({ turn }) => turn));
  const named = edits.findLast(({ topic }) => topic !== '');
  let onward = 0;
  for (const { n, text } of said.toReversed()) {
    if (named !== undefined && named.n > n) break;
    if (isAllPasted(text)) continue;
    if (isOnwardAtEnd(text)) {
      onward = Math.max(onward, n);
      continue;
    }
    const request = requestIn(text);
    if (isRecap(text) && !worked.has(n)) continue;
    const isLeft = isSettled(lines, n, onward);
    if (request?.isSure === true && !(isLeft && aside.test(text))) return { n, text: request.text };
    if (isLeft) continue;
    const atLength = messageAtLength(text);
    if (atLength !== '' && (worked.has(n) || !isTalk(atLength))) return { n, text: atLength };
    if (request !== null && worked.has(n)) return { n, text: request.text };
  }
  return named === undefined ? null : { n: named.n, text: named.topic };
}

/** Whether a message ends with asking to go on. */
const isOnwardAtEnd = (text: string): boolean => isOnward(partsOf(text).at(-1) ?? '');

/** Whether a message only asks what was done: the work is what was asked before it. */
const isRecap = (text: string): boolean =>
  recap.test(text) && !/\b(?:and|then|to|into)\b/i.test(text);

const recap =
  /^(?:[\w']{1,12},? ){0,5}(?:summari[sz]e|recap|sum up|summary|overview)\b[^.!?;:\n]{0,40}\b(?:you|we|your|our|the (?:work|changes|session)|this session|so far)\b[^.!?;:\n]{0,40}[.!?]?$/i;

/** What is asked beside the work. */
const aside = /^\W*(?:btw|by the way|slight|also|one (?:more|thing)|nit|small|quick|minor)\b/i;

/** Whether work was committed after a message, and a person then asked to go on with what was asked before it. */
const isSettled = (lines: readonly Line[], n: number, onward: number): boolean =>
  lines.some((line) => isCommit(line) && line.n > n && line.n < onward);

/** Shortest message that is about something whatever its form, in UTF-16 units. */
const leastAtLength = 41;

/** What was typed in a longer message, from its beginning and without curses; '' for one that is short. */
function messageAtLength(text: string): string {
  const typed = typedIn(prose(text));
  if (typed.trim().length < leastAtLength) return '';
  const wording = oneLine(
    partsOf(typed)
      .filter((part) => !isHarsh(part))
      .join(' '),
  );
  return wording.length > leastAtLength / 2 ? short(wording) : '';
}

/** The sentences of a text, also those that begin without a capital letter. */
const partsOf = (text: string): readonly string[] =>
  sentences(text).flatMap((sentence) => sentence.split(/(?<=[.?!])\s+/));

/** Whether a message answers or is small talk: it neither asks nor names work. */
const isTalk = (message: string): boolean =>
  isSmallTalk(message) || (requestIn(message) === null && !message.includes('?'));

/** Whether a message says yes or no, thanks or greets. */
const isSmallTalk = (message: string): boolean =>
  /^(?:y|yes|yeah|yep|no|nope|thanks?|sure)\b|\byou (?:still )?there\?|\bi hope\b/i.test(message);

/** Whether a line tells of work: of calls, or of what they changed. */
const isWork = ({ kind }: Line): boolean => kind === 'changed' || kind === 'done';

/** Whether a line tells of a commit or a pull request. */
export const isCommit = ({ kind, text }: Line): boolean =>
  kind === 'done' && /^(?:commit|pull request): /.test(text);

/** Names of calls by which an agent says that its task is done. */
const handing =
  /^(?:submit|finish|final_?answer|attempt_completion|task_(?:complete|done)|complete_task|mark_complete)$/i;

/** Position of the call by which the model handed its work in, where nothing was said or done since; 0 for none. */
export function handedIn({ entries }: SessionWork): number {
  const last = entries.findLast(({ message }) => message.role !== 'tool');
  const result = entries.at(-1)?.message;
  if (last?.message.role !== 'assistant' || (result?.role === 'tool' && hasFailed(result)))
    return 0;
  return last.message.toolCalls?.some(({ name }) => handing.test(name)) === true ? last.n : 0;
}

/** Whether nothing was asked or done since what was recovered. */
export const isResting = ({ recovered, said, lines, entries }: SessionWork): boolean =>
  recovered !== null &&
  !said.some(({ text }) => requestIn(text) !== null) &&
  !lines.some(isWork) &&
  !entries.some(({ message }) => message.role === 'assistant' && message.toolCalls?.length);

/** Whether the goal is no more than what was asked first before a recovery: a later request comes before it. */
export const isAskedGoal = ({ goal }: State, { recovered }: SessionWork): boolean =>
  recovered !== null && recovered.asked !== '' && goal?.description === recovered.goal;
