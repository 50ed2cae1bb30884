import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type LogEntry } from '../../src/index.ts';
import {
  startOpenAIServer,
  type OpenAIAsked,
  type OpenAIExchanged,
  type OpenAIReply,
} from '../../src/testing/index.ts';
import { textOf, unpaired, type Sent } from './provider.ts';
import { freePort } from '../free-port.ts';

// The real OpenCode, over HTTP, with this package as a person installs it. It is large (354 MB), so it is not among the
// dependencies: `npm i opencode-ai@1.18.33` in a folder of one's own, then
//   OPENCODE=<folder>/node_modules/opencode-linux-x64/bin/opencode npm run e2e -- opencode

const program = [
  process.env['OPENCODE'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'opencode')),
].find((file) => file !== '' && existsSync(file));
const window = 24_000;

// OpenCode installs what its plugins may import, once.
const shared = mkdtempSync(join(tmpdir(), 'flamestack-opencode-shared-'));

type Asked = Pick<OpenAIAsked | OpenAIExchanged, 'body'>;

/** A message as it was sent. */
const messagesIn = ({ body }: Asked): readonly Sent[] => (body as { messages: Sent[] }).messages;

/** Whether a request is for a session itself, and not for its title or a summary of it. */
const isStep = (asked: Asked): boolean =>
  (asked.body as { tools?: readonly unknown[] }).tools !== undefined;

/** A place to work in, and a model that counts what it is told to count. */
async function place(served: number) {
  const root = mkdtempSync(join(tmpdir(), 'flamestack-opencode-e2e-'));
  let hangs = false;
  const reply = (asked: OpenAIAsked): OpenAIReply => {
    const last = messagesIn(asked).at(-1)!;
    const part = /Count part (\d+)/.exec(textOf(last))?.[1];
    if (!isStep(asked)) return { content: 'Summary: all parts are counted in order.' };
    if (hangs) return { content: 'never whole, never whole, never whole', pause: 2_000 };
    if (last.role === 'tool' || part === undefined)
      return { content: 'Counted it. All numbers are in order.' };
    const from = Number(part) * 1_000;
    return {
      toolCalls: [
        { name: 'bash', arguments: { command: `seq ${from} ${from + 500}`, description: 'Count' } },
        { name: 'bash', arguments: { command: `echo part ${part}`, description: 'Say' } },
      ],
    };
  };
  const server = await startOpenAIServer({ window: served, reply });
  onTestFinished(() => server.close());
  const project = join(root, 'project');
  mkdirSync(project);
  const scripted = {
    name: 'Scripted',
    tool_call: true,
    attachment: true,
    modalities: { input: ['text', 'image'], output: ['text'] },
    limit: { context: window, output: 1_000 },
  };
  const fake = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Fake',
    options: { baseURL: server.url, apiKey: 'none' },
    models: { scripted },
  };
  const settings = {
    // OpenCode adds it where it is missing.
    $schema: 'https://opencode.ai/config.json',
    model: 'fake/scripted',
    small_model: 'fake/scripted',
    autoupdate: false,
    share: 'disabled',
    permission: 'allow',
    provider: { fake },
  };
  const file = join(project, 'opencode.json');
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
  const env = {
    ...process.env,
    HOME: root,
    XDG_DATA_HOME: join(root, 'data'),
    XDG_CONFIG_HOME: join(shared, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CACHE_HOME: join(shared, 'cache'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  };
  const flamestack = (...words: string[]): string =>
    execFileSync(process.execPath, [resolve('dist/main.js'), ...words], {
      cwd: project,
      env,
      encoding: 'utf8',
    });
  return {
    server,
    flamestack,
    settings: () => readFileSync(file, 'utf8'),
    hang: (on: boolean) => void (hangs = on),
    start: () => startServer(project, env),
    steps: () => server.chats.filter(isStep).map(messagesIn),
    async log(): Promise<LogEntry[]> {
      await using open = await openStore(join(project, '.flamestack'), { readOnly: true });
      const log: LogEntry[] = [];
      for await (const { id } of open.sessions())
        for await (const entry of (await open.open(id)).log()) log.push(entry);
      return log;
    },
  };
}

/** OpenCode as a server, which its windows talk to. */
async function startServer(cwd: string, env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const opencode = spawn(program!, ['serve', '--port', String(port)], {
    cwd,
    env,
    stdio: 'ignore',
  });
  onTestFinished(() => void opencode.kill('SIGKILL'));
  const call = async (path: string, body?: object, patience = 60_000): Promise<unknown> => {
    const method = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(patience);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal, ...method });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  // What is asked while it starts is never answered.
  const isUp = () => call('/session', undefined, 3_000).catch(() => null);
  await expect.poll(isUp, { timeout: 120_000 }).not.toBeNull();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(opencode, 'exit');
    opencode.kill(signal);
    await ended;
  };
  return {
    call,
    end,
    create: async () => ((await call('/session', {})) as { id: string }).id,
    ask: (session: string, text: string, ...more: object[]) =>
      call(`/session/${session}/message`, { parts: [{ type: 'text', text }, ...more] }),
  };
}

/** An image of one pixel, which OpenCode reads. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(program === undefined)('OpenCode (OPENCODE=<its program>, or on the PATH)', () => {
  beforeAll(() => execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }));

  test('a life: compressions, an image, an abort, a kill, and nothing is lost', async () => {
    const { start, flamestack, steps, log, server, hang, settings } = await place(2 * window);
    const before = settings();
    flamestack('install', 'opencode', '--yes');
    const first = await start();
    const session = await first.create();
    const image = { type: 'file', mime: 'image/png', url: `data:image/png;base64,${pixel}` };
    await first.ask(session, 'Rule one: the answer is 4242. Count part 0', image);
    for (let part = 1; part < 10; part += 1) await first.ask(session, `Count part ${part}`);

    hang(true);
    const given = steps().length;
    const broken = first.ask(session, 'Think for ever').catch(() => null);
    await expect.poll(() => steps().length).toBeGreaterThan(given);
    await first.call(`/session/${session}/abort`, {});
    await broken;
    hang(false);
    await first.ask(session, 'Count part 10');
    const going = steps().length;
    const killed = first.ask(session, 'Count part 11').catch(() => null);
    await expect.poll(() => steps().length).toBeGreaterThan(going);
    await first.end('SIGKILL');
    await killed;

    const second = await start();
    for (let part = 12; part < 18; part += 1) await second.ask(session, `Count part ${part}`);
    await expect.poll(() => server.chats.filter((chat) => !isStep(chat)).length).toBeLessThan(3);
    await second.end('SIGTERM');

    for (const messages of steps()) expect(unpaired(messages)).toEqual([]);
    for (const { tokens } of server.chats) expect(tokens).toBeLessThan(window);
    const last = steps().at(-1)!.map(textOf).join('\n');
    expect(last).toContain('the answer is 4242');
    expect(last).not.toContain('What did we do so far?');
    const asked = (await log()).filter(({ role }) => role === 'user').map(({ content }) => content);
    for (let part = 0; part < 18; part += 1)
      expect(
        asked.filter((text) => JSON.stringify(text).includes(`Count part ${part}"`)).length,
      ).toBe(1);
    const { assembly } = JSON.parse(flamestack('show', '--json')) as {
      assembly: { epoch: number };
    };
    expect(assembly.epoch).toBeGreaterThan(2);
    expect(flamestack('search', '4242')).toContain('4242');
    flamestack('uninstall', 'opencode', '--yes');
    expect(settings()).toBe(before);
  }, 400_000);

  test('a server with less room than OpenCode believes: it compacts, and goes on with the thread', async () => {
    const served = 13_000;
    const { start, flamestack, steps, server, log } = await place(served);
    flamestack('install', 'opencode', '--yes');
    const opencode = await start();
    const session = await opencode.create();
    await opencode.ask(session, 'Rule one: the answer is 4242. Count part 0');
    for (let part = 1; part < 8; part += 1) await opencode.ask(session, `Count part ${part}`);
    const counts = server.chats.map(({ tokens, status }) => `${tokens} ${status}`).join(', ');
    expect(server.chats.filter(({ status }) => status === 400).length, counts).toBe(1);
    expect(server.chats.at(-1)!.tokens).toBeLessThan(served);
    for (const messages of steps()) expect(unpaired(messages)).toEqual([]);
    expect(steps().at(-1)!.map(textOf).join('\n')).toContain('the answer is 4242');
    const summaries = server.chats.filter(
      (chat) => !isStep(chat) && textOf(messagesIn(chat).at(-1)!).includes('Flamestack keeps all'),
    );
    expect(summaries).toHaveLength(1);
    const asked = (await log()).filter(({ content }) =>
      /^"Count part \d"$/.test(JSON.stringify(content)),
    );
    expect(asked).toHaveLength(7);
  }, 400_000);
});
