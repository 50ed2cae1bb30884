import type { Evolution, RecoveryFact } from './fact.ts';
import { withText, type State } from './state.ts';

/** How the state changes with facts about losses and what was recovered. */
export const recoveryEvolution: Evolution<RecoveryFact> = {
  'truncation.suspected': (state, { rule, lost }) =>
    rule === 'coverage.broken' ? { ...state, watch: { ...state.watch, uncovered: lost } } : state,
  'history.compared': (state, { host }) => ({ ...state, watch: { ...state.watch, host } }),
  'history.counted': (state, { messages }) => ({ ...state, watch: { ...state.watch, messages } }),
  'recovery.announced': (state) => state,
  'recovery.moved': (state, fact) => ({
    ...state,
    watch: { ...state.watch, recovery: fact.state },
  }),
  'recovery.cancelled': (state) => state,
  'document.recovered': (state, { text }) =>
    withText({ ...state, diary: { ...state.diary, recovered: text } }, text),
  'session.recovered': (state, { text, tokens }) => {
    const recovered = { text, tokens, entries: state.entries };
    return withText({ ...state, watch: { ...state.watch, recovered } }, text);
  },
};

/** What was recovered gives way to the checkpoint or the results that come after it, once something was said since. */
export function forgetRecovered(state: State): State {
  const { watch, entries } = state;
  if (watch.recovered === null || watch.recovered.entries === entries) return state;
  return { ...state, watch: { ...watch, recovered: null } };
}
