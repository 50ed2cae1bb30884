import * as frames from './frames.ts';
import { beginsEpoch } from '../../core/state/epoch.ts';
import type { Fact } from '../../core/state/fact.ts';
import { rootTitle } from '../../core/frames/frame.ts';
import type { Compared, Input, InputOf } from '../../core/state/input.ts';
import { embedded } from '../../core/budget/options.ts';
import { entryId, ordinal } from '../../core/values/id.ts';
import { positionsIn } from '../../core/values/span.ts';
import type { State } from '../../core/state/state.ts';
import { detectTruncation } from '../../core/truncation/detect.ts';
import { endWait, takeFailure, takeSummary, endAllRequests } from './effect-result.ts';
import { append } from './append.ts';
import { recordSent } from './truncation-evidence.ts';
import { cancelCompression, startCompression } from '../compression/compress.ts';
import { scheduleDocument, takeDocumentInput } from './schedule-document.ts';
import { newDraft, type DecideContext, type Draft } from '../step/draft.ts';
import { commandOf, type Transition } from '../step/trace.ts';
import { shrinkToFit } from '../compression/overflow-ladder.ts';
import { movePhase } from './phase.ts';
import { checkPhase } from '../step/phase-rules.ts';
import { showFinerCheckpoint } from '../compression/finer-checkpoint.ts';
import { beginEpoch } from '../compression/begin-epoch.ts';
import { rebuild } from './rebuild-from-document.ts';
import { confirmRecovery, recover, remind, suspect } from './recovery.ts';
import { abandon, isOwed, restart } from './restart.ts';
import { rewind } from './rewind.ts';
import { endRewrites } from '../compression/model-rewrites.ts';
import { goalOf, setGoal, updateGoal, checkSystem } from './goal.ts';
import { deleteSnapshot, snapshot, snapshotAtThreshold } from '../step/snapshots.ts';
import { compressIfDue } from '../compression/compress-if-due.ts';

// One step: an input and a state in, facts and texts out. First the input is
// applied; then what follows from it: a new epoch, a compression, the phase, a
// document. Nothing here reads a clock, a disk or a random source, so that the
// journal can be decided again and must give the same facts.

/** What a step decided. */
export interface Decision {
  readonly state: State;
  readonly facts: readonly Fact[];
  readonly texts: Draft['texts'];
  /** Which machine went where; null where nobody is told. */
  readonly trace: readonly Transition[] | null;
}

/** Decides a step; throws an `EngineError` where the input is refused, and then nothing happened. */
export function decide(state: State | null, input: Input, context: DecideContext): Decision {
  const draft = newDraft(state, context);
  if (isStale(state, input)) return decisionOf(draft, []);
  applyInput(draft, input);
  if (state !== null) checkPhase(draft, state, input);
  const [applied, factsApplied] = [draft.state, draft.facts.length];
  if (draft.part(() => asksForEpoch(draft.facts))) beginEpoch(draft, 1);
  if (input.type === 'append') snapshotAtThreshold(draft);
  if (input.type === 'fit') shrinkToFit(draft);
  else if (input.type !== 'restore') compressIfDue(draft);
  movePhase(draft);
  scheduleDocument(draft, input, { before: state, applied, factsApplied });
  return decisionOf(draft, commandOf(state, input, draft.state));
}

function decisionOf(
  { state, facts, texts, trace }: Draft,
  command: readonly Transition[],
): Decision {
  return { state, facts, texts, trace: trace && [...command, ...trace] };
}

/** Whether an input brings the result of an effect or timer that has ended; then it changes nothing. */
function isStale(state: State | null, input: Input): boolean {
  if (input.type === 'settle' || input.type === 'fail')
    return state?.outbox.has(input.key) === false;
  if (input.type === 'abandon') return state !== null && !isOwed(state, input.key);
  return input.type === 'fire' && state?.timers.has(input.key) === false;
}

/** Whether facts ask for a new epoch, which has not begun yet. */
function asksForEpoch(facts: readonly Fact[]): boolean {
  const begins = ({ type }: Fact): boolean => type === 'epoch.raised' || type === 'state.restored';
  const asked = facts.findLastIndex(beginsEpoch);
  return asked > facts.findLastIndex(begins);
}

function applyInput(draft: Draft, input: Input): void {
  const apply = application[input.type] as (draft: Draft, input: Input) => void;
  apply(draft, input);
}

/** What each type of input does. */
const application: {
  readonly [Type in Input['type']]: (draft: Draft, input: InputOf<Type>) => void;
} = {
  create(draft, { session, options, system, title }) {
    checkSystem(null, options, system);
    const identity = { title: rootTitle(title), criteria: '', brief: '' };
    draft.record({ type: 'session.created', session, options, system, identity });
  },
  configure(draft, { options, system }) {
    checkSystem(draft.state, options, system);
    draft.record({ type: 'options.changed', options, system });
    if (options.summarizer === embedded) endAllRequests(draft);
    else if (options.aging === 'lines') endRewrites(draft);
  },
  append: (draft, { entries, sent }) => append(draft, entries, sent),
  report(draft, { sent }) {
    const { assembly, lost = [], compacted = false } = sent;
    suspect(draft, recordSent(draft, sent), { assembly, lost });
    if (compacted) remind(draft);
  },
  compare: (draft, { compared }) => recordComparison(draft, compared),
  uncovered(draft, { entries }) {
    const uncovered = positionsIn(entries).length;
    suspect(draft, detectTruncation({ uncovered }), { lost: entries });
  },
  recover(draft, input) {
    rebuild(draft, input);
    recover(draft, input);
  },
  confirm: confirmRecovery,
  count: (draft, { counts }) => draft.record({ type: 'entry.counted', counts }),
  redact,
  lose,
  push: frames.push,
  plan: frames.plan,
  start: frames.start,
  edit: frames.edit,
  pop: frames.pop,
  invalidate: frames.invalidate,
  retry: frames.retry,
  goal: (draft, { goal }) => setGoal(draft, goal),
  'goal.update': (draft, { patch }) => updateGoal(draft, patch),
  'goal.status': (draft, { status }) => setGoal(draft, { ...goalOf(draft), status }),
  compress: (draft, { focus }) =>
    startCompression(draft, { frame: draft.state.active, force: true, byCommand: true, focus }),
  snapshot: (draft, { title }) => snapshot(draft, 'person', title),
  'snapshot.delete': (draft, { snapshot: id }) => deleteSnapshot(draft, id),
  raise: (draft, { checkpoint }) => showFinerCheckpoint(draft, checkpoint),
  restore: rewind,
  fit(draft, { tools }) {
    if (tools.digest !== draft.state.tools.digest) draft.record({ type: 'tools.changed', tools });
  },
  settle: (draft, input) => takeSummary(draft, input.key, input),
  fail: takeFailure,
  abandon: (draft, { key, reason }) => abandon(draft, key, reason),
  restart,
  documents: takeDocumentInput,
  document: takeDocumentInput,
  'document.settle': takeDocumentInput,
  'document.fail': takeDocumentInput,
  page: takeDocumentInput,
  fire: (draft, { key }) => endWait(draft, key),
};

/** Puts what stands in place of an entry where it was; summaries that are being written may tell of it, and are given up. */
function redact(draft: Draft, { entry, before, tokens, stray }: InputOf<'redact'>): void {
  for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
  for (const key of draft.state.outbox.keys()) draft.record({ type: 'effect.ended', key });
  draft.record({ type: 'entry.redacted', entry, before, tokens, stray });
}

/** Leaves out the ids up to one, where they are not given out, and notes what is gone. */
function lose(draft: Draft, { to, known }: InputOf<'lose'>): void {
  const from = draft.state.entryCount + 1;
  if (from <= ordinal(to)) draft.record({ type: 'entries.lost', from: entryId(from), to });
  if (known !== undefined) draft.record({ type: 'losses.noted', ...known });
}

/** Records how a host's list compares with the log; what it lost begins a recovery, unless it says that it compacted. */
function recordComparison(
  draft: Draft,
  { relation, host, lost, numbers, forkedAt, compacted = false }: Compared,
): void {
  const fork = forkedAt === undefined ? {} : { forkedAt };
  draft.record({ type: 'history.compared', relation, host, ...fork });
  if (lost.length === 0) return;
  if (compacted) remind(draft);
  else suspect(draft, { ...detectTruncation({ changed: lost.length }), numbers }, { lost });
}
