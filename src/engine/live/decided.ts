import { isEngineError } from '../../core/values/error.ts';
import type { Queue } from './command-queue.ts';
import type { Decided } from './session-access.ts';

/** How often work decides again before it is refused: each time somebody else went on. */
const mostTries = 32;

/** Something that is worked on in turn. */
interface Turns<Writer> {
  readonly enqueue: Queue<Writer>['call'];
  readonly inTurn: Queue<Writer>['inTurn'];
}

/**
 * Runs `work` in turn; resolves when what it decided is durable. Where somebody else wrote to the session
 * meanwhile, nothing of it is written, and `work` decides again on the state as it is then. Rejects with
 * `CONFLICT` where others were always faster.
 */
export async function decided<Writer, T extends Decided>(
  session: Turns<Writer>,
  work: (writer: Writer) => Promise<T>,
  by: 'caller' | 'engine' = 'caller',
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await (by === 'caller' ? session.enqueue(work) : session.inTurn(work));
      await result.durable;
      return result;
    } catch (error) {
      if (tries === mostTries || !isEngineError(error, 'CONFLICT')) throw error;
    }
  }
}
