import { limitForGiants } from '../../core/state/limit.ts';
import { giantLimit } from '../../core/budget/budget.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { goalTokens } from '../../core/assembly/layout.ts';
import type { State } from '../../core/state/state.ts';
import type { HumanEntry } from '../../core/state/view.ts';
import type { Draft } from '../step/draft.ts';
import { shortenItem } from './shrink-entries.ts';

// What a person typed is shown whole, unless one entry alone is above a fifth of
// what system, tools and goal leave; then as head, tail and marker. That limit
// moves with the window, the tools and the goal, so every epoch looks again.

/** How far above the limit a shortened entry may be before it is shortened anew, which costs a server's cache. */
const tolerance = 1.5;

/** Shows human entries whole where they are within the limit, else shortened; says whether anything changed. */
export function limitHuman(draft: Draft): boolean {
  const { state } = draft;
  const recorded = draft.facts.length;
  const entries = draft.part(() => humanEntries(state));
  if (entries.length === 0) return false;
  const { system } = state.shown.sizes;
  const sizes = { system, tools: state.tools.tokens, goal: goalTokens(state, draft.count) };
  const limit = giantLimit(limitForGiants(state), sizes);
  const whole = entries.filter(({ text, tokens }) => text !== undefined && tokens <= limit);
  if (whole.length > 0)
    draft.record({ type: 'entry.restored', entries: whole.map(({ n }) => entryId(n)) });
  for (const entry of entries) {
    const most = entry.text === undefined ? limit : limit * tolerance;
    if (entry.tokens <= limit || entry.shown <= most) continue;
    const { frame, ...human } = entry;
    const item = { ...human, role: 'user', form: 'whole' } as const;
    shortenItem(draft, { frame, item, target: limit });
  }
  return draft.facts.length > recorded;
}

type FrameHuman = HumanEntry & { readonly frame: FrameId };

/** Every human entry that is shown, or will be when its frame is active; each once. */
function humanEntries(state: State): readonly FrameHuman[] {
  const found = new Map<number, FrameHuman>();
  if (state.newest !== null) found.set(state.newest.n, state.newest);
  for (const [frame, view] of state.views)
    for (const { n, tokens, shown, text } of [
      ...view.human,
      ...view.items.filter(({ human }) => human),
    ])
      found.set(n, { n, tokens, shown, frame, ...(text === undefined ? {} : { text }) });
  return [...found.values()];
}
