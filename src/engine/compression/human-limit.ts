import { limitOfGiants } from '../../core/state/limit.ts';
import { giantLimit } from '../../core/budget/budget.ts';
import { entryId } from '../../core/values/id.ts';
import { goalTokens } from '../../core/assembly/layout.ts';
import type { State } from '../../core/state/state.ts';
import type { Human, WorkingItem } from '../../core/state/view.ts';
import type { Draft } from '../step/draft.ts';
import { shortenItem } from './shrink-entries.ts';

// What a person typed stands whole unless one entry alone is above a fifth of
// what system, tools and goal leave; then as head, tail and marker. That bound
// moves with the window, the tools and the goal, so every epoch looks again.

/** How far above the bound a shortened entry may stand before it is shortened anew: each time costs a server's cache. */
const tolerance = 1.5;

/** Shows what people typed whole where it is within the bound, and shortened where it is above; says whether anything changed. */
export function boundHuman(draft: Draft): boolean {
  const { state } = draft;
  const told = draft.facts.length;
  const shown = humanOf(state);
  if (shown.length === 0) return false;
  const { system } = state.shown.sizes;
  const sizes = { system, tools: state.tools.tokens, goal: goalTokens(state, draft.count) };
  const bound = giantLimit(limitOfGiants(state), sizes);
  const whole = shown.filter(({ text, tokens }) => text !== undefined && tokens <= bound);
  if (whole.length > 0)
    draft.record({ type: 'entry.restored', entries: whole.map(({ n }) => entryId(n)) });
  for (const { frame, ...human } of shown) {
    const most = human.text === undefined ? bound : bound * tolerance;
    if (human.tokens <= bound || human.shown <= most) continue;
    const item: Pick<WorkingItem, 'n' | 'role' | 'form' | 'shown' | 'tokens'> = {
      ...human,
      role: 'user',
      form: 'whole',
    };
    shortenItem(draft, { frame, item, target: bound });
  }
  return draft.facts.length > told;
}

/** Everything that people typed and that is shown, or will be when its frame is active; each once. */
function humanOf(state: State): readonly (Human & { readonly frame: State['active'] })[] {
  const found = new Map<number, Human & { readonly frame: State['active'] }>();
  if (state.newest !== null) found.set(state.newest.n, state.newest);
  for (const [frame, view] of state.views)
    for (const { n, tokens, shown, text } of [
      ...view.human,
      ...view.items.filter(({ human }) => human),
    ])
      found.set(n, { n, tokens, shown, frame, ...(text === undefined ? {} : { text }) });
  return [...found.values()];
}
