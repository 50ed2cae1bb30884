import { checkGoal, checkPatch, newGoal, type Goal } from '../../core/frames/goal.ts';
import { leftFrames, toNode } from '../../core/frames/tree.ts';
import {
  checkCommandOptions,
  checkEdit,
  checkId,
  checkPop,
  toIdentity,
  toPlan,
  toReason,
} from '../commands/command-arguments.ts';
import { frameAnswer, noAnswer, type RunCommand } from '../commands/command.ts';
import type { SessionReader } from '../live/session-access.ts';
import type { HandleContext } from './handle-context.ts';
import type { Session } from './session.ts';

/** The frames of a session. */
export function toFrames(
  session: SessionReader,
  { check, command }: HandleContext,
): Pick<Session, 'push' | 'pop' | 'frames'> {
  return {
    push: async (frame, options) =>
      command({ type: 'push', identity: toIdentity(frame) }, frameAnswer, options),
    async pop(outcome, options) {
      checkPop(outcome);
      const { frame = null, status, results = null, brief = null } = outcome;
      const { artifacts = null, decisions = null, drop = false } = outcome;
      const left = { results, brief, artifacts, decisions, drop };
      return command({ type: 'pop', frame, status, ...left }, frameAnswer, options);
    },
    frames: {
      plan: async (frame, options) =>
        command({ type: 'plan', ...toPlan(frame) }, frameAnswer, options),
      async start(frame, options) {
        checkId('frame', frame);
        return command({ type: 'start', frame }, noAnswer, options);
      },
      async edit(frame, identity, options) {
        checkId('frame', frame);
        checkEdit(identity);
        return command({ type: 'edit', frame, identity }, noAnswer, options);
      },
      async invalidate(frame, why = '', options = {}) {
        checkId('frame', frame);
        checkCommandOptions(options);
        const { reason, ...key } = toReason(why);
        return command({ type: 'invalidate', frame, reason }, noAnswer, { ...key, ...options });
      },
      async retry(frame, options) {
        checkId('frame', frame);
        return command({ type: 'retry', frame }, frameAnswer, options);
      },
      tree() {
        check();
        return toNode(session.state.frames, session.state.active);
      },
      left() {
        check();
        return leftFrames(session.state.frames);
      },
    },
  };
}

/** The goal of a session. */
export function toGoal(command: RunCommand): Session['goal'] {
  const setStatus = (status: Goal['status']): Promise<void> =>
    command({ type: 'goal.status', status }, noAnswer);
  return {
    set: async (goalOrText, options) => {
      const goal = checkGoal(typeof goalOrText === 'string' ? newGoal(goalOrText) : goalOrText);
      return command({ type: 'goal', goal }, noAnswer, options);
    },
    async update(patch) {
      checkPatch(patch);
      return command({ type: 'goal.update', patch }, noAnswer);
    },
    pause: () => setStatus('paused'),
    resume: () => setStatus('active'),
    complete: () => setStatus('completed'),
  };
}
