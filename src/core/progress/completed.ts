import { isLook } from '../commands/looking.ts';
import { callsOf } from '../commands/scripted-calls.ts';
import { shellText } from '../commands/shell-commands.ts';
import { pathFrom } from '../files/root.ts';
import { exchangesIn } from '../outcomes/exchanges.ts';
import { failureIn } from '../outcomes/failure-text.ts';
import { hasFailed } from '../outcomes/failures.ts';
import { shortCall } from '../outcomes/call-label.ts';
import type { Line } from '../lines/line.ts';
import { isReplyLine } from '../lines/replies.ts';
import type { Frame } from '../frames/frame.ts';
import { aroundPath } from '../frames/tree.ts';
import { textOf } from '../messages/message.ts';
import type { State } from '../state/state.ts';
import { isImperative } from '../people/requests.ts';
import { clip, oneLine } from '../text/sentences.ts';
import type { SessionWork } from './session-work.ts';
import { at, short } from '../documents/short-text.ts';
import { outcomeOf } from './document-actions.ts';
import { handedIn, isCommit } from './task.ts';

// What was completed last: what goal, frames, the host's list or a commit say, or
// what the model said at the end of a turn in which something was done, else what
// was changed or came out. To look something up, or to say how it is, completes
// nothing.

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
  const text = completedLast(state, work);
  return n === 0 || text === '' ? text : `${text}; the work was handed in ${at(n)}`;
}

/** What was completed last, after a recovery since then; '' for nothing. */
function completedLast(state: State, work: SessionWork): string {
  const { recovered } = work;
  const recoveredTexts = new Set(
    recovered?.actions.flatMap(({ text, done }) => (done ? [text] : [])),
  );
  const milestone = state.goal?.milestones.findLast(
    ({ status, text }) => status === 'completed' && !recoveredTexts.has(text),
  );
  if (milestone !== undefined) return short(milestone.text);
  const since = recovered === null ? 0 : 1;
  const doing = turnsOfDoing(work);
  const lines = work.lines.filter(
    ({ n, kind, turn }) => n > since && (kind !== 'said' || doing === null || doing.has(turn)),
  );
  const frames = completedFrames(state).filter(({ n }) => n > since);
  const sure = newest([
    ...frames,
    ...completedIn({ ...work, lines }),
    ...doneIn({ ...work, lines }),
  ]);
  if (sure !== undefined)
    return [sure.text, ...changedSince(sure, { ...work, lines })].join(', then ');
  if (recovered !== null && recovered.completed !== '') return recovered.completed;
  const stated = lines
    .filter(({ kind, text }) => kind === 'said' && tellsCompletion(text) && !isPart.test(text))
    .map(({ n, text }) => ({ n, text: `${short(text)} ${at(n)}` }));
  return (
    (newest(stated) ?? newest(changesIn({ ...work, lines })) ?? newest(results(work)))?.text ?? ''
  );
}

const changesIn = ({ lines, root }: SessionWork): readonly Completed[] =>
  lines
    .filter(({ kind }) => kind === 'changed')
    .map(({ to, file }) => ({ n: to, text: `a change of ${pathFrom(file, root)} ${at(to)}` }));

/** The last change of a turn after the one in which something was completed; none where there is none. */
function changedSince({ n }: Completed, work: SessionWork): readonly string[] {
  const next = work.said.find((one) => one.n > n)?.n ?? Number.POSITIVE_INFINITY;
  const last = newest(changesIn(work).filter((change) => change.n > next));
  return last === undefined ? [] : [last.text];
}

/** The turns in which something was done: a call did more than look, or a line tells of it; null where no calls are known. */
function turnsOfDoing({ lines, entries, said }: SessionWork): ReadonlySet<number> | null {
  const told = lines.flatMap(({ kind, turn }) => (tellsDoing.has(kind) ? turn : []));
  const seen = entries.flatMap(({ n, message }) => {
    if (callsOf(message).every(isLook)) return [];
    return said.findLast((one) => one.n <= n)?.n ?? 0;
  });
  const isKnown = told.length > 0 || entries.some(({ message }) => callsOf(message).length > 0);
  return isKnown ? new Set([...told, ...seen]) : null;
}

const tellsDoing: ReadonlySet<Line['kind']> = new Set(['changed', 'done', 'failed']);

/** The commands that did something and whose results did not fail, with what they said. */
const results = ({ entries }: SessionWork): readonly Completed[] =>
  exchangesIn(entries).flatMap(({ call, result, to }) => {
    if (result === undefined || hasFailed(result) || shellText(call) === '' || isLook(call))
      return [];
    const outputLine = clip(firstLine(textOf(result.content)), longestResult).replace(/[“”]/g, '"');
    return outputLine === ''
      ? []
      : [{ n: to, text: `\`${shortCall(call)}\`, which said “${outputLine}” ${at(to)}` }];
  });

const firstLine = (text: string): string =>
  oneLine(text.split('\n', 200).find((line) => line.trim() !== '') ?? '');

const newest = (found: readonly Completed[]): Completed | undefined =>
  found.reduce<Completed | undefined>(
    (last, one) => (one.n >= (last?.n ?? 0) ? one : last),
    undefined,
  );

/** The completed frames beside those on the path. */
const completedFrames = ({ frames, active }: State): readonly Completed[] =>
  aroundPath(frames, active)
    .filter(({ status }) => status === 'completed')
    .map((frame) => ({ n: frame.span?.[1] ?? 0, text: titledOutcome(frame) }));

function titledOutcome({ title, results }: Frame): string {
  const outcome = oneLine(outcomeOf(results));
  return short(outcome === '' ? title : `${title}: ${outcome}`);
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
  /\b(?:done|completed|(?<!\b(?:to|and|or) )complete(?=\W*$|[:.!;](?:\s|$)| [(–—])|finished|fixed|created|added|updated|implemented|removed|renamed|moved|recorded|applied|verified|written|rewritten|replaced|extracted|resolved|merged|committed|pushed|cleaned|installed|migrated|passing|passed|(?:tests?|checks?|suites?) (?:now |all )?pass|(?:tests?|checks?|suite|build|lint\w*|ci|it|everything|all of \w+)\b.{0,40} passes|now works|works (?:now|again)|succeeded|successfully|fix for|now (?:uses?|reads?|returns?|handles?|supports?|has|is|are|matches))\b/i;

const uncertain =
  /\b(?:not|never|still|yet|remaining|would|should|could|will|might|may|needs?|need to|(?:we|you|i) can|if|once|until|when|before|want|let me|i['’]ll|going to|plan to)\b|n['’]t\b|\?$/i;

/** What explains how something is or came about, is only the rest of a sentence, or tells a person what to do: be it of what was done, it does not say that it was. */
const explaining =
  /^\W*(?:(?:here['’]?s )?(?:why|what (?:was|went|is) wrong|(?:the )?(?:actual |real |root )?(?:cause|problem|reason|question)|status|work-?around|how (?:it|this) work\w*)\s?[:(]|(?:with|which|because|since|per|according to|next time|you (?:can|need|should|may))\b)|\ban? (?:[\w`-]+ ){1,3}(?:is|gets) (?:\w+ly )?\w+ed\b|\b(?:in (?:a|the|an) (?:previous|earlier|prior) (?:session|run|commit)|was getting)\b/i;

/** A file that a marker names. */
const isArtifact = /^(?:created|modified|updated) \S+$/i;

/** A statement without what stands in brackets and code marks. */
const plain = (text: string): string => text.replace(/\([^()]*\)|`[^`]*`/g, '');

const isUncertain = (text: string): boolean => uncertain.test(plain(text));

/** Whether a statement tells that something is done. */
export function tellsCompletion(text: string): boolean {
  if (explaining.test(text)) return false;
  const statement = plain(text);
  const isDone = (one: string): boolean =>
    completion.test(one) && !uncertain.test(one) && !isArtifact.test(one);
  if (isDone(statement)) return true;
  // A list below a head tells how: "Test added: … the branch is not moved".
  const [, head = '', rest = ''] = /^([^:]{1,80}): (.*)$/.exec(statement) ?? [];
  return isDone(head) && !ahead.test(head) && !unfinished.test(rest);
}

/** What a head says that leads to what is still to be done, and what says below one that it is not. */
const ahead = /\b(?:to be|ha(?:s|ve) to|so far)\b/i;
const unfinished = /^\W*(?:no|none|nothing|not)\b|\b(?:still|yet|will|rest)\b|^\W*\d+ of \d/i;

/** A later part of a list, which the model told in several lines: `What I did: …; Settings helpers`. */
const isPart = /^(?:[^…\n]{2,90}: )?…; /;

/** The turns that changed something, which no commit tells, and left nothing failing. */
function turnsOfWork(lines: readonly Line[]): ReadonlySet<number> {
  const changed = new Set(lines.flatMap(({ kind, turn }) => (kind === 'changed' ? turn : [])));
  for (const { kind, turn, text } of lines)
    if (kind === 'done' || (kind === 'failed' && failureIn(text)?.cured === ''))
      changed.delete(turn);
  return changed;
}

/** What the model said was done when it ended a turn, and what else it said at the end of one that changed something. */
function completedIn({ lines, entries }: SessionWork): readonly Completed[] {
  const answers = new Set(
    entries
      .filter(({ message }) => message.role === 'assistant' && !message.toolCalls?.length)
      .map(({ n }) => n),
  );
  const inView = entries[0]?.n ?? Number.POSITIVE_INFINITY;
  const statements = lines.filter(({ kind, text }) => kind === 'said' && !isReplyLine(text));
  const ends = new Map(statements.map(({ turn, n }) => [turn, n]));
  const closes = ({ n, turn }: Line): boolean =>
    n < inView ? ends.get(turn) === n : answers.has(n);
  const closing = statements.filter((line) => closes(line) && !isPart.test(line.text));
  const worked = turnsOfWork(lines);
  const others = closing.filter(
    ({ turn, text }) =>
      worked.has(turn) && !isUncertain(text) && !explaining.test(text) && !isImperative(text),
  );
  const seenEntries = new Set<number>();
  return [...closing.filter(({ text }) => tellsCompletion(text)), ...others]
    .filter(({ n }) => !seenEntries.has(n) && seenEntries.add(n))
    .map(({ n, text }) => ({ n, text: `${short(text)} ${at(n)}` }));
}
