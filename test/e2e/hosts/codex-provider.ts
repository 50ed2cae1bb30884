import {
  about,
  refuseResponses,
  signatureOf,
  startProvider,
  type Body,
  type Provider,
} from '../provider.ts';
import type { Script } from './script.ts';

// The Responses API as Codex calls it: what a person said last decides what the model does.

const error = (message: string) => ({
  error: { message, type: 'invalid_request_error', code: null },
});

/** Starts it. */
export function startCodexProvider(script: Script): Promise<Provider> {
  const answer = (body: Body, n: number) => {
    const used = about(body);
    const usage = {
      input_tokens: used,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: used + 20,
    };
    return { id: `resp_${n}`, object: 'response', usage, output: outputOf(body, n, script) };
  };
  const events = ({ output, ...response }: Body): readonly Body[] => [
    { type: 'response.created', response: { id: response['id'] } },
    ...(output as Body[]).map((item, at): Body => ({
      type: 'response.output_item.done',
      output_index: at,
      item,
    })),
    { type: 'response.completed', response: { ...response, output } },
  ];
  const tooLong = (message: string): readonly Body[] => [
    { type: 'response.created', response: { id: 'resp_0' } },
    {
      type: 'response.failed',
      response: { id: 'resp_0', error: { code: 'context_length_exceeded', message } },
    },
  ];
  const route = { refuse: refuseResponses, answer, error, events, tooLong };
  return startProvider({ '/v1/responses': route });
}

/** Whether a request asks for the summary of a compaction. */
export const isCompaction = ({ input }: Body): boolean =>
  /CONTEXT CHECKPOINT COMPACTION/.test(JSON.stringify(input.at(-1)));

function outputOf(body: Body, n: number, script: Script): readonly Body[] {
  const input = body['input'] as readonly Body[];
  const id = `rs_${n}`;
  const word = (text: string): Body => ({
    type: 'message',
    id: `msg_${n}`,
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  });
  if (isCompaction(body)) return [word(`Summary ${n}.`)];
  const reasoning = {
    type: 'reasoning',
    id,
    summary: [{ type: 'summary_text', text: `Thought ${n}.` }],
    encrypted_content: signatureOf(id),
  };
  const at = input.findLastIndex(({ role }) => role === 'user');
  const steps = script(saidIn(input[at]!['content']));
  // A batch of results ends where the model speaks again.
  const answered = input
    .slice(at)
    .filter(({ type }, k, rest) => isResult(type) && !isResult(rest[k + 1]?.['type'])).length;
  const calls = (steps[answered] ?? []).map(({ name, input: given, ...more }, k) => ({
    type: 'function_call',
    id: `fc_${n}_${k}`,
    call_id: `call_${n}_${k}`,
    name,
    arguments: JSON.stringify(given),
    ...more,
  }));
  return [reasoning, ...(calls.length === 0 ? [word(`Done ${n}.`)] : calls)];
}

const isResult = (type: unknown): boolean => type === 'function_call_output';

/** What a person said in a message. */
const saidIn = (content: string | readonly Body[]): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text as string).join('\n');
