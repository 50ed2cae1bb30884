import { argumentsOf, filesOf, textOf, type ToolCall } from '../../core/messages/message.ts';
import { overhead, type Count } from '../../core/messages/token-count.ts';
import { clip } from '../../core/text/sentences.ts';
import { headAndTail } from '../../core/text/truncate.ts';
import type { LogEntry } from '../summarizer.ts';
import { estimate } from './estimate.ts';

// How a summarizing model sees one entry:
//
//   [e12 assistant]
//   The guard was inverted.
//   -> bash {"command":"pnpm test"}
//   [e13 result of bash]
//   12 passed
//
// What a person said is shown to be understood, and marked: it stays in the
// window verbatim. Thinking is left out, like wherever a model reads.

/** Longest tool result in a question, in tokens; head and tail stay. */
export const longestResult = 300;

/** Longer than this no text is looked at, in UTF-16 units: of a giant only its ends. */
const readLength = 40_000;

const gap = '[... middle left out ...]';

/** Marks around what is summarized; no text inside can close them. */
export const marks = { open: '<transcript>', close: '</transcript>' } as const;

/** A passage of a question, and what it may cost in tokens. */
export interface PromptPassage {
  readonly text: string;
  readonly cost: number;
}

/**
 * An entry as the summarizing model sees it: results and what a person said in
 * at most `longest` tokens, what the model said in twice as many, each call in
 * half of it. `tool` is the name of the call that a result answers.
 */
export function entryPassage(
  entry: LogEntry,
  options: { readonly longest: number; readonly tool?: string | undefined },
): PromptPassage {
  const { longest, tool } = options;
  const count = countOf(entry);
  const own = longest * (entry.role === 'assistant' ? 2 : 1);
  const lines = [
    headOf(entry, tool),
    cutPassage(textOf(entry.content).trim(), own, count),
    ...filesOf(entry.content).map((file) =>
      file.type === 'file' ? `(file ${file.name ?? file.mediaType})` : '',
    ),
    ...(entry.role === 'assistant' ? (entry.toolCalls ?? []) : []).map((call) =>
      cutPassage(`-> ${callText(call)}`, Math.floor(longest / 2), count),
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

function cutPassage(text: string, target: number, count: Count): string {
  const ends =
    text.length > readLength
      ? `${text.slice(0, readLength / 2)}\n${gap}\n${text.slice(-readLength / 2)}`.replace(
          halves,
          '',
        )
      : text;
  return headAndTail(ends, { target, count, marker: () => gap });
}

/** The estimate, raised for an entry that the engine counted as denser than that (digests, base64). */
function countOf(entry: LogEntry): Count {
  const calls = entry.role === 'assistant' ? (entry.toolCalls ?? []) : [];
  const whole = [textOf(entry.content), ...calls.map(callText)].join('\n');
  const counted = entry.tokens - filesOf(entry.content).length * overhead.file - overhead.message;
  const denser = counted / Math.max(1, estimate(whole) + calls.length * overhead.call);
  if (!(denser > 1)) return estimate;
  const factor = Math.min(denser, 3);
  return (text) => Math.ceil(estimate(text) * factor);
}

const callText = (call: ToolCall): string => `${call.name} ${argumentsOf(call)}`;

function headOf(entry: LogEntry, tool: string | undefined): string {
  switch (entry.role) {
    case 'user':
      return entry.origin === 'machine'
        ? `[${entry.id} machine]`
        : `[${entry.id} person - stays verbatim elsewhere; do not repeat]`;
    case 'assistant':
      return `[${entry.id} assistant]`;
    case 'tool': {
      const name = disarm(clip(entry.name ?? tool ?? 'a tool', 60).replace(/[\s\]]+/g, ' '));
      return `[${entry.id} ${entry.isError === true ? 'error' : 'result'} of ${name}]`;
    }
  }
}

/** Text that can neither end the transcript nor pass for the head of an entry, wherever it is cut. */
function disarm(text: string): string {
  return text.replace(/<(?=\s*\/?\s*transcript)|\[(?=e\d+ )/gi, '(');
}
