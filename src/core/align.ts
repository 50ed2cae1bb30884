import { isHuman, textOf, type Message } from './message.ts';

// A host keeps a list of messages of its own, and changes it behind our back. Beside
// the log it says what became of each entry:
//
//   log    e1 e2 e3 e4 e5 e6 e7         log    e1 e2 e3 e4 e5
//   list            e4 e5 e6 e7 +       list   e1 e2 e3'e4 e5      e3 cleared or shortened
//          └ lost ┘             new     list   e1 e2 e3 +          e4 e5: another way taken
//
// What both have in common is found by what stands only once in each, in order
// (a patience diff), and grown from there.

/** What is compared of a message. */
export interface Line {
  /** Of role and rendered content. */
  readonly hash: string;
  readonly role: Message['role'];
  readonly human: boolean;
  /** The call it answers; '' for none. */
  readonly call: string;
  /** The first characters of its text, and how many it has. */
  readonly head: string;
  readonly size: number;
}

/** What became of a host's list, in the word that fits best. */
export type Manner =
  | 'same'
  | 'append'
  /** The oldest are gone, or replaced by something else. */
  | 'head'
  /** Some in the middle are. */
  | 'middle'
  /** Results gave way to a marker, where they stood. */
  | 'cleared'
  /** A text lost a part. */
  | 'shortened'
  /** At most one entry is left. */
  | 'restart'
  /** A prompt was edited and sent again. */
  | 'edit'
  /** The answer to the last prompt was thrown away. */
  | 'retry';

/** A host's list beside the log; positions count from 1 in the log, from 0 in the list. */
export interface Alignment {
  readonly relation: 'same' | 'append' | 'cut' | 'fork';
  readonly manner: Manner;
  /** Entries that the list lacks or has otherwise, ascending. */
  readonly lost: readonly number[];
  /** Those of them that stand in the list in another form. */
  readonly cleared: readonly number[];
  readonly shortened: readonly number[];
  /** Indexes of messages that the log does not have yet. */
  readonly fresh: readonly number[];
  /** The first entry of the way that was left. */
  readonly forkedAt: number | null;
}

/** Characters by which a shortened text is told from one that was replaced. */
const headLength = 16;

/** What is compared of a message with this hash. */
export function lineOf(message: Message, hash: string): Line {
  const text = textOf(message.content);
  return {
    hash,
    role: message.role,
    human: isHuman(message),
    call: message.role === 'tool' ? (message.toolCallId ?? '') : '',
    head: text.slice(0, headLength),
    size: text.length,
  };
}

/** What became of a list that was the log. */
export function align(log: readonly Line[], list: readonly Line[]): Alignment {
  const pairs = commonOf(log, list);
  const matched = new Map(pairs);
  const lastListed = pairs.at(-1)?.[1] ?? -1;
  const whole = pairs.length === log.length;
  const base = { lost: [], cleared: [], shortened: [], forkedAt: null } as const;
  const tail = list.flatMap((_, index) => (index > lastListed ? [index] : []));
  if (whole)
    return tail.length === 0
      ? { ...base, relation: 'same', manner: 'same', fresh: [] }
      : { ...base, relation: 'append', manner: 'append', fresh: tail };
  const fork = forkIn(log, list, pairs.length);
  if (fork !== null && isPrefix(pairs)) {
    const fresh = list.map((_, index) => index).slice(pairs.length);
    return { ...base, relation: 'fork', manner: fork, fresh, forkedAt: pairs.length + 1 };
  }
  const changed = changesIn(log, list, pairs);
  const inPlace = new Set([...changed.cleared, ...changed.shortened]);
  const lost = log.flatMap((_, index) => (matched.has(index) ? [] : [index + 1]));
  const fresh = tail.filter((index) => !changed.taken.has(index));
  const manner = mannerOf({ lost, inPlace, changed, pairs });
  const { cleared, shortened } = changed;
  return { relation: 'cut', manner, lost, cleared, shortened, fresh, forkedAt: null };
}

type Pairs = readonly (readonly [logged: number, listed: number])[];

/** Whether what is in common is the beginning of both. */
function isPrefix(pairs: Pairs): boolean {
  return pairs.every(([logged, listed], index) => logged === index && listed === index);
}

/** Which other way was taken after the first `common`; null where it is none, but a loss. */
function forkIn(
  log: readonly Line[],
  list: readonly Line[],
  common: number,
): 'edit' | 'retry' | null {
  const left = log.slice(common);
  const next = list[common];
  const turns = log.reduce((sum, { human }) => sum + (human ? 1 : 0), 0);
  if (next !== undefined && next.human && left[0]!.human)
    return common > 0 || turns === 1 ? 'edit' : null;
  const answersPrompt = common > 0 && !left.some(({ human }) => human);
  const isAnswered = next === undefined || next.role === 'assistant';
  return answersPrompt && left[0]!.role === 'assistant' && isAnswered ? 'retry' : null;
}

interface Changes {
  readonly cleared: readonly number[];
  readonly shortened: readonly number[];
  /** Indexes of the list that are such forms. */
  readonly taken: ReadonlySet<number>;
}

/** Entries between two common ones that stand in the list in another form: same role, same call, in order, and shorter. */
function changesIn(log: readonly Line[], list: readonly Line[], pairs: Pairs): Changes {
  const cleared: number[] = [];
  const shortened: number[] = [];
  const taken = new Set<number>();
  const ends = [...pairs, [log.length, list.length] as const];
  let [fromLog, fromList] = [0, 0];
  for (const [toLog, toList] of ends) {
    let at = fromLog;
    for (let index = fromList; index < toList; index += 1) {
      const other = list[index]!;
      let found = at;
      while (found < toLog && !isFormOf(other, log[found]!)) found += 1;
      if (found === toLog) continue;
      const { head } = log[found]!;
      (other.head.slice(0, 8) === head.slice(0, 8) && head !== '' ? shortened : cleared).push(
        found + 1,
      );
      taken.add(index);
      at = found + 1;
    }
    [fromLog, fromList] = [toLog + 1, toList + 1];
  }
  return { cleared, shortened, taken };
}

/** Whether a message of the list is what is left of an entry. */
function isFormOf(other: Line, entry: Line): boolean {
  if (other.role !== entry.role || other.human !== entry.human) return false;
  if (other.size >= entry.size) return false;
  if (entry.role === 'tool' && entry.call !== '') return other.call === entry.call;
  return other.head.slice(0, 8) === entry.head.slice(0, 8);
}

function mannerOf(given: {
  lost: readonly number[];
  inPlace: ReadonlySet<number>;
  changed: Changes;
  pairs: Pairs;
}): Manner {
  const { lost, inPlace, changed, pairs } = given;
  const dropped = lost.filter((n) => !inPlace.has(n));
  if (dropped.length === 0) return changed.cleared.length > 0 ? 'cleared' : 'shortened';
  if (pairs.length <= 1 && dropped.length > 1) return 'restart';
  return pairs[0]?.[0] === 0 ? 'middle' : 'head';
}

/** Positions of lines that both have, in order. */
function commonOf(log: readonly Line[], list: readonly Line[]): Pairs {
  const found: (readonly [number, number])[] = [];
  match({ log, list, found }, [0, log.length], [0, list.length]);
  return found.toSorted(([one], [other]) => one - other);
}

interface Matching {
  readonly log: readonly Line[];
  readonly list: readonly Line[];
  readonly found: (readonly [number, number])[];
}

type Range = readonly [from: number, to: number];

/** Takes what both stretches begin and end with, then looks between what stands once in each. */
function match(matching: Matching, inLog: Range, inList: Range): void {
  const { log, list, found } = matching;
  let [a, endA] = inLog;
  let [b, endB] = inList;
  while (a < endA && b < endB && log[a]!.hash === list[b]!.hash) found.push([a++, b++]);
  while (a < endA && b < endB && log[endA - 1]!.hash === list[endB - 1]!.hash)
    found.push([--endA, --endB]);
  if (a === endA || b === endB) return;
  const anchors = anchorsOf(matching, [a, endA], [b, endB]);
  if (anchors.length === 0) {
    greedy(matching, [a, endA], [b, endB]);
    return;
  }
  for (const [atLog, atList] of [...anchors, [endA, endB] as const]) {
    match(matching, [a, atLog], [b, atList]);
    if (atLog < endA) found.push([atLog, atList]);
    [a, b] = [atLog + 1, atList + 1];
  }
}

/** Lines that stand once in each stretch, as many as keep their order. */
function anchorsOf({ log, list }: Matching, inLog: Range, inList: Range): Pairs {
  const once = (lines: readonly Line[], [from, to]: Range): Map<string, number> => {
    const places = new Map<string, number>();
    for (let index = from; index < to; index += 1) {
      const { hash } = lines[index]!;
      places.set(hash, places.has(hash) ? -1 : index);
    }
    return places;
  };
  const listed = once(list, inList);
  const pairs = [...once(log, inLog)].flatMap(([hash, at]) => {
    const other = listed.get(hash) ?? -1;
    return at < 0 || other < 0 ? [] : [[at, other] as const];
  });
  return rising(pairs);
}

/** The longest run of pairs whose second members rise; their first ones do. */
function rising(pairs: Pairs): Pairs {
  const tails: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, value], index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
  });
  const run: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) run.push(pairs[at]!);
  return run.reverse();
}

/** Pairs of lines that stand more than once, from the end: hosts drop the oldest. */
function greedy({ log, list, found }: Matching, inLog: Range, inList: Range): void {
  const places = new Map<string, number[]>();
  for (let index = inLog[0]; index < inLog[1]; index += 1) {
    const { hash } = log[index]!;
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [index]);
    else known.push(index);
  }
  let before = inLog[1];
  for (let index = inList[1] - 1; index >= inList[0]; index -= 1) {
    const candidates = places.get(list[index]!.hash) ?? [];
    while (candidates.length > 0 && candidates.at(-1)! >= before) candidates.pop();
    const at = candidates.pop();
    if (at === undefined) continue;
    found.push([at, index]);
    before = at;
  }
}
