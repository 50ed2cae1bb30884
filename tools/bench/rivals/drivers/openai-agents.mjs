// OpenAI Agents: addItems of one item; before the model getItems(), as its runner does. In memory,
// without count or compression; there is nothing to open again.
import { MemorySession } from '@openai/agents-core';

function toItem({ role, content, toolCallId, name }) {
  if (role === 'user') return { role, content };
  if (role === 'assistant')
    return { role, status: 'completed', content: [{ type: 'output_text', text: content }] };
  const output = { type: 'text', text: content };
  return { type: 'function_call_result', callId: toolCallId, name, status: 'completed', output };
}

export async function open() {
  const session = new MemorySession({ sessionId: 'session' });
  return {
    append: (message) => session.addItems([toItem(message)]),
    prompt: () => session.getItems(),
    close() {},
  };
}
