import { leftFrames, toNode } from '../../core/frames/tree.ts';
import { created, done, type RunCommand } from '../commands/command.ts';
import {
  checkCommandOptions,
  checkEdit,
  checkId,
  checkPop,
  toIdentity,
  toPlan,
  toReason,
} from '../commands/command-check.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { Session } from './session.ts';
import { checkGoal, checkPatch, newGoal, type Goal } from '../../core/frames/goal.ts';

/** The frames of a session, as a handle shows them. */
export function toFrames(
  live: LiveSession,
  { check, command }: { readonly check: () => void; readonly command: RunCommand },
): Pick<Session, 'push' | 'pop' | 'frames'> {
  return {
    push: async (frame, options) =>
      command({ type: 'push', identity: toIdentity(frame) }, created, options),
    async pop(given, options) {
      checkPop(given);
      const { frame = null, status, results = null, brief = null } = given;
      const { artifacts = [], decisions = [], drop = false } = given;
      const left = { results, brief, artifacts, decisions, drop };
      return command({ type: 'pop', frame, status, ...left }, created, options);
    },
    frames: {
      plan: async (frame, options) => command({ type: 'plan', ...toPlan(frame) }, created, options),
      async start(frame, options) {
        checkId('frame', frame);
        return command({ type: 'start', frame }, done, options);
      },
      async edit(frame, identity, options) {
        checkId('frame', frame);
        checkEdit(identity);
        return command({ type: 'edit', frame, identity }, done, options);
      },
      async invalidate(frame, why = '', options = {}) {
        checkId('frame', frame);
        checkCommandOptions(options);
        const { reason, ...key } = toReason(why);
        return command({ type: 'invalidate', frame, reason }, done, { ...key, ...options });
      },
      async retry(frame, options) {
        checkId('frame', frame);
        return command({ type: 'retry', frame }, created, options);
      },
      tree() {
        check();
        return toNode(live.state.frames, live.state.active);
      },
      left() {
        check();
        return leftFrames(live.state.frames);
      },
    },
  };
}

/** The goal of a session, as a handle shows it. */
export function toGoal(command: RunCommand): Session['goal'] {
  const goTo = (status: Goal['status']): Promise<void> =>
    command({ type: 'goal.status', status }, done);
  return {
    set: async (given, options) => {
      const goal = checkGoal(typeof given === 'string' ? newGoal(given) : given);
      return command({ type: 'goal', goal }, done, options);
    },
    async update(patch) {
      checkPatch(patch);
      return command({ type: 'goal.update', patch }, done);
    },
    pause: () => goTo('paused'),
    resume: () => goTo('active'),
    complete: () => goTo('completed'),
  };
}
