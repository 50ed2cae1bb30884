// A model that lost the thread says so in its first words. Only these are read,
// without quotes and code: later on, such a question is part of the work. What is
// asked for has to be the work or the conversation itself; who asks for a file, a
// name or a decision has lost nothing.

/** Characters at the start of an answer that are read. */
const opening = 400;

/** What a model that lost the thread asks for: what was done or said, or where it stood. */
const thread =
  '(?:(?:we|i|you) (?:were|was|are|have been|had been|left|stopped|had|agreed)|left off|(?:the|our|my|this) (?:(?:current|original|overall|previous|earlier) )?(?:task|goal|plan|project|conversation|discussion|session|context|work)|so far|working on|doing|talking about)';

const questions: readonly RegExp[] = [
  // Could you remind me what we were doing? Please bring me up to speed on the task.
  new RegExp(
    `\\b(?:(?:could|can|would|will) you|would you mind|please)\\b[^.!?\\n]{0,30}\\b(?:remind(?:ing)? me|(?:refresh|jog)(?:ing)? my memory|fill(?:ing)? me in|catch(?:ing)? me up|bring(?:ing)? me (?:back )?up to speed|recap(?:ping)?|(?:give|giving) me (?:a |an )?(?:quick |brief |short )?(?:recap|overview|summary|reminder)|(?:tell|telling) me (?:again )?what (?:we|you) (?:were|had))\\b[^.!?\\n]{0,80}\\b${thread}\\b`,
    'i',
  ),
  /\b(?:could|can|would|will) you (?:please )?(?:catch me up|bring me (?:back )?up to speed|refresh my memory)\s*\?/i,
  // What were we working on? Where did we leave off? What was the task again?
  /\bwhat (?:were|was|are) (?:we|i) (?:just |currently |originally |again )?(?:working on|doing|talking about|discussing|building|trying to (?:do|achieve|build|solve))(?: (?:again|before|earlier|just now|so far|together|here))?\s*(?:\?|$)/im,
  /\bwhere (?:did we (?:leave off|stop)|were we|had we (?:left off|stopped))\b/i,
  /\bwhat (?:was|is|were) (?:the|our|my) (?:task|goal|question|plan|request|project|instructions?) again\b/i,
  // I'm not sure what we were doing. I seem to have lost the thread.
  /\bi(?:'m| am) (?:not sure|unsure|not certain|no longer sure|a (?:bit|little) lost(?: as to| about)?|confused about) (?:what|where) (?:we|i) (?:were|was|are|left|had)\b/i,
  /\bi (?:forgot|have forgotten|'ve forgotten|don't remember|do not remember|no longer remember|can't recall|cannot recall|don't know) (?:what|where) we (?:were|are|left|had)\b/i,
  /\bi(?: (?:seem|appear) to have| (?:may|might|must) have| think i(?: have|'ve)?| have|'ve) lost (?:(?:some|all) (?:of )?)?(?:the |our |my |track of )?(?:the |our |my )?(?:context|conversation|thread|history|track of (?:what|where) (?:we|i))\b/i,
  // I don't have any record of our earlier conversation. This seems to be the start of it.
  /\bi (?:do not|don't|no longer) (?:have|see|recall|remember) (?:any |the |our )?(?:context|record|memory|earlier|previous|prior)(?: (?:of|from|for|conversations?|messages?|discussions?|work|context)\b|[.,?!])/i,
  /\bi (?:do not|don't|no longer) have (?:access to|visibility into) (?:any |the |our |your )?(?:previous|earlier|prior|past) (?:conversations?|messages?|discussions?|context|chats?)\b/i,
  /\bi have no (?:memory|recollection|record|context) of (?:(?:any|our|the|what|a) |(?:previous|earlier|prior) )/i,
  /\b(?:this|it) (?:appears|seems|looks)(?: to be| like(?: this| it)? is| like)? (?:the )?(?:start|beginning|first message) (?:of|in) (?:our|a new|the|this) (?:conversation|chat|session)\b/i,
  /\b(?:earlier|previous) (?:part|parts|portion|messages|conversation|context)\b[^.!?\n]{0,40}\b(?:is|are|was|were|seems?|appears?|got|has been|have been)\b[^.!?\n]{0,20}\b(?:missing|cut off|truncated|lost|gone|not available|unavailable)\b/i,
  // The same in other languages.
  /(?:könnte(?:n|st)|kannst|können) (?:du|sie) (?:mir|mich)[^.!?\n]{0,60}(?:woran|was|wo|worüber|womit) wir /i,
  /(?:woran (?:haben|hatten|arbeiteten) wir|wo (?:waren|sind) wir (?:stehen ?geblieben|\?)|was (?:haben|hatten) wir (?:gerade|zuletzt|vorher) )/i,
  /ich habe? (?:wohl |leider |anscheinend )?den (?:faden|kontext|überblick) verloren/i,
  /(?:pouvez-vous|pourriez-vous|peux-tu|pourrais-tu)[^.!?\n]{0,30}rappeler[^.!?\n]{0,40}(?:ce que nous|ce qu'on|sur quoi|où nous|où on)/i,
  /(?:où en étions-nous|où en était-on|sur quoi (?:travaillions|étions)-nous|j'ai perdu le (?:fil|contexte))/i,
  /(?:podrías|puedes|podría|puede)[^.!?\n]{0,20}recordarme[^.!?\n]{0,20}(?:qué estábamos|en qué|dónde|de qué)/i,
  /(?:en qué (?:estábamos|íbamos)|dónde (?:nos quedamos|lo dejamos)|he perdido el (?:hilo|contexto))/i,
  /(?:puoi|potresti|può|potrebbe)[^.!?\n]{0,20}ricordarmi[^.!?\n]{0,20}(?:cosa stavamo|a che punto|di cosa|su cosa)/i,
  /(?:poderia|pode|podes)[^.!?\n]{0,20}(?:lembrar-me|me lembrar|relembrar)[^.!?\n]{0,20}(?:o que estávamos|onde|em que)/i,
  /(?:напомни(?:те)?|не могли бы вы напомнить)[^.!?\n]{0,30}(?:что|чем|на чём|на чем|о чём|о чем) мы/i,
  /(?:на ч[её]м мы остановились|я потерял[аи]? (?:нить|контекст))/i,
  /(?:提醒(?:我|一下)[^。！？\n]{0,12}我们[^。！？\n]{0,8}(?:做|讨论|聊|进行)|我们(?:刚才|之前)[^。！？\n]{0,6}(?:在做什么|做到哪|说到哪|聊到哪|讨论什么))/,
  /(?:何をして(?:いた|い)|どこまで(?:やり|話し|進み))[^。！？\n]{0,12}(?:教えて|でしたか|でしたっけ|思い出)/,
];

/** Whether an answer begins by asking what the work was. */
export function asksBack(text: string): boolean {
  const words = text
    .slice(0, opening)
    .replace(/```[^]*?(?:```|$)/g, ' ')
    .replace(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]/g, ' ')
    .replace(/^>.*$/gm, ' ')
    .replaceAll('’', "'");
  return questions.some((question) => question.test(words));
}
