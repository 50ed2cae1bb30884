import { setImmediate as breathe } from 'node:timers/promises';
import type { History } from './history.ts';
import type { Method, MethodKind } from './method.ts';
import type { Shown } from './said.ts';

/** How a session is played to see some of its contexts. */
export interface Playing {
  readonly history: History;
  /** Tokens that a context may have. */
  readonly budget: number;
  /** Whether changes of frame and goal are played, too. */
  readonly frames: boolean;
  readonly signal?: AbortSignal;
  /** Called now and then with the steps done so far. */
  readonly onStep?: (done: number) => void;
}

/** One context of a session. */
export interface Moment {
  /** The place of the message that it was made for; that after the last one for the end. */
  readonly place: number;
  /** Null where the method refused. */
  readonly context: readonly Shown[] | null;
  readonly method: Method;
}

/** Steps between two moments in which others get a turn. */
const atOnce = 32;

/** The contexts that a method makes at some places, in order; as for an agent, it makes one before each assistant message, too. */
export async function* contextsAt(
  kind: MethodKind,
  places: readonly number[],
  { history, budget, frames, signal, onStep }: Playing,
): AsyncIterable<Moment> {
  const { entries, steps, title } = history;
  const wanted = new Set(places);
  const last = Math.max(...places);
  const system = entries[0]?.role === 'system' ? entries[0].content : '';
  const method = await kind.begin({ budget, system, title });
  try {
    for (const [index, step] of steps.entries()) {
      signal?.throwIfAborted();
      if (index % atOnce === 0) await breathe();
      onStep?.(index);
      if (step.type === 'move') {
        if (frames) await method.move?.(step.move);
        continue;
      }
      const { role, place } = step.entry;
      if (wanted.has(place)) yield { place, context: await method.context(), method };
      else if (role === 'assistant' && place > 0) await method.context();
      if (place >= last) return;
      await method.append(step.entry);
    }
    if (wanted.has(entries.length))
      yield { place: entries.length, context: await method.context(), method };
  } finally {
    await method.close?.();
  }
}
