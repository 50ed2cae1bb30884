import { readShort } from '../values/read-once.ts';
import { directiveAt } from './directives.ts';
import { clip, oneLine, prose, sentences, wordCount } from '../text/sentences.ts';

// What a person asks for, in their own words. A long session holds many short
// answers, impatience and small talk; what it is about stands in the sentences
// that ask for work.

/** Longest request that is told, in UTF-16 units. */
const longest = 200;

/** Longest question that is told with the request before it, in UTF-16 units. */
const longestAsked = 60;

/** Sentences of a message that are looked at: what it is about stands at its beginning. */
const mostSentences = 6;

/** How much a sentence must say to be taken for a request at all. */
const least = 0.7;

/** How sure a sentence asks for work from which on it does without doubt. */
const sure = 2;

const filler =
  /^(?:(?:ok(?:ay)?|alright|so+|now|and|then|also|well|yes|yeah|y|no|hey|hi|hello|good|great|thanks?|thank you|actually|definitely|btw|first|next|finally|please|pls|just|could you|can you|would you|can we|let['’]?s|let us|i(?:['’]d| would)? (?:actually )?(?:want|like|need) (?:you )?to|we (?:need|want|have) to|how about (?:you|we)|your task is to|you (?:should|need to|have to|must))[,.!:]* )+/i;

const work =
  'add|address|adjust|align|analy[sz]e|apply|build|bump|change|check|clean|close|commit|compare|configure|connect|convert|copy|create|debug|delete|deploy|describe|design|develop|do|document|draft|edit|enable|explain|explore|export|extend|extract|figure|find|finish|fix|format|generate|handle|help|implement|import|improve|inspect|install|integrate|investigate|limit|list|look|make|merge|migrate|move|open|optimi[sz]e|organi[sz]e|outline|plan|port|prepare|propose|publish|push|put|read|record|rebase|refactor|release|remove|rename|reorgani[sz]e|replace|research|resolve|restructure|revert|review|rewrite|rework|run|search|send|set|setup|show|simplify|solv(?:e|ing)|sort|split|start|store|summari[sz]e|support|swap|switch|tackle|test|tidy|track|translate|try|tune|turn|uninstall|update|upgrade|use|validate|verify|wire|work|write|yank';

const imperative = new RegExp(`^(?:${work})\\b`, 'i');
const mentionsWork = new RegExp(`\\b(?:${work})\\b`, 'i');

/** Whether a sentence asks for one action, after words that lead to it. */
export const isImperative = (sentence: string): boolean =>
  imperative.test(sentence.slice(filler.exec(sentence)?.[0].length ?? 0));

/** Something named: a path, an identifier, a mention, a number with a name. */
const named = /[`@#]|\w\/\w|[a-z][A-Z]|\w\.\w{1,5}\b|[a-z]_[a-z]|\b[A-Z]{2,}\b/;

const harsh =
  /\b(?:idiots?|stupid|dumb|morons?|wtf|fuck\w*|shit\w*|bullshit|damn|crap|sucks?|lazy|useless|ridiculous|jesus|for god['’]?s sake|lobotom\w*|dude)\b/i;

/** Whether a sentence is a curse or impatience, which asks for nothing and decides nothing. */
export const isHarsh = (sentence: string): boolean => harsh.test(sentence);

/** Greetings, thanks, surprise and praise, one after the other; what agrees or refuses is none. */
const smallTalk =
  /^(?:(?:hey|hi|hello|yo|(?:good )?morning|wow|whoa|woah|cool|nice|great|awesome|amazing|sweet|perfect|excellent|brilliant|love it|(?:well|nicely) done|(?:good|great|nice) (?:job|work|stuff)|thanks?|thank you|thx|cheers|ok(?:ay)?|alright|(?:ha){2,6}|lol|hm{1,6}|huh|oh|ah{1,6})(?: (?:there|so much|a lot|very much|again|man|all))?(?:[\s,.!…:;()👍🎉🙏]{1,6}|$)){1,6}$/iu;

/** Longest small talk, in UTF-16 units. */
const longestSmallTalk = 60;

/** Whether a text asks for nothing, answers nothing and lays nothing down. */
export const isSmallTalk = (text: string): boolean =>
  text.length <= longestSmallTalk && smallTalk.test(text.trim());

/** What asks to go on with what was asked before. */
const onward =
  /^(?:(?:\/\w+|please|now|just|and|with|then|ok(?:ay)?|yes|y|yeah|yep|sure|great|good|perfect|thanks?)[,.! ]+)*(?:continue|go (?:on|ahead)|proceed|keep (?:going|at it)|carry on|resume|next|do (?:it|that|so)|do(?=[.! ]*$)|try again|again|retry)\b/i;

/** Longest message that only asks to go on, in UTF-16 units. */
const longestOnward = 72;

/** Whether a text on one line only asks to go on with what was asked before. */
export function isOnward(line: string): boolean {
  const [begun = ''] = line.length > longestOnward ? [] : (onward.exec(line) ?? []);
  return begun !== '' && !isMore(line.slice(begun.length));
}

/** Whether what stands behind a word to go on asks for something else: `next: add the page`, `go on, but drop the cache`. */
function isMore(rest: string): boolean {
  const [joint = ''] =
    /^(?:\s*[,:;.!–—-]\s*|\s+)(?:(?:but|and|then|now|also)\s+){0,2}/i.exec(rest) ?? [];
  const said = rest.slice(joint.length);
  const isApart = /[,:;.!–—-]|\bbut\b/i.test(joint);
  return (
    /^(?:with|to) [^,;]{1,60} instead\W*$/i.test(said) ||
    (isApart && isImperative(said) && !isOnward(said) && !backward.test(said))
  );
}

/** What is asked for again in other words: `yes, go on, implement it`. */
const backward =
  /^\w+ (?:it|this|that|them|all(?: of (?:it|this|that|them))?|the (?:plan|rest))\b/i;

/** Points to what stands behind it. */
const pointing = /\b(?:following|below|here['’]s|here is)\b|:$/i;

/** What a text asks for. */
export interface Request {
  /** In the words of the text, on one line. */
  readonly text: string;
  /** Whether it asks for work without doubt. */
  readonly isSure: boolean;
}

/** The request that a person's text makes; null where it makes none: an answer, small talk, a word to go on. */
export const requestIn = (said: string): Request | null => requestRead(said).request;

/** All that people said is asked for with each document. */
const requestRead = readShort((said) => ({ request: readRequest(said) }), {
  longest: 1 << 13,
  most: 1 << 9,
});

function readRequest(said: string): Request | null {
  const whole = oneLine(said);
  if (isOnward(whole)) return null;
  const lines = sentences(prose(said)).map(oneLine);
  const ranked = lines
    .slice(0, mostSentences)
    .map((line, index) => ({ line, index, score: scoreOf(line) - index * 0.3 }))
    .filter(({ score }) => score >= least);
  const best = ranked.reduce<(typeof ranked)[number] | null>(
    (most, one) => (most === null || one.score > most.score ? one : most),
    null,
  );
  if (best === null) return null;
  const rest = lines.slice(best.index + 1);
  return { text: withRest(best.line, rest), isSure: best.score >= sure };
}

/** How much a sentence asks for work; 0 or less where it says nothing. */
function scoreOf(line: string): number {
  const sentence = line.replace(/^\/[\w:-]+ /, '');
  if (isHarsh(sentence)) return 0;
  const words = wordCount(sentence);
  if (words < 3 && !/[^\u0000-\u2fff]{4}/.test(sentence)) return 0;
  const asks = isImperative(sentence);
  const isQuestion = sentence.endsWith('?') && !filler.test(sentence);
  return (
    0.6 +
    (asks ? 2 : mentionsWork.test(sentence) ? 0.8 : 0) +
    (named.test(sentence) ? 0.6 : 0) +
    (directiveAt(sentence) === null ? 0 : 0.4) +
    (words >= 6 || /[^\u0000-\u2fff]{8}/.test(sentence) ? 0.2 : 0) -
    (isQuestion ? 1.2 : 0)
  );
}

/** The number of a list's item at the end, which says nothing without it. */
const numeral = /(?<=[.!?:]) \d{1,2}[.)]$/;

/** A sentence with those after it, where it points to them or leaves room. */
function withRest(sentence: string, rest: readonly string[]): string {
  let text = sentence;
  const isPointing = pointing.test(sentence);
  for (const next of rest) {
    if (isPointing && (next.endsWith(':') || next.length < 12)) continue;
    if (isHarsh(next)) break;
    const longer = `${text} ${next}`;
    // A question of few words right behind is what is asked.
    const isAsked = next.endsWith('?');
    if (!isPointing && (longer.length > longest || (isAsked && next.length > longestAsked))) break;
    text = longer;
    if (isPointing || isAsked) break;
  }
  return clip(text.replace(numeral, ''), longest);
}
