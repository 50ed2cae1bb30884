import { enough, termsOf } from './directive.ts';
import type { Needs } from './needs.ts';
import { spansOf } from './span.ts';

/** Gives the traces that stand in a text, each once; the same text is read once only. */
export interface Reader {
  /** `isKept` texts are remembered for good, others until there are many. */
  read(text: string, isKept: boolean): readonly number[];
}

/** Most texts that are remembered beside those kept. */
const mostPassing = 2_000;

/** A reader that looks for the traces of these needs. */
export function readerOf(needs: Needs): Reader {
  const look = lookFor(needs);
  const kept = new Map<string, readonly number[]>();
  const passing = new Map<string, readonly number[]>();
  return {
    read(text, isKept) {
      const known = kept.get(text) ?? passing.get(text);
      if (known !== undefined) return known;
      const found = look(text);
      if (!isKept && passing.size >= mostPassing) passing.clear();
      (isKept ? kept : passing).set(text, found);
      return found;
    },
  };
}

function lookFor({ traces }: Needs): (text: string) => readonly number[] {
  const names = new Map<string, [name: string, trace: number][]>();
  const spans = new Map<number, number>();
  const terms = new Map<string, [trace: number, times: number][]>();
  for (const [trace, sought] of traces.entries())
    if (sought.type === 'name') at(names, longestRun(sought.name)).push([sought.name, trace]);
    else if (sought.type === 'span') spans.set(sought.hash, trace);
    else
      for (const [term, times] of timesOf(sought.terms))
        at(terms, term).push([trace, times / sought.terms.length]);
  return (text) => [
    ...namesIn(text, names),
    ...(spans.size === 0 ? [] : [...spansOf(text)].flatMap((hash) => spans.get(hash) ?? [])),
    ...(terms.size === 0 ? [] : directivesIn(text, terms)),
  ];
}

function at<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  const list = map.get(key) ?? [];
  if (list.length === 0) map.set(key, list);
  return list;
}

function timesOf(words: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
}

const runs = /[\w$]+/g;
const isRun = /[\w$]/;

/** A name stands on word boundaries, so each run of word characters in it is a whole run of the text, too. */
function longestRun(name: string): string {
  return (name.match(runs) ?? ['']).reduce((one, other) =>
    other.length > one.length ? other : one,
  );
}

function namesIn(
  text: string,
  sought: ReadonlyMap<string, readonly (readonly [name: string, trace: number])[]>,
): readonly number[] {
  const found: number[] = [];
  for (const run of new Set(text.match(runs)))
    for (const [name, trace] of sought.get(run) ?? [])
      if (name === run || stands(text, name)) found.push(trace);
  return found;
}

/** Whether a name is in a text, on word boundaries. */
function stands(text: string, name: string): boolean {
  const opens = isRun.test(name[0] ?? '');
  const closes = isRun.test(name.at(-1) ?? '');
  for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
    const before = text[from - 1];
    const after = text[from + name.length];
    const isCut =
      (opens && before !== undefined && isRun.test(before)) ||
      (closes && after !== undefined && isRun.test(after));
    if (!isCut) return true;
  }
  return false;
}

/** The directives of whose terms enough stand in one line. */
function directivesIn(
  text: string,
  sought: ReadonlyMap<string, readonly (readonly [trace: number, share: number])[]>,
): readonly number[] {
  const found = new Set<number>();
  for (const line of text.split('\n')) {
    const shares = new Map<number, number>();
    for (const term of new Set(termsOf(line)))
      for (const [trace, share] of sought.get(term) ?? [])
        shares.set(trace, (shares.get(trace) ?? 0) + share);
    for (const [trace, share] of shares) if (share >= enough - 1e-9) found.add(trace);
  }
  return [...found];
}
