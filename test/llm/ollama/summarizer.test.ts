import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { ollamaModel } from '../../../src/llm/ollama/ollama.ts';
import { ollamaSummarizer } from '../../../src/llm/ollama/summarizer.ts';
import type { LogEntry, SummaryTask } from '../../../src/llm/summarizer.ts';
import { task } from '../entries.ts';
import { startOllamaServer, type OllamaServer } from '../../../src/testing/ollama-server.ts';
import type { OllamaModel } from '../../../src/testing/ollama/model.ts';
import type { OllamaScript } from '../../../src/testing/ollama/reply.ts';

const name = 'qwen3:8b';
const summary = '## Findings\n- The guard in auth.ts was inverted.';

function serve(reply: OllamaScript = summary, model: OllamaModel = {}): Promise<OllamaServer> {
  return startOllamaServer({ models: { [name]: model }, reply });
}

function taskOf(texts: readonly string[], more: Partial<SummaryTask> = {}): SummaryTask {
  const entries = texts.map((content, index): LogEntry => {
    const tokens = Math.ceil(content.length / 4);
    return { role: 'assistant', content, id: `e${index + 1}`, frame: 'f1', at: 0, tokens };
  });
  return task({ entries, target: 300, ...more });
}

const quiet = { signal: new AbortController().signal };
const chats = ({ log }: OllamaServer) => log.filter(({ path }) => path === '/api/chat');

test('a summary is asked for calmly, streamed, with nothing cut', async () => {
  await using server = await serve();
  const client = new Ollama({ host: server.url });
  const options = { window: 4_000, keepAlive: '1h', options: { num_gpu: 0 } };
  const summarizer = ollamaSummarizer(client, name, options);
  expect(summarizer.name).toBe(`ollama/${name}`);
  expect(await summarizer.summarize(taskOf(['I turned the guard round']), quiet)).toBe(summary);
  expect(chats(server)).toHaveLength(1);
  const { body } = chats(server)[0]!;
  expect(body).toMatchObject({
    options: { num_gpu: 0, temperature: 0.2, num_ctx: 4_000 },
    truncate: false,
    shift: false,
    stream: true,
    keep_alive: '1h',
  });
  expect(body.options?.num_predict).toBeGreaterThanOrEqual(300);
  expect(body).not.toHaveProperty('think');
  expect(body.messages?.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(body.messages?.[1]?.content).toContain('I turned the guard round');
});

test('a model that thinks is told not to', async () => {
  await using server = await serve(summary, { capabilities: ['completion', 'thinking'] });
  const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name);
  await summarizer.summarize(taskOf(['Done']), quiet);
  expect(chats(server)[0]?.body.think).toBe(false);
});

test('a model that cannot but think is told to be brief, and has room for it', async () => {
  const thinks: OllamaModel = { capabilities: ['completion', 'thinking'] };
  const asked = [];
  for (const family of ['qwen3', 'gptoss']) {
    const reply = { thinking: 'The guard, hm', content: summary };
    await using server = await serve(reply, { ...thinks, family });
    const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name, { window: 8_000 });
    expect(await summarizer.summarize(taskOf(['Done']), quiet)).toBe(summary);
    const { think, options } = chats(server)[0]!.body;
    asked.push({ think, most: options?.num_predict ?? 0 });
  }
  const [plain, brief] = asked;
  expect(plain?.think).toBe(false);
  expect(brief).toEqual({ think: 'low', most: plain!.most + 1_000 });
});

test('thinking never gets into a summary, wherever it stands', async () => {
  for (const reply of [
    { thinking: 'hm', content: summary },
    `<think>\nhm\n</think>\n\n${summary}`,
    `hm\n</think>\n${summary}`,
  ]) {
    await using server = await serve(reply);
    const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name);
    expect(await summarizer.summarize(taskOf(['Done']), quiet)).toBe(summary);
  }
});

test('the window is the one that is loaded, else as set up, else a modest one', async () => {
  const windows = [];
  for (const model of [{ numCtx: 6_000 }, {}, { contextLength: 2_048 }]) {
    await using server = await serve(summary, model);
    const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name);
    await summarizer.summarize(taskOf(['Done']), quiet);
    windows.push(chats(server)[0]?.numCtx);
  }
  expect(windows).toEqual([6_000, 8_192, 2_048]);
});

test('a model that chats with a window is not loaded anew for a summary', async () => {
  await using server = await serve(summary, { numCtx: 6_000 });
  const model = ollamaModel(new Ollama({ host: server.url }), name);
  const summarizer = model.summarizer();
  for (const window of [5_000, 7_000]) {
    await model.load(window);
    await summarizer.summarize(taskOf(['Done']), quiet);
  }
  expect(chats(server).map(({ loaded }) => loaded)).toEqual([true, false, true, false]);
  expect(server.log.filter(({ path }) => path === '/api/show')).toHaveLength(1);
});

test("a model's summarizer takes over how long it stays and how it is loaded", async () => {
  await using server = await serve();
  const options = { keepAlive: -1, temperature: 1, options: { num_gpu: 3 } };
  const model = ollamaModel(new Ollama({ host: server.url }), name, options);
  expect(model.summarizer().name).toBe(`ollama/${name}`);
  await model.summarizer().summarize(taskOf(['Done']), quiet);
  expect(chats(server)[0]?.body).toMatchObject({
    keep_alive: -1,
    options: { num_gpu: 3, temperature: 0.2 },
  });
});

test('what is longer than the window is read in pieces, and no request exceeds it', async () => {
  await using server = await serve();
  const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name, { window: 2_000 });
  const texts = Array.from({ length: 40 }, (_, n) => `Step ${n}: ${'turned a guard '.repeat(20)}`);
  expect(await summarizer.summarize(taskOf(texts), quiet)).toBe(summary);
  const asked = chats(server);
  expect(asked.length).toBeGreaterThan(3);
  for (const { status, tokens } of asked) {
    expect(status).toBe(200);
    expect(tokens).toBeLessThan(2_000);
  }
  const prompts = asked.map(({ body }) => body.messages?.[1]?.content).join('\n');
  for (const n of texts.keys()) expect(prompts).toContain(`Step ${n}:`);
});

test('where the server counts far more than we do, smaller pieces are asked for', async () => {
  await using server = await serve(summary, { count: (text) => text.length });
  const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name, { window: 8_000 });
  const texts = Array.from({ length: 30 }, () => 'turned a guard '.repeat(30));
  expect(await summarizer.summarize(taskOf(texts), quiet)).toBe(summary);
  expect(chats(server).map(({ status }) => status)).toContain(400);
});

test('a summary is ended by its signal, and the server sees it', async () => {
  const ending = new AbortController();
  const reason = new Error('popped');
  await using server = await serve(() => {
    ending.abort(reason);
    return new Promise<never>(() => {});
  });
  const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name);
  const outcome = summarizer.summarize(taskOf(['Done']), { signal: ending.signal });
  await expect(outcome).rejects.toBe(reason);
  await server.idle();
  expect(chats(server)[0]?.aborted).toBe(true);
});

test('a model that is not there is asked for again at the next summary', async () => {
  await using server = await startOllamaServer({ reply: summary });
  const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name);
  const outcome = summarizer.summarize(taskOf(['Done']), quiet);
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  server.add(name, {});
  expect(await summarizer.summarize(taskOf(['Done']), quiet)).toBe(summary);
});

test('an attempt goes on with the parts of one that failed', async () => {
  await using server = await serve([summary, { error: 'out of luck' }, summary]);
  const texts = Array.from({ length: 40 }, (_, n) => `Step ${n}: ${'turned a guard '.repeat(80)}`);
  const summarizer = ollamaSummarizer(new Ollama({ host: server.url }), name);
  const outcome = summarizer.summarize(taskOf(texts), quiet);
  await expect(outcome).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  expect(chats(server)).toHaveLength(2);
  expect(await summarizer.summarize(taskOf(texts), quiet)).toBe(summary);
  const prompts = chats(server).map(({ body }) => body.messages?.at(-1)?.content);
  expect(prompts[2]).toBe(prompts[1]);
  expect(prompts.slice(2)).not.toContain(prompts[0]);
});
