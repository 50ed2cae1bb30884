import type { Line } from '../lines/line.ts';
import { isReplyLine } from '../lines/replies.ts';
import { entryId } from '../values/id.ts';
import { clip } from '../text/sentences.ts';
import { isHarsh, requestIn } from '../people/requests.ts';
import { plainSentence } from '../text/decisions.ts';
import { isRejected, isReversal, mostTurnsBack } from '../people/rejections.ts';
import { laidDownIn } from '../people/rulings.ts';
import type { ListItem } from '../documents/list-item.ts';
import type { Said } from './session-work.ts';
import { short } from '../documents/short-text.ts';

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
  const questions = lines.flatMap(({ text }) => questionIn(text) ?? []);
  const answers = questions.flatMap(answered);
  const whole = new Set(answers.map(({ n }) => n));
  const assenting = new Set(questions.filter(isGoAhead).map(({ n }) => n));
  const byPeople = said
    .filter(({ n }) => !whole.has(n))
    .flatMap((one) => laidDown(one, assenting.has(one.n)));
  const isAnswer = new Set(questions.map(({ n }) => n));
  const candidates = [...byPeople, ...answers, ...lines.flatMap(chosen)];
  return withoutRepeats(
    withoutRejected(candidates, said, isAnswer).toSorted((a, b) => a.n - b.n),
  ).map(({ item }) => item);
}

/** Of what was said again, alone or with more behind it, only the last. */
function withoutRepeats(decisions: readonly Decided[]): readonly Decided[] {
  const texts = decisions.map(({ item }) => item.text.replace(/[.…!]+$/, ''));
  return decisions.filter(
    (_, at) => !texts.some((other, index) => index > at && other.startsWith(texts[at]!)),
  );
}

/** What a later message of a person rejects is left out: choices of the model, and what was laid down just before. */
function withoutRejected(
  decisions: readonly Decided[],
  said: readonly Said[],
  isAnswer: ReadonlySet<number>,
): readonly Decided[] {
  const kept = new Set(decisions);
  for (const [index, { n, text }] of said.entries()) {
    const before = said[index - 1]?.n ?? 0;
    const earliest = said[Math.max(0, index - mostTurnsBack)]?.n ?? 0;
    const mayFollow = isReversal(text) || !isAnswer.has(n);
    for (const one of kept) {
      if (one.n >= n || one.n < earliest) continue;
      const isOut =
        one.item.kind === 'noted'
          ? isRejected(one.item.text, text, mayFollow && one.n > before)
          : one.n === before && isReversal(text);
      if (isOut) kept.delete(one);
    }
  }
  return [...kept];
}

/** Longest decision, in UTF-16 units. */
const longest = 240;

/** Longest list of what belongs where, in UTF-16 units. */
const longestLayout = 400;

/** Most sentences of one message that lay something down. */
const mostOfOne = 4;

/** What a person laid down: a short message whole, of a longer one the sentences that do, and what belongs where. */
function laidDown({ n, text }: Said, isGoingAhead: boolean): readonly Decided[] {
  const { sentences, places, isAll } = laidDownIn(text, isGoingAhead);
  const isWhole = isAll && sentences.length > 0 && text.length <= longest;
  const directives = isWhole
    ? [text.trim().replace(/\s*[\r\n]+\s*/g, ' · ')]
    : sentences.slice(0, mostOfOne);
  return [
    ...(isWhole || places.length === 0 ? [] : [clip(places.join('; '), longestLayout)]),
    ...directives.map((sentence) => clip(plainSentence(sentence), longest)),
  ].map((directive) => ({ n, item: byPerson(directive, n) }));
}

/** What a person laid down, as a decision. */
export const byPerson = (text: string, n: number): ListItem => ({
  text,
  done: true,
  kind: 'directive',
  entry: entryId(n),
});

const assent = /^(?:\(\d+\) )?(?:y|yes|yeah|yep|ok(?:ay)?|sure|no|nope|agreed|please do|do it)\b/i;

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

/** A question that says nothing of what it asks about. */
const vague =
  /^(?:so,? )?(?:what do you think|thoughts|sounds? good|ok(?:ay)?|ready|any \w+|(?:does|is|would) (?:that|this|it)\b.{0,40})\W*$/i;

const isGoAhead = ({ question }: Answered): boolean => asksLeave.test(question);

/** What a person answered to a question of the model; a new request in its place is none, nor is leave to go on. */
function answered(exchange: Answered): readonly Decided[] {
  const { n, question, answer } = exchange;
  if (isGoAhead(exchange) || vague.test(question) || answer.includes('?') || isHarsh(answer))
    return [];
  if (requestIn(answer)?.isSure === true && !assent.test(answer)) return [];
  return [{ n, item: byPerson(`“${answer}” to “${question}”`, n) }];
}

const choosing =
  /\b(?:decided to|(?:we|i)(?:['’]ve| have)? (?:decided|chose|chosen|picked|agreed|settled|opted)|settled on|agreed (?:to|on)|opted (?:for|to)|going with|went with|we(?:['’]ll| will) (?:use|keep|store|treat)|by design)\b|^(?:we|i)(?:['’]ve| have| now)* (?:us|kept|keep|buil|put|ma[dk]e|stor|wr[oi]te|switch|replac|mov|return|treat|read)\w*\b[^.]*\b(?:instead of|rather than)\b|(?<!\bas )\byou (?:decided|chose|picked|agreed|opted) (?:to|for|not)\b/i;

const doubting =
  /\b\w+['’]d\b|\bas (?:we|i)\b|\b(?:(?:we|i|you) (?:will )?need|might|may|could|would|should|perhaps|maybe|probably|possibly|seems?|looks? like|i think|if|option|either|whether|consider|recommend|suggest|propose|let me|wait|actually|was|were|asked|(?:can )?see|notice)\b|\?$|^now\b/i;

/** A choice that the model states. */
function chosen({ kind, n, text }: Line): readonly Decided[] {
  if (kind !== 'said' || isReplyLine(text)) return [];
  if (!choosing.test(text) || doubting.test(text)) return [];
  const item: ListItem = {
    text: short(text, longest),
    done: false,
    kind: 'noted',
    entry: entryId(n),
  };
  return [{ n, item }];
}
