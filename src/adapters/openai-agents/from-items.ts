import {
  contentOf,
  machineMessage,
  messagesOf,
  named,
  wireOf,
} from '../../core/formats/provider-parts.ts';
import { fromArguments, typeIn } from '../../core/formats/wire.ts';
import type { AssistantMessage, Message, Part, ToolCall } from '../../index.ts';
import {
  answeredIn,
  calledIn,
  itemIds,
  openaiAgents,
  sayTheSame,
  typeOf,
  type AnyItem,
  type AnyPart,
} from './item.ts';
import { spell } from './to-items.ts';

/** A list of items as messages to append. */
export function fromItems(input: string | readonly object[]): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return messagesOf(input as readonly AnyItem[], { ofOther: fromOther, ofAnswer: fromAnswer });
}

/** The message of an item that is no model's; null for a model's. */
function fromOther(item: AnyItem): Message | null {
  const content = contentOf(partsOf(item.content));
  if (item.role === 'user') return kept({ role: 'user', content }, [item]);
  if (item.role === 'system') return kept(machineMessage('system', content), [item]);
  const toolCallId = answeredIn(item);
  if (toolCallId === undefined) return null;
  const { name = typeOf(item), output, status = 'completed' } = item;
  const parts = output === undefined ? [heldBy(item)] : partsOf(output);
  const isError = status === 'completed' ? {} : { isError: true };
  return kept({ role: 'tool', toolCallId, name, content: contentOf(parts), ...isError }, [item]);
}

/** The items of one answer as a message. */
export function fromAnswer(output: readonly object[]): AssistantMessage {
  const items = (output as readonly AnyItem[]).filter((item) => !isBlank(item));
  const answered = new Set(items.map(answeredIn));
  const isOpen = (item: AnyItem): boolean => {
    const id = calledIn(item);
    return id !== undefined && !answered.has(id);
  };
  const calls = items.filter(isOpen).map(toCall);
  const thoughts = items
    .filter(isThought)
    .flatMap(({ content, rawContent }) =>
      [...partsOf(content), ...partsOf(rawContent)].flatMap((part) =>
        part.type === 'text' ? [part.text] : [],
      ),
    );
  const parts = items.flatMap((item) => {
    if (isOpen(item) || isThought(item)) return [];
    return typeOf(item) === 'message' ? partsOf(item.content) : [heldBy(item)];
  });
  const message: AssistantMessage = {
    role: 'assistant',
    content: contentOf(parts),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(thoughts.length > 0 && { thinking: thoughts.join('\n') }),
  };
  return items.length === 0 ? message : kept(message, items);
}

const isThought = ({ type }: AnyItem): boolean => type === 'reasoning';

/** Whether an item is a text that says nothing. */
const isBlank = (item: AnyItem): boolean =>
  typeOf(item) === 'message' &&
  partsOf(item.content).every((part) => part.type === 'text' && part.text.trim() === '');

/** The message with its items, unless our own spelling of it says the same. */
const kept = <M extends Message>(message: M, items: readonly AnyItem[]): M =>
  sayTheSame(items, spell(wireOf(message, itemIds)))
    ? message
    : { ...message, provider: { name: openaiAgents, raw: items } };

function toCall(item: AnyItem): ToolCall {
  const { action, actions, operation, providerData } = item;
  const { name = item.name, arguments: held = item.arguments } = providerData ?? {};
  const args = held ?? operation ?? (actions === undefined ? action : { actions });
  const id = calledIn(item);
  return {
    ...(id !== undefined && { id }),
    name: typeof name === 'string' ? name : typeOf(item).replace(/_call$/, ''),
    arguments: item.type === 'function_call' ? fromArguments(item.arguments) : fromArguments(args),
  };
}

const partsOf = (content: AnyItem['output']): readonly Part[] => {
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return [content].flat().map(fromPart);
};

function fromPart(part: AnyPart): Part {
  const { type = 'part', text, refusal, providerData: _, ...held } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof refusal === 'string') return { type: 'text', text: refusal };
  const { stdout, image, file, filename, detail, data } = held;
  if (stdout !== undefined) return { type: 'text', text: printed(part) };
  if (type === 'computer_screenshot' && data !== undefined) return fileOf(data, 'image/png');
  const looked = isDetail(detail) ? { detail } : {};
  const address = addressIn(image);
  if (address !== null) return { ...fileOf(address, 'image/*'), ...looked };
  const found = addressIn(file);
  const name = filename ?? (typeof file === 'object' ? file.filename : undefined);
  if (found !== null)
    return { ...fileOf(found, 'application/pdf'), ...(name !== undefined && { name }) };
  return { type: 'text', text: named(type, held) };
}

const isDetail = (detail: string | undefined): detail is 'low' | 'high' | 'auto' =>
  detail !== undefined && ['low', 'high', 'auto'].includes(detail);

/** What a command of a shell printed, and how it ended. */
function printed({ stdout = '', stderr = '', outcome }: AnyPart): string {
  const { type, exitCode } = outcome ?? {};
  const end = type === 'timeout' ? ['[timeout]'] : exitCode ? [`[exit ${exitCode}]`] : [];
  return [stdout, stderr, ...end].filter((text) => text !== '').join('\n');
}

/** Where the data of a file is; null where nothing but a provider knows it. */
function addressIn(image: AnyPart['image']): string | null {
  if (typeof image !== 'object') return image ?? null;
  const { url, data, mediaType } = image;
  if (typeof url === 'string' || typeof data !== 'string') return url ?? null;
  return mediaType === undefined || data.startsWith('data:')
    ? data
    : `data:${mediaType};base64,${data}`;
}

const fileOf = (data: string, otherwise: string) =>
  ({ type: 'file', mediaType: typeIn(data, otherwise), data }) as const;

/** What a server ran itself: an image as a file, anything else named. */
function heldBy(item: AnyItem): Part {
  const { type = 'item', name = type, id: _, ...held } = item;
  if (name === 'image_generation_call' && typeof held.output === 'string')
    return fileOf(held.output, 'image/png');
  return { type: 'text', text: named(name, held) };
}
