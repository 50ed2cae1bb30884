// A model that lost the thread says so in its first words. Only these are looked
// at, outside of quotes and code: later on, such a question is part of the work.

/** Characters of an answer that are looked at. */
const opening = 400;

const questions: readonly RegExp[] = [
  /\bwhat (?:were|was|are) (?:we|i) (?:just )?(?:working on|doing|talking about|discussing)\b/i,
  /\bwhere (?:did we leave|were we|did we stop)\b/i,
  /\bi (?:seem to have|may have|might have|appear to have|have|'ve) lost (?:some |the |our |my |track of )?(?:of )?(?:the |our |my )?(?:context|conversation|thread|history)\b/i,
  /\bi (?:do not|don't|no longer) (?:have|see|recall|remember) (?:any |the |our )?(?:context|record|memory|earlier|previous|prior)(?: (?:of|from|for|conversation|messages|discussion|work)\b|[.,?!])/i,
  /\b(?:could|can) you (?:please )?(?:remind me|give me a (?:quick )?recap|recap)\b[^.!?\n]{0,80}\b(?:working|doing|task|left off|conversation|so far|goal)\b/i,
];

/** Whether an answer begins by asking what it was about. */
export function asksBack(text: string): boolean {
  if (!/\?|lost|recall|remember|context/i.test(text.slice(0, opening))) return false;
  const said = text
    .slice(0, opening)
    .replace(/```[^]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .replaceAll('’', "'");
  return questions.some((question) => question.test(said));
}
