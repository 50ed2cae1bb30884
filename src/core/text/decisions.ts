import { oneLine, prose, sentences } from './sentences.ts';

/** Longest sentence that counts as a decision, in UTF-16 units. */
const longest = 200;

const cue =
  /\b(?:decid(?:ed?|ing)|decision|chose|chosen|opt(?:ed|ing) (?:for|to)|settled on|agreed (?:to|on)|go(?:ing)? with|went with|(?:we|i)(?:['’]ll| will) use|let['’]?s use|stick(?:ing)? (?:to|with)|instead of|rather than|root cause|turns out|the (?:issue|problem|bug|cause|fix|plan|conclusion) (?:is|was)|must(?: not|n['’]t)?|never|always|from now on|no longer)\b/i;

/** Whether a sentence states a decision: a choice, its reason, a cause that was found. */
export const isDecision = (sentence: string): boolean => cue.test(sentence);

/** Decision sentences of at most 200 characters, verbatim on one line, without bullets or marker tags. */
export function decisionsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const sentence of sentences(prose(text))) {
    if (sentence.length > longest + 40 || !isDecision(sentence)) continue;
    const decision = plainSentence(sentence);
    if (decision.length >= 20 && decision.length <= longest) found.add(decision);
  }
  return [...found];
}

/** A sentence on one line, without the bullets, heading or goal marker at its start. */
export const plainSentence = (sentence: string): string =>
  oneLine(sentence).replace(opening, '').trim();

const opening =
  /^(?:(?:[-*+•#>]{1,6}|\d{1,3}[.)])\s|(?:\*\*|__)?\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\](?:\*\*|__)?:?\s?)+/;
