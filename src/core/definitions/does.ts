import { indentOf } from '../text/indent.ts';
import { clip } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';
import { plain, shape, stepsAt, type Step } from './steps.ts';

// What a function does, in the fewest words that code has for it: what it calls under which conditions,
// those calls first that its file has seldom, what it takes one after the other, a text that it gives back, and
// the words with which it fails.

/** Most lines of a function that are read, most calls and names of values given back that are told, and most times that a text has a call which tells something. */
const most = { lines: 120, calls: 5, names: 4, times: 6 } as const;

/** Longest text of what a function does, longest conditions before a call, list, value that is given back, and line that is read, in UTF-16 units. */
const longest = { text: 240, when: 64, list: 76, value: 70, line: 400 } as const;

/** Fewest things in a row that are told as a list, and fewest keys in quotes: those are no names of the code. */
const leastListed = { any: 3, keys: 2 } as const;

/** What the function does whose head is so many lines from a line on, in order; '' where its lines say nothing of it. */
export function doesAt(
  lines: readonly string[],
  at: number,
  { name, head }: { readonly name: string; readonly head: number },
): string {
  const end = endOf(lines, at);
  const body = withoutPlain(withoutGuards(stepsBetween(lines, at + head, end)));
  const { steps, listed } = withLists(body.filter((one) => one.name !== name));
  const ranked = rankedSteps(steps, listed, timesIn(lines));
  const all = printed(steps, new Set(ranked));
  if (all !== '' && all.length <= longest.text) return marked(all, steps, ranked);
  const chosen = new Set<Step>();
  let summary = '';
  for (const step of ranked) {
    chosen.add(step);
    const longer = printed(steps, chosen);
    if (longer.length <= longest.text) summary = longer;
    else chosen.delete(step);
  }
  if (summary !== '') return marked(summary, steps, [...chosen]);
  const only = lines.slice(at + head, end).filter((line) => /\w/.test(line));
  const value =
    only.length === 1
      ? (/^return\s{1,8}(.{4,}?);?$/.exec(only[0]!.slice(0, longest.line).trim())?.[1] ?? '')
      : '';
  return value === '' || value.length > longest.value ? '' : `= ${plain(value)}`;
}

/** Steps without the words in which a failure is handed on: what failed stands there, and that it may is no news. */
const withoutGuards = (steps: readonly Step[]): readonly Step[] =>
  steps.filter((step, at) => {
    const before = steps[at - 1];
    const isGuarded = before?.kind === 'when' && before.text === 'if err != nil';
    return !(isGuarded && step.kind === 'fails' && step.depth > before.depth);
  });

/** The first word of a name: `status` of `statusCurrent`, `Phase` of `Phase.Idle`. */
const firstWord = (name: string): string => /^(?:[A-Z]?[a-z]+|[A-Z]+)/.exec(name)?.[0] ?? name;

/** Steps without the names that a function gives back where it gives no other like it: any name may be that of what it made. */
function withoutPlain(steps: readonly Step[]): readonly Step[] {
  const named = steps.filter(({ kind, name }) => kind === 'gives' && name !== '');
  if (named.length === 0) return steps;
  const likeness = new Map<string, Set<string>>();
  for (const { name } of named)
    likeness.set(firstWord(name), (likeness.get(firstWord(name)) ?? new Set()).add(name));
  const isOneOf = ({ name }: Step): boolean =>
    /^Err[A-Z]/.test(name) || likeness.get(firstWord(name))!.size > 1;
  return steps.filter((one) => one.kind !== 'gives' || one.name === '' || isOneOf(one));
}

/** What a function does, with a mark where it calls or fails with more than is told. */
function marked(summary: string, steps: readonly Step[], chosen: readonly Step[]): string {
  const texts = new Set(chosen.map(({ text }) => text));
  const isLeft = steps.some(({ kind, text }) => isDeed.has(kind) && !texts.has(text));
  return isLeft && !summary.endsWith('…') ? `${summary}, …` : summary;
}

const isDeed: ReadonlySet<Step['kind']> = new Set(['call', 'fails', 'list']);

/** The steps that tell most, those first that stand longest: lists and failures, a text that is given back, then calls that the text has seldom. */
function rankedSteps(
  steps: readonly Step[],
  listed: ReadonlySet<Step>,
  times: ReadonlyMap<string, number>,
): readonly Step[] {
  const timesOf = ({ name }: Step): number => times.get(name) ?? 0;
  const calls = [
    ...new Map(
      steps.flatMap((one) => (one.kind === 'call' ? [[one.text, one] as const] : [])).toReversed(),
    ).values(),
  ].toReversed();
  const seldom = calls.filter((one) => timesOf(one) < most.times);
  const rankedCalls = (seldom.length > 0 ? seldom : calls).toSorted(
    (a, b) => Number(listed.has(a)) - Number(listed.has(b)) || timesOf(a) - timesOf(b),
  );
  const isShape = ({ list }: Step): boolean => list === shape;
  const lists = steps.filter(({ kind }) => kind === 'list');
  const fails = steps.filter(({ kind }) => kind === 'fails');
  const gives = steps.filter(({ kind }) => kind === 'gives');
  const texts = gives.filter(({ name }) => name === '');
  const names = gives.filter(({ name }) => name !== '');
  return [
    ...lists.filter((one) => !isShape(one)).slice(0, 2),
    ...rankedCalls.slice(0, 1),
    ...fails.slice(0, 1),
    ...(steps.length > 1 ? texts.slice(0, 1) : []),
    ...rankedCalls.slice(1, 2),
    ...fails.slice(1, 2),
    ...names.slice(0, most.names),
    ...lists.filter(isShape).slice(0, 1),
    ...rankedCalls.slice(2, most.calls),
  ];
}

/** The steps that are told, each behind the conditions that it stands under. */
function printed(steps: readonly Step[], chosen: ReadonlySet<Step>): string {
  const open: Step[] = [];
  const clauses: { readonly when: string; readonly what: string[] }[] = [];
  for (const step of steps) {
    while (open.length > 0 && open.at(-1)!.depth >= step.depth) open.pop();
    if (step.kind === 'when') open.push(step);
    if (!chosen.has(step)) continue;
    const all = open.map(({ text }) => text);
    const inner =
      all.at(-1) === 'else' ? ['else'] : all.filter((text) => text !== 'else').slice(-2);
    const isOne = inner.length === 1;
    const whole = (isOne ? inner : inner.map(asOperand))
      .join(' and ')
      .replaceAll(' and if ', ' && ');
    const isShort = whole.length <= longest.when;
    const nearest = isShort ? whole : clip(inner.at(-1)!, longest.when);
    const isInside = all.length > (isShort ? inner.length : 1);
    const when = isInside ? nearest.replace(/^if /, 'if … && ') : nearest;
    if (clauses.at(-1)?.when === when) clauses.at(-1)!.what.push(step.text);
    else clauses.push({ when, what: [step.text] });
  }
  return clauses
    .map(({ when, what }) => `${when === '' ? '' : `${when}: `}${what.join(', ')}`)
    .join('. ');
}

/** A condition beside another that holds, too. */
const asOperand = (when: string): string =>
  when.includes(' || ') ? when.replace(/^(if )?(.*)$/, '$1($2)') : when;

/** Steps with those in a row as one list (calls of one function with one plain thing each, comparisons with literals, names that are given values), and what stands under such comparisons. */
function withLists(all: readonly Step[]): { steps: readonly Step[]; listed: ReadonlySet<Step> } {
  if (all.filter(({ list }) => list !== '').length < leastListed.keys)
    return { steps: all.filter(({ kind }) => kind !== 'name'), listed: new Set() };
  const lists = new Map<Step, Step>();
  const gone = new Set<Step>();
  // What stands among the names of one shape, its values that call something, ends no list of them.
  const runs = { shape: new Map<number, Step[]>(), other: new Map<number, Step[]>() };
  const close = (run: readonly Step[] = []): void => {
    const members = [...new Set(run.flatMap((one) => (one.member === '' ? [] : [one.member])))];
    const areKeys = run.every(({ kind, name }) => kind === 'name' && name !== '');
    if (members.length < leastListed[areKeys ? 'keys' : 'any']) return;
    for (const one of run) gone.add(one);
    lists.set(run[0]!, { ...run[0]!, kind: 'list', text: listText(run[0]!, members), member: '' });
  };
  for (const step of all) {
    for (const kind of [runs.shape, runs.other])
      for (const [depth, run] of kind)
        if (depth > step.depth) {
          close(run);
          kind.delete(depth);
        }
    if (step.list === '') continue;
    const open = step.list === shape ? runs.shape : runs.other;
    const run = open.get(step.depth);
    if (run?.[0]!.list === step.list) {
      run.push(step);
      continue;
    }
    close(run);
    open.set(step.depth, [step]);
  }
  for (const run of [...runs.shape.values(), ...runs.other.values()]) close(run);
  const listed = new Set<Step>();
  let under: Step | null = null;
  for (const step of all) {
    if (under !== null && step.depth <= under.depth) under = null;
    if (step.kind === 'when' && gone.has(step)) under = step;
    else if (under !== null) listed.add(step);
  }
  const steps = all.flatMap((step) => {
    const list = lists.get(step);
    const isLeft =
      step.kind === 'when' || step.kind === 'line' || (step.kind !== 'name' && !gone.has(step));
    return [...(list === undefined ? [] : [list]), ...(isLeft ? [step] : [])];
  });
  return { steps, listed };
}

/** A list, as much of it as is told: `addChild(header | chat)`, `mode is "text" | "json"`, `{ id, name }`. */
function listText({ kind, list }: Step, members: readonly string[]): string {
  const [open, mark, close] =
    list === shape
      ? ['{ ', ', ', ' }']
      : kind === 'when'
        ? [`${list} `, ' | ', '']
        : [`${list}(`, ' | ', ')'];
  const fitting = members.filter(
    (_, index) => members.slice(0, index + 1).join(mark).length <= longest.list,
  );
  const rest = fitting.length < members.length ? `${mark}…` : '';
  return `${open}${fitting.join(mark)}${rest}${close}`;
}

/** What lines of a text do, each as it was read. */
const stepsOf = readOnce<readonly string[], Map<number, readonly Step[]>>(() => new Map());

function stepsBetween(lines: readonly string[], from: number, to: number): readonly Step[] {
  const cache = stepsOf(lines);
  const all: Step[] = [];
  for (let at = from; at < to; at += 1) {
    let steps = cache.get(at);
    if (steps === undefined) cache.set(at, (steps = stepsAt(lines[at]!)));
    all.push(...steps);
  }
  return all;
}

/** Where that ends which begins at a line: behind the lines that stand deeper than it. */
export function endOf(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at]!);
  const last = Math.min(lines.length, at + most.lines);
  for (let end = at + 1; end < last; end += 1) {
    const line = lines[end]!;
    if (line.trim() !== '' && indentOf(line) <= indent && !/^\s*[)\]]/.test(line)) return end;
  }
  return last;
}

/** How often a text calls each name. */
const timesIn = readOnce((lines: readonly string[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const line of lines)
    if (line.includes('('))
      for (const [name] of line.slice(0, 400).matchAll(/[A-Za-z_$][\w$]{4,}[?!]?(?=\()/g))
        times.set(name, (times.get(name) ?? 0) + 1);
  return times;
});
