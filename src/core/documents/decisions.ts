import type { Line } from '../chronicle/line.ts';
import { entryId } from '../values/id.ts';
import { clip, oneLine, prose, sentences } from '../text/sentences.ts';
import { isHarsh, requestIn } from '../text/requests.ts';
import { plainSentence } from '../text/decisions.ts';
import { typedIn } from '../text/pasted.ts';
import { isRejected, isReversal, mostTurnsBack } from '../text/rejections.ts';
import type { ListItem } from './list-item.ts';
import type { Said } from './session-work.ts';
import { short } from './progress.ts';

// What was decided, and by whom: what people laid down, in their words, their
// answers to what the model asked, and the choices that the model states without
// doubt. What is only supposed, asked or found is no decision, nor is a request for
// one action, what was pasted, or what a person rejected afterwards.

/** A decision, and where it was made. */
interface Decided {
  readonly n: number;
  readonly item: ListItem;
}

/** The decisions that people and the model made and nobody took back, in the order of the log. */
export function decisionsIn(said: readonly Said[], lines: readonly Line[]): readonly ListItem[] {
  const asked = lines.flatMap(({ text }) => questionIn(text) ?? []);
  const answers = asked.flatMap(answered);
  const whole = new Set(answers.map(({ n }) => n));
  const assenting = new Set(asked.filter(isGoAhead).map(({ n }) => n));
  const byPeople = said
    .filter(({ n }) => !whole.has(n))
    .flatMap((one) => laidDown(one, assenting.has(one.n)));
  const isAnswer = new Set(asked.map(({ n }) => n));
  const found = [...byPeople, ...answers, ...lines.flatMap(chosen)];
  return withoutRejected(found, said, isAnswer)
    .toSorted((a, b) => a.n - b.n)
    .map(({ item }) => item);
}

/** What a later message of a person rejects is left out: choices of the model, and what was laid down just before. */
function withoutRejected(
  found: readonly Decided[],
  said: readonly Said[],
  isAnswer: ReadonlySet<number>,
): readonly Decided[] {
  const left = new Set(found);
  for (const [index, { n, text }] of said.entries()) {
    const before = said[index - 1]?.n ?? 0;
    const earliest = said[Math.max(0, index - mostTurnsBack)]?.n ?? 0;
    const mayFollow = isReversal(text) || !isAnswer.has(n);
    for (const one of left) {
      if (one.n >= n || one.n < earliest) continue;
      const isOut =
        one.item.kind === 'noted'
          ? isRejected(one.item.text, text, mayFollow && one.n > before)
          : one.n === before && isReversal(text);
      if (isOut) left.delete(one);
    }
  }
  return [...left];
}

/** Longest decision, in UTF-16 units. */
const longest = 240;

/** Longest list of what belongs where, in UTF-16 units. */
const longestLayout = 400;

/** Most sentences of one message that lay something down. */
const mostOfOne = 4;

/** What holds from now on, whatever else a sentence asks for. */
const ruling =
  /\b(?:never|always|must(?:n['’]t| not)?|only|should(?:n['’]t| not)?|won['’]t|no longer|from now on|instead of|rather than|belongs?|not \w+,? but)\b/i;

const laying =
  /\b(?:don['’]?t|do not|prefer|avoid|unless|make sure|(?:is|are) (?:fine|good|ok(?:ay)?|enough)|(?:i['’]?m|we['’]?re) (?:fine|good|ok(?:ay)?)|(?<!(?:can|could|to|we|you|they|also|may) )use(?! of| case)|agreed|go with|stick (?:to|with)|let['’]?s (?:use|keep|limit|not|drop|skip|leave|call|align|go with|stick|stay)|we(?:['’]ll)? want(?! to (?:do|look|see|try)\b)|we aren['’]t|i want(?! you to\b)|we['’]ll|not needed|no need|(?:needs?|has|have) to be|leave|(?<!to )keep|(?<!to )limit)\b/i;

const notLaying =
  /\b(?:(?:i|we) (?:don['’]?t|do not|didn['’]?t|haven['’]?t) (?:know|think|see|get|understand|remember|care|recall)|i feel|i thought|contradicts|(?:still )?says|understates|is wrong|(?:is|are) never|i suppose|not sure|hope|maybe|perhaps|what if|option|why|(?:where|how|what|which|when) [^.;:]{1,60} should|need to (?:look|check|see|find))\b|\w\.\w+:\d|^(?:if we could|you (?:can|could|may)|i have a feeling|wait|this (?:doesn['’]?t|would))\b|\?\W*$/i;

/** A question that only asks to be agreed with. */
const tag = /[, ](?:no|right|yeah|ok(?:ay)?)\?+\s*$/i;

/** What cannot be understood without what stands before it. */
const leaning = /^`|^\W*(?:this|that|it|its|those|these|cause|because)\b/i;

/** What belongs where, as a list has it. */
const placing = /^\s*[\w@.,/*() ?-]{1,160}\s(?:->|=>|→)\s*[\w@./*-]+(?: \([^()]*\)|[^?]{0,80})$/;

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;

/** The sentences of a person, who may begin them without a capital letter. */
const sentencesOf = (text: string): readonly string[] =>
  sentences(text).flatMap((sentence) =>
    oneLine(sentence).split(/(?<=\?|(?<!\b(?:e\.g|i\.e|etc|vs|no|cf))[.!])\s+(?=[a-z])/),
  );

/** What a person laid down: a short message whole, of a longer one the sentences that do, and what belongs where. */
function laidDown({ n, text }: Said, isGoingAhead: boolean): readonly Decided[] {
  const typed = prose(typedIn(text));
  const all = sentencesOf(typed).filter((sentence) => !placing.test(sentence));
  const found = all
    .filter((sentence) => laysDown(sentence, isGoingAhead))
    .filter(
      (sentence) =>
        wordsIn(sentence) >= (leaning.test(sentence) ? 8 : ruling.test(sentence) ? 3 : 4),
    );
  const isWhole =
    found.length > 0 &&
    typed === text &&
    text.length <= longest &&
    !text.includes('?') &&
    !all.some(isHarsh);
  const places = typed.split(/[\r\n]+/).filter((line) => placing.test(line));
  const said = isWhole ? [oneLine(text)] : found.slice(0, mostOfOne);
  return [
    ...(isWhole || places.length < 2 ? [] : [clip(places.map(oneLine).join('; '), longestLayout)]),
    ...said.map((sentence) => clip(plainSentence(sentence), longest)),
  ].map((told) => ({ n, item: byPerson(told, n) }));
}

/** Whether a sentence lays something down; one that only lets the model go on must say a rule to do so. */
function laysDown(sentence: string, isGoingAhead: boolean): boolean {
  const isRule = ruling.test(sentence);
  if (isHarsh(sentence) && (!isRule || /\byou\b/i.test(sentence))) return false;
  if (tag.test(sentence))
    return (
      isRule && !/\bi think\b/i.test(sentence) && !notLaying.test(sentence.replace(/\?+\s*$/, ''))
    );
  return (isRule || (!isGoingAhead && laying.test(sentence))) && !notLaying.test(sentence);
}

/** What a person laid down, as a decision. */
export const byPerson = (text: string, n: number): ListItem => ({
  text,
  done: true,
  kind: 'directive',
  entry: entryId(n),
});

const assent = /^(?:y|yes|yeah|yep|ok(?:ay)?|sure|no|nope|agreed|please do|do it)\b/i;

/** A question of the model that a person answered. */
interface Answered {
  readonly n: number;
  readonly question: string;
  readonly answer: string;
}

/** The question that a line tells of, with its answer. */
function questionIn(text: string): Answered | null {
  const [, question, entry, answer = ''] = /^asked “(.+)”; e(\d+) “(.+)”$/.exec(text) ?? [];
  return question === undefined ? null : { n: Number(entry), question, answer };
}

/** A question for leave to work. */
const asksLeave =
  /\b(?:ready to|(?:should|shall|can|may) (?:i|we) (?:also |now )?(?:add|apply|begin|clean|commit|continue|create|do|fix|go|implement|make|move|proceed|push|remove|run|start|update|write)|(?:want|like) me to (?!record|use|keep))\b/i;

const isGoAhead = ({ question }: Answered): boolean => asksLeave.test(question);

/** What a person answered to a question of the model; a new request in its place is none, nor is leave to go on. */
function answered(asked: Answered): readonly Decided[] {
  const { n, question, answer } = asked;
  if (isGoAhead(asked) || answer.includes('?') || isHarsh(answer)) return [];
  if (requestIn(answer)?.isSure === true && !assent.test(answer)) return [];
  return [{ n, item: byPerson(`“${answer}” to “${question}”`, n) }];
}

const choosing =
  /\b(?:decided to|(?:we|i)(?:['’]ve| have)? (?:decided|chose|chosen|picked|agreed|settled|opted)|settled on|agreed (?:to|on)|opted (?:for|to)|going with|went with|we(?:['’]ll| will) (?:use|keep|store|treat)|by design)\b|^(?:we|i|the (?:fix|plan|approach|solution|decision|key changes?))\b[^.]*\b(?:instead of|rather than)\b/i;

const doubting =
  /\b(?:might|may|could|would|should|perhaps|maybe|probably|possibly|seems?|looks? like|i think|if|option|either|whether|consider|recommend|suggest|propose|let me|wait|actually|was|were|asked|(?:can )?see|notice)\b|\?$|^now\b/i;

/** A choice that the model states. */
function chosen({ kind, n, text }: Line): readonly Decided[] {
  if (kind !== 'said' || !choosing.test(text) || doubting.test(text)) return [];
  const item: ListItem = {
    text: short(text, longest),
    done: false,
    kind: 'noted',
    entry: entryId(n),
  };
  return [{ n, item }];
}
