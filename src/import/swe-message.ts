import type { Content, Message, ToolCall } from '../core/messages/message.ts';
import { callOf, contentOf, machineMessage, userMessages } from './source/content.ts';
import { isBlank, isJson, recordsAt, stringAt, type Json } from './source/record.ts';

// A trajectory tells what was said in one of two forms. With function calling,
// calls and results name each other. Before that, the model wrote a command in
// a fence, and what it printed came back in the user role:
//
//   assistant: Let me look.  ```ls```      action "ls"      bash({ command: "ls" })
//   user: src tests                                         its result

/** State of the conversation that decides what the next entry makes. */
export interface TalkState {
  /** Whether the system prompt was seen. */
  isPrompted: boolean;
  /** Whether the model has spoken. */
  isBegun: boolean;
  /** Calls that wait for their results, oldest first. */
  open: readonly ToolCall[];
}

/** A conversation in which nothing was said. */
export function newTalkState(): TalkState {
  return { isPrompted: false, isBegun: false, open: [] };
}

/** Name of the tool that a command is imported as, from models without function calling. */
const shell = 'bash';

/** The messages that an entry of the history makes, or in words what is wrong with it. */
export function messagesOf(entry: Json, talk: TalkState): readonly Message[] | string {
  const { role } = entry;
  if (typeof role !== 'string') return 'has no "role"';
  const content = contentOf(entry['content']);
  const isShown = isDemonstration(entry);
  switch (role) {
    case 'system':
    case 'developer':
      return [machineMessage(content)];
    case 'assistant':
      return [isShown ? { role, content } : answerOf(entry, talk)];
    case 'user':
      if (isShown) return [machineMessage(content)];
      return talk.isBegun ? [observationMessage(content, talk)] : userMessages(content);
    case 'tool':
      return [isShown ? machineMessage(content) : resultOf(entry, talk)];
    default:
      return `has the unknown role "${role.slice(0, 40)}"`;
  }
}

/** The messages of a step: the model's answer and its result. */
export function stepMessages(step: Json, talk: TalkState): readonly Message[] | string {
  const { response, observation } = step;
  if (typeof response !== 'string') return 'has no "response"';
  const answer = answerOf({ ...step, content: response }, talk);
  if (typeof observation !== 'string') return [answer];
  if (talk.open.length === 0 && isBlank(observation)) return [answer];
  return [answer, observationMessage(observation, talk)];
}

function answerOf(entry: Json, talk: TalkState): Message {
  const action = stringAt(entry, 'action');
  const calls = callsOf(entry);
  const isCommand = calls.length === 0 && action !== undefined && !isBlank(action);
  const toolCalls = isCommand ? [{ name: shell, arguments: { command: action } }] : calls;
  talk.isBegun = true;
  talk.open = toolCalls;
  const content = contentOf(entry['content']);
  const thinking = thoughtsOf(entry);
  return {
    role: 'assistant',
    content: isCommand && typeof content === 'string' ? withoutFence(content, action) : content,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thinking === '' ? {} : { thinking }),
  };
}

/** The calls of an entry; of several with one id, the first. */
function callsOf(entry: Json): readonly ToolCall[] {
  const seen = new Set<string>();
  return recordsAt(entry, 'tool_calls').flatMap((record) => {
    const call = callOf(record);
    if (call.id !== undefined && seen.has(call.id)) return [];
    if (call.id !== undefined) seen.add(call.id);
    return [call];
  });
}

function thoughtsOf(entry: Json): string {
  const blocks = recordsAt(entry, 'thinking_blocks').map((block) => stringAt(block, 'thinking'));
  return [stringAt(entry, 'reasoning_content'), ...blocks].filter(Boolean).join('\n');
}

/** The text of an answer without the fenced command, which the call holds. */
function withoutFence(content: string, action: string): string {
  const at = content.lastIndexOf(action.trim());
  const open = at === -1 ? null : /```[^\n`]*\n\s*$/.exec(content.slice(0, at));
  const close = at === -1 ? null : /^\s*```/.exec(content.slice(at + action.trim().length));
  if (open === null || close === null) return content;
  const after = content.slice(at + action.trim().length + close[0].length);
  return `${content.slice(0, open.index)}${after}`.trim();
}

/** The output of a command as its result; text of the harness where no command is open. */
function observationMessage(content: Content, talk: TalkState): Message {
  const [call, ...rest] = talk.open;
  if (call === undefined) return machineMessage(content);
  talk.open = rest;
  return resultMessage(call, content);
}

function resultOf(entry: Json, talk: TalkState): Message {
  const ids = entry['tool_call_ids'];
  const named: unknown = Array.isArray(ids) ? ids[0] : entry['tool_call_id'];
  const id = typeof named === 'string' && named !== '' ? named : undefined;
  const content = contentOf(entry['content']);
  const [first] = talk.open;
  const call = talk.open.find((open) => open.id === id) ?? (id === undefined ? first : undefined);
  talk.open = talk.open.filter((open) => open !== call);
  return resultMessage(call ?? (id === undefined ? undefined : { id, name: '' }), content);
}

function resultMessage(call: Pick<ToolCall, 'id' | 'name'> | undefined, content: Content): Message {
  return {
    role: 'tool',
    ...(call?.id === undefined ? {} : { toolCallId: call.id }),
    ...(call === undefined || call.name === '' ? {} : { name: call.name }),
    content,
  };
}

/** Whether an object is a step of a trajectory. */
export function isStep(record: Json): boolean {
  return 'action' in record || ('observation' in record && 'response' in record);
}

/** The messages before the model's first answer, as far as the first step keeps them. */
export function promptsOf(step: Json): readonly Json[] {
  const prompts = [step['query'], step['messages']].find(Array.isArray) ?? [];
  const entries = (prompts as readonly unknown[]).filter(isJson);
  const spoken = entries.findIndex(
    (entry) => entry['role'] === 'assistant' && !isDemonstration(entry),
  );
  return spoken === -1 ? entries : entries.slice(0, spoken);
}

/** Whether an entry was shown to the model as an example of such work. */
function isDemonstration(entry: Json): boolean {
  return entry['is_demo'] === true || entry['message_type'] === 'demonstration';
}
