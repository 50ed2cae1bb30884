import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServers } from './servers.ts';

// Every `ts` block of the README and of docs, and every file of examples that needs nothing, runs
// against the public entries, and against scripted model servers; a `// →` comment says what its line prints.
// The thousand sessions run with what is packed.

const root = new URL('../../', import.meta.url);
const docs = readdirSync(new URL('docs', root)).filter((file) => file.endsWith('.md'));
const pages = ['README.md', ...docs.map((file) => `docs/${file}`)];
const entries: Readonly<Record<string, string>> = {
  flamestack: 'src/index.ts',
  'flamestack/ai-sdk': 'src/ai-sdk.ts',
  'flamestack/anthropic': 'src/anthropic.ts',
  'flamestack/langchain': 'src/langchain.ts',
  'flamestack/ollama': 'src/ollama.ts',
  'flamestack/openai': 'src/openai.ts',
  'flamestack/openai-agents': 'src/openai-agents.ts',
  'flamestack/core': 'src/core/index.ts',
  'flamestack/machines': 'machines/index.ts',
  'flamestack/testing': 'src/testing/index.ts',
  'flamestack/testing/fast-check': 'src/testing/fast-check/index.ts',
  'flamestack/testing/vitest': 'src/testing/vitest/index.ts',
};
const folder = new URL('./generated/', import.meta.url);

interface Example {
  readonly name: string;
  readonly code: string;
  readonly prints: readonly string[];
}

const blocks = pages.flatMap((page): Example[] => {
  const text = readFileSync(new URL(page, root), 'utf8');
  return [...text.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code], index) =>
    toExample(`${page} ${index + 1}`, code!),
  );
});
const standing = [
  'agent-machine',
  'anthropic',
  'ollama',
  'openai',
  'ai-sdk',
  'langchain',
  'openai-agents',
];
const files = standing.map((name) => {
  const page = `examples/${name}.mjs`;
  return toExample(page, readFileSync(new URL(page, root), 'utf8'));
});
const examples = [...blocks, ...files];

function toExample(name: string, code: string): Example {
  return { name, code, prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]!) };
}

let servers: Awaited<ReturnType<typeof startServers>>;

beforeAll(async () => {
  servers = await startServers();
});

afterAll(async () => {
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(readdirSync(new URL('examples', root)).filter((file) => file.endsWith('.mjs')))(
  'examples/%s is JavaScript as this Node reads it',
  (file) => {
    const path = fileURLToPath(new URL(`examples/${file}`, root));
    const { status, stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  },
);

test('the README has an example', () => {
  expect(examples.length).toBeGreaterThan(0);
});

test.each(examples.map((example) => [example.name, example] as const))(
  '%s runs and prints what it says',
  async (name, { code, prints }) => {
    mkdirSync(folder, { recursive: true });
    const file = new URL(`${name.replace(/\W+/g, '-').toLowerCase()}.ts`, folder);
    writeFileSync(
      file,
      `${code.replaceAll(/from '(flamestack[^']*)'/g, (_, entry: string) => `from '../../../${entries[entry]}'`)}\nexport {};\n`,
    );
    const printed: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed.push(
        values
          .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
          .join(' '),
      );
    });
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await import(file.href);
    } finally {
      write.mockRestore();
      log.mockRestore();
    }
    expect(printed).toEqual(prints);
  },
);
