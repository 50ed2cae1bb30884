import { checkpointInView } from '../../core/assembly/in-view.ts';
import { ordinal, type TextId } from '../../core/values/id.ts';
import type { Input, InputOf, PastState } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { BodyCache } from '../journal/body-cache.ts';
import { type Rewind, checkRewindSize, rewindTarget } from '../decide/rewind.ts';
import { lifecycles } from '../../../machines/lifecycle.ts';
import type { Fact } from '../../core/state/fact.ts';
import {
  rewoundState,
  factsForRewind,
  tokensSince,
} from '../../core/host-history/restored-state.ts';
import { byteBound } from '../../core/messages/token-count.ts';
import { hydrate } from '../journal/load.ts';
import { recordsBetween, stateAt } from './journal-search.ts';

// Deciding a step reads only bodies that the state refers to, which are in memory.
// A rewind and a finer checkpoint need more; it is read from the store before they
// are decided, in a session and in `replay` alike.

/** An input whose decision needs more than the state refers to. */
export type HistoryInput = Rewind | InputOf<'raise'>;

/** Reads what deciding `input` needs into `bodies`; throws where the input is refused before that. */
export async function readHistory(
  store: RecordStore,
  step: { readonly state: State; readonly input: HistoryInput; readonly bodies: BodyCache },
): Promise<Input> {
  const { state, input, bodies } = step;
  if (input.type === 'restore') return readRewind(store, { state, input, bodies });
  const ids = sourceTexts(state, input.checkpoint);
  const texts = await store.getMany(
    'text',
    ids.map((id) => textKey(state.session, ordinal(id))),
  );
  ids.forEach((id, index) => {
    const text = texts[index];
    if (typeof text === 'string') bodies.putText(id, text);
  });
  return input;
}

/** The texts that a checkpoint was made of; none where there is no such checkpoint. */
function sourceTexts(state: State, id: string): readonly TextId[] {
  return [...new Set(checkpointInView(state, id)?.checkpoint.sources)];
}

/** Reads the state that a rewind goes back to, and the bodies it refers to; throws what {@link rewindTarget} throws. */
async function readRewind(
  store: RecordStore,
  step: { readonly state: State; readonly input: Rewind; readonly bodies: BodyCache },
): Promise<InputOf<'restore'>> {
  const { state, input, bodies } = step;
  const { from } = rewindTarget(state, input);
  const past = await pastState(store, state, from);
  const { cause, fork, leaves } = input;
  const since = leaves === true ? new Map() : tokensSince(past);
  if (cause !== 'fork') checkRewindSize(past.state, since, cause);
  const rewind = { cause, fork, leaves, count: byteBound, at: 0, lifecycles };
  await hydrate(store, rewoundState(state, past, rewind), bodies);
  return { ...input, past };
}

async function pastState(store: RecordStore, state: State, from: number): Promise<PastState> {
  const { session, seq } = state;
  const since: Fact[] = [];
  for await (const { facts } of recordsBetween(store, session, { after: from, to: seq }))
    since.push(...factsForRewind(facts));
  return { state: await stateAt(store, session, from), since };
}
