import { stemmer } from 'stemmer';

const empty: ReadonlySet<string> = new Set(
  'a an the and or but if then else so of to in on at by for with from as is are was were be been being it its this that these those i you he she we they me him her us them my your his our their what which who whom when where why how not no yes do does did doing done have has had having will would can could should may might must just also there here than too very really about into over out up down all any some more most such only own same s t don now ok okay like get got let lets im ive dont id youre thats'.split(
    ' ',
  ),
);

/** The stems of the words of a text that carry meaning, in order. */
export function termsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => word.length > 1 && !empty.has(word))
    .map((word) => (/\d/.test(word) ? word : stemmer(word)));
}

const binding =
  /\b(don'?t|do not|never|always|must|mustn'?t|should(?:n'?t)?|need to|needs to|make sure|ensure|instead|rather than|only|keep|prefer|use|avoid|remember|want|let'?s|not correct|wrong|no longer|from now on|rename|remove|go with|stick (?:to|with))\b/i;

/** Sentences of what a person typed that lay down a constraint, a correction or a decision. */
export function directivesOf(content: string): readonly string[] {
  return sentencesOf(content.replace(/```[\s\S]*?```/g, '')).filter(
    (sentence) =>
      sentence.length >= 15 &&
      sentence.length <= 400 &&
      binding.test(sentence) &&
      termsOf(sentence).length >= 3,
  );
}

/** The lines of a text, and the sentences of those that have several. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+/)
    .flatMap((line) =>
      line.length > 400 || /[.!?] [A-Z]/.test(line)
        ? line.split(/(?<=[.!?])\s+(?=[A-Z"'`([-])/)
        : [line],
    )
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

/** Share of its terms that must stand in one line for a directive to be there. */
export const enough = 0.6;
