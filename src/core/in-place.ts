import { isCleared, isLeftOf, type Line, type Logged } from './line.ts';
import type { Match } from './moved.ts';

// Hosts empty old results and shorten long texts where they stand. What is left
// of an entry is told by the call it answers, by its place between two others
// that are as they were, or by how it begins:
//
//   log    e1 e2 e3  e4 e5        e3 is cleared, its message in the list is no
//   list   e1 e2 e3~ e4 e5        new one

/** What became of entries that stand in a list in another form. */
export interface InPlace {
  readonly cleared: readonly number[];
  readonly shortened: readonly number[];
  /** They have another text now, which nobody has heard yet. */
  readonly edited: readonly number[];
  /** Indexes of the list whose text is no more than what is left of an entry. */
  readonly taken: ReadonlySet<number>;
}

/** Lines of log and list between two that both have. */
export interface Gap {
  readonly log: readonly Logged[];
  /** With their indexes in the list. */
  readonly list: readonly (readonly [index: number, line: Line])[];
  /** Whether nothing that both have comes before. */
  readonly isFirst: boolean;
  /** Whether nothing that both have follows. */
  readonly isLast: boolean;
}

type Form = readonly [index: number, line: Line, entry: Logged];

/** What stands in these gaps in another form, and elsewhere in a less one. */
export function inPlaceIn(gaps: readonly Gap[], less: readonly Match[] = []): InPlace {
  const cleared: number[] = [];
  const shortened: number[] = [];
  const edited: number[] = [];
  const taken = new Set<number>();
  const elsewhere = less.map(({ index, line, entry }): Form => [index, line, entry]);
  for (const [index, line, { n, ...entry }] of [...gaps.flatMap(formsIn), ...elsewhere]) {
    const form = isLeftOf(line, entry) ? shortened : isCleared(line, entry) ? cleared : edited;
    form.push(n);
    if (form !== edited) taken.add(index);
  }
  return { cleared, shortened, edited, taken };
}

/** Machine text is left out: what a host inserted stands elsewhere in its list. */
function formsIn(given: Gap): readonly Form[] {
  const gap = { ...given, log: given.log.filter(({ role, human }) => human || role !== 'user') };
  const answers = byCall(gap);
  const rest = without(gap, answers);
  const placed = byPlace(rest);
  return [...answers, ...placed, ...byHead(without(rest, placed))].toSorted(
    ([one], [other]) => one - other,
  );
}

function without(gap: Gap, forms: readonly Form[]): Gap {
  const entries = new Set(forms.map(([, , { n }]) => n));
  const indexes = new Set(forms.map(([index]) => index));
  return {
    ...gap,
    log: gap.log.filter(({ n }) => !entries.has(n)),
    list: gap.list.filter(([index]) => !indexes.has(index)),
  };
}

/** Results of calls that the log has a result of. One whose call is new itself answers that. */
function byCall({ log, list }: Gap): readonly Form[] {
  const forms: Form[] = [];
  const made = new Set<string>();
  const entries = new Map<string, Logged[]>();
  for (const entry of log) {
    if (entry.role !== 'tool' || entry.call === '') continue;
    const known = entries.get(entry.call);
    if (known === undefined) entries.set(entry.call, [entry]);
    else known.push(entry);
  }
  for (const [index, line] of list) {
    if (line.role === 'assistant') for (const call of line.call.split(' ')) made.add(call);
    if (line.role !== 'tool' || made.has(line.call)) continue;
    const entry = entries.get(line.call)?.shift();
    if (entry !== undefined) forms.push([index, line, entry]);
  }
  return forms;
}

/**
 * One for one, where as many of the same kind stand between the same two; else results that follow
 * what was before, or at the head of the list come before what follows.
 */
function byPlace({ log, list, isFirst, isLast }: Gap): readonly Form[] {
  const alike = ([, line]: Gap['list'][number], entry: Logged | undefined): boolean =>
    entry?.role === line.role && entry.human === line.human;
  const isWhole = !isLast && log.length === list.length;
  if (isWhole && list.every((one, at) => alike(one, log[at])))
    return list.map(([index, line], at) => [index, line, log[at]!]);
  const isResult = (at: number, offset: number): boolean =>
    list[at]?.[1].role === 'tool' && log[at + offset]?.role === 'tool';
  if (isFirst && isLast) return [];
  let [from, to] = [0, list.length];
  const offset = isFirst ? log.length - list.length : 0;
  if (!isFirst) for (to = 0; isResult(to, 0); to += 1);
  else for (from = to; isResult(from - 1, offset); from -= 1);
  return list
    .slice(from, to)
    .map(([index, line], at) => [index, line, log[from + at + offset]!] as const);
}

/** In order, what begins as an entry does and is shorter; at the end, what is said now may begin alike. */
function byHead({ log, list, isLast }: Gap): readonly Form[] {
  if (isLast) return [];
  const forms: Form[] = [];
  let from = 0;
  for (const [index, line] of list) {
    const at = log.findIndex((entry, place) => place >= from && isLess(line, entry));
    if (at < 0) continue;
    forms.push([index, line, log[at]!]);
    from = at + 1;
  }
  return forms;
}

function isLess(line: Line, entry: Line): boolean {
  if (line.role !== entry.role || line.human !== entry.human) return false;
  if (entry.call !== '' && entry.call !== line.call) return false;
  return isLeftOf(line, entry);
}
