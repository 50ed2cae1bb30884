import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStore, type LogEntry } from '../../src/index.ts';
import { startOpenAIServer, type OpenAIAsked, type OpenAIReply } from '../../src/testing/index.ts';
import { textOf, unpaired, type Sent } from './provider.ts';

// The real command line of pi, over HTTP, with this package as a person installs it.

const program = resolve('node_modules/@mariozechner/pi-coding-agent/dist/cli.js');
const window = 12_000;

beforeAll(() => execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }));

/** A message as it was sent. */
/** A place to work in, and a model that counts what it is told to count. */
async function place(served: number) {
  const root = mkdtempSync(join(tmpdir(), 'flamestack-pi-e2e-'));
  let hangs = false;
  const reply = ({ body }: OpenAIAsked): OpenAIReply => {
    const last = (body as { messages: Sent[] }).messages.at(-1)!;
    const part = /Count part (\d+)/.exec(textOf(last))?.[1];
    if (hangs) return { content: 'never whole, never whole, never whole', pause: 2_000 };
    if (last.role === 'tool' || part === undefined)
      return { content: 'Counted it. All numbers are in order.' };
    const from = Number(part) * 300;
    return {
      toolCalls: [
        { name: 'bash', arguments: { command: `seq ${from} ${from + 260}` } },
        { name: 'bash', arguments: { command: `echo part ${part}` } },
      ],
    };
  };
  const server = await startOpenAIServer({ window: served, reply });
  onTestFinished(() => server.close());
  const [agent, project] = [join(root, 'agent'), join(root, 'project')];
  for (const folder of [agent, project]) mkdirSync(folder);
  const models = [
    {
      id: 'scripted',
      name: 'Scripted',
      reasoning: false,
      input: ['text', 'image'],
      contextWindow: window,
      maxTokens: 300,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
  ];
  const fake = { baseUrl: server.url, api: 'openai-completions', apiKey: 'none', models };
  writeFileSync(join(agent, 'models.json'), JSON.stringify({ providers: { fake } }));
  const env = {
    ...process.env,
    HOME: root,
    PI_CODING_AGENT_DIR: agent,
    PI_OFFLINE: '1',
    PI_TELEMETRY: '0',
    PI_SKIP_VERSION_CHECK: '1',
  };
  const flamestack = (...words: string[]): string =>
    execFileSync(process.execPath, [resolve('dist/main.js'), ...words], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
  const store = join(project, '.flamestack');
  return {
    server,
    flamestack,
    store,
    hang: (on: boolean) => void (hangs = on),
    start: (...words: string[]) => startRpc(project, env, words),
    sent: () => server.chats.map(({ body }) => (body as { messages: Sent[] }).messages),
    async log(): Promise<LogEntry[]> {
      await using open = await openStore(store, { readOnly: true });
      const log: LogEntry[] = [];
      for await (const { id } of open.sessions())
        for await (const entry of (await open.open(id)).log()) log.push(entry);
      return log;
    },
  };
}

/** pi as a program that is told what to do over its standard input. */
function startRpc(cwd: string, env: NodeJS.ProcessEnv, words: readonly string[]) {
  const own = ['--mode', 'rpc', '--provider', 'fake', '--model', 'scripted'];
  const pi = spawn(process.execPath, [program, ...own, ...words], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void pi.kill('SIGKILL'));
  const events: { type: string; [field: string]: unknown }[] = [];
  let rest = '';
  pi.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') events.push(JSON.parse(line) as (typeof events)[0]);
  });
  const ends = (): number => events.filter(({ type }) => type === 'agent_end').length;
  const tell = (command: object): void => void pi.stdin.write(`${JSON.stringify(command)}\n`);
  return {
    events,
    tell,
    /** Asks, and waits until it is done. */
    async ask(message: string, more: object = {}): Promise<void> {
      const before = ends();
      tell({ type: 'prompt', message, ...more });
      await expect.poll(ends, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before);
    },
    async kill(signal: NodeJS.Signals): Promise<void> {
      const ended = once(pi, 'exit');
      pi.kill(signal);
      await ended;
    },
    async close(): Promise<void> {
      const ended = once(pi, 'exit');
      pi.stdin.end();
      await ended;
    },
  };
}

test('a life in pi: two compactions and more, an image, a call broken off, a kill, and nothing is lost', async () => {
  const { start, flamestack, sent, log, server, hang } = await place(2 * window);
  flamestack('install', 'pi', '--yes');
  const first = start();
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
  await first.ask('Rule one: the answer is 4242. Count part 0', { images: [image] });
  for (let part = 1; part < 10; part += 1) await first.ask(`Count part ${part}`);

  hang(true);
  first.tell({ type: 'prompt', message: 'Think for ever' });
  await expect.poll(() => sent().length).toBe(21);
  first.tell({ type: 'abort' });
  await expect.poll(() => first.events.filter(({ type }) => type === 'agent_end').length).toBe(11);
  hang(false);
  await first.ask('Count part 10');
  first.tell({ type: 'prompt', message: 'Count part 11' });
  await expect.poll(() => sent().length).toBeGreaterThan(23);
  await first.kill('SIGKILL');

  const second = start('-c');
  for (let part = 12; part < 18; part += 1) await second.ask(`Count part ${part}`);
  await second.close();

  for (const messages of sent()) expect(unpaired(messages)).toEqual([]);
  for (const { tokens } of server.chats) expect(tokens).toBeLessThan(window);
  const last = sent().at(-1)!;
  expect(last.map(textOf).join('\n')).toContain('the answer is 4242');
  const entries = await log();
  const asked = entries.filter(({ role }) => role === 'user').map(({ content }) => content);
  for (let part = 0; part < 18; part += 1)
    expect(
      asked.filter((text) => JSON.stringify(text).includes(`Count part ${part}"`)).length,
    ).toBe(1);
  const { assembly } = JSON.parse(flamestack('show', '--json')) as { assembly: { epoch: number } };
  expect(assembly.epoch).toBeGreaterThan(3);
  expect(flamestack('search', '4242')).toContain('4242');
});

test('a server that has less room than pi believes is asked again with less, and keeps the thread', async () => {
  const served = 3_000;
  const { start, flamestack, sent, server } = await place(served);
  flamestack('install', 'pi', '--yes');
  const pi = start();
  await pi.ask('Rule one: the answer is 4242. Count part 0');
  for (let part = 1; part < 8; part += 1) {
    await pi.ask(`Count part ${part}`);
    await expect.poll(() => textOf(sent().at(-1)!.at(-1)!)).not.toBe('');
  }
  const refused = server.chats.filter(({ tokens }) => tokens! + 300 > served);
  const counts = server.chats.map(({ tokens }) => tokens);
  expect(refused.length, counts.join(' ')).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(3);
  expect(server.chats.at(-1)!.tokens).toBeLessThan(served);
  expect(sent().at(-1)!.map(textOf).join('\n')).toContain('the answer is 4242');
  expect(pi.events.filter(({ type }) => type === 'extension_error')).toEqual([]);
  await pi.close();
});
