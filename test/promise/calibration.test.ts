import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { openStore, type Message } from '../../src/index.ts';
import { lines, prose } from '../../src/testing/made-text.ts';

// A server that counts otherwise than we do: so many tokens for one of ours, and a
// template around each message and each prompt. It refuses what exceeds its window.

const cjk = (tokens: number): string =>
  '会話の記録を要約して、次の作業に進みます。'.repeat(tokens / 14 + 1);

const text = fc.oneof(
  fc.integer({ min: 1, max: 700 }).map((tokens) => prose(tokens)),
  fc.integer({ min: 1, max: 700 }).map((tokens) => lines(tokens)),
  fc.integer({ min: 1, max: 400 }).map(cjk),
);

/** What comes between two answers of the model. */
const turn = fc.oneof(
  text.map((content): Message[] => [{ role: 'user', content }]),
  text.map((content): Message[] => [{ role: 'tool', toolCallId: 'call', name: 'read', content }]),
);

const server = fc.record({
  factor: fc.double({ min: 0.5, max: 2.5, noNaN: true }),
  perMessage: fc.integer({ min: 0, max: 8 }),
  template: fc.integer({ min: 0, max: 60 }),
});

const sessions = {
  window: fc.constantFrom(4_000, 8_192, 16_384),
  /** What was said before the model was named. */
  past: fc.array(text, { maxLength: 40, size: 'max' }),
  turns: fc.array(turn, { minLength: 20, maxLength: 60, size: 'max' }),
};

test('no request exceeds the window of a model that counts 0.5 to 2.5 times as we do, from the first one on', async () => {
  await fc.assert(
    fc.asyncProperty(server, fc.record(sessions), async (server, { window, past, turns }) => {
      await using store = await openStore(':memory:');
      const session = await store.open('s', { window, system: prose(60) });
      for (const content of past)
        await session.append([
          { role: 'user', content: 'Go on.' },
          { role: 'assistant', content },
        ]);
      await session.configure({ model: 'stranger' });
      await session.append({ role: 'user', content: 'Begin.' });
      for (const messages of turns) {
        await session.append(messages);
        const { id, budget, messages: sent } = await session.assemble();
        const counted = Math.round(
          server.factor * budget.total + server.perMessage * sent.length + server.template,
        );
        expect(counted).toBeLessThanOrEqual(window);
        const content = prose(20);
        const toolCalls = [{ id: 'call', name: 'read', arguments: { path: 'src/a.ts' } }];
        await session.append(
          { role: 'assistant', content, toolCalls },
          { assembly: id, usage: { inputTokens: counted } },
        );
      }
      const { budget } = session.state;
      expect(budget.window).toBe(window);
      expect(budget.count).toBe('measured');
      const usable = (window - budget.reserve) / server.factor;
      expect(budget.limit).toBeLessThanOrEqual(usable * 1.02 + 10);
      expect(budget.limit).toBeGreaterThan(usable * 0.7);
    }),
    { numRuns: draws(40), interruptAfterTimeLimit: 60_000 },
  );
});

test('a server that counts whatever it is sent the same makes no prompt seem as large as another', async () => {
  const given = {
    said: fc.array(fc.integer({ min: 300, max: 2_000 }), { minLength: 8, maxLength: 14 }),
  };
  const counts = fc.constantFrom(300, 2_048, 3_000, 4_096, 6_000, 10_000);
  await fc.assert(
    fc.asyncProperty(counts, fc.record(given), async (inputTokens, { said }) => {
      await using store = await openStore(':memory:');
      const session = await store.open('s', { window: 16_000, model: 'constant' });
      for (const tokens of said) {
        await session.append({ role: 'user', content: lines(tokens) });
        const { id: assembly } = await session.assemble();
        const answer: Message = { role: 'assistant', content: 'ok' };
        await session.append(answer, { assembly, usage: { inputTokens } });
      }
      const { total, counted } = session.state.budget;
      expect(counted / total).toBeGreaterThan(0.9);
      expect(counted / total).toBeLessThan(1.1);
    }),
    {
      numRuns: draws(25),
      // The first: growth that a count of the first, small prompt makes look as if it alone were counted.
      examples: [
        [3_000, { said: [434, 966, 966, 966, 966, 476, 994, 994, 1_470, 462, 300] }],
        // A new epoch makes the second prompt that is counted as long as the first.
        [10_000, { said: [300, 300, 1_554, 1_540, 1_414, 300, 300, 300, 300, 300, 300] }],
      ],
    },
  );
});
