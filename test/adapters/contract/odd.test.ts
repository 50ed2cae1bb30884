import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../draws.ts';
import { flamestack } from '../../../src/ai-sdk.ts';
import { hook } from '../../../src/cli/hosts/hook.ts';
import { openStore } from '../../../src/index.ts';
import { run } from '../../cli/call.ts';
import { newFolder } from '../../store/folder.ts';
import { scriptedModel } from '../ai-sdk/scripted-model.ts';

// What no host should say, and may.

const part = fc.oneof(
  fc.anything(),
  fc.record({
    type: fc.constantFrom('text', 'file', 'reasoning', 'tool-call', 'tool-result', 'image', 'new'),
    text: fc.anything(),
    toolCallId: fc.anything(),
    toolName: fc.anything(),
    input: fc.anything(),
    output: fc.anything(),
    data: fc.anything(),
  }),
);
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'developer', ''),
  content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }), fc.anything()),
});

test('AI SDK: whatever is in a prompt, an answer and its usage, the model is asked and its answer given', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('odd', { window: 8_000 });
  const { middleware } = flamestack(session, { onFault: () => {} });
  const odd = fc.record({
    prompt: fc.array(message),
    content: fc.array(part),
    usage: fc.anything(),
  });
  await fc.assert(
    fc.asyncProperty(odd, async ({ prompt, content, usage }) => {
      const { model } = scriptedModel('v3', []);
      const answer = { content, usage, finishReason: 'stop' };
      const asked = { ...(model as object), doGenerate: async () => answer };
      const params = { prompt, tools: [] };
      expect(await middleware.wrapGenerate({ model: asked, params })).toBe(answer);
    }),
    { numRuns: draws(60) },
  );
});

test.each(['claude-code', 'codex'])(
  '%s: whatever is in an event and a session file, its hook succeeds',
  async (host) => {
    const folder = await newFolder();
    const [store, transcript] = [join(folder, '.flamestack'), join(folder, 'session.jsonl')];
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      message.map((one) => safeJson({ type: one.role, message: one })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.json(), async (lines, event) => {
        await writeFile(transcript, lines.join('\n'));
        const taken = await run((words, io) => hook(words, io), `${host} ${transcript} ${store}`);
        const stdin = Readable.from([event]);
        const told = await run((words, io) => hook(words, io), host, { stdin });
        expect([taken.exit, told.exit, told.out]).toEqual([0, 0, '']);
      }),
      { numRuns: draws(25) },
    );
  },
);

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
  } catch {
    return '{';
  }
}
