import { directivesOf, termsOf } from './directive.ts';
import type { Entry } from './history.ts';
import { namesOf, needsOf, type NameClass } from './names.ts';
import { spansOf } from './span.ts';

// What every step of a history needs of what was said before it. It depends on
// the history alone: each method and each budget is judged by the same needs.
//
// Everything that is ever looked for in a context (names, copied runs,
// directives) is a trace with a number of its own, so that a context is read
// once and every question about it is one look into an array.

/** Something to look for in a context, by its place in {@link Needs.traces}. */
export type Trace =
  | { readonly type: 'name'; readonly name: string; readonly kind: NameClass }
  | { readonly type: 'span'; readonly hash: number }
  | { readonly type: 'directive'; readonly text: string; readonly terms: readonly string[] };

/** One thing that a step takes up again. */
export interface Reference {
  readonly trace: number;
  /** Tokens between its last mention and the step. */
  readonly gap: number;
  /** Whether that mention was in another frame. */
  readonly crosses: boolean;
  /** Place of the entry that mentioned it last. */
  readonly last: number;
}

/** What one entry takes up again, and what it brings. */
export interface Need {
  readonly names: readonly Reference[];
  readonly spans: readonly Reference[];
  /** Traces of the directives in it, where a person typed it. */
  readonly directives: readonly number[];
}

/** The needs of a history, entry by entry. */
export interface Needs {
  readonly traces: readonly Trace[];
  readonly at: readonly Need[];
}

/** The needs of all assistant entries but a first one. */
export function needsOfAll(entries: readonly Entry[]): Needs {
  const traces: Trace[] = [];
  const names = lastMentions<string>();
  const spans = lastMentions<number>();
  const ids = new Map<string | number, number>();
  const given = new Set(
    entries.filter(({ role }) => role === 'system').flatMap((entry) => [...namesOf(entry).keys()]),
  );
  const idOf = (key: string | number, trace: () => Trace): number => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, traces.length);
    return traces.push(trace()) - 1;
  };
  let before = 0;
  const at = entries.map((entry): Need => {
    const { tokens, frame, place } = entry;
    const isStep = entry.role === 'assistant' && entry.place > 0;
    const said = spansOf(entry.text);
    const need = {
      names: (isStep ? [...needsOf(entry)] : []).flatMap(([name, kind]) => {
        const last = given.has(name) ? undefined : names.get(name);
        if (last === undefined) return [];
        const trace = idOf(name, () => ({ type: 'name', name, kind }));
        return [{ trace, gap: before - last.end, crosses: last.frame !== frame, last: last.place }];
      }),
      spans: (isStep ? [...said] : []).flatMap((hash) => {
        const last = spans.get(hash);
        if (last === undefined) return [];
        const trace = idOf(hash, () => ({ type: 'span', hash }));
        return [{ trace, gap: before - last.end, crosses: last.frame !== frame, last: last.place }];
      }),
      directives: entry.isHuman
        ? directivesOf(entry.content).map(
            (text) => traces.push({ type: 'directive', text, terms: termsOf(text) }) - 1,
          )
        : [],
    };
    before += tokens;
    const mention = { end: before, frame, place };
    for (const name of namesOf(entry).keys()) names.set(name, mention);
    for (const hash of said) spans.set(hash, mention);
    return need;
  });
  return { traces, at };
}

/** Where something was mentioned last: tokens up to the end of that entry, its frame, and its place. */
interface Mention {
  readonly end: number;
  readonly frame: string;
  readonly place: number;
}

function lastMentions<Key>(): Map<Key, Mention> {
  return new Map();
}
