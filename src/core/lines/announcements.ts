// What only announces work ("Now let me look at …"), and what is said to a person in passing: neither lasts.

/** How an announcement begins. */
export const intent: RegExp =
  /^(?:(?:now|first|next|ok(?:ay)?|good|great|perfect|excellent|alright|right|so|and|then|but|also|finally|yes|hmm|wait|actually)[,.!:]? +)*(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to|i should|i want to|i['’]m (?:now |also |just |first )*(?:re-?)?(?:using|checking|reading|looking|running|monitoring|compiling|watching|waiting|reviewing|inspecting|invoking|verifying|tracing|searching|going|taking|continuing|following|starting|proceeding|committing|pushing|mapping|collecting|gathering|opening|loading|pulling|grabbing|confirming|investigating|examining|keeping|letting|staying|giving|applying|finishing|wrapping)\b|i can now|we need to|time to|now (?:i|let|the|we|update|add|fix|run|check|create)\b|(?:checking|looking|reading|running|updating|adding|creating|fixing|writing|searching|recording|closing|starting|beginning|proceeding|moving|continuing|investigating|examining|verifying|committing|pushing|applying|implementing|locking)\b|i (?:now )?have (?:everything|all|enough|a (?:clear|good|complete|full))\b)/i;

const reason =
  /\b(?:because|since|instead|rather than|so that|therefore|which means|otherwise|the (?:cause|reason|problem|issue) is)\b/i;

/** Work that only looks, whatever its reason. */
const looking =
  /\b(?:let me|let['’]s|i['’]ll|i need to|i should) (?:(?:also|now|first|just|quickly) )?(?:verify|check|look|see|confirm|read|find|trace|dig|investigate|examine|understand|view|search|try)\b/i;

/** Work that changes something. */
export const changing: RegExp =
  /\b(?:implement|create|add|do|make|update|fix|refactor|rewrite|write|build|move|apply|change|remove|replace|extract|simplify|clean)\b/i;

/** Whether a sentence only announces what is about to be done. */
export function isIntent(sentence: string): boolean {
  return intent.test(sentence) && (!reason.test(sentence) || looking.test(sentence));
}

/** Agreement, thanks and praise alone. */
export const chatter: RegExp =
  /^(?:done|perfect|great|good|excellent|ok(?:ay)?|yes|sure|got it|understood|makes sense|good point|of course|absolutely|thanks?|sorry|hello|hi|here (?:is|are)|no problem|all set)\b[^.:;]{0,30}[.!:]?$/i;
