import type { Evolution, RecoveryFact } from './fact.ts';
import { withText, type State } from './state.ts';

/** How the state changes with facts about losses and what was recovered. */
export const recoveryEvolution: Evolution<RecoveryFact> = {
  'truncation.suspected': (state, { rule, lost }) =>
    rule === 'coverage.broken' ? { ...state, losses: { ...state.losses, uncovered: lost } } : state,
  'history.compared': (state, { host }) => ({ ...state, losses: { ...state.losses, host } }),
  'history.counted': (state, { messages }) => ({ ...state, losses: { ...state.losses, messages } }),
  'recovery.announced': (state) => state,
  'recovery.moved': (state, fact) => ({
    ...state,
    losses: { ...state.losses, recovery: fact.state },
  }),
  'recovery.cancelled': (state) => state,
  'document.recovered': (state, { text }) =>
    withText({ ...state, documents: { ...state.documents, recovered: text } }, text),
  'session.recovered': (state, { text, tokens }) => {
    const recovered = { text, tokens, entries: state.entryCount };
    return withText({ ...state, losses: { ...state.losses, recovered } }, text);
  },
};

/** What was recovered gives way to the checkpoint or the results that come after it, once something was said since. */
export function forgetRecovered(state: State): State {
  const { losses, entryCount } = state;
  if (losses.recovered === null || losses.recovered.entries === entryCount) return state;
  return { ...state, losses: { ...losses, recovered: null } };
}
