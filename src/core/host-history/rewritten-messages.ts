import {
  isCleared,
  isShortened,
  type ComparableEntry,
  type ComparableMessage,
} from './comparable-message.ts';

// Hosts empty old results and shorten long texts where they stand. What is left of an
// entry is told by the call that it answers, by its place between two others, or by how
// it begins:
//
//   log    e1 e2 e3  e4 e5        e3 is cleared, its message in the list is no new one
//   list   e1 e2 e3~ e4 e5

/** Positions of entries that a list has in another form, ascending. */
export interface RewrittenEntries {
  /** A marker stands in place of the result. */
  readonly cleared: readonly number[];
  /** A beginning of the text is left. */
  readonly shortened: readonly number[];
  /** They have another text now, which the log does not have. */
  readonly edited: readonly number[];
}

/** The entries and messages between two neighboring anchors. */
export interface UnmatchedStretch {
  readonly log: readonly ComparableEntry[];
  /** With their indexes in the list. */
  readonly list: readonly (readonly [index: number, message: ComparableMessage])[];
  /** Whether no anchor comes before. */
  readonly isFirst: boolean;
  /** Whether no anchor follows. */
  readonly isLast: boolean;
}

type Rewritten = readonly [index: number, message: ComparableMessage, entry: ComparableEntry];

/** The entries that these gaps have in another form, and the indexes of messages that only shorten or clear one. */
export function rewrittenMessages(
  gaps: readonly UnmatchedStretch[],
): RewrittenEntries & { readonly known: ReadonlySet<number> } {
  const [cleared, shortened, edited]: [number[], number[], number[]] = [[], [], []];
  const indices = new Set<number>();
  for (const [index, message, entry] of gaps.flatMap(pairsIn)) {
    const isLess = isShortened(message, entry);
    const form = isLess ? shortened : isCleared(message, entry) ? cleared : edited;
    form.push(entry.n);
    if (form !== edited) indices.add(index);
  }
  return { cleared, shortened, edited, known: indices };
}

/** Pairs of a message and the entry that it rewrites. Machine text is left out: a host inserts it elsewhere in its list. */
function pairsIn(gap: UnmatchedStretch): readonly Rewritten[] {
  const spoken = { ...gap, log: gap.log.filter(({ role, human }) => human || role !== 'user') };
  const results = byCall(spoken);
  const rest = without(spoken, results);
  const placed = byPlace(rest);
  const pairs = [...results, ...placed, ...byBeginning(without(rest, placed))];
  return pairs.toSorted(([one], [other]) => one - other);
}

function without(gap: UnmatchedStretch, pairs: readonly Rewritten[]): UnmatchedStretch {
  const entries = new Set(pairs.map(([, , entry]) => entry));
  const indexes = new Set(pairs.map(([index]) => index));
  const log = gap.log.filter((entry) => !entries.has(entry));
  return { ...gap, log, list: gap.list.filter(([index]) => !indexes.has(index)) };
}

/** Results of calls whose result the log has; a call that is repeated in the gap has its own. */
function byCall({ log, list }: UnmatchedStretch): readonly Rewritten[] {
  const callIds = new Set(
    list.flatMap(([, { role, call }]) => (role === 'assistant' ? call.split(' ') : [])),
  );
  const results = log.filter(({ role, call }) => role === 'tool' && call !== '');
  return list.flatMap(([index, message]): readonly Rewritten[] => {
    if (message.role !== 'tool' || callIds.has(message.call)) return [];
    const at = results.findIndex(({ call }) => call === message.call);
    return at < 0 ? [] : [[index, message, ...results.splice(at, 1)] as unknown as Rewritten];
  });
}

/**
 * One for one, where a gap has as many entries as messages of the same kinds; else results right
 * after the anchor before, or in the first gap right before the one that follows.
 */
function byPlace({ log, list, isFirst, isLast }: UnmatchedStretch): readonly Rewritten[] {
  const offset = isFirst ? log.length - list.length : 0;
  const pairs = list.flatMap(([index, message], at): readonly Rewritten[] => {
    const entry = log[at + offset];
    const isAlike = entry?.role === message.role && entry.human === message.human;
    return isAlike ? [[index, message, entry]] : [];
  });
  if (!isLast && log.length === list.length && pairs.length === list.length) return pairs;
  if (isFirst && isLast) return [];
  const isResult = (at: number): boolean =>
    list[at]?.[1].role === 'tool' && log[at + offset]?.role === 'tool';
  let [from, to] = [0, 0];
  if (isFirst) for (from = to = list.length; isResult(from - 1); from -= 1);
  else while (isResult(to)) to += 1;
  return list
    .slice(from, to)
    .map(([index, message], at) => [index, message, log[from + at + offset]!] as const);
}

/** Messages that are beginnings of entries, in order; not in the last gap, where a new message may begin alike. */
function byBeginning({ log, list, isLast }: UnmatchedStretch): readonly Rewritten[] {
  const pairs: Rewritten[] = [];
  let from = 0;
  for (const [index, message] of isLast ? [] : list) {
    const at = log.findIndex((entry, place) => place >= from && isBeginning(message, entry));
    if (at < 0) continue;
    pairs.push([index, message, log[at]!]);
    from = at + 1;
  }
  return pairs;
}

function isBeginning(message: ComparableMessage, entry: ComparableEntry): boolean {
  if (message.role !== entry.role || message.human !== entry.human) return false;
  if (entry.call !== '' && entry.call !== message.call) return false;
  return isShortened(message, entry);
}
