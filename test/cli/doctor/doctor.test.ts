import { chmod, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { startOpenAIServer } from '../../../src/testing/openai-server.ts';
import { serverWith } from '../chat-stage.ts';
import { file, flamestack, folder, plainLines, type Told } from '../call.ts';

/** A line of the report: sign and check. */
const signs = (out: string): readonly string[] =>
  plainLines(out).flatMap((line) => /^[✓!✗] \w+/.exec(line) ?? []);

/** Lines that were broken are one again. */
const folded = (out: string): string => out.replace(/\s+/g, ' ');

async function examine(words: string, host: string): Promise<Told> {
  return flamestack(`doctor ${words} --store ${await folder()}/none`, {
    env: { OLLAMA_HOST: host },
  });
}

test('everything a chat needs is looked at, in order, and well', async () => {
  const { url } = await serverWith({ models: { big: { parameterCount: 70e9 } } });
  const { exit, out, err } = await examine('', url);
  expect(exit).toBe(0);
  const checks = [
    'node',
    'store',
    'server',
    'model',
    'abilities',
    'size',
    'prompt',
    'window',
    'count',
  ];
  expect(signs(out)).toEqual(checks.map((check) => `✓ ${check}`));
  expect(out).toMatch(/window +8,192 for a chat: trained for 131,072, 8,192 in force/);
  expect(out).toMatch(/ratio \d\.\d\d/);
  expect(err).toMatch(/All that a chat needs is there: flamestack chat --store \S+none\n/);
});

test('a server that is down is said, with how to start it', async () => {
  const { exit, out } = await examine('', 'http://127.0.0.1:1');
  expect([exit, signs(out)]).toEqual([4, ['✓ node', '✓ store', '✗ server']]);
  expect(out).toContain('ollama serve');
});

test('a model that is missing is said, with those that are there', async () => {
  const { url } = await serverWith({ models: { tiny: {}, large: {} } });
  const { exit, out } = await examine('--model huge', url);
  expect([exit, signs(out).at(-1)]).toEqual([4, '✗ model']);
  expect(out).toMatch(/ollama pull huge[^]*tiny:latest, large:latest/);
});

test('several models ask for a name, and none for a download', async () => {
  const several = await serverWith({ models: { one: {}, two: {} } });
  const named = await examine('', several.url);
  expect([named.exit, signs(named.out).at(-1)]).toEqual([4, '✗ model']);
  expect(folded(named.out)).toContain('FLAMESTACK_MODEL: one:latest, two:latest');
  const none = await serverWith({ models: {} });
  expect(await examine('', none.url)).toMatchObject({
    exit: 4,
    out: expect.stringContaining('ollama pull') as unknown,
  });
});

test('a smaller window than asked for is seen by loading, and what to use', async () => {
  const { url, log } = await serverWith({ models: { tiny: { fits: 2_048 } } });
  const { out } = await examine('--window 16k', url);
  expect(signs(out)).toContain('! window');
  expect(out).toContain('--window 2048');
  const unloaded = await serverWith({ models: { tiny: { fits: 2_048 } } });
  const still = await examine('--no-load', unloaded.url);
  expect(still.out).toMatch(/✓ window .*not loaded/);
  expect(
    [log, unloaded.log].map((calls) => calls.some(({ path }) => path === '/api/chat')),
  ).toEqual([true, false]);
});

test('a small model without tools is no failure, and what it lacks is said', async () => {
  const models = { tiny: { capabilities: ['completion' as const], parameterCount: 1.2e9 } };
  const { url } = await serverWith({ models });
  const { exit, out } = await examine('', url);
  expect(exit).toBe(0);
  expect(signs(out)).toEqual(expect.arrayContaining(['! abilities', '! size']));
});

test('a server of the OpenAI kind is looked at through one answer', async () => {
  const server = await startOpenAIServer({ dialect: 'llama.cpp', window: 4_096 });
  onTestFinished(() => server.close());
  const { exit, out } = await examine(`--openai ${server.url} --window 4k`, '');
  expect(exit).toBe(0);
  expect(folded(out)).toMatch(/✓ window .*4,096 in force/);
  expect(out).toMatch(/✓ count .*ratio/);
});

test('of a server of the OpenAI kind nobody is told to ask Ollama', async () => {
  const server = await startOpenAIServer();
  onTestFinished(() => server.close());
  const missing = await examine(`--openai ${server.url} --model huge`, '');
  expect([missing.exit, signs(missing.out).at(-1)]).toEqual([4, '✗ model']);
  expect(missing.out).toContain('There are: scripted');
  const chat = await flamestack(`chat --openai ${server.url} --model huge --store :memory:`);
  expect(chat.err).toContain('There are: scripted');
  const down = await examine('--openai http://127.0.0.1:1/v1', '');
  expect([down.exit, signs(down.out).at(-1)]).toEqual([4, '✗ server']);
  expect(down.out).toContain('Is it up');
  expect(`${missing.out}${chat.err}${down.out}`).not.toContain('ollama ');
});

test('JSON is one document with every finding', async () => {
  const { url } = await serverWith();
  const { exit, out, err } = await examine('--json', url);
  expect([exit, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({
    schema: 'flamestack.doctor/1',
    well: true,
    findings: expect.arrayContaining([
      expect.objectContaining({
        check: 'window',
        state: 'good',
        detail: { asked: 8_192, trained: 131_072, configured: null, inForce: 8_192 },
      }),
    ]) as unknown,
  });
});

test('a store that others could look into is shut', async () => {
  const store = `${await folder()}/store`;
  await (await openStore(store)).close();
  const doctor = () => flamestack(`doctor --store ${store} --host http://127.0.0.1:1`);
  expect(signs((await doctor()).out)[1]).toBe('✓ store');
  await chmod(store, 0o750);
  expect(signs((await doctor()).out)[1]).toBe('✓ store');
  expect((await stat(store)).mode & 0o777).toBe(0o700);
});

test('a store that another has open is said', async () => {
  const { url } = await serverWith();
  const store = await folder();
  await using _ = await openStore(store);
  const { exit, out } = await flamestack(`doctor --store ${store}`, { env: { OLLAMA_HOST: url } });
  expect([exit, signs(out)[1]]).toEqual([4, '✗ store']);
});

test('a window that chat would refuse is said, with the least that would do', async () => {
  const { url } = await serverWith();
  for (const window of [500, 900]) {
    const { exit, out, err } = await examine(`--window ${window}`, url);
    expect([exit, signs(out).at(-1), err]).toEqual([4, '✗ prompt', '']);
    expect(folded(out)).toMatch(/The least that a chat needs is --window [\d]+\..*--no-frames/);
    const least = /--window (\d+)/.exec(out)![1]!;
    const well = await examine(`--window ${least}`, url);
    expect([well.exit, signs(well.out)]).toEqual([0, expect.arrayContaining(['✓ prompt'])]);
    const chat = (size: string | number): Promise<Told> =>
      folder().then((store) =>
        flamestack(`chat --store ${store} --window ${size}`, {
          env: { OLLAMA_HOST: url },
          stdin: Readable.from(['Hi\n']),
        }),
      );
    expect((await chat(least)).exit).toBe(0);
    expect((await chat(window)).err).toMatch(new RegExp(`--window ${least}\\.[^]*--no-frames`));
  }
});

test('a window that does not hold the tools for frames is refused where they are asked for', async () => {
  const { url } = await serverWith();
  const chat = async (window: string | number): Promise<Told> =>
    flamestack(`chat --store ${await folder()} --frames --window ${window}`, {
      env: { OLLAMA_HOST: url },
      stdin: Readable.from(['Hi\n']),
    });
  for (const window of [1_200, 1_500]) {
    const { exit, err } = await chat(window);
    expect([exit, err]).not.toContain(0);
    const least = /The least that a chat needs is --window (\d+)\.\n.*--no-frames/.exec(err)![1]!;
    expect((await chat(least)).exit).toBe(0);
  }
});

test('a store that cannot be made is said', async () => {
  const { url } = await serverWith();
  const path = await file('notes', '');
  const { exit, out } = await flamestack(`doctor --store ${path}/store`, {
    env: { OLLAMA_HOST: url },
  });
  expect([exit, signs(out)[1]]).toEqual([4, '✗ store']);
  expect(folded(out)).toContain('is not a folder');
});

test('an address that is none, and one where no model server is, are said in words', async () => {
  for (const words of ['--host http://', '--openai http://']) {
    const { exit, err } = await examine(words, '');
    expect([exit, err]).toEqual([
      2,
      expect.stringContaining('"http://" is no address of a server'),
    ]);
  }
  const { url } = await serverWith();
  const { exit, out } = await examine(`--host ${url}/nowhere`, '');
  expect([exit, folded(out)]).toEqual([
    4,
    expect.stringContaining(`Is ${url}/nowhere the address of a model server?`),
  ]);
});

test('an Ollama that cuts prompts in silence is said', async () => {
  for (const [version, sign] of [
    ['0.12.3', '!'],
    ['0.12.4', '✓'],
    ['0.9.6-rc1', '!'],
    ['1.0.0', '✓'],
  ] as const) {
    const { url } = await serverWith({ version });
    const { exit, out } = await examine('--no-load', url);
    expect([exit, signs(out)[2]]).toEqual([0, `${sign} server`]);
    expect(out.includes('update Ollama')).toBe(sign === '!');
  }
});
