import { enough, sentencesOf, termsOf } from './directive.ts';
import type { Entry } from './history.ts';
import { namesIn, needsOf, stepText } from './names.ts';

// What of a text is used again by the assistant messages after it. A sentence is
// said again where enough of its terms stand in one sentence of such a message;
// it counts whole. Of any other sentence the names count that such a message needs.
//
//   argon2id was chosen because bcrypt cuts at 72 bytes.     said again: all of it
//   src/auth/hash.ts, parseWindow, src/tree.ts               parseWindow is used: a third
//
// A name is one term, for files of one folder share most words of their paths.
// When a text is used last does not depend on when it is shown, so each text is
// read once.

/** Says how much of a text is used again. */
export interface Uses {
  /** The share of its characters, 0 to 1, that the assistant message at `place` or a later one uses. */
  after(text: string, place: number): number;
}

/** One sentence of a text, and the last places that use it. */
interface Sentence {
  readonly length: number;
  /** Where it is said again last; -1 for nowhere. */
  readonly said: number;
  /** The names in it that are needed again, in their order. */
  readonly names: readonly (Stretch & { readonly needed: number })[];
}

/** Where a name stands in a sentence. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Least terms of a sentence that can be said again: fewer stand together by chance. */
const leastTerms = 3;

/** Most texts that are remembered. */
const mostTexts = 10_000;

/** What the assistant messages of a session use. */
export function usesOf(entries: readonly Entry[]): Uses {
  const steps = entries.filter(({ role }) => role === 'assistant');
  const needed = new Map(
    steps.flatMap((step) => [...needsOf(step).keys()].map((name) => [name, step.place] as const)),
  );
  const saidLast = saidIn(steps);
  const known = new Map<string, readonly Sentence[]>();
  const toSentence = (sentence: string): Sentence => {
    const names = stretchesOf(sentence);
    return {
      length: sentence.length,
      said: saidLast(termsIn(sentence, names)),
      names: names.flatMap(({ name, ...stretch }) => {
        const last = needed.get(name);
        return last === undefined ? [] : [{ ...stretch, needed: last }];
      }),
    };
  };
  const read = (text: string): readonly Sentence[] => {
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    if (known.size >= mostTexts) known.clear();
    const sentences = sentencesOf(text).map(toSentence);
    known.set(text, sentences);
    return sentences;
  };
  return {
    after(text, place) {
      let used = 0;
      let all = 0;
      for (const sentence of read(text)) {
        all += sentence.length;
        used += sentence.said >= place ? sentence.length : lengthOfNames(sentence, place);
      }
      return all === 0 ? 0 : used / all;
    },
  };
}

/** Gives the last place at which a sentence of these terms is said again; -1 for nowhere. */
function saidIn(steps: readonly Entry[]): (terms: ReadonlySet<string>) => number {
  const said: { readonly place: number; readonly terms: ReadonlySet<string> }[] = [];
  const holding = new Map<string, number[]>();
  for (const step of steps)
    for (const sentence of sentencesOf(stepText(step))) {
      const terms = termsIn(sentence, stretchesOf(sentence));
      if (terms.size < leastTerms) continue;
      for (const term of terms) {
        const list = holding.get(term);
        if (list === undefined) holding.set(term, [said.length]);
        else list.push(said.length);
      }
      said.push({ place: step.place, terms });
    }
  return (terms) => {
    if (terms.size < leastTerms) return -1;
    const least = Math.max(leastTerms, Math.ceil(enough * terms.size - 1e-9));
    const wanted = [...terms];
    // What has enough of the terms has one of the rarest that may not all be missing.
    const rarest = wanted
      .map((term) => holding.get(term) ?? [])
      .sort((one, other) => one.length - other.length)
      .slice(0, wanted.length - least + 1);
    const found = [...new Set(rarest.flat())]
      .sort((one, other) => other - one)
      .find((index) => wanted.filter((term) => said[index]!.terms.has(term)).length >= least);
    return found === undefined ? -1 : said[found]!.place;
  };
}

/** The names of a sentence, and the stems of its other words. */
function termsIn(
  sentence: string,
  names: readonly (Stretch & { readonly name: string })[],
): ReadonlySet<string> {
  let rest = '';
  let end = 0;
  for (const { from, to } of names) {
    if (from > end) rest += `${sentence.slice(end, from)} `;
    end = Math.max(end, to);
  }
  return new Set([...names.map(({ name }) => name), ...termsOf(rest + sentence.slice(end))]);
}

const pathSign = /[\w@.+\-/~]/;

/** Where names stand, in their order; a path, known by its end, stands from its start. */
function stretchesOf(sentence: string): readonly (Stretch & { readonly name: string })[] {
  return [...namesIn(sentence)]
    .flatMap(([name, kind]) =>
      placesOf(sentence, name).map((at) => {
        let [from, to] = [at, at + name.length];
        if (kind === 'path') {
          while (pathSign.test(sentence[from - 1] ?? '')) from -= 1;
          while (pathSign.test(sentence[to] ?? '')) to += 1;
        }
        return { name, from, to };
      }),
    )
    .sort((one, other) => one.from - other.from);
}

function placesOf(text: string, name: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
    places.push(at);
  return places;
}

/** Characters of names that a message at `place` or later needs; names within names count once. */
function lengthOfNames({ names }: Sentence, place: number): number {
  let used = 0;
  let end = 0;
  for (const { from, to, needed } of names) {
    if (needed < place || to <= end) continue;
    used += to - Math.max(from, end);
    end = to;
  }
  return used;
}
