import { isCheck } from '../commands/checks.ts';
import { withoutForms } from '../lines/own-forms.ts';
import { clip } from '../text/sentences.ts';

// How the line of a failure tells it, and what such a line tells:
//
//   `npm test` failed 3 times in packages/api since e12: 2 tests time out; worked in e41 after `pnpm install`

/** Longest first reason that is told beside the last one, in UTF-16 units. */
const longestFirst = 160;

/** Two reasons of one failure, where they differ by more than numbers; how both begin stands once. */
export function bothOf(first: string, last: string): string {
  if (first === '' || withoutNumbers(first) === withoutNumbers(last)) return last;
  const [words, others] = [first.split(' '), last.split(' ')];
  const alike = words.findIndex((word, at) => word !== others[at]);
  return `${clip(first, longestFirst)}; then ${others.slice(Math.max(0, alike)).join(' ')}`;
}

/** A reason without its numbers: the place of an error moves with the lines above it. */
export const withoutNumbers = (why: string): string => why.replace(/\d+/g, '');

/** What the line of a failure tells. */
export interface FailureFields {
  readonly what: string;
  readonly times: number;
  /** The folder that it went to; '' for none. */
  readonly place: string;
  /** An entry that the line does not stand for, in which it failed first; '' for none. */
  readonly since: string;
  readonly why: string;
  /** The entry in which it worked; '' for none. */
  readonly cured: string;
  /** What was done before it worked: a command, or files that were changed; '' for nothing that is known. */
  readonly step: string;
}

/** What a failure is worth that was not cured, one that was after several times or that a check found, and any other; what gives no reason, or only says that there is no such tool. */
const values = { open: 1.6, often: 1.3, once: 1, little: 0.3 } as const;

/** What a host answers to a call of a tool that it does not have. */
const isNoTool =
  /\b(?:no (?:such )?tool\b(?! (?:call|result|output|use)s?\b)|unknown tool\b|tool \S{1,80} (?:is )?(?:not (?:found|available|known)|unknown|does(?: not|n['’]t) exist)\b|tool (?:is )?not (?:found|available)\b)/i;

/** The text of a failure, and how much it tells. */
export function describeFailure(fields: FailureFields): {
  readonly text: string;
  readonly value: number;
} {
  const { what, times, place, since, why, cured, step } = fields;
  const often = times > 1 ? ` ${times} times` : '';
  const where = place === '' ? '' : ` in ${place}`;
  const first = since === '' ? '' : ` since ${since}`;
  const because = why === '' ? '' : `: ${withoutForms(why)}`;
  const after = step === '' ? '' : ` after ${step}`;
  const cure = cured === '' ? '' : `; worked in ${cured}${after}`;
  const lasting =
    cured === '' ? values.open : times > 1 || isCheck(what) ? values.often : values.once;
  const isLittle = why === '' || (isNoTool.test(why) && !isCheck(what));
  const value = isLittle ? values.little : isOneOff.test(what) ? 0.5 : lasting;
  return { text: `\`${what}\` failed${often}${where}${first}${because}${cure}`, value };
}

/** A script that was written for one run: nobody will run it again. */
const isOneOff =
  /\b(?:node|tsx|ts-node|deno|bun|python3?|ruby|perl|php)\b[^"'<]{0,40}?\s(?:(?:-[ecpr]|--eval|--print)\s["']|<<)/;

/** What the text of a failure tells; null for another text. */
export function failureIn(text: string): FailureFields | null {
  const match = form.exec(text);
  if (match === null) return null;
  const [, what, times = '1', place = '', since = '', why = '', cured = '', step = ''] = match;
  return { what: what!, times: Number(times), place, since, why, cured, step };
}

const form =
  /^`([^`]*)` failed(?: (\d{1,9}) times)?(?: in ([^\s:`;]+))?(?: since (e\d+))?(?:: (.*?))?(?:; worked in (e\d+)(?: after ([^;\n]*))?)?$/;
