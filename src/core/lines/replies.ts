import {
  isHuman,
  personText,
  textOf,
  type LeavingEntry,
  type Message,
} from '../messages/message.ts';
import { isObjection, saysNo } from '../people/rejections.ts';
import { plainSentence } from '../text/decisions.ts';
import { optionOf, withOptions } from '../text/options.ts';
import { clip, oneLine, prose, sentences } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';
import { statementsOf } from './statements.ts';
import { worthOf, type UnplacedLine } from './worth.ts';

// What a person answered to what the model said last: a short answer cannot be
// understood without the question, and what was refused must not be read as agreed.

/** Longest answer that cannot be understood without what was asked, in UTF-16 units. */
const longestReply = 80;

/** Longest question that is told with its answer, in UTF-16 units. */
const longestQuestion = 260;

/** A text that says yes or no. */
const agreeing =
  /^(?:y(?:es|eah|ep|up)?|n(?:o|ope|ah)?|ok(?:ay)?|sure|agreed?|correct|right|exactly|please|go|do it)\b/i;

/** A text that says which. */
const choosing =
  /^(?:do (?:that|both)|both|neither|either|none|all|it['’]?s \(?\w\)?|option|\(?[a-h\d][).]?(?!\w)|the (?:first|second|third|last|former|latter))\b/i;

/** An answer that asks something itself. */
const asking = /\?\s*$|^(?:how|what|why|when|where|who|which|can|could|do(?:es)?|is|are)\b/i;

const refusing =
  /^(?:nope|nah|wrong|incorrect|that['’]?s (?:wrong|incorrect|not (?:right|correct|true|what))|not (?:right|correct|true|what)|(?:please )?(?:revert|undo)|(?:actually,? )?(?:can|could) you (?:revert|undo))\b/i;

/** An answer of a person to an entry of the model. */
interface Reply {
  /** Position of the entry that it answers. */
  readonly n: number;
  readonly line: UnplacedLine;
  /** Whether it turns down what the entry says. */
  readonly refuses: boolean;
}

/** The answers to what the model said: to its last question, or a refusal of all of it. */
export function repliesIn(entries: readonly LeavingEntry[]): readonly Reply[] {
  return entries.flatMap(({ n, message }, index): readonly Reply[] => {
    const reply = isHuman(message) ? oneLine(personText(message)) : '';
    const before = entries[index - 1];
    if (reply === '' || before?.message.role !== 'assistant') return [];
    const refuses = saysNo(personText(message).trim()) || refusing.test(reply);
    const text = textOf(before.message.content);
    const points = answeredPoints(text, personText(message));
    const told =
      points === null
        ? replyText({ n, reply, refuses, text, question: questionOf(before.message) })
        : `${asked}${points.asked}”; e${n} “${points.said}”`;
    const line = { kind: 'said', text: told, worth: worthOf(2, told) } as const;
    return told === '' ? [] : [{ n: before.n, line, refuses }];
  });
}

const asked = 'asked “';

/** Whether the line of an answer asks with all of a statement: then it is told there. */
export const asks = ({ line }: Reply, statement: string): boolean =>
  line.text.startsWith(asked) && line.text.includes(quoted(statement, Infinity));

/** A person's text behind one of the model, and what that ends with. */
interface Answered {
  readonly n: number;
  readonly reply: string;
  /** Whether it turns down all of the text. */
  readonly refuses: boolean;
  readonly text: string;
  readonly question: string;
}

/** What an answer is told as, with the question, or with what it refuses; '' for what answers nothing. */
function replyText({ n, reply, refuses, text, question }: Answered): string {
  const chosen = chosenOption(reply, text);
  const said = quoted(refuses ? withoutQuoted(reply, text) : reply, longestReply);
  if (chosen !== '' || (reply.length <= longestReply && answers(reply, question))) {
    const told = chosen || withOptions(inContext(question, text), text);
    return `${asked}${quoted(told, longestQuestion)}”; e${n} “${said}”`;
  }
  const objected = quotedIn(reply, text).find(isObjected);
  if (objected !== undefined) {
    const [what, why] = [quoted(objected.said, longestRefused), objected.behind.trim()];
    return `“${what}” refused in e${n}: “${quoted(why, longestReply)}”`;
  }
  if (!refuses) return '';
  const refused = refusedOf(text, reply);
  return `${refused === '' ? '' : `“${refused}” `}refused in e${n}: “${said}”`;
}

const refusedLine = /^(?:“[^”]{1,100}” )?refused in e\d/;

/** Whether a line tells what a person answered: what it quotes may not hold. */
export const isReplyLine = (text: string): boolean =>
  text.startsWith(asked) || refusedLine.test(text);

/** Longest part of what was refused that is told with the refusal, in UTF-16 units. */
const longestRefused = 80;

/** What a reply refuses of a text: the statement with which it has most words in common, else the most telling of what the model did or proposes, or all that it states; '' where that is not known. */
function refusedOf(text: string, reply: string): string {
  const words = new Set(wordsOf(reply).map(stem));
  const rated = statementsOf(text).map(({ text: said, value }) => ({
    said,
    value,
    common: wordsOf(said).filter((word) => words.has(stem(word))).length,
  }));
  const isMeant = ({ said, common: shared }: (typeof rated)[number]): boolean =>
    shared > 0 || rated.length === 1 || own.test(said);
  const [best] = rated
    .filter(isMeant)
    .toSorted((one, other) => other.common - one.common || other.value - one.value);
  return best === undefined ? '' : quoted(best.said, longestRefused);
}

/** How a word and its forms begin: `rename`, `renamed`. */
const stem = (word: string): string => word.slice(0, 6);

/** What says what the model did or proposes, or that it is proposed. */
const own =
  /\b(?:i|we|i['’](?:ve|ll|d|m)|we['’](?:ve|ll|d|re)|let['’]s|propos\w+|recommend\w*|plan)\b/i;

/** What begins with the letter of an option. */
const letter =
  /^(?:i(?:['’]d)? (?:think|prefer|like|say|go (?:with|for)) |let['’]s (?:go with|do) )?(?:option )?\(?([a-e])\b(?=[.,:;)]|$| [-–—])/i;

/** The last question of a text with the option of it that a reply chooses by its letter; '' where it chooses none. */
function chosenOption(reply: string, text: string): string {
  const chosen = /\b[b-e]\) /i.test(reply.slice(3)) ? '' : (letter.exec(reply)?.[1] ?? '');
  const [option] = chosen === '' ? [] : optionOf(chosen.toLowerCase(), text);
  if (option === undefined) return '';
  const statements = sentences(prose(text)).map(plainSentence);
  const question = statements.findLast((one) => one.endsWith('?')) ?? '';
  return question === '' ? '' : `${question} ${option}`;
}

/** Longest point and longest answer to one that are told, in UTF-16 units. */
const longestPoint = 80;

/** The numbered points of a text that asks something, which a person answered by their numbers, two at least; null for none. */
function answeredPoints(
  text: string,
  reply: string,
): { readonly asked: string; readonly said: string } | null {
  const answered = [...numbered(reply)];
  const points = numbered(text);
  const isAnswer = text.includes('?') && answered.every(([number]) => points.has(number));
  if (answered.length < 2 || !isAnswer) return null;
  const listed = (pick: (number: string, answer: string) => string): string =>
    answered
      .map(([number, answer]) => `(${number}) ${quoted(pick(number, answer), longestPoint)}`)
      .join('; ');
  return {
    asked: listed(
      (number) => /^\*\*(.+?)\*\*/.exec(points.get(number)!)?.[1] ?? points.get(number)!,
    ),
    said: listed((_, answer) => answer),
  };
}

/** The items of a text that are numbered, by their numbers. */
const numbered = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^[ \t]{0,8}\**(\d{1,2})[.)]\**[ \t]+(\S.{0,400})/gm)].map(
      ([, number = '', item = '']) => [number, oneLine(item)],
    ),
  );

/** Fewest UTF-16 units of a quotation of what was answered, and most of a reply that is searched for one. */
const leastQuoted = 24;
const mostSearched = 2_000;

/** A quotation of what was answered, with its marks, and what stands behind it. */
interface Quotation {
  readonly whole: string;
  readonly said: string;
  readonly behind: string;
}

/** What a reply quotes of the text that it answers. */
function quotedIn(reply: string, text: string): readonly Quotation[] {
  const plain = (said: string): string => said.replace(/[^\p{L}\p{N}]+/gu, '');
  const answered = plain(text);
  const searched = clip(reply, mostSearched);
  return [...searched.matchAll(/["“]([^"“”]{1,2000})["”]/g)].flatMap(
    ({ 0: whole, 1: said = '', index }) =>
      said.length >= leastQuoted && answered.includes(plain(said))
        ? [{ whole, said: oneLine(said), behind: searched.slice(index + whole.length) }]
        : [],
  );
}

/** Longest objection that is looked for behind what it objects to, in UTF-16 units. */
const longestObjection = 60;

/** Whether what stands behind a quotation objects to it: `"…" That is not so.` */
const isObjected = ({ behind }: Quotation): boolean =>
  isObjection(/^[^.!?…]*/.exec(behind.trim().slice(0, longestObjection))![0]);

/** A reply without what it quotes of the text that it answers, where it says more than that. */
function withoutQuoted(reply: string, text: string): string {
  const own = quotedIn(reply, text).reduce(
    (said, { whole }) => said.replace(whole, '…'),
    clip(reply, mostSearched),
  );
  return /\p{L}{3} \p{L}{2}/u.test(own) ? own : reply;
}

const quoted = (text: string, length: number): string => clip(text, length).replace(/[“”]/g, '"');

/** The question that a message ends with; '' for none. */
export const questionOf: (message: Message) => string = readOnce((message: Message) => {
  const said = sentences(prose(textOf(message.content)));
  const [last = '', before = ''] = said.map(plainSentence).toReversed();
  return [last, before].find((one) => one.endsWith('?')) ?? '';
});

/** What a question takes up that stands before it: "this approach", "or would you keep it?". */
const takesUp = /^or\b|\b(?:this|that|these|those|them|it)\b/i;

/** A question behind the sentence that it takes up, where both are short. */
function inContext(question: string, text: string): string {
  if (!takesUp.test(question)) return question;
  const said = sentences(prose(text)).map(plainSentence);
  const before = said[said.lastIndexOf(question) - 1] ?? '';
  const whole = `${before} ${question}`;
  return before === '' || whole.length > longestQuestion ? question : whole;
}

/** Whether a short text answers a question: it says yes or no where nothing is to be chosen, or takes up a word of it. */
function answers(reply: string, question: string): boolean {
  if (question === '' || asking.test(reply)) return false;
  if (choosing.test(reply) || (agreeing.test(reply) && !/\bor\b/.test(question))) return true;
  const words = new Set(wordsOf(question));
  return wordsOf(reply).some((word) => words.has(word));
}

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []).filter((word) => !common.has(word));

const common = new Set(
  'this that these those with from have want would should could will what which when where there here them they then than your just like need some more also into about make keep work works'.split(
    ' ',
  ),
);
