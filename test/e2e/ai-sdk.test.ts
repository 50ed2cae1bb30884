import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, tool, type LanguageModel, type ToolSet } from 'ai';
import { expect, test } from 'vitest';
import { fromAiSdk, toAiSdk, usageOf } from '../../src/ai-sdk.ts';
import type { Assembly } from '../../src/index.ts';
import { newLocation } from '../store/folder.ts';
import { live, tools } from './agent.ts';
import {
  about,
  refuseMessages,
  refuseResponses,
  responseTo,
  said,
  signatureOf,
  startProvider,
  type Body,
} from './provider.ts';

const sdkTools: ToolSet = Object.fromEntries(
  tools.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters) }) as ToolSet[string],
  ]),
);

/** One step of the SDK. */
const asking = (model: LanguageModel, options: Body) => async (assembly: Assembly) => {
  const given = await generateText({
    model,
    tools: sdkTools,
    maxRetries: 0,
    providerOptions: options,
    ...toAiSdk(assembly, { thinking: true }),
  });
  return { messages: fromAiSdk(given), usage: usageOf(given) };
};

test('a life over the AI SDK and its provider for Anthropic, with thinking, is refused nowhere', async () => {
  const answer = (body: Body, n: number) => {
    const isLoop = body['messages'].at(-1).content.some(({ type }: Body) => type === 'tool_result');
    const thought = `Thought ${n}.`;
    const thinking = { type: 'thinking', thinking: thought, signature: signatureOf(thought) };
    const use = (at: number) => ({
      type: 'tool_use',
      id: `toolu_${n}_${at}`,
      name: 'read',
      input: { path: 'a' },
    });
    const content = isLoop
      ? [thinking, { type: 'text', text: said(n) }]
      : [thinking, use(0), use(1)];
    const usage = { input_tokens: about(body), output_tokens: 20 };
    return {
      id: `msg_${n}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      stop_reason: isLoop ? 'end_turn' : 'tool_use',
      usage,
    };
  };
  await using provider = await startProvider({
    '/messages': {
      refuse: (body) => refuseMessages(body),
      answer,
      error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    },
  });
  const anthropic = createAnthropic({ baseURL: provider.url, apiKey: 'none' });
  const thinking = { type: 'enabled', budgetTokens: 1_024 };
  const { compressions } = await live(await newLocation(), {
    provider,
    model: 'claude-sonnet-4-5',
    overflow: 'prompt is too long: 9012 tokens > 8000 maximum',
    ask: asking(anthropic('claude-sonnet-4-5'), { anthropic: { thinking } }),
  });
  expect(compressions).toBeGreaterThan(1);
  expect(JSON.stringify(provider.taken)).toContain(signatureOf('Thought 1.'));
});

test('a life over the AI SDK and its provider for the Responses API is refused nowhere', async () => {
  await using provider = await startProvider({
    '/responses': {
      refuse: refuseResponses,
      answer: responseTo,
      error: (message) => ({ error: { message, type: 'invalid_request_error' } }),
    },
  });
  const openai = createOpenAI({ baseURL: provider.url, apiKey: 'none' });
  const { compressions } = await live(await newLocation(), {
    provider,
    model: 'gpt-5',
    overflow:
      "This model's maximum context length is 8000 tokens. However, your messages resulted in 9012 tokens.",
    ask: asking(openai.responses('gpt-5'), {
      openai: { store: false, include: ['reasoning.encrypted_content'] },
    }),
  });
  expect(compressions).toBeGreaterThan(1);
  expect(JSON.stringify(provider.taken)).toContain(signatureOf('rs_1'));
});
