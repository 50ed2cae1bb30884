import type { OllamaMessage } from './wire.ts';

/** What a template renders. */
export interface Rendered {
  readonly messages: readonly OllamaMessage[];
  readonly tools: readonly unknown[];
}

/**
 * The prompt as Llama 3 models read it: each message in a frame of its own, the
 * tools in one before them, and the beginning of the answer at the end. Thinking
 * is rendered only after the last user message. The token that begins a text is
 * left to the tokenizer.
 */
export function llamaTemplate({ messages, tools }: Rendered): string {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const frames = messages.map((message, index) => turn(message, index > lastUser));
  if (tools.length > 0) {
    const list = tools.map((tool) => JSON.stringify(tool)).join('\n');
    frames.unshift(`${header('system')}You may call these functions:\n${list}<|eot_id|>`);
  }
  return `${frames.join('')}${header('assistant')}`;
}

function turn(message: OllamaMessage, fresh: boolean): string {
  const { role, content = '', thinking = '', tool_calls: calls = [], tool_name: tool } = message;
  const thought = fresh && thinking !== '' ? `<think>${thinking}</think>\n` : '';
  const from = tool === undefined ? '' : `${tool}: `;
  const called = calls.map((call) => `<|python_tag|>${JSON.stringify(call.function)}`).join('');
  return `${header(role === 'tool' ? 'ipython' : role)}${thought}${from}${content}${called}<|eot_id|>`;
}

function header(role: string): string {
  return `<|start_header_id|>${role}<|end_header_id|>\n\n`;
}
