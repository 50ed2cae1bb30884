import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { fromChat, fromResponses, toChat, toResponses, usageOf } from '../../src/openai.ts';
import { newLocation } from '../store/folder.ts';
import { live, tools } from './agent.ts';
import {
  about,
  refuseChat,
  refuseResponses,
  responseTo,
  said,
  signatureOf,
  startProvider,
  type Body,
} from './provider.ts';

const error = (message: string) => ({
  error: { message, type: 'invalid_request_error', code: null },
});
const overflow =
  "This model's maximum context length is 8000 tokens. However, your messages resulted in 9012 tokens.";

test('a life over chat completions is refused nowhere', async () => {
  const answer = (body: Body, n: number) => {
    const isLoop =
      (body['messages'].findLast(({ role }: Body) => role !== 'user').role === 'tool' &&
        body['messages'].at(-1).role !== 'user') ||
      /images of read/.test(JSON.stringify(body['messages'].at(-1)));
    const call = (at: number) => ({
      id: `call_${n}_${at}`,
      type: 'function',
      function: { name: 'read', arguments: '{"path": "a"}' },
      extra_content: { signature: signatureOf(`${n}`) },
    });
    const message = isLoop
      ? { role: 'assistant', content: said(n), refusal: null }
      : { role: 'assistant', content: null, refusal: null, tool_calls: [call(0), call(1)] };
    const usage = {
      prompt_tokens: about(body),
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    return {
      id: `c_${n}`,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: isLoop ? 'stop' : 'tool_calls' }],
      usage,
    };
  };
  await using provider = await startProvider({
    '/chat/completions': { refuse: refuseChat, answer, error },
  });
  const client = new OpenAI({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const { compressions } = await live(await newLocation(), {
    provider,
    model: 'gpt-5',
    overflow,
    async ask(assembly) {
      const given = await client.chat.completions.create({
        model: 'gpt-5',
        ...toChat(assembly, { tools, role: 'developer' }),
      });
      return { messages: [fromChat(given)], usage: usageOf(given) };
    },
  });
  expect(compressions).toBeGreaterThan(1);
  const sent = JSON.stringify(provider.taken);
  expect(sent).toContain(signatureOf('1'));
  expect(sent).toContain('image_url');
});

test('a life over the Responses API, with what was thought, is refused nowhere', async () => {
  await using provider = await startProvider({
    '/responses': { refuse: refuseResponses, answer: responseTo, error },
  });
  const client = new OpenAI({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const { compressions } = await live(await newLocation(), {
    provider,
    model: 'gpt-5',
    overflow,
    async ask(assembly) {
      const include: OpenAI.Responses.ResponseIncludable[] = ['reasoning.encrypted_content'];
      const given = await client.responses.create({
        model: 'gpt-5',
        store: false,
        include,
        ...toResponses(assembly, { tools }),
      });
      return { messages: [fromResponses(given)], usage: usageOf(given) };
    },
  });
  expect(compressions).toBeGreaterThan(1);
  expect(JSON.stringify(provider.taken)).toContain(signatureOf('rs_1'));
});
