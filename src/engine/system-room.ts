import { fail } from '../core/error.ts';
import { limitIn, roomOf } from '../core/limit.ts';
import { leastRoom, type Options } from '../core/options.ts';
import type { State } from '../core/state.ts';

/** Refuses options under which a system prompt of so many tokens leaves too little of the limit; throws `SYSTEM_TOO_LARGE`. */
export function checkSystem(state: State | null, options: Options, system: number): void {
  const limit = state === null ? roomOf(options) : limitFor(state, options);
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

/** The limit that counts with these options; a model that has not reported yet is given the benefit of the doubt. */
function limitFor(state: State, options: Options): number {
  const isKnown = options.model === state.options.model && state.calibration.samples > 0;
  return isKnown ? limitIn({ ...state, options }) : roomOf(options);
}
