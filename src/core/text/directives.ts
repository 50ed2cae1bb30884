import { prose, sentences } from './sentences.ts';

/** Longest directive, in UTF-16 units. */
const longest = 400;

const cue =
  /\b(?:don['’]?t|do not|never|always|must(?:n['’]?t)?|should(?:n['’]?t)?|can(?:no|['’])t|needs? to|make sure|ensure|instead|rather than|only|keep|prefer|use|using|avoid|remember|want|let['’]?s|not correct|wrong|no longer|from now on|rename|remove|go with|stick (?:to|with)|without|unless)\b/i;

/**
 * Sentences of human text that lay down a constraint, a correction or a
 * decision, verbatim and in order, each once. One of more than 400 characters
 * is represented by the 400 around its first cue. Fenced code lays nothing down.
 */
export function directivesOf(text: string): readonly string[] {
  const found = new Set<string>();
  for (const sentence of sentences(prose(text))) {
    if (sentence.length < 8) continue;
    const at = cue.exec(sentence)?.index;
    if (at === undefined) continue;
    const directive = around(sentence, at);
    if (words(directive) >= 3) found.add(directive);
  }
  return [...found];
}

/** The part of `sentence` about `at`, from a word's start, at most {@link longest}. */
function around(sentence: string, at: number): string {
  if (sentence.length <= longest) return sentence;
  const from = Math.max(0, at - longest / 2);
  const gap = from === 0 ? -1 : sentence.indexOf(' ', from);
  const start = gap >= 0 && gap < at ? gap + 1 : from;
  return sentence
    .slice(start, start + longest)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

function words(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    count += 1;
    if (count >= 3) break;
  }
  return count;
}
