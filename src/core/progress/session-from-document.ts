import type { CheckpointDocument } from '../documents/document.ts';
import type { ListItem } from '../documents/list-item.ts';
import { blockedBy } from './document-actions.ts';
import { mostListed, newGoal, type Decision, type Goal } from '../frames/goal.ts';
import type { RecoveredContext, RecoveredFrame } from '../truncation/recovery.ts';
import { clip, oneLine } from '../text/sentences.ts';

// A document in the session's own terms. Candidates come in the same order as in a
// recovery from the state.

/** A session as its document describes it. */
interface RecoveredSession {
  readonly context: RecoveredContext;
  /** Null for none. */
  readonly goal: Goal | null;
  /** Depth first; of siblings the one in progress comes last, followed by its children. */
  readonly frames: readonly RecoveredFrame[];
  /** '' for none. */
  readonly title: string;
}

/** Reads a session out of a document. */
export function sessionFromDocument(document: CheckpointDocument): RecoveredSession {
  return {
    context: contextOf(document),
    goal: goalOf(document),
    frames: framesOf(document.actions),
    title: document.title,
  };
}

/** Most files of the context. */
const mostFiles = 12;

/** Longest text of the context, in UTF-16 units. */
const longest = 160;

function contextOf(document: CheckpointDocument): RecoveredContext {
  const { topic, goal, actions, questions, completed, next, files } = document;
  const openItems = actions.filter(({ done, kind }) => !done && !isOff(kind));
  const isPlain = ({ kind }: ListItem): boolean => kind === undefined;
  return {
    workingOn: firstLine(topic) || short(firstLine(goal)),
    lastCompleted: firstLine(completed) || short(lineOf(lastDone(actions))),
    nextStep: firstLine(next) || short(lineOf(openItems.find(isPlain) ?? openItems[0])),
    open: [
      ...openItems.filter(isPlain).map(lineOf),
      ...openItems.filter((item) => !isPlain(item)).map(lineOf),
      ...questions.map(firstLine),
    ].filter((text) => text !== ''),
    files: files
      .map(({ path }) => path)
      .toReversed()
      .slice(0, mostFiles),
  };
}

/** What was done last: a milestone, a frame, anything else. */
function lastDone(actions: readonly ListItem[]): ListItem | undefined {
  const done = actions.filter((item) => item.done && item.kind !== 'frame, failed');
  return (
    done.findLast(({ kind }) => kind?.startsWith('milestone') === true) ??
    done.findLast(({ kind }) => kind !== undefined) ??
    done.at(-1)
  );
}

/** Whether an item is neither done nor open: a frame that is under way or failed. */
const isOff = (kind: ListItem['kind']): boolean => kind === 'frame' || kind === 'frame, failed';

const short = (text: string): string => clip(oneLine(text), longest);

const firstLine = (text: string): string =>
  text.split('\n').find((line) => line.trim() !== '') ?? '';

function lineOf(item: ListItem | undefined): string {
  if (item === undefined) return '';
  const [text, about] = [firstLine(item.text), firstLine(item.detail ?? '')];
  return text === '' || about === '' ? text + about : `${text}: ${about}`;
}

function goalOf(document: CheckpointDocument): Goal | null {
  const { topic, goal, priority, standing, decisions, actions, files } = document;
  const description = goal.trim() === '' ? topic.trim() : goal;
  if (description === '') return null;
  const milestones = actions.filter(
    ({ kind }) => kind === 'milestone' || kind === 'milestone, in progress',
  );
  return {
    ...newGoal(description, priority),
    status: standing,
    milestones: milestones
      .map(({ text, done, kind }) => ({
        text,
        status: done
          ? ('completed' as const)
          : kind === 'milestone'
            ? ('pending' as const)
            : ('in_progress' as const),
      }))
      .slice(-mostListed),
    decisions: keptOf(
      decisions
        .filter(({ kind }) => kind === undefined)
        .map(({ text, done }) => ({ text, locked: done })),
    ),
    next: actions.filter(({ done, kind }) => !done && kind === undefined).map(({ text }) => text),
    artifacts: files
      .map(({ path, change }) => ({
        path,
        change: /^(?:created?|new|added?)\b/i.test(change)
          ? ('created' as const)
          : ('modified' as const),
      }))
      .slice(-mostListed),
  };
}

/** As many decisions as a goal may have; the oldest are dropped, locked ones after all others. */
function keptOf(decisions: readonly Decision[]): readonly Decision[] {
  const inOrder = [...decisions].sort((a, b) => Number(a.locked) - Number(b.locked));
  const kept = new Set(inOrder.slice(-mostListed));
  return decisions.filter((decision) => kept.has(decision));
}

/** The frames of a document; of several siblings in progress the first stays so, the others become planned. */
function framesOf(actions: readonly ListItem[]): readonly RecoveredFrame[] {
  const levels: { entered: RecoveredFrame | null; others: RecoveredFrame[] }[] = [];
  for (const item of actions) {
    const status = statusOf(item);
    if (status === null) continue;
    const path = levels.findIndex(({ entered }) => entered === null);
    const depth = Math.min(item.depth ?? 0, path < 0 ? levels.length : path);
    const level = (levels[depth] ??= { entered: null, others: [] });
    const isEntered = status === 'in_progress' && level.entered === null;
    const frame = {
      ...toFrame(item, status),
      status: status === 'in_progress' && !isEntered ? ('planned' as const) : status,
      depth,
    };
    if (isEntered) level.entered = frame;
    else level.others.push(frame);
  }
  return levels.flatMap(({ entered, others }) => [
    ...others,
    ...(entered === null ? [] : [entered]),
  ]);
}

function statusOf({ kind, done }: ListItem): RecoveredFrame['status'] | null {
  if (done) return kind?.startsWith('frame') === true ? 'completed' : null;
  if (kind === 'frame, failed') return 'failed';
  if (kind === 'frame') return 'in_progress';
  if (kind === 'frame, planned') return 'planned';
  return kind === 'frame, blocked' ? 'blocked' : null;
}

function toFrame(
  { text, detail = '' }: ListItem,
  status: RecoveredFrame['status'],
): Pick<RecoveredFrame, 'title' | 'criteria' | 'reason'> {
  if (status === 'completed' || status === 'failed')
    return { title: text, criteria: '', reason: detail };
  const at = detail.lastIndexOf('\n') + 1;
  if (status !== 'blocked' || !detail.startsWith(blockedBy, at))
    return { title: text, criteria: detail, reason: '' };
  const criteria = detail.slice(0, Math.max(0, at - 1));
  return { title: text, criteria, reason: detail.slice(at + blockedBy.length) };
}
