import {
  headOf,
  humanOut,
  itemOut,
  type Assembly,
  type OutMessage,
} from '../../core/assembly/assembly.ts';
import type { Bodies } from '../../core/messages/bodies.ts';
import { deepFreeze } from '../../core/messages/message.ts';
import type { State } from '../../core/state/state.ts';
import { measure } from './measure.ts';
import { indexOfNewest } from '../../core/assembly/human-section.ts';

/** What was assembled last: the head of an epoch, and the entries after it. */
export interface AssemblyCache {
  epoch?: number;
  head?: readonly OutMessage[];
  /** What a person said last in a frame off the path, and before which entry it stands. */
  newest?: { readonly message: OutMessage; readonly index: number } | null;
  /** Grows within an epoch; made anew when byte bounds became counts. */
  entries?: OutMessage[];
  uncounted?: readonly number[];
}

/** What the model sees. Between two epochs only new entries are looked at. */
export function assemblyOf(state: State, bodies: Bodies, cache: AssemblyCache): Assembly {
  if (cache.epoch !== state.epoch || cache.head === undefined) {
    cache.epoch = state.epoch;
    cache.head = headOf(state, bodies);
    cache.newest = newestOf(state, bodies);
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
    messages: [...cache.head, ...withNewest(entries, cache.newest ?? null)],
    budget: measure(state),
    openCalls: state.calls
      .filter(({ closed, frame }) => !closed && frame === state.active && state.views.has(frame))
      .map(({ id, name }) => ({ id, name })),
  };
}

/** What a person said last, where it stands among the entries of another frame; for the whole of an epoch at one place. */
function newestOf(state: State, bodies: Bodies): NonNullable<AssemblyCache['newest']> | null {
  const { newest } = state.shown;
  const index = indexOfNewest(state, newest);
  return index === null ? null : { message: deepFreeze(humanOut(newest!, bodies)), index };
}

function withNewest(
  entries: readonly OutMessage[],
  newest: NonNullable<AssemblyCache['newest']> | null,
): readonly OutMessage[] {
  return newest === null ? entries : entries.toSpliced(newest.index, 0, newest.message);
}

/** Names the moment and the tools of an assembly. */
export function assemblyId(state: Pick<State, 'seq' | 'tools'>): string {
  return `a${state.seq}-${state.tools.digest === '' ? '0' : state.tools.digest}`;
}
