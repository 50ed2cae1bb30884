import type { Change, Head, MachineMove, Prompt, PromptMessage, Step, WholeEntry } from './wire.ts';

// A page that is one file holds the session itself, a line of JSON for each thing, and answers its own
// questions. The log is there once. A prompt mostly begins as the one before it and repeats lines of it,
// so it is told by what is new.

/** A line of what a page that is one file holds. */
export type KeptLine =
  | { readonly head: Head }
  | { readonly entry: WholeEntry }
  | { readonly step: Step }
  /** More lines of made texts; they are counted through, from 0. */
  | { readonly lines: readonly string[] }
  | { readonly prompt: KeptPrompt }
  | { readonly change: Change }
  | { readonly move: MachineMove };

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
  readonly told: readonly (Head | Step)[];
  /** What a server answers to this path; throws where it has no answer. */
  ask(path: string): unknown;
}

/** Most entries that are told at once. */
const mostEntries = 200;

/** Hits of a search. */
const mostHits = 25;

/** Reads what a page holds. */
export function keptSession(kept: Iterable<KeptLine>): KeptSession {
  const told: (Head | Step)[] = [];
  const entries: WholeEntry[] = [];
  const lines: string[] = [];
  const prompts: KeptPrompt[] = [];
  const changes = new Map<number, Change>();
  const moves: MachineMove[] = [];
  for (const one of kept) {
    if ('head' in one) told.unshift(one.head);
    else if ('entry' in one) entries.push(one.entry);
    else if ('step' in one) told.push(one.step);
    else if ('lines' in one) for (const line of one.lines) lines.push(line);
    else if ('prompt' in one) prompts.push(one.prompt);
    else if ('change' in one) changes.set(one.change.seq, one.change);
    else moves.push(one.move);
  }
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const textOf = ({ entry, lines: numbers }: KeptMessage): string =>
    numbers === undefined
      ? (byId.get(entry ?? '')?.text ?? '')
      : numbers.map((number) => lines[number] ?? '').join('\n');
  const answers: Record<string, (asked: URLSearchParams) => unknown> = {
    prompt: (asked) => promptIn(prompts, Number(asked.get('seq')), textOf),
    change: (asked) => changes.get(Number(asked.get('seq'))),
    moves: (asked) => movesAt(moves, Number(asked.get('seq'))),
    entries: (asked) => entriesBehind(entries, asked.get('of') ?? ''),
    frame: (asked) =>
      entries.filter(({ frame }) => frame === asked.get('of')).slice(0, mostEntries),
    search: (asked) => entriesWith(entries, asked.get('of') ?? '', mostHits),
    sources: (asked) =>
      entriesWith(until(entries, told, Number(asked.get('seq'))), asked.get('of') ?? '', 5),
    named: (asked) => {
      const seq = Number(asked.get('seq'));
      return entriesNaming(until(entries, told, seq), asked.get('of') ?? '', changes.get(seq));
    },
  };
  return {
    told,
    ask(path) {
      const { pathname, searchParams } = new URL(path, 'http://kept');
      const answer = answers[pathname.replace('/api/', '')]?.(searchParams);
      if (answer === undefined) throw new Error(`This file has no answer to ${pathname}.`);
      return answer;
    },
  };
}

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
  for (const { same: _, came: __, seq: ___, ...told } of prompts.slice(0, at + 1))
    beside = { ...beside, ...told };
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
    .slice(0, mostEntries);
}

/** What was said by the end of a step. */
function until(
  entries: readonly WholeEntry[],
  told: readonly (Head | Step)[],
  seq: number,
): readonly WholeEntry[] {
  let last = 0;
  for (const one of told)
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
  const shown = text.slice(start, end);
  return {
    ...entry,
    text: `${start > 0 ? '… ' : ''}${shown}${end < text.length ? ` … (${entry.id} has all of it)` : ''}`,
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
  return [...first, ...naming.filter(({ id }) => !gone.has(id))].slice(0, mostHits);
}
