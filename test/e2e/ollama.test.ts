import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { fromOllama, toOllama, usageOf } from '../../src/ollama.ts';
import { startOllamaServer } from '../../src/testing/ollama-server.ts';
import { newLocation } from '../store/folder.ts';
import { live, tools } from './agent.ts';
import { said } from './provider.ts';

const overflow = 'the request exceeds the available context size (9012 tokens > 8000)';

test.each(['native', 'rendered'] as const)(
  'a life over Ollama, whose template is %s, is refused nowhere and cut nowhere',
  async (mode) => {
    let refusal: string | null = null;
    const capabilities = ['completion', 'tools', 'thinking', 'vision'] as const;
    await using server = await startOllamaServer({
      models: { scripted: { mode, capabilities: [...capabilities], contextLength: 8_000 } },
      reply: ({ messages, n }) => {
        const error = refusal;
        refusal = null;
        if (error !== null) return { error, status: 400 };
        if (messages.at(-1)?.role === 'tool') return { content: said(n) };
        const call = (at: number) => ({
          id: `call_${n}_${at}`,
          name: 'read',
          arguments: { path: `${n}.${at}` },
        });
        return { thinking: `Thought ${n}.`, toolCalls: [call(0), call(1)] };
      },
    });
    const client = new Ollama({ host: server.url });
    const model = 'scripted';
    let wanted = 0;
    const { compressions } = await live(await newLocation(), {
      provider: {
        refused: [],
        overflow(message) {
          refusal = message;
          wanted += 1;
        },
      },
      model,
      overflow,
      async ask(assembly) {
        const given = await client.chat({ model, think: true, ...toOllama(assembly, { tools }) });
        return { messages: [fromOllama(given)], usage: usageOf(given) };
      },
    });
    expect(compressions).toBeGreaterThan(1);
    expect(server.log.filter(({ status }) => status !== 200)).toHaveLength(wanted);
    for (const { dropped, middle } of server.log) expect([dropped, middle]).toEqual([[], 0]);
    expect(server.log.some(({ body }) => body.messages?.some(({ images }) => images))).toBe(true);
  },
);
