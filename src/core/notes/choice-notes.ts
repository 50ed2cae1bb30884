import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { asksForPlan } from '../commands/plan-calls.ts';
import { refusalIn, refusedCall } from '../messages/refusal.ts';
import { callLabel } from '../outcomes/call-label.ts';
import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import { fieldOf, isObject, jsonOf } from '../values/json.ts';
import { noteLine, type HostNote } from './host-note.ts';

// What a person chose where a tool of the host asked, and what a person said who refused
// a call: the words stand in a result, so they are a message of nobody. Any program can
// print how hosts tell of a refusal, so the line says that the result says it; but tools
// that ask a person, or for a plan, print nothing else.

/** Tools that ask a person, as `AskUserQuestion`, `ask_followup_question`, `request_user_input`. */
const asksPerson =
  /(?:^|\.|__)(?:ask_?user(?:_?(?:question|input|choice)s?)?|ask_?follow_?up_?questions?|ask_?human|request_?user_?input)$/i;

/** Tools of hosts that ask a person a list of questions, or one with options; one of a server so called answers itself, as that of a wiki. */
const mayAsk = /^(?:ask_?questions?|question)$/i;

const isAsking = ({ name, arguments: args }: ToolCall): boolean =>
  asksPerson.test(name) ||
  (mayAsk.test(name) &&
    ['questions', 'options'].some((field) => Array.isArray(fieldOf(args, field))));

/** A result that says that there was no answer. */
const unanswered =
  /^\W*(?:(?:the )?user |tool use )?(?:was )?(?:rejected|refused|declined|denied|cancell?ed|dismissed|skipped|doesn['’]t want|did not answer|no answer)\b/i;

/** Longest question, answer and words of a refusal that are told, in UTF-16 units. */
const longest = { question: 200, answer: 170, refusal: 280 } as const;

/** What a person said to a call: that it must not be made, or the answers to its questions; none where nobody did. */
export function choiceNote(call: ToolCall, result: ToolMessage | undefined): readonly HostNote[] {
  const refusal = result === undefined ? null : refusalIn(result);
  if (refusal !== null) return [{ kind: 'choice', lines: [noteLine(refusalLine(call, refusal))] }];
  if (!isAsking(call) || result === undefined || result.isError === true) return [];
  const output = withinScanLimit(textOf(result.content)).trim();
  if (unanswered.test(output)) return [];
  const questions = questionsOf(call);
  const lines = questions.flatMap((question) => {
    const answer = answerTo(question, output, questions.length === 1);
    if (answer === '') return [];
    const questionText = quoted(question.text, longest.question);
    return [
      noteLine(`asked “${questionText}”; the person chose “${quoted(answer, longest.answer)}”`),
    ];
  });
  return lines.length === 0 ? [] : [{ kind: 'choice', lines }];
}

function refusalLine(call: ToolCall, words: string): string {
  const quote = `“${quoted(words, longest.refusal)}”`;
  if (asksForPlan(call)) return words === '' ? refusedPlan : `${refusedPlan} and said ${quote}`;
  const refusal = `${call.name} \`${callLabel(call)}\`${refusedCall}`;
  return words === '' ? refusal : `${refusal}: ${quote}`;
}

const refusedPlan = 'the person refused the plan';

/** What was refused without a word of what to do instead, of a line that tells that; '' of any other line. */
export const refusedIn = (line: string): string =>
  line === refusedPlan
    ? 'the plan'
    : line.endsWith(refusedCall)
      ? line.slice(0, -refusedCall.length)
      : '';

const quoted = (text: string, length: number): string =>
  clip(oneLine(text), length).replace(/[“”]/g, '"');

interface Question {
  readonly id: string;
  readonly text: string;
}

const keys = ['question', 'prompt', 'message', 'text'] as const;

/** The questions that a call asks. */
function questionsOf({ arguments: args }: ToolCall): readonly Question[] {
  if (typeof args === 'string') return [];
  const list = Array.isArray(args['questions']) ? (args['questions'] as unknown[]) : [args];
  return list.slice(0, 20).flatMap((one): readonly Question[] => {
    if (typeof one === 'string') return [{ id: one, text: one }];
    const text = keys.map((key) => fieldOf(one, key)).find((value) => typeof value === 'string');
    const id = fieldOf(one, 'id');
    return typeof text === 'string' ? [{ id: typeof id === 'string' ? id : text, text }] : [];
  });
}

/** The answer to a question in a result; all of it where it is the only one. */
function answerTo({ id, text }: Question, output: string, isOnly: boolean): string {
  const marked = `"${text}"="`;
  const at = output.indexOf(marked);
  if (at >= 0) return /^[^]*?(?="(?:[,.]|\s|$))/.exec(output.slice(at + marked.length))?.[0] ?? '';
  const answers = answersIn(output);
  if (answers !== null) return leaves(answers[id] ?? answers[text] ?? (isOnly ? answers : ''));
  return isOnly ? (inTag(output) ?? output.replace(lead, '')) : '';
}

/** What stands between the first tags of an answer; undefined for no tags. */
function inTag(output: string): string | undefined {
  const [begin, end] = ['<answer>', '</answer>'];
  const at = output.indexOf(begin);
  const until = at < 0 ? -1 : output.indexOf(end, at + begin.length);
  return until < 0 ? undefined : output.slice(at + begin.length, until);
}

/** What a host says before the answer. */
const lead =
  /^(?:the )?user(?:['’]s)? (?:has )?(?:answer(?:ed)?|respon(?:ded|se)|repl(?:ied|y)|chose|selected)(?: your questions?)?:?\s+/i;

/** The answers of a result that is written as JSON; null for another. */
function answersIn(output: string): Readonly<Record<string, unknown>> | null {
  const json = jsonOf(output);
  if (!isObject(json)) return null;
  const { answers = json } = json;
  return typeof answers === 'object' && answers !== null ? { ...answers } : null;
}

/** The texts of an answer, which may be several. */
function leaves(value: unknown, depth = 3): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth === 0) return '';
  return Object.values(value)
    .map((one) => leaves(one, depth - 1))
    .filter((text) => text !== '')
    .join(', ');
}
