import type { AssistantMessage, Message, Part, ToolCall } from '../messages/message.ts';
import { checkAnswer } from './no-answer.ts';
import { contentOf, isSame, machineMessage, messagesOf, named, wireOf } from './provider-parts.ts';
import { openaiResponses, responsesIds, toItems } from './responses.ts';
import { fromArguments, typeIn } from './wire.ts';

/** An item of any kind, as far as it is read. */
interface AnyItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly AnyPart[] | null;
  readonly summary?: readonly AnyPart[];
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly input?: string;
  readonly output?: unknown;
  /** The image that a server made, in base64. */
  readonly result?: string | null;
}

/** A part of any kind, as far as it is read. */
interface AnyPart {
  readonly type?: string;
  readonly text?: string;
  readonly refusal?: string;
  readonly image_url?: string | null;
  readonly detail?: 'low' | 'high' | 'auto';
  readonly file_data?: string;
  readonly file_url?: string;
  readonly filename?: string;
}

/** An answer of the Responses API, as far as it is read. */
interface ResponsesAnswer {
  readonly output: readonly object[];
  readonly status?: string;
  readonly incomplete_details?: { readonly reason?: string } | null;
}

/**
 * What the Responses API answered, as a message to append, and what is no answer is refused with
 * `MESSAGE_INVALID`; or a list of items, as messages to append in their order. Items of thinking, and of tools that the server ran, are kept as they came.
 */
export function fromResponses(given: ResponsesAnswer): AssistantMessage;
export function fromResponses(given: readonly object[]): readonly Message[];
export function fromResponses(
  given: ResponsesAnswer | readonly object[],
): AssistantMessage | readonly Message[] {
  if ('length' in given)
    return messagesOf<AnyItem>(given, { ofOther: fromOther, ofAnswer: fromAnswer });
  checkAnswer(given, 'output', Array.isArray(given.output));
  const finish = given.incomplete_details?.reason ?? given.status;
  const message = fromAnswer(given.output);
  return finish === undefined ? message : { ...message, finish };
}

/** The message of an item that is no model's; null for a model's. */
function fromOther(item: AnyItem): Message | null {
  const { type = 'message', role, call_id: toolCallId } = item;
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const { output } = item;
    const content = Array.isArray(output)
      ? contentOf((output as readonly AnyPart[]).map(toPart))
      : typeof output === 'string'
        ? output
        : JSON.stringify(output ?? '');
    return { role: 'tool', ...(toolCallId !== undefined && { toolCallId }), content };
  }
  if (type.endsWith('_output')) return kept(machineMessage(type, JSON.stringify(item)), [item]);
  if (type !== 'message' || role === 'assistant') return null;
  const content = contentOf(partsOf(item));
  if (role !== 'user') return machineMessage(role ?? type, content);
  const message: Message = { role: 'user', content };
  const wire = wireOf(message, responsesIds);
  const [again] = wire.role === 'system' ? [] : toItems(wire);
  const { type: _, ...fields } = item;
  return isSame(fields, again) || isOneText(item) ? message : kept(message, [item]);
}

const isOneText = ({ content }: AnyItem): boolean =>
  typeof content === 'string' || (content?.length === 1 && content[0]!.type === 'input_text');

const kept = <M extends Message>(message: M, raw: readonly AnyItem[]): M => ({
  ...message,
  provider: { name: openaiResponses, raw },
});

/** The items of one answer as a message. */
function fromAnswer(items: readonly AnyItem[]): AssistantMessage {
  const calls = items.filter(isCall).map(fromCall);
  const thoughts = items.filter(({ type }) => type === 'reasoning').flatMap(thoughtsOf);
  const content = items.flatMap((item) =>
    isCall(item) || item.type === 'reasoning' ? [] : isText(item) ? partsOf(item) : heldBy(item),
  );
  const message: AssistantMessage = {
    role: 'assistant',
    content: contentOf(content),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thoughts.length > 0 && { thinking: thoughts.join('\n') }),
  };
  return items.every(isSaid) ? message : kept(message, items);
}

const isText = ({ type = 'message' }: AnyItem): boolean => type === 'message';

const isCall = ({ type }: AnyItem): boolean =>
  type === 'function_call' || type === 'custom_tool_call';

/** Whether our fields say an item: a text, or a call of a function. */
function isSaid(item: AnyItem): boolean {
  if (item.type === 'function_call') return true;
  if (!isText(item)) return false;
  return typeof item.content === 'string' || (item.content ?? []).every(isPlainText);
}

const isPlainText = (part: AnyPart & { readonly annotations?: readonly unknown[] }): boolean =>
  typeof part.text === 'string' && (part.annotations ?? []).length === 0;

const thoughtsOf = ({ summary = [], content }: AnyItem): readonly string[] =>
  [...summary, ...(Array.isArray(content) ? (content as readonly AnyPart[]) : [])].flatMap(
    ({ text }) => text ?? [],
  );

function fromCall({ call_id: id, name = '', arguments: args, input }: AnyItem): ToolCall {
  const own = id === undefined ? {} : { id };
  return { ...own, name, arguments: input ?? fromArguments(args) };
}

/** What a server ran itself: an image as a file, anything else named. */
function heldBy(item: AnyItem): readonly Part[] {
  const { type = 'item', result } = item;
  if (type === 'image_generation_call' && typeof result === 'string')
    return [{ type: 'file', mediaType: 'image/png', data: result }];
  const { id: _, type: __, ...held } = item as AnyItem & { readonly id?: string };
  return [{ type: 'text', text: named(type, held) }];
}

function partsOf({ content }: AnyItem): readonly Part[] {
  if (typeof content !== 'string') return (content ?? []).map(toPart);
  return content === '' ? [] : [{ type: 'text', text: content }];
}

function toPart(part: AnyPart): Part {
  const { type = 'part', text, refusal, image_url: image, detail, filename } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof refusal === 'string') return { type: 'text', text: refusal };
  if (typeof image === 'string') {
    const looked = detail === undefined || detail === 'auto' ? {} : { detail };
    return { type: 'file', mediaType: typeIn(image, 'image/*'), data: image, ...looked };
  }
  const data = part.file_data ?? part.file_url;
  if (data !== undefined) {
    const name = filename === undefined ? {} : { name: filename };
    return { type: 'file', mediaType: typeIn(data, 'application/pdf'), data, ...name };
  }
  const { type: _, ...held } = part;
  return { type: 'text', text: named(type, held) };
}
