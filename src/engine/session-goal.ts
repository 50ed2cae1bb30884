import { checkGoal, checkPatch, newGoal, type Goal } from '../core/goal.ts';
import { done, type Command } from './command.ts';
import type { Session } from './session.ts';

/** The goal of a session, as a handle shows it. */
export function toGoal(command: Command): Session['goal'] {
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
