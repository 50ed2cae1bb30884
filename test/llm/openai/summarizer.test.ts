import { expect, test } from 'vitest';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { openaiSummarizer } from '../../../src/llm/openai/summarizer.ts';
import { startOpenAIServer, type OpenAIServer } from '../../../src/testing/openai-server.ts';
import { entriesOf, task } from '../entries.ts';

const model = 'scripted';
const summary = '## Findings\n- The guard in auth.ts was inverted.';
const quiet = { signal: new AbortController().signal };

const taskOf = (...texts: readonly string[]) =>
  task({ target: 300, entries: entriesOf(texts.map((content) => ({ role: 'user', content }))) });

const work = taskOf('I turned the guard round');

/** What the last message of a request says. */
const promptOf = ({ body }: OpenAIServer['chats'][number]): string =>
  body.messages?.at(-1)?.content as string;

test('a summary is asked for calmly and without thinking', async () => {
  await using server = await startOpenAIServer({ reply: summary });
  const summarizer = openaiSummarizer({ baseURL: server.url, model });
  expect(summarizer.name).toBe('openai/scripted');
  expect(await summarizer.summarize(work, quiet)).toBe(summary);
  expect(server.chats).toHaveLength(1);
  const [chat] = server.chats;
  expect(chat!.body).toMatchObject({
    model,
    temperature: 0.2,
    max_tokens: expect.any(Number),
    stream: true,
    chat_template_kwargs: { enable_thinking: false },
  });
  expect(chat!.body.messages!.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(promptOf(chat!)).toContain('I turned the guard round');
});

test('a server that refuses what is asked for beside gets it without', async () => {
  const refuses = ['chat_template_kwargs', 'temperature'];
  await using server = await startOpenAIServer({ reply: summary, refuses });
  const summarizer = openaiSummarizer({ baseURL: server.url, model });
  expect(await summarizer.summarize(work, quiet)).toBe(summary);
  await summarizer.summarize(work, quiet);
  expect(server.chats.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(server.chats.at(-2)!.status).toBe(200);
  for (const field of refuses) expect(server.chats.at(-1)!.body).not.toHaveProperty(field);
});

test('a model that thinks all the same gets room for it, and is asked once more if nothing else came', async () => {
  const thinking = 'The guard, hm';
  const reply = [
    { thinking, finish: 'length' },
    { thinking, content: summary },
  ];
  await using server = await startOpenAIServer({ reply });
  const summarizer = openaiSummarizer({ baseURL: server.url, model });
  expect(await summarizer.summarize(work, quiet)).toBe(summary);
  expect(await summarizer.summarize(work, quiet)).toBe(summary);
  const most = server.chats.map(({ body }) => body.max_tokens!);
  expect(most).toEqual([most[0], most[0]! + 1_000, most[0]! + 1_000]);
});

test('a model that says nothing at all is not asked twice', async () => {
  await using server = await startOpenAIServer({ reply: '' });
  expect(await openaiSummarizer({ baseURL: server.url, model }).summarize(work, quiet)).toBe('');
  expect(server.chats).toHaveLength(1);
});

test.each([
  ['the server tells', { dialect: 'vllm', window: 2_000 }, {}, 2_000],
  ['is told', { dialect: 'vllm', window: 4_000 }, { window: 2_000 }, 2_000],
  ['is modest', {}, {}, 8_192],
] as const)('what is too long for one request goes in pieces: the window %s', async (...given) => {
  const [, server, options, window] = given;
  const count = (text: string): number => Math.ceil(text.length / 4);
  await using host = await startOpenAIServer({ ...server, reply: summary, count });
  const texts = Array.from({ length: 40 }, (_, n) => `Step ${n}: ${'turned a guard '.repeat(80)}`);
  const summarizer = openaiSummarizer({ baseURL: host.url, model, ...options });
  expect(await summarizer.summarize(taskOf(...texts), quiet)).toBe(summary);
  expect(host.chats.length).toBeGreaterThan(1);
  for (const { status, tokens, body } of host.chats) {
    expect(status).toBe(200);
    expect(tokens! + body.max_tokens!).toBeLessThanOrEqual(window);
    expect(tokens! * 4).toBeGreaterThan(window / 8);
  }
});

test('a server that lists the model under another name is no obstacle', async () => {
  await using server = await startOpenAIServer({ reply: summary });
  const summarizer = openaiSummarizer({
    baseURL: server.url,
    model,
    fetch: (address, sent) =>
      address.endsWith('/models')
        ? Promise.resolve(Response.json({ data: [{ id: 'another' }] }))
        : fetch(address, sent),
  });
  expect(await summarizer.summarize(work, quiet)).toBe(summary);
});

test('a summary ends when it is no longer wanted', async () => {
  const never = (): Promise<never> => new Promise(() => {});
  await using server = await startOpenAIServer({ reply: { content: summary, before: never } });
  const ending = new AbortController();
  const reason = new Error('no longer wanted');
  const { signal } = ending;
  const outcome = openaiSummarizer({ baseURL: server.url, model }).summarize(work, { signal });
  const caught = outcome.catch((error: unknown) => error);
  await expect.poll(() => server.chats.length).toBe(1);
  ending.abort(reason);
  expect(await caught).toBe(reason);
  await server.idle();
  expect(server.chats[0]!.aborted).toBe(true);
});

test('errors of the server are those of the model', async () => {
  await using server = await startOpenAIServer({ reply: { status: 503 } });
  const outcome = openaiSummarizer({ baseURL: server.url, model }).summarize(work, quiet);
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_BUSY', retryable: true });
  await server.close();
  const alone = openaiSummarizer({ baseURL: server.url, model }).summarize(work, quiet);
  await expect(alone).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' });
});

test("a model's summarizer asks the same server, calmly", async () => {
  await using server = await startOpenAIServer({ reply: summary, key: 'secret' });
  const chat = openaiModel({ baseURL: server.url, model, apiKey: 'secret', temperature: 1 });
  expect(chat.summarizer().name).toBe('openai/scripted');
  expect(await chat.summarizer().summarize(work, quiet)).toBe(summary);
  expect(server.chats[0]!.body['temperature']).toBe(0.2);
});

test('an attempt goes on with the parts of one that failed', async () => {
  const reply = [summary, { status: 500, error: 'out of luck' }, summary];
  await using server = await startOpenAIServer({ reply });
  const texts = Array.from({ length: 40 }, (_, n) => `Step ${n}: ${'turned a guard '.repeat(80)}`);
  const summarizer = openaiSummarizer({ baseURL: server.url, model });
  const outcome = summarizer.summarize(taskOf(...texts), quiet);
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  expect(server.chats).toHaveLength(2);
  expect(await summarizer.summarize(taskOf(...texts), quiet)).toBe(summary);
  const prompts = server.chats.map(promptOf);
  expect(prompts[2]).toBe(prompts[1]);
  expect(prompts.slice(2)).not.toContain(prompts[0]);
});
