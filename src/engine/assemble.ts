import { headOf, itemOut, type Assembly, type OutMessage } from '../core/assembly.ts';
import type { Bodies } from '../core/body.ts';
import type { State } from '../core/state.ts';
import { measure } from './measure.ts';

/** What was assembled last: the head of an epoch, and the entries after it. */
export interface AssemblyCache {
  epoch?: number;
  head?: readonly OutMessage[];
  /** Grows within an epoch; made anew when byte bounds became counts. */
  entries?: OutMessage[];
  uncounted?: readonly number[];
}

/** What the model sees. Between two epochs only new entries are looked at. */
export function assemblyOf(state: State, bodies: Bodies, cache: AssemblyCache): Assembly {
  if (cache.epoch !== state.epoch || cache.head === undefined) {
    cache.epoch = state.epoch;
    cache.head = headOf(state, bodies);
    cache.entries = [];
  }
  if (cache.uncounted !== state.uncounted) {
    cache.uncounted = state.uncounted;
    cache.entries = [];
  }
  const items = state.views.get(state.active)?.items ?? [];
  const entries = cache.entries!;
  for (const item of items.slice(entries.length)) entries.push(itemOut(item, bodies));
  return {
    id: assemblyId(state),
    epoch: state.epoch,
    messages: [...cache.head, ...entries],
    budget: measure(state),
    openCalls: state.calls
      .filter(({ closed, frame }) => !closed && frame === state.active && state.views.has(frame))
      .map(({ id, name }) => ({ id, name })),
  };
}

/** Names the moment and the tools of an assembly. */
export function assemblyId(state: Pick<State, 'seq' | 'tools'>): string {
  return `a${state.seq}-${state.tools.digest === '' ? '0' : state.tools.digest}`;
}
