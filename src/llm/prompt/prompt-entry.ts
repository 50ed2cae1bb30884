import { hostNotesIn } from '../../core/notes/host-notes.ts';
import {
  filesOf,
  isHuman,
  machineText,
  personText,
  textOf,
  type ToolCall,
} from '../../core/messages/message.ts';
import { overhead, type Count } from '../../core/messages/token-count.ts';
import { clip } from '../../core/text/sentences.ts';
import { headAndTail } from '../../core/text/truncate.ts';
import type { LogEntry } from '../summarizer.ts';
import { cutOutput } from './cut-output.ts';
import { estimate } from './estimate.ts';

// How a summarizing model sees one entry:
//
//   [e11 person]
//   Logins expire at once. Keep the API as it is.
//   [e12 assistant]
//   The guard was inverted.
//   -> edit {"path":"src/auth.ts"}
//   oldText:
//   if (now > expiry) return true;
//   newText:
//   if (now < expiry) return true;
//   [e13 result of edit]
//   Edited src/auth.ts
//
// What people and the agent said, what was edited, and reports and summaries that a host
// wrote are prose, and stand whole where the window has room; what else tools and
// machines put out is cut, but for the lines that tell of a failure. Thinking is left out, like wherever a model reads.

/** Longest texts in a question, in tokens, of prose and of what tools put out; head and tail stay. */
export interface PassageLengths {
  readonly prose: number;
  readonly output: number;
}

/** Longest tool output in a question, in tokens. */
export const longestOutput = 300;

/** The same where the window has room for much more than the record, and where for many times that: what a file holds is told from it. */
export const wideOutput = 1_500;
export const widestOutput = 6_000;

/** Of a text that is cut no more than this is looked at, in UTF-16 units: of a giant only its ends. */
const readLength = 40_000;

const gap = '[... middle left out ...]';

/** Marks around what is summarized; no text inside can close them. */
export const marks = { open: '<transcript>', close: '</transcript>' } as const;

/** Marks around what was written of the time before. */
export const earlierMarks = { open: '<earlier>', close: '</earlier>' } as const;

/** A passage of a question, and what it may cost in tokens. */
export interface PromptPassage {
  readonly text: string;
  readonly cost: number;
}

/** An entry as the summarizing model sees it; `call` is the one that a result answers. */
export function entryPassage(
  entry: LogEntry,
  options: { readonly lengths: PassageLengths; readonly call?: ToolCall | undefined },
): PromptPassage {
  const { lengths, call: answered } = options;
  const count = countOf(entry);
  const lines = [
    headOf(entry, answered?.name),
    ...textsOf(entry, answered).map(([kind, text]) =>
      kind === 'prose'
        ? cutPassage(text.trim(), lengths.prose, count)
        : cutOutput(text.trim(), lengths.output, {
            count,
            cut: (part, target) => cutPassage(part, target, count),
            gap,
          }),
    ),
    ...filesOf(entry.content).map((file) =>
      file.type === 'file' ? `(file ${file.name ?? file.mediaType})` : '',
    ),
    ...(entry.role === 'assistant' ? (entry.toolCalls ?? []) : []).map((call) =>
      cutPassage(`-> ${callText(call)}`, lengths.prose, count),
    ),
  ];
  const [head = '', ...rest] = lines.filter((line) => line !== '');
  return passage([head, ...rest.map(disarm)].join('\n'), count);
}

/** A text as a passage, with marks and heads of ours taken out. */
export const textPassage = (text: string): PromptPassage => passage(disarm(text), estimate);

/** A passage cut to `room` tokens: head, tail, and between them a line that says so. */
export function cutTo({ text, cost }: PromptPassage, room: number): PromptPassage {
  if (cost <= room) return { text, cost };
  const denser = Math.max(1, cost / Math.max(1, estimate(text)));
  const count: Count = (part) => Math.ceil(estimate(part) * denser);
  return passage(cutPassage(text, room - 1, count), count);
}

/** With the line break behind it. */
function passage(text: string, count: Count): PromptPassage {
  return { text, cost: count(text) + 1 };
}

/** What is left of a character that was cut through. */
const halves = /\p{Surrogate}/gu;

/** The text of an entry: prose is what a person or the agent said, or a host's report or summary. */
function textsOf(
  entry: LogEntry,
  call: ToolCall | undefined,
): readonly (readonly [kind: keyof PassageLengths, text: string])[] {
  if (entry.role === 'user' && isHuman(entry))
    return [
      ['prose', personText(entry)],
      ['output', machineText(entry)],
    ];
  return [[isProse(entry, call) ? 'prose' : 'output', textOf(entry.content)]];
}

function isProse(entry: LogEntry, call: ToolCall | undefined): boolean {
  if (entry.role === 'assistant') return true;
  if (entry.role === 'user') return hostNotesIn(entry, () => undefined).length > 0;
  if (call === undefined) return false;
  const asked = { role: 'assistant', content: '', toolCalls: [call] } as const;
  return hostNotesIn(asked, () => entry).some(({ kind }) => kind === 'report');
}

function cutPassage(text: string, target: number, count: Count): string {
  if (target === Infinity) return text;
  const ends =
    text.length > readLength
      ? `${text.slice(0, readLength / 2)}\n${gap}\n${text.slice(-readLength / 2)}`.replace(
          halves,
          '',
        )
      : text;
  return headAndTail(ends, { target, count, marker: () => gap });
}

/** The estimate, made as dense as the engine counted the entry: prose is sparser, digests and base64 are denser. */
function countOf(entry: LogEntry): Count {
  const calls = entry.role === 'assistant' ? (entry.toolCalls ?? []) : [];
  const whole = [textOf(entry.content), ...calls.map(callText)].join('\n');
  const hasMore = entry.provider !== undefined || filesOf(entry.content).length > 0;
  const counted = hasMore ? 0 : entry.tokens - overhead.message;
  const denser = counted / Math.max(1, estimate(whole) + calls.length * overhead.call);
  const factor = counted > 0 ? Math.max(0.6, Math.min(denser + 0.05, 3)) : 1;
  return (text) => Math.ceil(estimate(text) * factor);
}

/** A call with its arguments as JSON, but for those of several lines, which stand below as they are. */
function callText(call: ToolCall): string {
  if (typeof call.arguments === 'string') return `${call.name} ${call.arguments}`;
  const below: string[] = [];
  const json = JSON.stringify(call.arguments, (key, value: unknown) => {
    if (typeof value !== 'string' || !value.includes('\n')) return value;
    below.push(`${key}:\n${value.trimEnd()}`);
    return undefined;
  });
  return [`${call.name} ${json}`, ...below].join('\n');
}

function headOf(entry: LogEntry, tool: string | undefined): string {
  switch (entry.role) {
    case 'user':
      return isHuman(entry) ? `[${entry.id} person]` : `[${entry.id} machine]`;
    case 'assistant':
      return `[${entry.id} assistant]`;
    case 'tool': {
      const name = disarm(clip(entry.name ?? tool ?? 'a tool', 60).replace(/[\s\]]+/g, ' '));
      return `[${entry.id} ${entry.isError === true ? 'error' : 'result'} of ${name}]`;
    }
  }
}

/** Text that can neither end the transcript nor pass for the head of an entry, wherever it is cut. */
export function disarm(text: string): string {
  return text.replace(/<(?=\s*(?:\/\s*)?(?:transcript|earlier))|\[(?=e\d+ )/gi, '(');
}
