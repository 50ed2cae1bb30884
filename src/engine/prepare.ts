import { checkpointInView } from '../core/checkpoint-in-view.ts';
import { ordinal, type TextId } from '../core/id.ts';
import type { Input } from '../core/input.ts';
import type { State } from '../core/state.ts';
import { textKey } from '../store/key.ts';
import type { Store } from '../store/store.ts';
import type { BodyCache } from './bodies.ts';
import type { GoingBack } from './restore.ts';
import { withPast } from './restore-step.ts';

// Most steps read only what the state refers to, and that is in memory. A few
// read more of the store; it is read before they are decided, the same where
// the journal is decided again.

/** An input that is decided on more than the state refers to. */
export type Preparable = GoingBack | Extract<Input, { type: 'raise' }>;

/** Reads what deciding `input` needs into `bodies`; throws where the input is refused before that. */
export async function prepare(
  store: Store,
  given: { readonly state: State; readonly input: Preparable; readonly bodies: BodyCache },
): Promise<Input> {
  const { state, input, bodies } = given;
  if (input.type === 'restore') return withPast(store, { state, input, bodies });
  const ids = sourcesOf(state, input.checkpoint);
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
function sourcesOf(state: State, id: string): readonly TextId[] {
  return [...new Set(checkpointInView(state, id)?.checkpoint.sources)];
}
