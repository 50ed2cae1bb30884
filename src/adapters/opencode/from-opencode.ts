import type { AssistantMessage, Content, Message, Part, ToolCall } from '../../index.ts';
import { fieldsOf, isObject, listOf, worded } from '../fields.ts';
import type { OpenCodeMessage, OpenCodePart } from './host.ts';

// In OpenCode a call and its result are one part, and one message may go through several steps of the model:
//
//   step-start · reasoning · text · tool a · tool b · step-finish · step-start · text
//   └────────── assistant: text, a(), b() ──────────┘ result a, result b │ assistant

/** A message of the log, and the parts of OpenCode that it was made of. */
export interface OpenCodeEntry {
  readonly key: string;
  readonly message: Message;
  readonly parts: readonly OpenCodePart[];
}

/** The messages of the log that a message of OpenCode makes; `isChild`: no person speaks in its session. */
export function fromOpenCode(message: OpenCodeMessage, isChild: boolean): readonly OpenCodeEntry[] {
  const { info, parts } = message;
  const made =
    info.role === 'user'
      ? userEntries(parts, isChild)
      : info.role === 'assistant' && info['summary'] !== true
        ? assistantEntries(message)
        : [];
  return made.map(({ message: said, parts: of }, index) => {
    const key = index === 0 ? info.id : `${info.id} ${index}`;
    return { key, message: { ...said, meta: { opencode: key } }, parts: of };
  });
}

type Made = Omit<OpenCodeEntry, 'key'>;

/** Files that OpenCode reads out itself, in text beside them. */
const readOut = new Set(['application/x-directory', 'text/plain']);

function userEntries(parts: readonly OpenCodePart[], isChild: boolean): readonly Made[] {
  const runs: { readonly isMachine: boolean; readonly parts: OpenCodePart[] }[] = [];
  for (const part of parts) {
    if (!isSaid(part)) continue;
    const isMachine = isChild || part['synthetic'] === true;
    const last = runs.at(-1);
    if (last?.isMachine === isMachine) last.parts.push(part);
    else runs.push({ isMachine, parts: [part] });
  }
  return runs.map((run) => {
    const content = joined(run.parts.map(partOf));
    const message: Message = run.isMachine
      ? { role: 'user', content, origin: 'machine' }
      : { role: 'user', content };
    return { message, parts: run.parts };
  });
}

/** Whether a part of a person's message is told to the model as it stands. */
function isSaid(part: OpenCodePart): boolean {
  if (part.type === 'file') return !readOut.has(worded(part['mime']));
  return part.type === 'text' && part['ignored'] !== true && worded(part['text']).trim() !== '';
}

function joined(parts: readonly Part[]): Content {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts;
}

function partOf(part: OpenCodePart): Part {
  return part.type === 'file' ? fileOf(part) : { type: 'text', text: worded(part['text']) };
}

function fileOf({ url, mime, filename }: Readonly<Record<string, unknown>>): Part {
  const address = worded(url);
  const inline = /^data:[^,]*;base64,/.exec(address);
  return {
    type: 'file',
    mediaType: typeof mime === 'string' ? mime : 'application/octet-stream',
    data: inline === null ? address : address.slice(inline[0].length),
    ...(typeof filename === 'string' ? { name: filename } : {}),
  };
}

function assistantEntries({ info, parts }: OpenCodeMessage): readonly Made[] {
  const called = new Set(toolsOf(parts));
  const steps = stepsOf(parts.filter((part) => part.type !== 'tool' || called.has(part)));
  return steps.flatMap((step, index) => {
    const tools = step.filter(({ type }) => type === 'tool');
    const end = index === steps.length - 1 ? endOf(info) : undefined;
    const message = assistantOf(step, { tools, end });
    if (message === null) return [];
    return [
      { message, parts: step },
      ...tools.map((part) => ({ message: resultOf(part), parts: [part] })),
    ];
  });
}

const spoken = new Set(['file', 'reasoning', 'text', 'tool']);

/** The parts of each step of the model, without empty steps. */
function stepsOf(parts: readonly OpenCodePart[]): readonly (readonly OpenCodePart[])[] {
  const steps: OpenCodePart[][] = [[]];
  const isSpoken = ({ type }: OpenCodePart): boolean => spoken.has(type);
  for (const part of parts) {
    if (part.type === 'step-start' && steps.at(-1)!.some(isSpoken)) steps.push([]);
    steps.at(-1)!.push(part);
  }
  return steps.filter((step) => step.some(isSpoken));
}

/** The calls of a message; of one that a replayed stream left twice, perhaps in two steps, the last. */
export function toolsOf(parts: readonly OpenCodePart[]): readonly OpenCodePart[] {
  const tools = parts.filter(({ type }) => type === 'tool');
  const last = new Map(tools.map((part) => [part['callID'], part]));
  return tools.filter((part) => last.get(part['callID']) === part);
}

/** How an answer ended. */
function endOf({ finish, error }: OpenCodeMessage['info']): string | undefined {
  const name = fieldsOf(error)['name'];
  if (name !== undefined) return name === 'MessageAbortedError' ? 'aborted' : 'error';
  return typeof finish === 'string' ? finish : undefined;
}

function assistantOf(
  step: readonly OpenCodePart[],
  { tools, end }: { readonly tools: readonly OpenCodePart[]; readonly end: string | undefined },
): AssistantMessage | null {
  const text = textsOf(step, 'text');
  const thinking = textsOf(step, 'reasoning');
  const files = step.filter(({ type }) => type === 'file').map(fileOf);
  if (text === '' && thinking === '' && tools.length + files.length === 0) return null;
  // OpenCode sends what was thought back to who thought it, so it counts.
  const raw = step.filter(({ type }) => type === 'reasoning' || type === 'text').map(bareOf);
  return {
    role: 'assistant',
    content: files.length === 0 ? text : [{ type: 'text', text }, ...files],
    ...(tools.length === 0 ? {} : { toolCalls: tools.map(callOf) }),
    ...(thinking === '' ? {} : { thinking, provider: { name: 'opencode', raw } }),
    ...(end === undefined ? {} : { finish: end }),
  };
}

const bareOf = ({ type, text, metadata }: OpenCodePart): Readonly<Record<string, unknown>> => ({
  type,
  text,
  ...(metadata === undefined ? {} : { metadata }),
});

const textsOf = (parts: readonly OpenCodePart[], type: 'text' | 'reasoning'): string =>
  parts
    .filter((part) => part.type === type && part['ignored'] !== true)
    .map((part) => worded(part['text']))
    .filter((text) => text.trim() !== '')
    .join('\n');

function callOf(part: OpenCodePart): ToolCall {
  const { input } = fieldsOf(part['state']);
  return {
    id: worded(part['callID']),
    name: worded(part['tool']),
    arguments: isObject(input) ? input : worded(input),
  };
}

/** The result of a call; of one that never ended, what OpenCode says of it. A command that exits with another status than 0 failed. */
function resultOf(part: OpenCodePart): Message {
  const state = fieldsOf(part['state']);
  const isDone = state['status'] === 'completed';
  const { exit } = fieldsOf(state['metadata']);
  const isError = !isDone || (typeof exit === 'number' && exit !== 0);
  return {
    role: 'tool',
    toolCallId: worded(part['callID']),
    name: worded(part['tool']),
    content: isDone ? outputOf(state) : failureOf(state),
    ...(isError ? { isError } : {}),
  };
}

function outputOf(state: Readonly<Record<string, unknown>>): Content {
  const text = worded(state['output']);
  const files = listOf(state['attachments']).map((file) => fileOf(fieldsOf(file)));
  return files.length === 0 ? text : [{ type: 'text', text }, ...files];
}

/** The error of a call, or what one that was stopped had put out. */
function failureOf(state: Readonly<Record<string, unknown>>): string {
  if (state['status'] !== 'error') return interrupted;
  const { interrupted: isStopped, output } = fieldsOf(state['metadata']);
  return isStopped === true && typeof output === 'string' ? output : worded(state['error']);
}

/** What OpenCode says of a call that never ended. */
export const interrupted = '[Tool execution was interrupted]';
