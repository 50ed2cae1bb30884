import type { AgentInputItem } from '@openai/agents';
import { named, visible } from '../../core/formats/provider-parts.ts';
import {
  addressOf,
  isImage,
  liftImages,
  rawOf,
  toWire,
  type WireMessage,
} from '../../core/formats/wire.ts';
import type { Assembly, Part } from '../../index.ts';
import { answeredIn, calledIn, isNative, itemIds, openaiAgents, type AnyItem } from './item.ts';

/** An assembly as what a model is asked, the system prompt apart. */
export function toItems(assembly: Pick<Assembly, 'messages'>): {
  readonly system: string;
  readonly input: AgentInputItem[];
} {
  const wire = toWire(assembly, itemIds);
  const system = wire.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const own = ownSpelling(wire);
  const itemLists = wire.map((message) => {
    const items = own.get(message);
    if (items === undefined || message.role !== 'tool') return message;
    const silent = { ...message, parts: [] };
    own.set(silent, items);
    return silent;
  });
  const input = liftImages(itemLists).flatMap(
    (message) => own.get(message) ?? spell(lifted(message)),
  );
  return { system: system.join('\n\n'), input: input as AgentInputItem[] };
}

/**
 * The messages that go back as they came. A call of a type of its own goes with its result or not at all,
 * and what was thought with what came of it: anything else would be refused.
 */
function ownSpelling(wire: readonly WireMessage[]): Map<WireMessage, readonly AnyItem[]> {
  const own = new Map<WireMessage, readonly AnyItem[]>();
  for (const message of wire) {
    const raw = rawOf(message, openaiAgents);
    if (Array.isArray(raw) && raw.at(-1)?.type !== 'reasoning') own.set(message, raw);
  }
  const idsOf = (idIn: (item: AnyItem) => string | undefined) =>
    new Set([...own.values()].flat().map(idIn));
  const drop = (isWhole: (item: AnyItem) => boolean): void => {
    for (const [message, items] of own)
      if (!items.filter(isNative).every(isWhole)) own.delete(message);
  };
  const answered = idsOf(answeredIn);
  drop((item) => answeredIn(item) !== undefined || answered.has(calledIn(item)));
  const called = idsOf(calledIn);
  drop((item) => calledIn(item) !== undefined || called.has(answeredIn(item)));
  return own;
}

/** A message without the images that follow it. */
function lifted(message: WireMessage): WireMessage {
  if (message.role !== 'tool') return message;
  return { ...message, parts: message.parts.map((part) => (isImage(part) ? lineOf(part) : part)) };
}

/** A file as a line of text. */
function lineOf({ name = '', mediaType }: Extract<Part, { type: 'file' }>): Part {
  return { type: 'text', text: named('file', `${name} ${mediaType}`.trim()) };
}

/** A message as our fields say it. */
export function spell(message: WireMessage): readonly object[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ type: 'message', role: 'user', content: message.parts.map(toPart) }];
    case 'tool': {
      const { call, parts, isError } = message;
      const { id: callId, name } = call;
      const status = isError ? 'incomplete' : 'completed';
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const isText = texts.length === parts.length && texts.length < 2;
      const output = isText ? { type: 'text', text: texts[0] ?? '' } : parts.map(toPart);
      return [{ type: 'function_call_result', callId, name, status, output }];
    }
    case 'assistant': {
      const { text, calls } = message;
      const status = 'completed';
      const content = [{ type: 'output_text', text: visible(text) }];
      const said = { type: 'message', role: 'assistant', status, content };
      const callItems = calls.map(({ id: callId, name, json }) => {
        return { type: 'function_call', callId, name, arguments: json, status };
      });
      return text.trim() === '' && callItems.length > 0 ? callItems : [said, ...callItems];
    }
  }
}

function toPart(part: Part): object {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const { mediaType, name, detail } = part;
  const looked = detail === undefined ? {} : { detail };
  if (isImage(part)) return { type: 'input_image', image: addressOf(part), ...looked };
  if (mediaType !== 'application/pdf') return toPart(lineOf(part));
  const filename = name === undefined ? {} : { filename: name };
  return { type: 'input_file', file: addressOf(part), ...filename };
}
