import type { Content, Message, Part, ToolCall } from '../core/message.ts';
import { contentOf, machineMessage, partOf, toArguments, userMessages } from './content.ts';
import { isBlank, isJson, recordAt, recordsAt, stringAt, toTime, type Json } from './record.ts';

// A message of OpenCode is a list of parts. A call and its result are one part,
// and an assistant message may go through several steps of the model:
//
//   step-start · reasoning · text · tool a · tool b · step-finish · step-start · text
//   └────────── assistant: text, a(), b() ──────────┘ result a, result b │ assistant
//
// Parts change while the agent works, so each message made of them has a key
// that does not depend on how many there are.

/** A message that some parts make, or why a part makes none. */
export type Told =
  | { readonly message: Message; readonly key: string; readonly at?: number | undefined }
  | { readonly reason: string };

/** Parts that say nothing of the conversation, or that others say again. */
const silent = new Set([
  'agent',
  'compaction',
  'patch',
  'retry',
  'snapshot',
  'step-finish',
  'step-start',
  'subtask',
]);

const spoken = new Set(['file', 'reasoning', 'text', 'tool']);

/** Media types of files that OpenCode reads out itself, in text beside them. */
const readOut = new Set(['application/x-directory', 'text/plain']);

/** What is wrong with a message. */
export function faultOf(record: Json): string | undefined {
  const info = recordAt(record, 'info');
  if (info === undefined) return 'has no "info"';
  const { role } = info;
  if (typeof role !== 'string') return 'has no "role"';
  if (role !== 'user' && role !== 'assistant') return `has the unknown role "${role.slice(0, 40)}"`;
  return Array.isArray(record['parts']) ? undefined : 'has no "parts"';
}

/**
 * What a message without a fault makes, known by `key`. `isChild` says that the
 * session is a subagent's, in which no person types.
 */
export function toldOf(record: Json, key: string, isChild: boolean): readonly Told[] {
  const info = recordAt(record, 'info') ?? {};
  const given = record['parts'];
  const strange = (Array.isArray(given) ? given : []).flatMap((part: unknown, index) =>
    reasonsOf(part).map((reason) => ({ reason: `part ${index + 1} ${reason}` })),
  );
  const parts = recordsAt(record, 'parts');
  const at = toTime(recordAt(info, 'time')?.['created']);
  if (info['role'] === 'user') return [...strange, ...userParts(parts, { key, at, isChild })];
  if (info['summary'] === true) return strange;
  return [...strange, ...assistantParts(parts, { key, at, end: endOf(info) })];
}

/** Why a part is not told, where that is worth saying. */
function reasonsOf(part: unknown): readonly string[] {
  const type = isJson(part) ? String(part['type']) : '';
  if (!isJson(part) || (!silent.has(type) && !spoken.has(type))) return ['is of an unknown type'];
  return part['ignored'] === true ? ['was never sent to the model'] : [];
}

/** How a message ended that has no word of its own for it. */
function endOf(info: Json): string | undefined {
  const error = recordAt(info, 'error');
  if (error === undefined) return stringAt(info, 'finish');
  return error['name'] === 'MessageAbortedError' ? 'aborted' : 'error';
}

interface Place {
  readonly key: string;
  readonly at: number | undefined;
}

function userParts(
  parts: readonly Json[],
  { key, at, isChild }: Place & { readonly isChild: boolean },
): readonly Told[] {
  const runs: { readonly isMachine: boolean; readonly parts: Part[] }[] = [];
  const hasReadOut = parts.some(isSynthetic);
  for (const part of parts) {
    const isFile = part['type'] === 'file';
    if (isFile ? hasReadOut && readOut.has(String(part['mime'])) : !isSaid(part)) continue;
    const isMachine = isChild || isSynthetic(part);
    const last = runs.at(-1);
    const said = isFile ? fileOf(part) : partOf(part);
    if (last?.isMachine === isMachine) last.parts.push(said);
    else runs.push({ isMachine, parts: [said] });
  }
  const messages = runs.flatMap((run) => {
    const content = joined(run.parts);
    return run.isMachine ? [machineMessage(content)] : userMessages(content);
  });
  return messages.map((message, index) => ({
    message,
    key: index === 0 ? key : `${key}:${index}`,
    at,
  }));
}

/** Whether a part is text that the model was given. */
function isSaid(part: Json): boolean {
  return part['type'] === 'text' && part['ignored'] !== true && !isBlank(textOf(part));
}

const textOf = (part: Json): string => stringAt(part, 'text') ?? '';

const isSynthetic = (part: Json): boolean => part['type'] === 'text' && part['synthetic'] === true;

function joined(parts: readonly Part[]): Content {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts;
}

/** A file as the API gives it: bytes in its address, or an address alone. */
function fileOf(part: Json): Part {
  const url = stringAt(part, 'url') ?? '';
  const mediaType = stringAt(part, 'mime') ?? 'application/octet-stream';
  const name = stringAt(part, 'filename');
  const inline = /^data:[^,]*;base64,/.exec(url);
  return {
    type: 'file',
    mediaType,
    data: inline === null ? url : url.slice(inline[0].length),
    ...(name === undefined ? {} : { name }),
  };
}

function assistantParts(
  parts: readonly Json[],
  { key, at, end }: Place & { readonly end: string | undefined },
): readonly Told[] {
  const steps = stepsOf(parts);
  return steps.flatMap((step, index) => {
    const tools = toolsOf(step);
    const message = assistantOf(step, tools, index === steps.length - 1 ? end : undefined);
    if (message === undefined) return [];
    const place = index === 0 ? key : `${key}:${index}`;
    return [
      ...repeatsOf(step, tools),
      { message, key: place, at },
      ...tools.flatMap((part, order) => resultOf(part, `${place}:result ${order}`)),
    ];
  });
}

/** The parts of each step of the model that says something. */
function stepsOf(parts: readonly Json[]): readonly (readonly Json[])[] {
  const steps: Json[][] = [[]];
  for (const part of parts) {
    if (part['type'] === 'step-start' && steps.at(-1)!.some(isSpoken)) steps.push([]);
    steps.at(-1)!.push(part);
  }
  return steps.filter((step) => step.some(isSpoken));
}

const isSpoken = ({ type }: Json): boolean => spoken.has(String(type));

/** The calls of a step; where a stream that was played again left a call twice, the one that came further. */
function toolsOf(step: readonly Json[]): readonly Json[] {
  const chosen = new Map<string, Json>();
  for (const [index, part] of step.entries()) {
    if (part['type'] !== 'tool') continue;
    const id = stringAt(part, 'callID') ?? `part ${index}`;
    const same = chosen.get(id);
    if (same === undefined || rankOf(part) > rankOf(same)) chosen.set(id, part);
  }
  return step.filter((part) => [...chosen.values()].includes(part));
}

function rankOf(part: Json): number {
  return ['error', 'completed'].indexOf(String(recordAt(part, 'state')?.['status']));
}

function repeatsOf(step: readonly Json[], tools: readonly Json[]): readonly Told[] {
  return step
    .filter((part) => part['type'] === 'tool' && !tools.includes(part))
    .map((part) => ({ reason: `repeats the call "${String(part['callID']).slice(0, 40)}"` }));
}

function assistantOf(
  step: readonly Json[],
  tools: readonly Json[],
  end: string | undefined,
): Message | undefined {
  const text = textsOf(step, 'text');
  const thinking = textsOf(step, 'reasoning');
  const files = step.filter(({ type }) => type === 'file').map(fileOf);
  if (text === '' && thinking === '' && tools.length + files.length === 0) return undefined;
  const toolCalls = tools.map(callOf);
  const reason = step.findLast(({ type }) => type === 'step-finish');
  const finish = (reason === undefined ? undefined : stringAt(reason, 'reason')) ?? end;
  return {
    role: 'assistant',
    content: files.length === 0 ? text : [{ type: 'text', text }, ...files],
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thinking === '' ? {} : { thinking }),
    ...(finish === undefined ? {} : { finish }),
  };
}

function textsOf(step: readonly Json[], type: 'text' | 'reasoning'): string {
  return step
    .filter((part) => part['type'] === type && part['ignored'] !== true && !isBlank(textOf(part)))
    .map(textOf)
    .join('\n');
}

function callOf(part: Json): ToolCall {
  const id = stringAt(part, 'callID');
  const state = recordAt(part, 'state') ?? {};
  return {
    ...(id === undefined ? {} : { id }),
    name: stringAt(part, 'tool') ?? 'unknown',
    arguments: toArguments(state['input'] ?? state['raw']),
  };
}

/** The result of a call that has ended. */
function resultOf(part: Json, key: string): readonly Told[] {
  const toolCallId = stringAt(part, 'callID');
  const name = stringAt(part, 'tool');
  const state = recordAt(part, 'state') ?? {};
  const isError = state['status'] === 'error';
  if (!isError && state['status'] !== 'completed') return [];
  const message: Message = {
    role: 'tool',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    content: isError ? failureOf(state) : outputOf(state),
    ...(isError ? { isError } : {}),
  };
  return [{ message, key, at: toTime(recordAt(state, 'time')?.['end']) }];
}

function outputOf(state: Json): Content {
  const files = recordsAt(state, 'attachments').map(fileOf);
  const output = contentOf(state['output']);
  if (files.length === 0) return output;
  return [...(typeof output === 'string' ? [partOf(output)] : output), ...files];
}

/** What a call that was stopped had printed so far, or what went wrong. */
function failureOf(state: Json): Content {
  const metadata = recordAt(state, 'metadata');
  const printed = metadata?.['interrupted'] === true ? stringAt(metadata, 'output') : undefined;
  return printed ?? contentOf(state['error']);
}
