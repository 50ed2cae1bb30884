import type { Message } from '../../../src/index.ts';

export const user = (content: string): Message => ({ role: 'user', content });
export const says = (content: string): Message => ({ role: 'assistant', content });

let calls = 0;

/** A call of a tool, and what came of it. */
export const runs = (name: string, args: Record<string, unknown>, result: string): Message[] => {
  const id = `call${(calls += 1)}`;
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: args }] },
    { role: 'tool', toolCallId: id, content: result },
  ];
};
