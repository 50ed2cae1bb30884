import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';

// Beside a large system prompt the sections take less, and so what is newest keeps its room.

const words = (count: number, seed: number): string =>
  Array.from({ length: count }, (_, n) => `word${(n * 7_919 + seed) % 997}`).join(' ');

/** The parts of a window of 8,000 tokens after every append of eighty steps, and what the newest result took of what it has. */
async function play(system: string): Promise<readonly { newest: number; chronicle: number }[]> {
  const store = await openStore(':memory:');
  const s = await store.open('s', { window: 8_000, reserve: 0, system });
  const seen: { newest: number; chronicle: number }[] = [];
  await s.append({ role: 'user', content: 'Find out why the lease of the store is lost.' });
  for (let n = 0; n < 80; n += 1) {
    const args = { command: `node scripts/lease-${n}.mjs` };
    const content = [
      `Lease ${n} was lost because clock ${n} of ${words(9, n)} was ${n} seconds late.`,
      `I decided to raise \`leaseTime${n}\` in src/lease-${n}.ts rather than ${words(7, 3 * n)}.`,
      `The root cause is ${words(12, 5 * n)}.`,
    ].join('\n\n');
    const toolCalls = [{ id: `c${n}`, name: 'run', arguments: args }];
    await s.append({ role: 'assistant', content, toolCalls });
    await s.append({ role: 'tool', toolCallId: `c${n}`, content: words(250 + (n % 5) * 100, n) });
    const { messages, budget } = await s.assemble();
    seen.push({ newest: messages.at(-1)!.tokens, chronicle: budget.chronicle });
  }
  return seen;
}

test('the newest result keeps a fifth of what a large system prompt leaves', async () => {
  const seen = await play(words(2_300, 1));
  expect(Math.max(...seen.map(({ chronicle }) => chronicle))).toBeGreaterThan(600);
  expect(Math.min(...seen.map(({ newest }) => newest))).toBeGreaterThan(450);
});

test('without one the sections take what they may', async () => {
  const seen = await play('Be careful.');
  expect(Math.max(...seen.map(({ chronicle }) => chronicle))).toBeGreaterThan(1_500);
});
