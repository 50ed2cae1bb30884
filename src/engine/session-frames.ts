import { checkNames } from '../core/options.ts';
import { leftFrames, toNode } from '../core/tree.ts';
import { checkStatus, created, done, toIdentity, type Command } from './command.ts';
import type { Live } from './live.ts';
import type { Session } from './session.ts';

/** The frames of a session, as a handle shows them. */
export function toFrames(
  live: Live,
  { check, command }: { readonly check: () => void; readonly command: Command },
): Pick<Session, 'push' | 'pop' | 'frames'> {
  return {
    push: async (frame, options) =>
      command({ type: 'push', identity: toIdentity(frame) }, created, options),
    pop: async (given, options) =>
      command(
        {
          type: 'pop',
          frame: given.frame ?? null,
          status: checkStatus(given.status),
          results: given.results ?? null,
          brief: given.brief ?? null,
          artifacts: given.artifacts ?? [],
          decisions: given.decisions ?? [],
          drop: given.drop ?? false,
        },
        created,
        options,
      ),
    frames: {
      plan: async (frame, options) =>
        command(
          { type: 'plan', identity: toIdentity(frame), parent: frame.parent ?? null },
          created,
          options,
        ),
      start: (frame, options) => command({ type: 'start', frame }, done, options),
      edit: (frame, identity, options) => command({ type: 'edit', frame, identity }, done, options),
      invalidate: async (frame, why = '', options = {}) => {
        const given = typeof why === 'string' ? { reason: why } : why;
        checkNames(given, ['reason', 'key']);
        const { reason = '', ...key } = given;
        return command({ type: 'invalidate', frame, reason }, done, { ...key, ...options });
      },
      retry: (frame, options) => command({ type: 'retry', frame }, created, options),
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
