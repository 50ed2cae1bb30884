import {
  headOf,
  humanOut,
  itemOut,
  noteOut,
  type Assembly,
  type OutMessage,
} from '../../core/assembly/assembly.ts';
import type { Bodies } from '../../core/messages/bodies.ts';
import { deepFreeze } from '../../core/messages/message.ts';
import type { State } from '../../core/state/state.ts';
import type { Schema } from '../../core/values/validation.ts';
import { measure } from './measure.ts';
import { indexOfNewest } from '../../core/sections/human-section.ts';

/** The last assembly: the sections of an epoch, and the entries after them. */
export interface AssemblyCache {
  epoch?: number;
  head?: readonly OutMessage[];
  /** The newest human entry, where its frame is off the path, with what became of that, and the index at which they are shown. */
  newest?: { readonly messages: readonly OutMessage[]; readonly index: number } | null;
  /** Grows within an epoch; made anew when byte bounds became counts. */
  entries?: OutMessage[];
  uncounted?: readonly number[];
}

/** The assembly of a state. Within an epoch only new entries are rendered. */
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

/** The newest human entry of a frame off the path, and its index among the entries shown; the same for a whole epoch. */
function newestOf(state: State, bodies: Bodies): NonNullable<AssemblyCache['newest']> | null {
  const { newest } = state.epochView;
  const index = indexOfNewest(state, newest);
  if (index === null) return null;
  const messages = [humanOut(newest!, bodies), ...noteOut(state)];
  return { messages: messages.map(deepFreeze), index };
}

function withNewest(
  entries: readonly OutMessage[],
  newest: NonNullable<AssemblyCache['newest']> | null,
): readonly OutMessage[] {
  return newest === null ? entries : entries.toSpliced(newest.index, 0, ...newest.messages);
}

/** The ids that assemblies have, also those of another process, and of one that is remembered no more. */
export const assemblyIds: Schema = {
  holds: (id) => typeof id === 'string' && /^a\d+-(?:0|[0-9a-f]{8})$/.test(id),
  takes: 'the `id` of an assembly',
};

/** The id of an assembly: the sequence number and the digest of the tools. */
export function assemblyId(state: Pick<State, 'seq' | 'tools'>): string {
  return `a${state.seq}-${state.tools.digest === '' ? '0' : state.tools.digest}`;
}
