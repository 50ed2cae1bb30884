import { join } from 'node:path';
import { rolldown, type OutputChunk } from 'rolldown';
import { expect, test } from 'vitest';

// What spells messages runs wherever JavaScript does: in a browser, in a worker, in Deno.

const root = join(import.meta.dirname, '..');

async function bundled(source: string): Promise<readonly OutputChunk[]> {
  const whole = await rolldown({
    input: join(root, source),
    platform: 'browser',
    logLevel: 'silent',
    onLog: (_, log) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await whole.generate({ minify: true });
  await whole.close();
  return output.filter((one) => one.type === 'chunk');
}

// Most characters of each; that of the AI SDK holds its adapter, too.
test.each([
  ['src/ai-sdk.ts', 20_000],
  ['src/anthropic.ts', 16_000],
  ['src/ollama.ts', 10_000],
  ['src/openai.ts', 19_000],
] as const)(
  '%s is bundled for a browser whole, small, and without anything of Node',
  async (source, most) => {
    const chunks = await bundled(source);
    expect(
      chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
    ).toEqual([]);
    const code = chunks.map((chunk) => chunk.code).join('');
    expect(code).not.toMatch(/node:|require\(|\bBuffer\b|\bprocess\b/);
    expect(code.length).toBeLessThan(most);
  },
);

test('what needs Node is seen', async () => {
  const chunks = await bundled('src/index.ts').catch((error: unknown) => String(error));
  expect(typeof chunks === 'string' || chunks.some(({ imports }) => imports.length > 0)).toBe(true);
});
