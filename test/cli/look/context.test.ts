import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promptOf } from '../../../src/cli/view/prompt-answer.ts';
import { storedSteps } from '../../../src/cli/view/session-steps.ts';
import { openStore } from '../../../src/index.ts';
import type { Step } from '../../../src/viewer/page/session/model/wire.ts';
import { flamestack, folder } from '../call.ts';

/** A store with a session that a server counts, a fifth more than we do. */
async function countedStore(): Promise<string> {
  const store = join(await folder(), 'store');
  await using opened = await openStore(store);
  await using session = await opened.open('a', {
    window: 8_192,
    model: 'm',
    system: 'Be careful.',
  });
  for (const words of [100, 200, 300]) {
    await session.append({ role: 'user', content: 'word '.repeat(words) });
    const { id: assembly, budget } = await session.assemble();
    const usage = { inputTokens: Math.round(budget.total * 1.2) + 90 };
    await session.append({ role: 'assistant', content: 'Done.' }, { assembly, usage });
  }
  return store;
}

const number = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

test('the size of the prompt, its limit and its parts are the same wherever they are told', async () => {
  const store = await countedStore();
  const of = async (line: string) => (await flamestack(`${line} --store ${store}`)).out;
  const [, total, limit] = /Context ([\d,]+)\/([\d,]+)/.exec(await of('show --line'))!.map(number);
  expect(limit).toBe(8_192 - 1_228);
  const whole = await of('show');
  expect(number(/Context ([\d,]+) of/.exec(whole)?.[1])).toBe(total);
  const heads = [...whole.matchAll(/^── (system|human|working) .*? ([\d,]+) tokens ──$/gm)];
  expect(heads.length).toBeGreaterThan(1);
  for (const [, name, tokens] of heads)
    expect(number(new RegExp(`^  ${name} +([\\d,]+) `, 'm').exec(whole)?.[1])).toBe(number(tokens));
  const alone = await of('show --section working');
  expect(alone).toContain(`${heads.find(([, name]) => name === 'working')![2]} tokens`);
  const { sessions } = JSON.parse(await of('ls --json')) as { sessions: { context: number }[] };
  expect(sessions[0]!.context).toBe(total);
  await using opened = await openStore(store, { readOnly: true });
  await using session = await opened.open('a');
  const steps: Step[] = [];
  for await (const one of storedSteps(opened, session, new AbortController().signal))
    if ('news' in one) steps.push(one);
  const { sizes, limit: most } = steps.at(-1)!;
  expect([sizes.reduce((sum, size) => sum + size, 0), most]).toEqual([total, limit]);
  const counts = steps.flatMap(({ news }) => news.filter((one) => one.type === 'counted'));
  expect(counts.at(-1)!.ours).toBe(counts.at(-1)!.counted);
  const { seq } = session.state;
  const { messages } = await promptOf(seq, await session.at({ seq }));
  const system = messages.find(({ section }) => section === 'system')!;
  expect(system.tokens).toBe(number(heads.find(([, name]) => name === 'system')![2]));
});

test('show as JSON has the context as its line has it, in the tokens of the server', async () => {
  const store = await countedStore();
  const of = async (line: string) =>
    JSON.parse((await flamestack(`show ${line} --json --store ${store}`)).out) as object;
  const { schema: _, id: __, ...line } = (await of('--line')) as Record<string, unknown>;
  expect(line).toMatchObject({ count: 'measured', limit: 8_192 - 1_228 });
  const { context, assembly, state } = (await of('')) as Record<string, unknown>;
  expect(context).toEqual(line);
  const counted = { budget: { counted: line['tokens'] } };
  expect([assembly, state]).toMatchObject([counted, counted]);
});
