import {
  mostTold,
  type Change,
  type Head,
  type MachineMove,
  type Prompt,
  type PromptMessage,
  type Step,
  type WholeEntry,
} from './wire.ts';

// A page that is one file holds the session itself, a line of JSON for each thing, and answers its own
// questions. The log is there once. A prompt mostly begins as the one before it and repeats lines of it,
// so it is told by what is new.

/** A line of what a page that is one file holds. */
export type KeptLine =
  /** What follows is of this session; a second one is the same in another window, its log the same. */
  | { readonly head: Head }
  | { readonly entry: WholeEntry }
  | { readonly step: Step }
  /** More lines of made texts; they are counted through, from 0. */
  | { readonly lines: readonly string[] }
  | { readonly prompt: KeptPrompt }
  | { readonly change: Change }
  | { readonly move: MachineMove }
  | { readonly more: KeptMore }
  /** What its head has as `masked`: how much that is stands only behind all of the rest. */
  | { readonly masked: number | null };

/** What the other window held after a step that the session's own did not, by what differs from the step before. */
export interface KeptMore extends Partial<Omit<Change, 'seq' | 'left'>> {
  readonly seq: number;
  /** Ids of entries, those in a row as a range. */
  readonly left?: readonly string[];
}

/** A prompt, by what differs from the one before. */
export interface KeptPrompt extends Partial<Omit<Prompt, 'messages' | 'seq'>> {
  readonly seq: number;
  /** How many messages of the one before it begins with. */
  readonly same: number;
  readonly came: readonly KeptMessage[];
}

/** A message; its text is that of its entry unless lines are named. */
export interface KeptMessage extends Omit<PromptMessage, 'text'> {
  /** Its text, by the numbers of its lines. */
  readonly lines?: readonly number[];
}

/** A session that a page holds. */
export interface KeptSession {
  /** What is told of the session, and of `window`, the same one in another window. */
  itemsOf(lane: string): readonly (Head | Step)[];
  /** What a server answers to this path; throws where it has no answer. */
  ask(path: string): unknown;
}

/** What is kept of a session in a window. */
interface KeptLane {
  readonly items: (Head | Step)[];
  readonly prompts: KeptPrompt[];
  readonly changes: Map<number, Change>;
  readonly moves: MachineMove[];
}

/** Reads what a page holds. */
export function keptSession(kept: Iterable<KeptLine>): KeptSession {
  const lanes: KeptLane[] = [];
  const entries: WholeEntry[] = [];
  const lines: string[] = [];
  const mores: KeptMore[] = [];
  for (const one of kept) {
    if ('head' in one)
      lanes.push({ items: [one.head], prompts: [], changes: new Map(), moves: [] });
    const lane = lanes.at(-1)!;
    if ('entry' in one) entries.push(one.entry);
    else if ('step' in one) lane.items.push(one.step);
    else if ('lines' in one) for (const line of one.lines) lines.push(line);
    else if ('prompt' in one) lane.prompts.push(one.prompt);
    else if ('change' in one) lane.changes.set(one.change.seq, one.change);
    else if ('move' in one) lane.moves.push(one.move);
    else if ('more' in one) mores.push(one.more);
    else if ('masked' in one)
      for (const { items } of lanes) items[0] = { ...(items[0] as Head), masked: one.masked };
  }
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const textOf = ({ entry, lines: numbers }: KeptMessage): string =>
    numbers === undefined
      ? (byId.get(entry ?? '')?.text ?? '')
      : numbers.map((number) => lines[number] ?? '').join('\n');
  const laneOf = (name: string): KeptLane => lanes[name === '' ? 0 : 1] ?? lanes[0]!;
  const answers: Record<string, (query: URLSearchParams, lane: KeptLane, seq: number) => unknown> =
    {
      prompt: (_, { prompts }, seq) => promptIn(prompts, seq, textOf),
      change: (_, { changes }, seq) => changes.get(seq),
      moves: (_, { moves }, seq) => movesAt(moves, seq),
      more: (_, __, seq) => moreIn(mores, seq),
      entries: (query) => entriesBehind(entries, query.get('of') ?? ''),
      frame: (query) =>
        entries.filter(({ frame }) => frame === query.get('of')).slice(0, mostTold.entries),
      search: (query) => entriesWith(entries, query.get('of') ?? '', mostTold.hits),
      sources: (query, { items }, seq) =>
        entriesWith(until(entries, items, seq), query.get('of') ?? '', 5),
      named: (query, { items, changes }, seq) =>
        entriesNaming(until(entries, items, seq), query.get('of') ?? '', changes.get(seq)),
    };
  return {
    itemsOf: (lane) => laneOf(lane).items,
    ask(path) {
      const { pathname, searchParams } = new URL(path, 'http://kept');
      const lane = laneOf(searchParams.get('lane') ?? '');
      const seq = Number(searchParams.get('seq'));
      const answer = answers[pathname.replace('/api/', '')]?.(searchParams, lane, seq);
      if (answer === undefined) throw new Error(`This file has no answer to ${pathname}.`);
      return answer;
    },
  };
}

/** What the other window held after a step besides; undefined where it is not kept. */
function moreIn(mores: readonly KeptMore[], seq: number): Change | undefined {
  const at = mores.findIndex((one) => one.seq === seq);
  if (at === -1) return undefined;
  const merged: KeptMore = Object.assign({}, ...mores.slice(0, at + 1)) as KeptMore;
  const left = (merged.left ?? []).flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(positionOf);
    return Array.from({ length: to - from + 1 }, (_, n) => `e${from + n}`);
  });
  return { ...emptyChange, ...merged, left };
}

const emptyChange: Omit<Change, 'seq' | 'left'> = {
  tokens: [0, 0],
  sections: [],
  came: [],
  shortened: [],
  short: [[], []],
  kept: 0,
  gained: 0,
  stayed: [],
  lost: [],
  lines: [],
  gone: [],
};

/** The prompt after a step; undefined where none is kept. */
function promptIn(
  prompts: readonly KeptPrompt[],
  seq: number,
  textOf: (message: KeptMessage) => string,
): Prompt | undefined {
  const at = prompts.findIndex((one) => one.seq === seq);
  if (at === -1) return undefined;
  const parts: (readonly KeptMessage[])[] = [];
  let wanted = Number.POSITIVE_INFINITY;
  for (let index = at; index >= 0 && wanted > 0; index -= 1) {
    const { same, came } = prompts[index]!;
    if (same >= wanted) continue;
    parts.push(came.slice(0, wanted - same));
    wanted = same;
  }
  const messages = parts
    .toReversed()
    .flat()
    .map((message) => {
      const { section, role, kind, entry, tokens } = message;
      return { section, role, kind, entry, tokens, text: textOf(message) };
    });
  let beside: Omit<Prompt, 'seq' | 'messages'> = { path: [], missing: [], names: 0, kept: 0 };
  for (const { same: _, came: __, seq: ___, ...fields } of prompts.slice(0, at + 1))
    beside = { ...beside, ...fields };
  return { seq, messages, ...beside };
}

/** Where machines at work stood before a step, and where they went in it. */
function movesAt(moves: readonly MachineMove[], seq: number): readonly MachineMove[] {
  const lasts = new Map<string, MachineMove>();
  for (const move of moves) if (move.seq < seq) lasts.set(move.actor, move);
  const stood = [...lasts.values()]
    .filter(({ status, value }) => status === 'active' && value !== 'planned')
    .map((move) => ({ ...move, seq: seq - 1, event: { type: 'init' }, from: null }));
  return [...stood, ...moves.filter((move) => move.seq === seq)];
}

const positionOf = (id: string): number => Number(/\d+/.exec(id)?.[0] ?? 0);

/** The entries behind an id or a range, as many as are told at once. */
function entriesBehind(entries: readonly WholeEntry[], ref: string): readonly WholeEntry[] {
  const [, from, to = from] = /^e(\d+)(?:-e(\d+))?$/.exec(ref) ?? [];
  return entries
    .filter(({ id }) => positionOf(id) >= Number(from) && positionOf(id) <= Number(to))
    .slice(0, mostTold.entries);
}

/** What was said by the end of a step. */
function until(
  entries: readonly WholeEntry[],
  items: readonly (Head | Step)[],
  seq: number,
): readonly WholeEntry[] {
  let last = 0;
  for (const one of items)
    if ('news' in one && one.seq <= seq)
      for (const news of one.news)
        if (news.type === 'entry') last = Math.max(last, positionOf(news.entry));
  return entries.filter(({ id }) => positionOf(id) <= last);
}

/** A word, a path, a number: what stands together. */
const wordForm = /[\p{L}\p{N}_](?:[\p{L}\p{N}_./:-]*[\p{L}\p{N}_])?/gu;

/** What was said of some words: rare words count for more, and the first of equals is the older one. */
function entriesWith(
  entries: readonly WholeEntry[],
  said: string,
  most: number,
): readonly WholeEntry[] {
  const words = [...new Set(said.toLowerCase().match(wordForm))];
  const texts = entries.map(({ text }) => text.toLowerCase());
  const scores = new Float64Array(entries.length);
  for (const word of words) {
    const holding = [...texts.keys()].filter((at) => texts[at]!.includes(word));
    const worth = Math.log(1 + entries.length / Math.max(1, holding.length));
    for (const at of holding) scores[at]! += worth * Math.log(texts[at]!.split(word).length);
  }
  return [...scores.keys()]
    .filter((at) => scores[at]! > 0)
    .sort((one, other) => scores[other]! - scores[one]!)
    .slice(0, most)
    .map((at) => excerpt(entries[at]!, words));
}

/** Characters of a hit that are shown. */
const shownText = 1_200;

/** An entry, of a long one the stretch that begins where most of the words stand. */
function excerpt(entry: WholeEntry, words: readonly string[]): WholeEntry {
  const { text } = entry;
  if (text.length <= shownText) return entry;
  const lower = text.toLowerCase();
  const starts = words
    .map((word) => Math.max(0, lower.indexOf(word) - 100))
    .map((start) => {
      const part = lower.slice(start, start + shownText);
      return { start, held: words.filter((word) => part.includes(word)).length };
    })
    .sort((one, other) => other.held - one.held);
  const { start } = starts[0]!;
  const end = start + shownText;
  const visible = text.slice(start, end);
  return {
    ...entry,
    text: `${start > 0 ? '… ' : ''}${visible}${end < text.length ? ` … (${entry.id} has all of it)` : ''}`,
  };
}

/** Where a name was said: in the entries that left first, then before them, the newest first. */
function entriesNaming(
  entries: readonly WholeEntry[],
  name: string,
  change: Change | undefined,
): readonly WholeEntry[] {
  const gone = new Set([...(change?.left ?? []), ...(change?.shortened ?? [])]);
  const naming = entries.filter(({ text }) => text.includes(name)).toReversed();
  const first = naming.filter(({ id }) => gone.has(id));
  return [...first, ...naming.filter(({ id }) => !gone.has(id))].slice(0, mostTold.hits);
}
