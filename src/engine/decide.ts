import { limitIn, roomOf } from '../core/limit.ts';
import { sessionMachine, type SessionEvent } from '../../machines/session.ts';
import { transition } from 'xstate';
import { fail } from '../core/error.ts';
import { raisesEpoch } from '../core/epoch.ts';
import { isClosed, shortOfTitle } from '../core/frame.ts';
import { frameId } from '../core/id.ts';
import { checkGoal, newGoal, type Goal } from '../core/goal.ts';
import type { Effect, Fact, Phase } from '../core/fact.ts';
import type { Compared, Input } from '../core/input.ts';
import { embedded, leastRoom, type Options } from '../core/options.ts';

import type { State } from '../core/state.ts';
import { tidy } from '../core/tidy.ts';
import { overhead } from '../core/tokens.ts';
import { frameOf } from '../core/tree.ts';
import { judge } from '../core/truncation.ts';
import { goalSection } from '../core/goal-section.ts';
import { append, goalCap, goalFits, recordSent } from './append.ts';
import { cancelCompression, fallback, moveCompression, startCompression } from './compress.ts';
import { keepDiary, takeDiary } from './diary.ts';
import { describe } from './digest.ts';
import { cancelRecovery, confirmRecovery, recover, suspect } from './recover.ts';
import { newDraft, type Context, type Draft } from './draft.ts';
import * as frames from './frames.ts';
import { makeFit, relieve } from './ladder.ts';
import { raise } from './raise-checkpoint.ts';
import { raiseEpoch } from './raise.ts';
import { restore } from './restore.ts';
import { endAllRewrites, takeRewrite } from './rewrite.ts';
import { deleteSnapshot, snapshot, snapshotAtThreshold } from './snapshot.ts';

// One step: an input and a state in, facts and texts out. Nothing here reads a
// clock, a disk or a random source, so that the journal can be decided again
// and must give the same facts.

/** What a step decided. */
export interface Decision {
  readonly state: State;
  readonly facts: readonly Fact[];
  readonly texts: Draft['texts'];
}

/** Decides a step; throws an `EngineError` where the input is refused, and then nothing happened. */
export function decide(state: State | null, input: Input, context: Context): Decision {
  const draft = newDraft(state, context);
  if (isStale(state, input)) return { state: draft.state, facts: [], texts: draft.texts };
  take(draft, input);
  const taken = draft.state;
  if (draft.facts.some(raisesEpoch) && !endsInEpoch(draft.facts)) raiseEpoch(draft, 1);
  if (input.type === 'append') snapshotAtThreshold(draft);
  if (input.type === 'fit') makeFit(draft);
  else if (input.type !== 'restore') relieve(draft);
  movePhase(draft);
  keepDiary(draft, input, { before: state, taken });
  return { state: draft.state, facts: draft.facts, texts: draft.texts };
}

/** Whether nobody waits any more for what this input brings; then it changes nothing. */
function isStale(state: State | null, input: Input): boolean {
  if (input.type === 'settle' || input.type === 'fail')
    return state?.outbox.has(input.key) === false;
  return input.type === 'fire' && state?.timers.has(input.key) === false;
}

/** Whether the last fact that raises an epoch is already followed by the raise itself, or begins one. */
function endsInEpoch(facts: readonly Fact[]): boolean {
  const begins = ({ type }: Fact): boolean => type === 'epoch.raised' || type === 'state.restored';
  return facts.findLastIndex(raisesEpoch) <= facts.findLastIndex(begins);
}

function take(draft: Draft, input: Input): void {
  switch (input.type) {
    case 'create':
      checkSystem(input.options, input.system);
      draft.tell({
        type: 'session.created',
        session: input.session,
        options: input.options,
        system: input.system,
        identity: { title: shortOfTitle(input.title), criteria: '', brief: '' },
      });
      return;
    case 'configure':
      checkSystem(input.options, input.system, limitFor(draft.state, input.options));
      draft.tell({ type: 'options.changed', options: input.options, system: input.system });
      if (input.options.summarizer === embedded) waitNoLonger(draft);
      else if (input.options.aging === 'lines') endAllRewrites(draft);
      return;
    case 'append':
      append(draft, input.entries, input.sent);
      return;
    case 'report': {
      const { assembly, lost = [] } = input.sent;
      suspect(draft, recordSent(draft, input.sent), { assembly, lost });
      return;
    }
    case 'compare':
      compare(draft, input.compared);
      return;
    case 'recover':
      if (input.goal !== undefined && draft.state.goal === null && goalFits(draft, input.goal))
        setGoal(draft, input.goal);
      recover(draft, input);
      return;
    case 'confirm':
      confirmRecovery(draft, input);
      return;
    case 'count':
      draft.tell({ type: 'entry.counted', counts: input.counts });
      return;
    case 'push':
      frames.push(draft, input);
      return;
    case 'plan':
      frames.plan(draft, input);
      return;
    case 'start':
      frames.start(draft, input);
      return;
    case 'edit':
      frames.edit(draft, input);
      return;
    case 'pop':
      frames.pop(draft, input);
      return;
    case 'invalidate':
      frames.invalidate(draft, input);
      return;
    case 'retry':
      frames.retry(draft, input);
      return;
    case 'goal':
      setGoal(draft, input.goal);
      return;
    case 'goal.update':
      setGoal(draft, { ...goalOf(draft), ...input.patch });
      return;
    case 'goal.status':
      setGoal(draft, { ...goalOf(draft), status: input.status });
      return;
    case 'compress':
      startCompression(draft, { frame: draft.state.active, force: true, focus: input.focus });
      return;
    case 'snapshot':
      snapshot(draft, 'person', input.title);
      return;
    case 'snapshot.delete':
      deleteSnapshot(draft, input.snapshot);
      return;
    case 'raise':
      raise(draft, input.checkpoint);
      return;
    case 'restore':
      restore(draft, input);
      return;
    case 'fit':
      takeTools(draft, input);
      return;
    case 'settle':
      settle(draft, input.key, { text: input.text, by: input.by });
      return;
    case 'fail':
      giveUp(draft, input.key, input.reason);
      return;
    case 'documents':
    case 'document':
    case 'document.settle':
    case 'document.fail':
      takeDiary(draft, input);
      return;
    case 'fire':
      fire(draft, input.key);
  }
}

/** Takes down what became of a host's list; what it lost begins a recovery. */
function compare(draft: Draft, { relation, host, lost, numbers, forkedAt }: Compared): void {
  const fork = forkedAt === undefined ? {} : { forkedAt };
  draft.tell({ type: 'history.compared', relation, host, ...fork });
  if (lost.length > 0) suspect(draft, { ...judge({ changed: lost.length }), numbers }, { lost });
}

/** The limit that counts with these options; a model that has not reported yet is given the benefit of the doubt. */
function limitFor(state: State, options: Options): number {
  const isKnown = options.model === state.options.model && state.calibration.samples > 0;
  return isKnown ? limitIn({ ...state, options }) : roomOf(options);
}

function checkSystem(options: Options, system: number, limit = roomOf(options)): void {
  if (limit - system >= leastRoom) return;
  throw fail(
    'SYSTEM_TOO_LARGE',
    `A system prompt of ${system} tokens leaves ${Math.max(0, limit - system)} of a limit of ${limit}; ${leastRoom} are needed`,
    {
      system,
      limit,
      least: leastRoom,
    },
  );
}

/** Ends what was asked of a summarizer that the session no longer has. */
function waitNoLonger(draft: Draft): void {
  for (const [frame, { compression }] of draft.state.views)
    if (compression !== null) moveCompression(draft, frame, fallback);
  for (const key of draft.state.outbox.keys()) draft.tell({ type: 'effect.ended', key });
}

function goalOf(draft: Draft): Goal {
  const { goal, session } = draft.state;
  if (goal !== null) return goal;
  throw fail('GOAL_MISSING', `Session "${session}" has no goal`, { session });
}

function setGoal(draft: Draft, given: Goal): void {
  const goal = checkGoal(given);
  if (!goalFits(draft, goal)) {
    const tokens = overhead.message + draft.count(goalSection(newGoal(goal.description), 0));
    const most = goalCap(draft.state);
    throw fail(
      'GOAL_TOO_LARGE',
      `A goal of ${tokens} tokens exceeds the ${most} that a goal may take`,
      { tokens, most },
    );
  }
  draft.tell({ type: 'goal.set', goal });
}

function takeTools(draft: Draft, input: Extract<Input, { type: 'fit' }>): void {
  if (input.tools.digest !== draft.state.tools.digest)
    draft.tell({ type: 'tools.changed', tools: input.tools });
}

function settle(draft: Draft, key: string, given: { text: string; by: string }): void {
  const effect = draft.state.outbox.get(key)!;
  const result = { ...given, text: tidy(given.text) };
  if (effect.purpose === 'checkpoint') {
    moveCompression(draft, effect.frame, {
      type: 'answer',
      port: 'summarize',
      output: result.text,
    });
    return;
  }
  draft.tell({ type: 'effect.ended', key });
  if (effect.purpose === 'partial' || effect.purpose === 'results')
    describe(draft, { frame: effect.frame, part: effect.purpose, ...result });
  else takeRewrite(draft, effect, result);
}

function giveUp(draft: Draft, key: string, reason: string): void {
  const effect: Effect = draft.state.outbox.get(key)!;
  if (effect.purpose === 'checkpoint')
    moveCompression(draft, effect.frame, { type: 'error', port: 'summarize', reason });
  else draft.tell({ type: 'effect.ended', key });
}

function fire(draft: Draft, key: string): void {
  const { frame } = draft.state.timers.get(key)!;
  moveCompression(draft, frame, { type: 'elapsed', delay: 'backoff' });
}

/** Tells the session machine what happened, and records where that leads. */
function movePhase(draft: Draft): void {
  const completed = isClosed(frameOf(draft.state.frames, frameId(0)));
  if (completed && draft.state.phase !== 'completed') {
    for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
    cancelRecovery(draft);
    tellPhase(draft, 'session.complete');
    return;
  }
  const compressing = [...draft.state.views.values()].some(
    ({ compression }) => compression !== null,
  );
  const recovering = draft.state.watch.recovery !== null;
  if (!recovering && draft.state.phase === 'recovering') tellPhase(draft, 'recovery.ended');
  if (!compressing && draft.state.phase === 'compressing') tellPhase(draft, 'compression.ended');
  const { phase } = draft.state;
  if (recovering && (phase === 'open' || phase === 'compressing'))
    tellPhase(draft, 'recovery.started');
  else if (compressing && phase === 'open') tellPhase(draft, 'compression.started');
}

function tellPhase(draft: Draft, type: Exclude<SessionEvent['type'], 'session.close'>): void {
  const at = sessionMachine.resolveState({ value: draft.state.phase, context: {} });
  const phase = transition(sessionMachine, at, { type })[0].value as Phase;
  draft.tell({ type: 'session.moved', phase });
}
