import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { fromAnthropic, toAnthropic, usageOf } from '../../src/anthropic.ts';
import { newLocation } from '../store/folder.ts';
import { live, tools } from './agent.ts';
import { about, refuseMessages, said, signatureOf, startProvider, type Body } from './provider.ts';
import { newPromptCache } from './prompt-cache.ts';

const error = (message: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
});

test('a life over the Messages API, with thinking and the cache, is refused nowhere', async () => {
  const cache = newPromptCache();
  const answer = (body: Body, n: number) => {
    const last = body['messages'].at(-1).content;
    const isLoop = last.some(({ type }: Body) => type === 'tool_result');
    const thought = `Thought ${n}.`;
    const thinking = { type: 'thinking', thinking: thought, signature: signatureOf(thought) };
    const use = (at: number) => ({
      type: 'tool_use',
      id: `toolu_${n}_${at}`,
      name: 'read',
      input: { path: `${n}.${at}` },
    });
    const content = isLoop
      ? [thinking, { type: 'text', text: said(n) }]
      : [thinking, use(0), use(1)];
    const stop_reason = isLoop ? 'end_turn' : 'tool_use';
    const usage = { ...cache.send(body), output_tokens: 20 };
    return {
      id: `msg_${n}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content,
      stop_reason,
      usage,
    };
  };
  await using provider = await startProvider({
    '/v1/messages': { refuse: refuseMessages, answer, error },
  });
  const client = new Anthropic({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const { compressions } = await live(await newLocation(), {
    provider,
    model: 'claude-opus-5',
    overflow: 'prompt is too long: 9012 tokens > 8000 maximum',
    async ask(assembly) {
      const given = await client.messages.create({
        model: 'claude-opus-5',
        thinking: { type: 'adaptive' },
        ...toAnthropic(assembly, { tools, cache: 'auto', thinking: true }),
      });
      return { messages: [fromAnthropic(given)], usage: usageOf(given) };
    },
  });
  expect(compressions).toBeGreaterThan(1);
  const sent = JSON.stringify(provider.taken);
  expect(sent).toContain(signatureOf('Thought 1.'));
  expect(sent).toContain('"type":"image"');
  const { served, all } = cache.total();
  expect(served / all).toBeGreaterThan(0.5);
  process.stdout.write(`served by the cache: ${Math.round((100 * served) / all)} % of ${all}\n`);
});

test('the provider refuses what it should: without what was thought, a call is refused', async () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [] }] },
  ];
  const body = { messages, max_tokens: 5, thinking: { type: 'adaptive' } };
  expect(refuseMessages(body)).toContain('Expected `thinking`');
  expect(refuseMessages({ ...body, thinking: undefined })).toBeNull();
  expect(about('abcd')).toBe(2);
});
