// What only announces work ("Now let me look at …"), and what is said to a person in passing: neither lasts.

/** How an announcement begins. */
export const intent: RegExp =
  /^(?:(?:while|once|with) [^,.;:]{1,60}, )?(?:(?:after (?:that|this)|from there|from here|with that),? )?(?:(?:now|first|next|ok(?:ay)?|good|great|perfect|excellent|alright|right|so|and|then|but|also|finally|yes|hmm|wait|actually)[,.!:]? +)*(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to|i should|i want to|i['’]m (?:(?:now|also|just|first|still|separately|currently) )*(?!assuming|seeing|getting(?! an? (?:[\w-]+ ){0,2}(?:view|picture|overview|look|sense)\b)|missing|thinking|guessing)[\w-]+ing\b|i can now|we need to|time to|now (?:i|let|the|we|update|add|fix|run|check|create)\b|(?:checking|looking|reading|running|updating|adding|creating|fixing|writing|searching|recording|closing|starting|beginning|proceeding|moving|continuing|investigating|examining|verifying|committing|pushing|applying|implementing|locking|editing|addressing)\b|i(?: (?:now )?have|['’]ve (?:now )?got) (?:(?:everything|all|enough|a (?:clear|good|complete|full))\b|(?:an?|the) (?:[\w-]+ ){0,2}(?:picture|overview|view|baseline|shape|map|understanding)\b))/i;

/** Work that only looks, told as it begins: "I look at the parser and its test." What was found there stands behind it. */
const beginning =
  /^(?:(?:now|first|next|then|so|and),? )?i (?:(?:now|first|also|then|just|next) )*(?:look (?:at|into|through|for|over)|read|check|open|inspect|examine|search|scan|review|grep|list|go through|start (?:with|by|on))\b(?!.{0,200}\b(?:it|they|which|that|but)\b)[^:;–—]{1,200}$/i;

const reason =
  /\b(?:because|since|instead|rather than|so that|therefore|which means|otherwise|the (?:cause|reason|problem|issue) is)\b/i;

/** How something is going to be done, and within what limits: what comes of it is told nowhere else. What work starts with is no manner of it. */
const manner =
  /(?<!\b(?:start|begin|continue) )\bby (?:\w+ly )?[a-z]{3,20}ing\b|, so (?:that )?(?:we|it|they|the|only|each|all|no)\b|\bwhile keeping\b|\bwithout [a-z]{3,20}ing\b/i;

/** What goes on at the moment and passes: "Waiting on the other two agents", "Expected, I haven't added it yet", "The `os` import is now unused". */
const passing =
  /^(?:(?:still|currently|just|now|i['’]m|i am) )*(?:waiting (?:on|for)\b|mid-(?:edit|way)\b|in the middle of\b)|^i(?:['’]ll| will) (?:wait|keep waiting|be notified)\b|^(?:that['’]s |as )?expected\b ?[,:;.–—-]|\b(?:is|are) (?:still |now |both )*(?:running|spinning up|in progress)(?: in the background)?(?:[.;]| —|$)|\b(?:is|are) still (?:running|building|compiling|installing|downloading|uploading|copying|evaluating|waiting|pending|in progress)\b(?! (?:after|when|because|even|although|though|if|despite|while)\b)|\bdiagnostics? (?:hints? )?(?:will|(?:is|was|are|were) just)\b|^[^,;:]{1,60}\b(?:imports?|packages?|parameter|variable|function) (?:is|are) (?:now|still|showing as) unused\b[^,;:]{0,60}$|^the [^,;:]{1,60} (?:is|are) (?:missing from the imports|already imported)\b[^,;:]{0,60}$|^[^,;:]{1,60} (?:is|are) already imported\.?$/i;

/** How work begins that is told as it is done: "Restoring the recompiled files", "First, gathering the state". */
const doing =
  /^(?:(?:first|next|now|then|also|and),? )?[a-z]{2,20}ing (?:the|an?|it|my|our|your|all|both|each|this|that|these|those|every|another|any|more|for|with|on|over|via|through|against|one|two)\b/i;

/** What makes a sentence of more than such work. */
export const finite: RegExp =
  /\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|will|would|should|must|needs?|means?|makes?|breaks?|broke|fails?|failed|works?|worked|requires?|returns?|causes?|caused|shows?|showed|pass(?:es|ed)|\w+n['’]t)\b/i;

/** Whether a sentence tells no more than what is being done at the moment. */
export const isPassing = (sentence: string): boolean =>
  passing.test(sentence) || (doing.test(sentence) && !finite.test(sentence));

/** Work that only looks, whatever its reason. */
const looking =
  /\b(?:let me|let['’]s|i['’]ll|i need to|i should) (?:(?:also|now|first|just|quickly) )?(?:verify|check|look|see|confirm|read|find|trace|dig|investigate|examine|understand|view|search|try)\b/i;

/** The same as it is done, and why: not what was found, but what is hoped for. "I'm reading the caller so that I can …". */
const lookingNow =
  /\bi['’]m (?:(?:now|also|just|first|still|separately|currently) )*(?:checking|looking|reading|grabbing|pulling|reloading|inspecting|verifying|confirming|scanning|tracing|reviewing|searching|running|comparing|gathering|probing|parsing|listing|watching|polling|trying|testing|using|doing (?:my|a|an|one|another)|letting|waiting)\b/i;
const cause = /\b(?:because|since|which means|the (?:cause|reason|problem|issue) is)\b/i;

/** Work that changes something. */
export const changing: RegExp =
  /\b(?:implement|create|add|do|make|update|fix|refactor|rewrite|write|build|move|apply|change|remove|replace|extract|simplify|clean)\b/i;

/** The same in Japanese and Korean, which announce with the last word: 確認します, 확인하겠습니다. */
const lastWord =
  /[\p{sc=Han}\p{sc=Katakana}ー]{2}(?:を(?:行い|実施し)|し|していき|を?進め|を?始め)ます[。.]?$|(?:하겠습니다|하겠음|할게요|(?:확인|조사|수정|추가|실행|업데이트|작성|정리|삭제|변경|검증|커밋|진행|시작|적용|처리|요청|검토|반영|계속)(?:을|를)? ?합니다)[.]?$/u;
const lastReason = /ため|ので|から[、,]|範囲で|まとめて|때문|므로/u;

/** A sentence of which work is the subject: "Moving the pool to the store makes sense". */
const saysOfWork =
  /^\w{2,20}ing\b(?:(?!\b(?:that|which|who|what|where|if|when|because)\b)[^,;:.]){0,80}\b(?:makes?|would|is|means|gives|lets|breaks|requires|costs)\b/i;

/** Own work that is going to be taken back: no result tells that it does not stand any more. */
export const takesBack: RegExp =
  /\b(?:revert|undo|roll back|back out)(?:ing)? (?:(?:my|our)\b|the (?:earlier|previous|last|first)\b)|\brevert(?:ing)? (?:(?:it|this|that) )?to\b/i;

/** Whether a sentence only announces what is about to be done. */
export function isIntent(sentence: string): boolean {
  if (takesBack.test(sentence)) return false;
  if (beginning.test(sentence)) return !cause.test(sentence) && !finite.test(sentence);
  if (intent.test(sentence) && !saysOfWork.test(sentence)) {
    const isLooking =
      looking.test(sentence) || (lookingNow.test(sentence) && !cause.test(sentence));
    return isLooking || !(reason.test(sentence) || manner.test(sentence));
  }
  return lastWord.test(sentence) && !lastReason.test(sentence);
}

/** Agreement, thanks and praise alone. */
export const chatter: RegExp =
  /^(?:done|perfect|great|good|excellent|ok(?:ay)?|yes|sure|got it|understood|makes sense|good point|of course|absolutely|thanks?|sorry|hello|hi|here (?:is|are)|no problem|all set)\b[^.:;]{0,30}[.!:]?$/i;

/** What only says that something follows, or was found, and not what it is: "Here's the full picture.", "The problem is clear now."; but no "Here is a race between two workers." */
export const preamble: RegExp =
  /^(?:here(?:['’]s| is| are) (?:the|a|an|my|your|our|what)\b(?!.{0,90}\b(?:because|since|between|while|without|never|no|race|deadlock|leak|loop|mismatch|missing|typo)\b)[^.:;,`\d—–]{0,90}|the (?:answer|cause|issue|pattern|picture|problem) is (?:now )?(?:clear|obvious)\b[^.:;,`\d—–]{0,40})[.!]?$/i;
