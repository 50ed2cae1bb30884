import { fromArguments } from '../../core/formats/wire.ts';
import type { AssistantMessage, Content, Message, ToolCall } from '../../core/messages/message.ts';
import { contentOf, partOf } from '../source/content.ts';
import { isBlank, recordAt, recordsAt, stringAt, toTime, type Json } from '../source/record.ts';
import { fileOf, isSpoken, textOf, type PartOrigin, type PartMessage } from './part.ts';

// In OpenCode a call and its result are one part, and one message may go through
// several steps of the model:
//
//   step-start · reasoning · text · tool a · tool b · step-finish · step-start · text
//   └────────── assistant: text, a(), b() ──────────┘ result a, result b │ assistant
//
// Parts change while the agent works, so each message made of them has a key
// that does not depend on how many there are.

/** What a message says of all of its steps: `end` is the finish where they name none. */
interface AnswerFields extends Pick<AssistantMessage, 'model'> {
  readonly end: string | undefined;
}

/** The messages of an assistant message. */
export function assistantParts(
  parts: readonly Json[],
  { key, at, end, model }: PartOrigin & AnswerFields,
): readonly PartMessage[] {
  const steps = stepsOf(parts);
  return steps.flatMap((step, index) => {
    const tools = toolsOf(step);
    const last = index === steps.length - 1;
    const message = assistantOf(step, tools, { end: last ? end : undefined, model });
    if (message === undefined) return [];
    const place = index === 0 ? key : `${key}:${index}`;
    return [
      ...repeatsOf(step, tools),
      { message, key: place, at },
      ...tools.flatMap((part, order) => resultOf(part, `${place}:result ${order}`)),
    ];
  });
}

/** The parts of each step of the model, without empty steps. */
function stepsOf(parts: readonly Json[]): readonly (readonly Json[])[] {
  const steps: Json[][] = [[]];
  for (const part of parts) {
    if (part['type'] === 'step-start' && steps.at(-1)!.some(isSpoken)) steps.push([]);
    steps.at(-1)!.push(part);
  }
  return steps.filter((step) => step.some(isSpoken));
}

/** The calls of a step; of one that a replayed stream left twice, the more advanced. */
function toolsOf(step: readonly Json[]): readonly Json[] {
  const chosen = new Map<string, Json>();
  for (const [index, part] of step.entries()) {
    if (part['type'] !== 'tool') continue;
    const id = stringAt(part, 'callID') ?? `part ${index}`;
    const same = chosen.get(id);
    if (same === undefined || rankOf(part) > rankOf(same)) chosen.set(id, part);
  }
  const kept = new Set(chosen.values());
  return step.filter((part) => kept.has(part));
}

function rankOf(part: Json): number {
  return ['error', 'completed'].indexOf(String(recordAt(part, 'state')?.['status']));
}

function repeatsOf(step: readonly Json[], tools: readonly Json[]): readonly PartMessage[] {
  const kept = new Set(tools);
  return step
    .filter((part) => part['type'] === 'tool' && !kept.has(part))
    .map((part) => ({ reason: `repeats the call "${String(part['callID']).slice(0, 40)}"` }));
}

function assistantOf(
  step: readonly Json[],
  tools: readonly Json[],
  { end, model }: AnswerFields,
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
    ...(model === undefined ? {} : { model }),
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
    arguments: fromArguments(state['input'] ?? state['raw']),
  };
}

/** The result of a call that has ended; a command that exits with another status than 0 failed. */
function resultOf(part: Json, key: string): readonly PartMessage[] {
  const toolCallId = stringAt(part, 'callID');
  const name = stringAt(part, 'tool');
  const state = recordAt(part, 'state') ?? {};
  const isBroken = state['status'] === 'error';
  if (!isBroken && state['status'] !== 'completed') return [];
  const exit = recordAt(state, 'metadata')?.['exit'];
  const isError = isBroken || (typeof exit === 'number' && exit !== 0);
  const message: Message = {
    role: 'tool',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { name }),
    content: isBroken ? failureOf(state) : outputOf(state),
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

/** The output of a call that was stopped so far, or its error. */
function failureOf(state: Json): Content {
  const metadata = recordAt(state, 'metadata');
  const printed = metadata?.['interrupted'] === true ? stringAt(metadata, 'output') : undefined;
  return printed ?? contentOf(state['error']);
}
