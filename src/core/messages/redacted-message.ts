import { isHuman, type Message } from './message.ts';

/** Stands in place of what was taken out. */
export const mask = '[redacted]';

/** What stands in place of a message whose text is taken out: its role, and its calls by name and id, so that units stay whole. */
export function redactedMessage(message: Message): Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: mask, ...(isHuman(message) ? {} : { origin: 'machine' }) };
    case 'assistant': {
      const { toolCalls, finish, model } = message;
      const calls = toolCalls?.map(({ id, name }) => ({
        ...(id === undefined ? {} : { id }),
        name,
        arguments: {},
      }));
      return {
        role: 'assistant',
        content: mask,
        ...(calls === undefined ? {} : { toolCalls: calls }),
        ...(finish === undefined ? {} : { finish }),
        ...(model === undefined ? {} : { model }),
      };
    }
    case 'tool': {
      const { toolCallId, name, isError } = message;
      return {
        role: 'tool',
        content: mask,
        ...(toolCallId === undefined ? {} : { toolCallId }),
        ...(name === undefined ? {} : { name }),
        ...(isError === undefined ? {} : { isError }),
      };
    }
  }
}

/** Every text of a message: content, thinking, arguments with their names and numbers, what a host gave with it; not what says which message it is. */
export function textsWithin(message: Message): readonly string[] {
  const texts: string[] = [];
  const gather = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') texts.push(String(value));
    else if (Array.isArray(value)) value.forEach(gather);
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        texts.push(key);
        gather(member);
      }
  };
  const { role: _, content, ...fields } = message;
  const { toolCalls = [], ...rest } = fields as { readonly toolCalls?: readonly object[] };
  if (typeof content === 'string') texts.push(content);
  else
    for (const part of content ?? [])
      for (const [name, value] of Object.entries(part)) if (!identifying.has(name)) gather(value);
  for (const { arguments: args } of toolCalls as readonly { readonly arguments: unknown }[])
    gather(args);
  for (const [name, value] of Object.entries(rest)) if (!about.has(name)) gather(value);
  return texts;
}

/** Fields of a message that stay. */
const about: ReadonlySet<string> = new Set([
  'toolCallId',
  'name',
  'origin',
  'finish',
  'model',
  'isError',
]);

/** Fields of a part that are no text; the bytes of a file stand nowhere else. */
const identifying: ReadonlySet<string> = new Set(['type', 'mediaType', 'data']);
