import { hasFailed, shortCall } from '../outcomes/failures.ts';
import type { Line } from '../lines/line.ts';
import type { Frame } from '../frames/frame.ts';
import { childrenOf, path } from '../frames/tree.ts';
import { textOf, type ToolCall } from '../messages/message.ts';
import type { State } from '../state/state.ts';
import { clip, oneLine } from '../text/sentences.ts';
import type { CheckpointDocument } from '../documents/document.ts';
import type { SessionWork } from './session-work.ts';
import { at, short } from '../documents/short-text.ts';
import { handedIn, isCommit } from './task.ts';

// What was completed last: what goal, frames, the host's list or a commit say, else
// what the model said at the end of a turn, else what was changed or came out.

/** Longest part of a result that is quoted, in UTF-16 units. */
const longestResult = 80;

/** Something that was completed, and where. */
interface Completed {
  readonly n: number;
  readonly text: string;
}

/** What was completed last, and that the work was handed in; '' for nothing. */
export function lastCompleted(state: State, work: SessionWork): string {
  const n = handedIn(work);
  const told = completedLast(state, work);
  return n === 0 || told === '' ? told : `${told}; the work was handed in ${at(n)}`;
}

function completedLast(state: State, work: SessionWork): string {
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
  /\b(?:done|completed?|finished|fixed|created|added|updated|implemented|removed|renamed|moved|recorded|applied|verified|written|rewritten|replaced|extracted|resolved|merged|committed|pushed|cleaned|installed|migrated|passes|passing|passed|now works|works (?:now|again)|succeeded|successfully|now (?:uses?|reads?|returns?|handles?|supports?|has|is|are|matches))\b/i;

const uncertain =
  /\b(?:not|never|still|yet|remaining|would|should|could|will|might|may|needs?|need to|(?:we|you|i) can|if|once|until|when|before|want|let me|i['’]ll|going to|plan to)\b|n['’]t\b|\?$/i;

/** A file that a marker names. */
const isArtifact = /^(?:created|modified|updated) \S+$/i;

/** Whether a statement tells that something is done. */
export function tellsCompletion(text: string): boolean {
  const said = text.replace(/\([^()]*\)|`[^`]*`/g, '');
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
