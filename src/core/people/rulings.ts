import { typedIn } from './pasted.ts';
import { isHarsh, isImperative } from './requests.ts';
import { readShort } from '../values/read-once.ts';
import { oneLine, prose, sentences, wordCount } from '../text/sentences.ts';

// What a person lays down: rules, wishes that last, leave for something that is
// named. A request for one action, a complaint, a fact and what was pasted are none.
// A sentence that leans on the one before it is told with it, or not at all.

/** What a person laid down in a text. */
export interface LaidDown {
  /** Sentences in their order, each with the one that it leans on. */
  readonly sentences: readonly string[];
  /** Lines that say what belongs where; none for a single one. */
  readonly places: readonly string[];
  /** Whether nothing else was said, in no anger and without a question. */
  readonly isAll: boolean;
}

/** What a person's text lays down; one that only lets the model go on must say a rule to do so. */
export const laidDownIn = (text: string, isGoingAhead: boolean): LaidDown =>
  (isGoingAhead ? laidDownAhead : laidDownElse)(text);

/** All that people said is asked for with each document. */
const kept = { longest: 1 << 13, most: 1 << 9 } as const;
const laidDownAhead = readShort((text) => readLaidDown(text, true), kept);
const laidDownElse = readShort((text) => readLaidDown(text, false), kept);

function readLaidDown(text: string, isGoingAhead: boolean): LaidDown {
  const typed = prose(typedIn(text));
  const all = sentencesOf(typed).filter((sentence) => !placing.test(sentence));
  const lays = isDocument(typed) ? statesRule : (one: string) => laysDown(one, isGoingAhead);
  const rulings: { readonly at: number; readonly text: string }[] = [];
  for (const [at, sentence] of all.entries()) {
    if (!lays(sentence)) continue;
    const isNext = rulings.at(-1)?.at === at - 1;
    const before = isNext ? rulings.at(-1)!.text : (all[at - 1] ?? '');
    const isLeaning = leaning.test(sentence);
    const words = wordCount(sentence);
    const mayJoin = (isNext || carries(before)) && before.length + sentence.length < longestJoined;
    if (mayJoin && (isLeaning || (words < short && !isNext))) {
      if (isNext) rulings.pop();
      rulings.push({ at, text: `${before} ${sentence}` });
    } else if (isLeaning ? words >= 8 && isStanding(sentence) : words >= leastWords(sentence))
      rulings.push({ at, text: sentence });
  }
  const places = typed.split(/[\r\n]+/).filter((line) => placing.test(line));
  return {
    sentences: rulings.map((one) => one.text),
    places: places.length < 2 ? [] : places.map(oneLine),
    isAll: typed === text && !isDocument(typed) && !text.includes('?') && !all.some(isHarsh),
  };
}

/** What holds from now on, whatever else a sentence asks for. */
const standing =
  /\b(?:never|always|must(?:n['’]t| not)?|won['’]t|no longer|from now on|instead of|rather than|not \w+,? but|(?:want|use|need|should|must|would|do|show|keep|allow|support|run|take)s? (?:\w+ )?only|only (?:want|use|need|do|show|keep|allow|support|run|take|when|if|after|once|for|from))\b|(?<!, )\bonly(?=[.,!]|\W*$)/i;

/** What is stressed as a rule. */
const stressed = /\b(?:ONLY|WON['’]T|NEVER|ALWAYS|MUST)\b/;

const isStanding = (sentence: string): boolean =>
  standing.test(sentence) || stressed.test(sentence);

/** What should be so. */
const normative =
  /\bshould(?:n['’]t| not)?\b(?! (?:it|they|you|we|i|he|she|have|already|be (?:possible|good|fine|ok(?:ay)?|done|able|ready|enough|easy))\b|\W*$)|\bbelongs? (?:in|into|to|under|with)\b/i;

/** What is wished for, or not. */
const wishing =
  /(?<!\b(?:i|we|you|they|people|users|it|these|those|that|which|who|\w+s) )\b(?:don['’]?t|do not)\b|\b(?:we|i) (?:really |just )?(?:don['’]?t|do not) (?:want|need|use|support|allow)\b|\b(?:prefer|avoid|unless|make sure|agreed|go with|stick (?:to|with)|not needed|no need|we aren['’]t)\b|\blet['’]?s (?:just )?(?:use(?! (?:this|that|those|these|it|them)\b)|keep|limit|not|drop|skip|leave|call|align|go with|stick|stay)\b|\bwe(?:['’]ll)? (?:just |really |also |still )?want(?! to (?:do|look|see|try|know|check|read)\b)|\bi want(?! (?:you )?to\b)|(?<!\b(?:then|next) )\bwe['’]ll (?!(?:have|see|know|look)\b)|\b(?:needs?|has|have) to be\b/i;

/** What makes a rule of a request for one action. */
const lasting =
  /^\W*(?:\w+,? ){0,3}(?:use|limit|let['’]?s|we|i (?:want|need))\b|\b(?:make sure|don['’]?t|do not|but not|without|no need)\b/i;

/** Leave for what the sentence names before it. */
const approving =
  /^[^.;]{4,70}\b(?:is|are) (?:fine|good|ok(?:ay)?|enough)\b(?=(?: for| with| by| here| now| as)\b|\W*$|,)|\b(?:i['’]?m|we['’]?re) (?:fine|good|ok(?:ay)?) with\b/i;

/** What is told to be so at the beginning of a sentence, or after who shall do it. */
const commanding =
  /(?:^|[,;:] |\b(?:and|just|so|but|then|please|no|ok|okay|yes|for|always|never|['’]ll|should|let['’]?s) )(?:(?:just|please) )?(?:use(?! (?:of|case|this|that|those|these|it|them)\b)|keep(?! (?:in mind|going|track|at it|an eye)\b)|leave|limit)\b|(?<!\b(?:can|could|to|i|we|you|they|it|also|may|might|that|which|who|the|of|in|my|your|their|its|users|people) |\()\buse(?! (?:of|case|this|that|those|these|it|them|right|now|here|there|yet|for|in|on|at|by|is|are|was)\b)\b/i;

/** What lays nothing down: doubt, a question, a complaint, a report, a request to somebody. */
const none =
  /\b(?:(?:i|we) (?:don['’]?t|do not|didn['’]?t|haven['’]?t) (?:know|think|t\w{1,2}nk|see|get|understand|remember|care|recall)|i feel|i thought|i (?:made|did|tried|got|ran|added|changed|was|saw)|contradicts|(?:still )?says|understates|is wrong|(?:is|are|was|were) never|i suppose|not sure|hope|maybe|perhaps|what if|option|why|(?:where|how|what|which|when) [^.;:]{1,60} should|need to (?:look|check|see|find)|seems? (?:like|to|we)|looks? like|in there|as an? (?:\W?\w+\W? )?open (?:question|point|issue)|got an? (?:crash|error)|(?:does|do|did)n['’]?t \w+ (?:correctly|right|properly|yet)|(?:does|do)n['’]?t work|not everything|let['’]?s (?:consider|look|think|explore|see|talk|discuss|start|begin|try|check))\b|\w\.\w+:\d|^(?:if we could|(?:what|which|who|how|where)(?! we want)|you (?:can|could|may)|(?:\w+,? )?(?:can|could|would) you|i have a feeling|wait|(?:this|it|that) (?:doesn['’]?t|would|was|is also))\b|\?\W*$/i;

/** A question that only asks to be agreed with. */
const tag = /[, ](?:no|right|yeah|ok(?:ay)?)\?+\s*$/i;

/** What cannot be understood without what stands before it. */
const leaning =
  /^[`(]|^\W*(?:(?:no|yes|y|yeah|yep|ok(?:ay)?|k|so|then|well|but|and|or|hm+|uh+|ah|also|now|presumably|agreed)\b[\s,.]+)*(?:this|that|it|its|those|these|they|them|he|she|instead|cause|because|for example|e\.g\.|should|shouldn['’]?t|needs?|has to|reason being|(?:\w+ )?(?:that|this|it|them)(?=[,.;])|(?:your|either|both|any|the (?:first|second|last|other)) (?:way|one|plan|idea)?)\b|^(?:\S+ ){0,4}(?:want|need|like|do|allow|show) (?:that|this|it|them)\W*$|\bshould be (?:that|this|it)\b|^(?:\S+ ){1,4}(?:using|writing|doing|reading|making) (?:it|one|both|them)\W*$/i;

/** What belongs where, as a list has it. */
const placing =
  /^(?!\s*(?:[-*] )?(?:if|when|on)\b)\s*[\w@.,/*() ?-]{1,160}\s(?:->|=>|→)\s*[\w@./*-]+(?: \([^()]*\)|[^?]{0,80})$/i;

/** Longest sentence with what it leans on, in UTF-16 units. */
const longestJoined = 240;

/** Words below which a sentence is told with the one before it, where that says something. */
const short = 7;

/** Fewest words of a sentence that says by itself what it lays down. */
const leastWords = (sentence: string): number =>
  /^\W*no\b,/i.test(sentence) ? 8 : isStanding(sentence) || normative.test(sentence) ? 3 : 4;

/** The sentences of a person, who may begin them without a capital letter and end them without an end. */
const sentencesOf = (text: string): readonly string[] =>
  sentences(text)
    .flatMap((sentence) =>
      oneLine(sentence).split(/(?<=\?|(?<!\b(?:e\.g|i\.e|etc|vs|no|cf|approx))[.!])\s+(?=[a-z])/),
    )
    .map((sentence) => sentence.replace(/(?:,? (?:so|and|but|or|because))?(?:\.{3}|…)$/, ''));

/** Whether a sentence can carry one that leans on it. */
const carries = (before: string): boolean =>
  wordCount(before) >= 4 && !leaning.test(before) && !isHarsh(before) && !before.endsWith('?');

/** Whether a text is a document that a person hands over rather than what they say: of such only its rules count. */
const isDocument = (text: string): boolean =>
  (text.match(/^#{1,6} \S/gm)?.length ?? 0) >= 2 ||
  (text.match(/\*\*[^*\n]+\*\*/g)?.length ?? 0) >= 3;

/** Whether a sentence of a document is a rule. */
const statesRule = (sentence: string): boolean =>
  /^\W*(?:(?:remember|note(?: however)?|important|and|but|also)\W+(?:that )?)?(?:you (?:should|can)(?:not)? )?(?:never|always|must|do not|don['’]t|only|avoid|prefer)\b|\b(?:must(?:n['’]t| not)?|from now on|you cannot)\b/i.test(
    sentence,
  ) && !sentence.endsWith('?');

function laysDown(sentence: string, isGoingAhead: boolean): boolean {
  const isRule = isStanding(sentence);
  if (isHarsh(sentence) && (!isRule || /\byou\b/i.test(sentence))) return false;
  const isNorm = isRule || normative.test(sentence);
  if (isImperative(sentence) && !isRule && !lasting.test(sentence)) return false;
  if (tag.test(sentence))
    return isNorm && !/\bi think\b/i.test(sentence) && !none.test(sentence.replace(/\?+\s*$/, ''));
  if (none.test(sentence)) return false;
  return (
    isNorm ||
    (!isGoingAhead &&
      (wishing.test(sentence) || approving.test(sentence) || commanding.test(sentence)))
  );
}
