// What a person says against what the model said or did: it stands no longer.

/** How many messages of people back an objection reaches where it names what it rejects. */
export const mostTurnsBack = 3;

/** Words in common of texts that speak of the same, at least. */
const leastShared = 2;

/** Whether a person's text takes back what was asked for or done. */
export const isReversal = (text: string): boolean => reversing.test(text);

/** Whether a person's text rejects a statement: one that it follows, or that it names. */
export const isRejected = (statement: string, text: string, follows: boolean): boolean =>
  follows
    ? reversing.test(text) || isObjection(text)
    : isObjection(text) && wordsShared(statement, text) >= leastShared;

/** What takes back what was asked for or done. */
const reversing =
  /\b(?:revert|undo|roll (?:it|that|this) back|scrap (?:it|that|this)|forget (?:it|that|this)|never ?mind)\b/i;

/** Whether a text begins with a "no" that refuses: alone, before a mark, or before whom or what it speaks of. `No results found` reports, `no, that is fine` agrees. */
export const saysNo = (text: string): boolean => no.test(text) && !agreeing.test(text);

const no =
  /^no+(?=\s*$|[,.!?:;…)”"*–—\n\r]| [–—-]+\s| (?:i|it|we|you|they|this|that|the|your|on|to|not|just|please|let['’]?s|don['’]?t|do not)\b)(?!,? (?:need|problem|worries|rush|idea|doubt|more|wait)\b)/i;

const agreeing =
  /^no+[,.!]? (?:(?:(?:it|that|this|all|everything)(?:['’]?s| is| looks| all)? )?(?:fine|good|ok(?:ay)?|great|perfect|right)(?=\s*$|[,.!;]| as\b)|(?:it|that|this|everything) works(?: (?:now|again|fine|well))?(?=\s*$|[,.!;])|go (?:on|ahead)\b|i (?:do )?like (?:it|this|that)\b)/i;

/** What may stand before the word that objects. */
const interjections = /^\W*(?:(?:oh|hm+|well|actually|wait|wtf|sorry|hey|ok(?:ay)?|so)\W+)*/i;

/** Whether a text rejects what the model said or did. */
export function isObjection(text: string): boolean {
  const said = text.replace(interjections, '');
  return saysNo(said) || objecting.test(said);
}

const objecting =
  /^(?:nope|stop|wrong)\b|\b(?:that|this|it)(?:['’]?s| is| was)? (?:\w+ )?(?:wrong|incorrect|horrible|terrible|nonsense|not (?:right|correct|what))\b|(?:doesn['’]?t|does not) (?:look|seem|sound) right\b|\bmakes no sense\b|\byou(?:['’]re| are) (?:wrong|(?:still )?missing)\b/i;

/** How many words two texts have in common, also as parts of identifiers. */
export function wordsShared(one: string, other: string): number {
  const words = (text: string): readonly string[] =>
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{5,}/g) ?? [];
  const otherWords = new Set(words(other));
  return new Set(words(one).filter((word) => otherWords.has(word) && !frequent.test(word))).size;
}

const frequent =
  /^(?:about|after|agent|again|because|before|being|could|first|going|instead|might|needs|other|rather|right|should|since|still|their|there|these|thing|things|think|those|under|using|wants|where|which|while|would)$/;
