// AI SDK: pruneMessages before the model, and the whole chat written as JSON after each assistant
// message, as its guide to persistence shows. No count, no compression.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pruneMessages } from 'ai';

function toAiSdk({ role, content, toolCalls, toolCallId, name }) {
  if (role === 'user') return { role, content };
  if (role === 'tool') {
    const output = { type: 'text', value: content };
    return { role, content: [{ type: 'tool-result', toolCallId, toolName: name, output }] };
  }
  const calls = (toolCalls ?? []).map((call) => ({
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments,
  }));
  return { role, content: [{ type: 'text', text: content }, ...calls] };
}

function driver(messages, file) {
  return {
    append(message) {
      messages.push(toAiSdk(message));
      if (message.role === 'assistant') writeFileSync(file, JSON.stringify(messages));
    },
    prompt: () =>
      pruneMessages({ messages, reasoning: 'all', toolCalls: 'before-last-2-messages' }),
    close() {},
  };
}

const fileIn = (folder) => join(folder, 'chat.json');

export const open = async (folder) => driver([], fileIn(folder));

export async function reopen(folder) {
  return driver(JSON.parse(readFileSync(fileIn(folder), 'utf8')), fileIn(folder));
}
