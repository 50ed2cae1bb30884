import { expect, test } from 'vitest';
import { toReferring } from '../../src/core/breadcrumbs/reference.ts';
import { openStore, type Message, type Session } from '../../src/index.ts';

// Wherever something was left out stands an id that leads back to it.

/** What is said where something is left out, by its kind. */
const kinds: Readonly<Record<string, RegExp>> = {
  cleared: /\[cleared: [^\]]*\]/g,
  shortened: /\[… [^\]]*\]/g,
  checkpoint: /<checkpoint [^>]*>/g,
  child: /<child [^>]*>/g,
  partial: /<partial-results [^>]*>/g,
  more: /<more [^>]*>/g,
  between: /<!-- [^>]*-->/g,
  branch: /<left [^>]*>/g,
  late: /\[late result[^\]]*\]/g,
};

/** Expects each marker of the assembly to lead somewhere; gives the kinds that are in it. */
async function checkedKinds(session: Session): Promise<readonly string[]> {
  const { messages } = await session.assemble();
  const text = messages.map((message) => JSON.stringify(message).replaceAll('\\"', '"')).join('\n');
  const seen: string[] = [];
  for (const [kind, pattern] of Object.entries(kinds))
    for (const [marker] of text.matchAll(pattern)) {
      expect(toReferring(marker).references, marker).not.toEqual([]);
      expect(await session.expand(marker), marker).not.toEqual([]);
      seen.push(kind);
    }
  return seen;
}

const user = (content: string): Message => ({ role: 'user', content });

/** One step of work: a call and its result. */
const step = (n: number, words = 120): readonly Message[] => [
  {
    role: 'assistant',
    content: `Step ${n}.`,
    toolCalls: [{ id: `t${n}`, name: 'read', arguments: { path: `src/part${n}.ts` } }],
  },
  { role: 'tool', toolCallId: `t${n}`, name: 'read', content: `part ${n} says `.repeat(words) },
];

test('every marker of a crowded window leads back to what it stands for', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('crowded', { window: 4_000 });
  const seen = new Set<string>();
  const check = async (): Promise<void> => {
    for (const kind of await checkedKinds(session)) seen.add(kind);
  };
  await session.append([user('Begin.'), ...step(0, 3_000)]);
  await session.append(user('The left way.'));
  await check();
  await session.push({ title: 'Left way', criteria: 'tried' });
  await session.append(step(1));
  await session.undo();
  for (let n = 2; n < 60; n += 1) {
    await session.push({ title: `Part ${n}`, criteria: 'It works in every case that was named' });
    await session.append(step(n, 20));
    const results = `Part ${n} works. ${'It does. '.repeat(40)}`;
    await session.pop({ status: 'completed', results });
  }
  for (let n = 60; n < 90; n += 1) await session.append(step(n, 40));
  await session.settled();
  await check();
  await session.push({ title: 'Inner', criteria: 'Done' });
  const [call, result] = step(90);
  await session.append([call!, ...step(91, 20), result!]);
  await check();
  for (let n = 0; n < 20; n += 1)
    await session.push({ title: `Deep ${n}`, criteria: 'so '.repeat(60) });
  await check();
  expect([...seen].sort()).toEqual(Object.keys(kinds).sort());
});
