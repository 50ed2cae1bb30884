import { askedShare, limitForGiants } from '../../core/state/limit.ts';
import { giantLimit } from '../../core/budget/budget.ts';
import { textOf } from '../../core/messages/message.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { bareGoalTokens } from '../../core/assembly/layout.ts';
import { isMostlyPasted } from '../../core/people/pasted.ts';
import type { State } from '../../core/state/state.ts';
import type { HumanEntry } from '../../core/state/view.ts';
import type { Draft } from '../step/draft.ts';
import { shortenItem } from './shrink-entries.ts';

// What a person typed is shown whole, unless one entry alone is above a fifth of
// what system, tools and the bare goal leave, or half of it while nobody has answered; then
// as head, tail and marker; of an earlier one that is mostly pasted
// half of that, for logs and drafts are not the person's words. The limit moves
// with the window, the tools and the goal, so every epoch looks again.

/** How far above the limit a shortened entry may be before it is shortened anew, which costs a server's cache. */
const tolerance = 1.5;

/** What is shown of an earlier entry above the limit that is mostly pasted, as a share of the limit. */
const pastedShare = 0.5;

/** Shows human entries whole where they are within the limit, else shortened; says whether anything changed. */
export function limitHuman(draft: Draft): boolean {
  const { state } = draft;
  const recorded = draft.facts.length;
  const entries = draft.part(() => humanEntries(state));
  if (entries.length === 0) return false;
  const { system } = state.shown.sizes;
  const sizes = { system, tools: state.tools.tokens, goal: bareGoalTokens(state, draft.count) };
  const limit = giantLimit(limitForGiants(state), sizes);
  const asked = giantLimit(limitForGiants(state), sizes, askedShare(state));
  const limited = draft.part(() =>
    entries.map((entry) => {
      const allowed = entry.n === state.entries ? asked : limit;
      const isEarlier = entry.n !== state.newest?.n;
      const isPasted =
        isEarlier &&
        entry.tokens > limit &&
        isMostlyPasted(textOf(draft.bodies.message(entry.n).content));
      return { entry, limit: allowed, target: isPasted ? limit * pastedShare : allowed };
    }),
  );
  const whole = limited.filter(
    // What had to give way for want of room would have to again.
    (one) => one.entry.text !== undefined && one.entry.tokens <= Math.min(one.limit, limit),
  );
  if (whole.length > 0)
    draft.record({ type: 'entry.restored', entries: whole.map(({ entry }) => entryId(entry.n)) });
  for (const { entry, limit, target } of limited) {
    const most = entry.text === undefined ? target : target * tolerance;
    if (entry.tokens <= limit || entry.shown <= most) continue;
    const { frame, ...human } = entry;
    const item = { ...human, role: 'user', form: 'whole' } as const;
    shortenItem(draft, { frame, item, target });
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
