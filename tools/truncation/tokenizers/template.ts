import type { Rendered } from '../../../src/testing/ollama/template.ts';

// How three families of models render a chat. Each adds other tokens to a message than Llama 3
// does, and has the tools elsewhere.

type Sent = Rendered['messages'][number];

const calls = ({ tool_calls: list = [] }: Sent): string =>
  list.map((call) => `<tool_call>\n${JSON.stringify(call.function)}\n</tool_call>`).join('\n');

const toolList = (tools: readonly unknown[]): string =>
  tools.length === 0
    ? ''
    : `\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n${tools
        .map((tool) => JSON.stringify(tool))
        .join('\n')}\nReturn a JSON object with function name and arguments for each call.`;

/** As Qwen and DeepSeek have it: the tools in the system message. */
export function chatml({ messages, tools }: Rendered): string {
  const parts = messages.map((message, index) => {
    const content = `${message.content ?? ''}${calls(message)}`;
    const list = index === 0 ? toolList(tools) : '';
    return `<|im_start|>${message.role}\n${content}${list}<|im_end|>\n`;
  });
  return `${parts.join('')}<|im_start|>assistant\n`;
}

/** As Mistral has it: the tools before the last user message, and no mark of roles. */
export function instruct({ messages, tools }: Rendered): string {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const parts = messages.map((message, index) => {
    const content = `${message.content ?? ''}${calls(message)}`;
    if (message.role === 'assistant') return ` ${content}</s>`;
    return `${index === lastUser ? toolList(tools) : ''}[INST] ${content} [/INST]`;
  });
  return parts.join('');
}

/** As Gemma has it: the system prompt in the first user message, results as users. */
export function turns({ messages, tools }: Rendered): string {
  const parts = messages.map((message, index) => {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const list = index === 0 ? toolList(tools) : '';
    return `<start_of_turn>${role}\n${message.content ?? ''}${calls(message)}${list}<end_of_turn>\n`;
  });
  return `${parts.join('')}<start_of_turn>model\n`;
}
