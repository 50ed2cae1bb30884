import { checkpointInView } from '../../core/assembly/in-view.ts';
import { ordinal, type TextId } from '../../core/values/id.ts';
import type { Input, PastState } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { BodyCache } from '../journal/body-cache.ts';
import { type Rewind, checkRewindSize, rewindTarget } from '../decide/rewind.ts';
import { lifecycles } from '../../../machines/lifecycle.ts';
import type { Fact } from '../../core/state/fact.ts';
import {
  rewoundState,
  survivingFacts,
  tokensSince,
} from '../../core/host-history/restored-state.ts';
import { byteBound } from '../../core/messages/token-count.ts';
import { hydrate } from '../journal/load.ts';
import { recordsBetween, stateAt } from './journal-search.ts';

// Most steps read only what the state refers to, and that is in memory. A few
// read more of the store; it is read before they are decided, the same where
// the journal is decided again.

/** An input that is decided on more than the state refers to. */
export type HistoryInput = Rewind | Extract<Input, { type: 'raise' }>;

/** Reads what deciding `input` needs into `bodies`; throws where the input is refused before that. */
export async function readHistory(
  store: RecordStore,
  given: { readonly state: State; readonly input: HistoryInput; readonly bodies: BodyCache },
): Promise<Input> {
  const { state, input, bodies } = given;
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

/** The texts that a checkpoint was made of, if it is there. */
function sourceTexts(state: State, id: string): readonly TextId[] {
  return [...new Set(checkpointInView(state, id)?.checkpoint.sources)];
}

/** Reads the past that a way back leads to, and the bodies it shows; throws what {@link rewindTarget} throws. */
export async function readRewind(
  store: RecordStore,
  given: { readonly state: State; readonly input: Rewind; readonly bodies: BodyCache },
): Promise<Extract<Input, { type: 'restore' }>> {
  const { state, input, bodies } = given;
  const { from } = rewindTarget(state, input);
  const past = await pastState(store, state, from);
  const { cause, fork } = input;
  if (cause !== 'fork') checkRewindSize(past.state, tokensSince(past), cause);
  const back = { cause, fork, count: byteBound, at: 0, lifecycles };
  await hydrate(store, rewoundState(state, past, back), bodies);
  return { ...input, past };
}

async function pastState(store: RecordStore, state: State, from: number): Promise<PastState> {
  const { session, seq } = state;
  const since: Fact[] = [];
  for await (const { facts } of recordsBetween(store, session, { after: from, to: seq }))
    since.push(...survivingFacts(facts));
  return { state: await stateAt(store, session, from), since };
}
