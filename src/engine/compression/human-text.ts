import { askedShare, limitForGiants, wholeIn } from '../../core/state/limit.ts';
import { caps, giantLimit } from '../../core/budget/budget.ts';
import { filesOf, machineText, personText, textOf } from '../../core/messages/message.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import { bareGoalTokens } from '../../core/assembly/layout.ts';
import { isMostlyPasted } from '../../core/people/pasted.ts';
import { joinedSentences, quotesIn } from '../../core/people/quotes.ts';
import { isSmallTalk } from '../../core/people/requests.ts';
import { saidAgain } from '../../core/people/said-again.ts';
import { olderHuman, quotesOf, shownHuman } from '../../core/sections/human-section.ts';
import type { State } from '../../core/state/state.ts';
import type { HumanEntry, Quote } from '../../core/state/view.ts';
import type { Draft } from '../step/draft.ts';
import { shortenItem } from './shrink-entries.ts';

// What a person typed is shown whole, unless one entry alone is above a fifth of
// what system, tools and the bare goal leave, or half of it while nobody has answered; then
// as head, tail and marker; of an earlier one that is mostly pasted
// a quarter of that, for logs and drafts are not the person's words. The limit moves
// with the window, the tools and the goal, so every epoch looks again. What of it
// is said again, or is above the cap of human text, leaves, but for quotes of it.

/** How far above the limit a shortened entry may be before it is shortened anew, which costs a server's cache. */
const tolerance = 1.5;

/** What is shown of an earlier entry above the limit that is mostly pasted, as a share of the limit. */
const pastedShare = 0.25;

/** Shows human entries whole where they are within the limit, else shortened; says whether anything changed. */
export function limitHuman(draft: Draft): boolean {
  const { state } = draft;
  const recorded = draft.facts.length;
  const entries = draft.part(() => humanEntries(state));
  if (entries.length === 0) return false;
  const { system } = state.epochView.sizes;
  const sizes = { system, tools: state.tools.tokens, goal: bareGoalTokens(state, draft.count) };
  const limit = giantLimit(limitForGiants(state), sizes);
  const asked = giantLimit(limitForGiants(state), sizes, askedShare(state));
  const limited = draft.part(() =>
    entries.map((entry) => {
      const allowed = entry.n === state.entryCount ? asked : limit;
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

/** Takes those older human entries out of view, but the first and the latest, of which a later one that is whole has all. */
export function offloadSaidAgain(draft: Draft): void {
  const { state, bodies } = draft;
  const wholeEntries = draft.part(() => shownHuman(state).filter(({ text }) => text === undefined));
  const again = draft.part(() => saidAgain(wholeEntries.map(({ n }) => bodies.message(n))));
  if (again.size === 0) return;
  const said = new Set([...again].map((index) => wholeEntries[index]!.n));
  const mayGo = ({ n }: HumanEntry): boolean =>
    said.has(n) && n !== state.newest?.n && filesOf(bodies.message(n).content).length === 0;
  offloadHuman(
    draft,
    draft.part(() => olderHuman(state, state.newest).slice(1).filter(mayGo)),
  );
}

/**
 * Shows human entries in part, long and old ones first, but neither the first shown nor the latest,
 * where human text exceeds its cap. Goes on until there is some room to spare: it moves all that
 * comes after, so it should not happen in every epoch.
 */
export function offloadAboveCap(
  draft: Draft,
  factor: number,
  quoted: (quote: Quote) => number,
): void {
  const { state } = draft;
  const cap = caps.human * wholeIn(state) * factor;
  const whole = draft.part(() => olderHuman(state, state.newest));
  const inPart = draft.part(() => tokensUpTo(cap * quotedShare, quotesOf(state), quoted));
  if (shownIn(whole) + inPart <= cap) return;
  const older = draft.part(() => whole.map((entry) => withoutMachine(draft, entry)));
  let total = shownIn(older);
  if (total + inPart <= cap) return;
  const gone: HumanEntry[] = [];
  for (const entry of draft.part(() => inOrderOfLeaving(draft, older.slice(1)))) {
    if (total + Math.max(inPart, cap * quotedShare) <= cap) break;
    if (entry.n === state.newest?.n) continue;
    total -= entry.shown;
    gone.push(entry);
  }
  offloadHuman(draft, gone);
}

/** Tokens of quotes, which are counted only as long as they are below `most`. */
function tokensUpTo(
  most: number,
  quotes: readonly Quote[],
  quoted: (quote: Quote) => number,
): number {
  let tokens = 0;
  for (const quote of quotes) {
    if (tokens >= most) return most;
    tokens += quoted(quote) + 1;
  }
  return Math.min(tokens, most);
}

const shownIn = (entries: readonly HumanEntry[]): number =>
  entries.reduce((sum, { shown }) => sum + shown, 0);

/** A human entry at what it costs without what a runtime put into it. */
function withoutMachine({ bodies, count }: Draft, entry: HumanEntry): HumanEntry {
  const message = bodies.message(entry.n);
  if (message.role !== 'user' || machineText(message) === '') return entry;
  return { ...entry, shown: Math.min(entry.shown, count(personText(message))) };
}

/** Share of the cap of human text that is left to quotes once some of it is shown in part. */
const quotedShare = 0.3;

/** Entries as they are taken out of view: small talk, then long and old ones; `entries` are the oldest first. */
export function inOrderOfLeaving(
  draft: Pick<Draft, 'bodies'>,
  entries: readonly HumanEntry[],
): readonly HumanEntry[] {
  const small = new Set(entries.filter(({ n }) => saysNothing(draft, n)));
  return [...small, ...byLengthAndAge(entries.filter((entry) => !small.has(entry)))];
}

/** Whether a human entry is small talk, and nothing is attached to it. */
function saysNothing({ bodies }: Pick<Draft, 'bodies'>, n: number): boolean {
  const message = bodies.message(n);
  return filesOf(message.content).length === 0 && isSmallTalk(personText(message));
}

/** Entries by what they cost times how old they are, the largest first. */
const byLengthAndAge = (entries: readonly HumanEntry[]): readonly HumanEntry[] =>
  entries
    .map((entry, index) => ({ entry, weight: entry.shown * (entries.length - index + 2) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ entry }) => entry);

/** Takes human entries out of the assembly, but for quotes of what no other says; says whether any was shown. */
export function offloadHuman(draft: Draft, gone: readonly HumanEntry[]): boolean {
  const frames = new Map<FrameId, HumanEntry[]>();
  for (const human of gone) {
    const frame = frameShowing(draft.state, human.n);
    if (frame === null) continue;
    const list = frames.get(frame);
    if (list === undefined) frames.set(frame, [human]);
    else list.push(human);
  }
  if (frames.size === 0) return false;
  const leaving = new Set(gone.map(({ n }) => n));
  const staying = shownHuman(draft.state)
    .filter(({ n }) => !leaving.has(n))
    .map(({ n }) => personText(draft.bodies.message(n)));
  const isShown = ({ text }: Quote): boolean => staying.some((said) => said.includes(text));
  for (const [frame, list] of frames)
    draft.record({
      type: 'entry.offloaded',
      frame,
      entries: list.map(({ n }) => entryId(n)),
      quotes: list.flatMap(({ n }) =>
        draft.part(() => quotesOfEntry(draft, n).filter((quote) => !isShown(quote))),
      ),
    });
  return true;
}

/** The sentences of a human entry that tell most of it; none of small talk. */
export function quotesOfEntry(draft: Pick<Draft, 'bodies'>, n: number): readonly Quote[] {
  if (saysNothing(draft, n)) return [];
  const message = draft.bodies.message(n);
  const quotes = quotesIn(personText(message)).map((quote) => ({ n, ...quote }));
  const isWhole =
    joinedSentences(quotes) === textOf(message.content).trimEnd() &&
    filesOf(message.content).length === 0;
  return isWhole ? quotes.map(closing) : quotes;
}

/** Marks the last quote by rank of an entry of which its quotes say all. */
const closing = (quote: Quote, _: number, { length }: readonly Quote[]): Quote =>
  quote.rank === length - 1 ? { ...quote, isAll: true } : quote;

function frameShowing(state: State, n: number): FrameId | null {
  for (const [frame, view] of state.views) {
    if (view.human.some((human) => human.n === n)) return frame;
    if (view.items.some((item) => item.n === n && item.human)) return frame;
  }
  return null;
}
