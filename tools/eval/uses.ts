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
  readonly names: readonly {
    readonly from: number;
    readonly to: number;
    readonly needed: number;
  }[];
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
  const read = (text: string): readonly Sentence[] => {
    const sentences =
      known.get(text) ??
      sentencesOf(text).map((sentence) => ({
        length: sentence.length,
        said: saidLast(sentence),
        names: namesNeeded(sentence, needed),
      }));
    if (known.size >= mostTexts) known.clear();
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

/** Gives the last place at which a sentence is said again; -1 for nowhere. */
function saidIn(steps: readonly Entry[]): (sentence: string) => number {
  const said: { readonly place: number; readonly terms: ReadonlySet<string> }[] = [];
  const holding = new Map<string, number[]>();
  for (const step of steps)
    for (const sentence of sentencesOf(stepText(step))) {
      const terms = new Set(termsOf(sentence));
      if (terms.size < leastTerms) continue;
      for (const term of terms) {
        const list = holding.get(term);
        if (list === undefined) holding.set(term, [said.length]);
        else list.push(said.length);
      }
      said.push({ place: step.place, terms });
    }
  return (sentence) => {
    const terms = [...new Set(termsOf(sentence))];
    if (terms.length < leastTerms) return -1;
    const least = Math.max(leastTerms, Math.ceil(enough * terms.length - 1e-9));
    // What has enough of the terms has one of the rarest that may not all be missing.
    const rarest = terms
      .map((term) => holding.get(term) ?? [])
      .sort((one, other) => one.length - other.length)
      .slice(0, terms.length - least + 1);
    const found = [...new Set(rarest.flat())]
      .sort((one, other) => other - one)
      .find((index) => terms.filter((term) => said[index]!.terms.has(term)).length >= least);
    return found === undefined ? -1 : said[found]!.place;
  };
}

const pathStart = /[\w@.+\-/~]*$/;
const pathEnd = /^[\w@.+\-/~]*/;

/** Where names stand that are needed again; a path, known by its end, stands from its start. */
function namesNeeded(sentence: string, needed: ReadonlyMap<string, number>): Sentence['names'] {
  return [...namesIn(sentence)]
    .flatMap(([name, kind]) => {
      const last = needed.get(name);
      if (last === undefined) return [];
      return placesOf(sentence, name).map((at) => ({
        from: kind === 'path' ? at - pathStart.exec(sentence.slice(0, at))![0].length : at,
        to:
          at +
          name.length +
          (kind === 'path' ? pathEnd.exec(sentence.slice(at + name.length))![0].length : 0),
        needed: last,
      }));
    })
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
