import { oneLine, prose, sentences } from './sentences.ts';

/** Longest sentence that counts as a decision, in UTF-16 units. */
const longest = 200;

const cue =
  /\b(?:decid(?:ed?|ing)|(?<!-)decision(?!-)|chose|chosen|opt(?:ed|ing) (?:for|to)|settled on|agreed (?:to|on)|go(?:ing)? with|went with|(?:we|i)(?:['’]ll| will) use|let['’]?s use|stick(?:ing)? (?:to|with)|instead of|rather than|root cause|turns out|the (?:issue|problem|bug|cause|fix|plan|conclusion) (?:is|was)|must(?: not|n['’]t)?|never|always|from now on|no longer)\b/i;

/** Whether a sentence states a decision: a choice, its reason, a cause that was found. */
export const isDecision = (sentence: string): boolean => cue.test(sentence);

const choosing =
  /\b(?:(?:we|i|let['’]?s|have|has|was|were|is|are)(?:['’]ve)? (?:now |both |also )?(?:decided|chose|chosen|opted|agreed|settled on)|decision: ?(?=\w)|(?:^|verdict: ?)(?:decided|chose|opted|settled on)|(?:going|went|go|goes|stick(?:ing)?|stay(?:ing)?) with|(?:we|i)(?:['’]ll| will) (?:use|keep|go)|let['’]?s (?:use|keep|go)|decision is|the choice is|from now on|(?:use|using|used|now uses|keep|keeping|now keeps|kept) [^.;:]{1,80} (?:instead of|rather than)\b)/i;

const open =
  /\?$|\b(?:whether|should (?:we|i)|shall (?:we|i)|(?:need|have|want|yet|still|left|up) to (?:you to )?decide|undecided|(?:could|would|might|may) (?:use|keep|go|also)|(?:have|has|had)(?:n['’]t| not)|if (?:we|you|i)\b|let me|try(?:ing)? )/i;

/** Whether a statement of the model says that something was chosen, not that it is so or might be. */
export const isChoice = (sentence: string): boolean =>
  choosing.test(sentence) && !open.test(sentence);

const ruling =
  /\b(?:don['’]?t|do not|never|always|must(?:n['’]?t)?|make sure|prefer|use|avoid|go with|stick (?:to|with)|instead of|rather than|from now on|no longer|only (?:want|use|need)|(?:want|use|need|should) only|only(?=[.,!]|$)|keep)\b/i;

/** Whether a sentence of a person lays something down: no question, and no complaint. */
export const isRuling = (sentence: string): boolean =>
  ruling.test(sentence) &&
  !/\?|^(?:why|what|how|did|do|does|is|are|can|could|would)\b|\b(?:don['’]?t|do not) (?:know|think|understand|see|get|care|mind|want to)\b|\byou (?:did|always|never|keep|don['’]?t)\b/i.test(
    sentence.trim(),
  );

/** Decision sentences of at most 200 characters, verbatim on one line, without bullets or marker tags. */
export function decisionsIn(text: string): readonly string[] {
  const decisions = new Set<string>();
  for (const sentence of sentences(prose(text))) {
    if (!isDecision(sentence)) continue;
    const decision = plainSentence(sentence);
    if (decision.length >= 20 && decision.length <= longest) decisions.add(decision);
  }
  return [...decisions];
}

/** A sentence on one line, without the bullets, heading or goal marker at its start. */
export const plainSentence = (sentence: string): string => oneLine(sentence).replace(opening, '');

const opening =
  /^(?:(?:[-*+•#>]{1,6}|\d{1,3}[.)])\s|(?:\*\*|__)?\[(?:GOAL|CHECKPOINT|DECISION|ARTIFACT|NEXT)\](?:\*\*|__)?:?\s?)+/;
