import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prose } from '../../src/testing/made-text.ts';
import { openStore } from '../../src/index.ts';
import { harness, missingTexts, whyUnfit } from '../../src/testing/index.ts';
import { message, refusals, session } from '../../src/testing/fast-check/index.ts';
import { matchers } from '../../src/testing/vitest/index.ts';

expect.extend(matchers);

test('a prompt fits, or it is told by how much not', async () => {
  await using store = await openStore(':memory:');
  const open = await store.open('s', { window: 2_000 });
  await open.append({ role: 'user', content: 'Port 8123 stays.' });
  await expect(open).toFit();
  await expect(await open.assemble()).toFit(100);
  await expect(open).not.toFit(5);
  await expect(expect(open).toFit(5)).rejects.toThrow(/has 10 tokens of 5: working 10/);
  const assembly = await open.assemble();
  const lie = { ...assembly, budget: { ...assembly.budget, total: 1 } };
  expect(whyUnfit(lie)).toEqual(['its messages have 10 tokens, and it says 1']);
});

test('a prompt keeps texts, or they are named', async () => {
  await using it = await harness({ session: { window: 2_000 } });
  await it.run(
    { user: 'Port 8123 stays.' },
    { assistant: { text: 'I look.', calls: ['read_file'] } },
  );
  await expect(it).toKeep('Port 8123', 'read_file');
  await expect(it).not.toKeep('8132');
  await expect(expect(it).toKeep('Port', '8132')).rejects.toThrow(/"8132" is not in it/);
  expect(missingTexts(await it.session.assemble(), ['Port', 'x'])).toEqual(['x']);
});

test('broken laws are named', async () => {
  await using it = await harness({ session: { window: 2_000 } });
  await it.run({ user: 'Hello' });
  await expect(it).toHoldLaws();
  const liar = { ...it, laws: async () => [{ law: 'fit', what: 'too much' } as const] };
  await expect(expect(liar).toHoldLaws()).rejects.toThrow(/fit: too much/);
});

test('a matcher says what it takes', async () => {
  await using it = await harness({ session: { window: 2_000 } });
  for (const texts of [[], [''], ['Port', ''], [8123 as never]]) {
    await expect(expect(it).toKeep(...texts)).rejects.toThrow('toKeep() takes the texts');
    await expect(expect(it).not.toKeep(...texts)).rejects.toThrow('toKeep() takes the texts');
  }
  await expect(expect(it.session).toHoldLaws()).rejects.toThrow('toHoldLaws() takes a harness');
  for (const given of [5, null, undefined, {}, []])
    await expect(expect(given).toFit()).rejects.toThrow(
      'toFit() takes an assembly, a session or a harness, and not ',
    );
});

test('the laws hold of arbitrary sessions in a harness', async () => {
  await fc.assert(
    fc.asyncProperty(session(12), async (made) => {
      await using it = await harness({ session: made.session });
      for (const command of made.commands) {
        const code = await it.do(command);
        if (code !== null) expect(refusals).toContain(code);
      }
      await expect(it).toFit();
      await expect(it).toHoldLaws();
    }),
    { numRuns: 8, interruptAfterTimeLimit: 30_000 },
  );
});

test('an arbitrary message is taken by a session', async () => {
  await using store = await openStore(':memory:');
  const open = await store.open('s', { window: 8_000 });
  await fc.assert(
    fc.asyncProperty(message, async (one) => {
      const { id } = await open.append(one);
      const { id: _, frame: __, at: ___, tokens: ____, ...entry } = await open.entry(id);
      expect(JSON.stringify(entry)).toBe(JSON.stringify(one));
    }),
    { numRuns: 50 },
  );
});

test('a compression that was asked for some steps before the laws are looked at breaks none', async () => {
  await using it = await harness({ session: { window: 2_000, reserve: 0 } });
  const say = (content: string): Promise<unknown> =>
    it.do({ type: 'append', messages: [{ role: 'assistant', content }] });
  for (let n = 0; it.session.state.compressions === 0; n += 1) await say(prose(150, n));
  await it.do({ type: 'compress' });
  expect(it.session.state.compressions).toBe(2);
  await say('Go on.');
  await expect(it).toHoldLaws();
});
