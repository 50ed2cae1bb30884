import {
  about,
  messageEvents,
  refuseMessages,
  signatureOf,
  startProvider,
  type Body,
  type Provider,
} from '../provider.ts';
import type { Script } from './script.ts';

// The Messages API as Claude Code calls it: what a person said last decides what the model does.

const error = (message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
});

/** Starts it. */
export function startClaudeProvider(script: Script): Promise<Provider> {
  const answer = (body: Body, n: number) => {
    const content = contentOf(body, n, script);
    const isCall = content.some(({ type }) => type === 'tool_use');
    return {
      id: `msg_${n}`,
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content,
      stop_reason: isCall ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: about(body),
        output_tokens: 20,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    };
  };
  const refuse = (body: Body) => refuseMessages({ ...body, messages: messagesOf(body) });
  return startProvider({ '/v1/messages': { refuse, answer, error, events: messageEvents } });
}

/** The messages of a request, each in blocks; but for what the host says in between, which the API takes anywhere. */
export const messagesOf = ({ messages }: Body): readonly Body[] =>
  (messages as Body[])
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    }));

/** Whether a request asks for the summary of a compaction. */
export const isCompaction = (body: Body): boolean =>
  /Your task is to create a detailed summary/.test(JSON.stringify(messagesOf(body).at(-1)));

function contentOf(body: Body, n: number, script: Script): readonly Body[] {
  const messages = messagesOf(body);
  if (isCompaction(body))
    return [{ type: 'text', text: `<analysis>All.</analysis><summary>Summary ${n}.</summary>` }];
  const text = `Thought ${n}.`;
  const thinking = { type: 'thinking', thinking: text, signature: signatureOf(text) };
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && !hasResults(content));
  const steps = script(saidIn(messages[at]!['content']));
  const calls = steps[messages.slice(at).filter(({ content }) => hasResults(content)).length] ?? [];
  const uses = calls.map((call, k) => ({ type: 'tool_use', id: `toolu_${n}_${k}`, ...call }));
  const word = { type: 'text', text: calls.length === 0 ? `Done ${n}.` : `I look, ${n}.` };
  return [...(isThinking(body) ? [thinking] : []), word, ...uses];
}

const isThinking = ({ thinking }: Body): boolean =>
  thinking !== undefined && thinking['type'] !== 'disabled';

const hasResults = (content: readonly Body[]): boolean =>
  content.some(({ type }) => type === 'tool_result');

/** What a person said in a message, beside what the host says in it. */
const saidIn = (content: readonly Body[]): string =>
  (content.findLast(({ type, text }) => type === 'text' && !/^\s*<system-reminder>/.test(text))?.[
    'text'
  ] as string | undefined) ?? '';
