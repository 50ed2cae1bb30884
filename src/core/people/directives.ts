import { prose, sentences, wordCount } from '../text/sentences.ts';

/** Longest directive, and longest quote, in UTF-16 units. */
const longest = 400;

const cue =
  /\b(?:don['’]?t|do not|never|always|must(?:n['’]?t)?|should(?:n['’]?t)?|can(?:no|['’])t|needs? to|make sure|ensure|instead|rather than|only|keep|prefer|use|using|avoid|remember|want|let['’]?s|not correct|wrong|no longer|from now on|rename|remove|go with|stick (?:to|with)|without|unless)\b/i;

/**
 * The sentences of human text that state a constraint, a correction or a
 * decision, verbatim and in order, each once. Of one of more than 400 characters
 * the 400 around its first cue are kept. Fenced code holds none.
 */
export function directivesOf(text: string): readonly string[] {
  const directives = new Set<string>();
  for (const sentence of sentences(prose(text))) {
    if (sentence.length < 8) continue;
    const at = cue.exec(sentence)?.index;
    if (at === undefined) continue;
    const directive = around(sentence, at);
    if (wordCount(directive) >= 3) directives.add(directive);
  }
  return [...directives];
}

/** Where a sentence lays something down, in UTF-16 units; null where it does not. */
export const directiveAt = (sentence: string): number | null => cue.exec(sentence)?.index ?? null;

/** The part of `sentence` around `at`, from the start of a word, at most 400 UTF-16 units. */
export function around(sentence: string, at: number): string {
  if (sentence.length <= longest) return sentence;
  const from = Math.max(0, at - longest / 2);
  const space = from === 0 ? -1 : sentence.indexOf(' ', from);
  const start = space >= 0 && space < at ? space + 1 : from;
  return sentence
    .slice(start, start + longest)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}
