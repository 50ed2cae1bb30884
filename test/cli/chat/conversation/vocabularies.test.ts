import { expect, test } from 'vitest';
import type { OllamaAsked } from '../../../../src/testing/index.ts';
import type { OllamaServerOptions } from '../../../../src/testing/ollama-server.ts';
import { tokenizerNamed } from '../../../../tools/truncation/tokenizers/tokenizer.ts';
import { stage } from '../../chat-stage.ts';

// Somebody talks to a server that counts otherwise than we do: nothing is asked of them
// between two messages, and each message reaches the server, once and in order.

const turns = Number(process.env['CHAT_TURNS'] ?? 12);

const said = (n: number): string =>
  `Message ${n}: ${['y', 'no', 'look at src/parser.ts, line 40', 'and the next one?'][n % 4]}`;

const isSummary = ({ messages }: OllamaAsked): boolean =>
  messages[0]?.content?.startsWith('You write summaries') === true;

const countedBy = (name: string): OllamaServerOptions => ({ count: tokenizerNamed(name).count });

test.each<[string, OllamaServerOptions]>([
  ['counts with cl100k_base', countedBy('cl100k_base')],
  ['counts bytes / 4', countedBy('bytes / 4')],
  ['counts only new tokens', { ...countedBy('o200k_base'), counts: 'uncached' }],
])(
  'a server that %s interrupts nobody',
  async (_, options) => {
    const newest: string[] = [];
    const { sit, server } = await stage({
      ...options,
      models: { tiny: { contextLength: 131_072 } },
      reply(asked) {
        if (isSummary(asked)) return { content: 'Findings:\n- The parser takes tokens' };
        newest.push(asked.messages.at(-1)?.content ?? '');
        const n = newest.length;
        return { content: `Answer ${n}. ${`const x${n} = 0x${n}f3a9; `.repeat(10 * (n % 5))}` };
      },
    });
    const { type, until, exit, out } = sit('--window 4k');
    await until('tokens left');
    for (let n = 1; n <= turns; n += 1) {
      type(`${said(n)}\r`);
      await until(`Answer ${n}.`);
      await until('tokens left');
    }
    type('\x04');
    expect(await exit).toBe(0);
    expect(newest).toEqual(Array.from({ length: turns }, (__, n) => said(n + 1)));
    expect(out()).not.toContain('I may have lost some context');
    expect(server.log.filter(({ dropped, middle }) => dropped.length + middle > 0)).toEqual([]);
  },
  30_000 + 4_000 * turns,
);
