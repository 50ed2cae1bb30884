import { expect, test } from 'vitest';
import { openStore, type Message, type Session, type SessionFact } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

// Rules that a host reaches with what it knows itself: how many messages it has, and
// which window its server has.

type Found = Extract<SessionFact, { type: 'truncation.suspected' }>;

async function session(): Promise<readonly [Session, Found[]]> {
  const store = await openStore(':memory:');
  const s = await store.open('s', { window: 16_000, recovery: 'auto', model: 'm' });
  const found: Found[] = [];
  s.on('truncation.suspected', (fact) => void found.push(fact));
  return [s, found];
}

async function talk(s: Session, turns: number, words: number): Promise<void> {
  for (let n = 0; n < turns; n += 1) {
    await s.append({ role: 'user', content: prose(words, n) });
    const { id, budget } = await s.assemble();
    const usage = { inputTokens: budget.total };
    await s.append({ role: 'assistant', content: prose(words, n + 50) }, { assembly: id, usage });
  }
}

test('fewer messages than a host had before are suspected', async () => {
  const [s, found] = await session();
  await talk(s, 3, 40);
  expect(await s.report({ messages: 6 })).toEqual({ truncation: 'none', lost: [] });
  expect(await s.report({ messages: 7 })).toMatchObject({ truncation: 'none' });
  expect(await s.report({ messages: 4 })).toMatchObject({ truncation: 'suspected' });
  expect(found.map(({ rule, numbers }) => [rule, numbers])).toEqual([
    ['messages.fell', { now: 4, before: 7 }],
  ]);
  expect(await s.report({ messages: 4 })).toMatchObject({ truncation: 'none' });
});

test('fewer messages than the list that was compared are suspected', async () => {
  const [s, found] = await session();
  const list = [0, 1, 2].map((n) => ({ role: 'user', content: prose(9, n) }) as const);
  await s.sync(list);
  expect(await s.report({ messages: 3 })).toMatchObject({ truncation: 'none' });
  expect(await s.report({ messages: 2 })).toMatchObject({ truncation: 'suspected' });
  expect(found.map(({ rule }) => rule)).toEqual(['messages.fell']);
});

test('a prompt longer than the window that a server admits was cut for certain', async () => {
  const [s, found] = await session();
  await talk(s, 8, 300);
  await s.append({ role: 'user', content: prose(300, 99) });
  const { id, budget } = await s.assemble();
  expect(budget.total).toBeGreaterThan(5_000);
  const { truncation, lost } = await s.report({ assembly: id, window: 4_096 });
  expect(truncation).toBe('certain');
  expect(found.map(({ rule }) => rule)).toEqual(['window.exceeded']);
  expect(found[0]!.numbers).toMatchObject({ window: 4_096 });
  expect(lost).toContain('e1');
  expect(lost).not.toContain('e17');
  const next = await s.assemble();
  expect(next.budget.window).toBe(4_096);
  expect(next.budget.total).toBeLessThanOrEqual(next.budget.limit);
});

test('a prompt that fits the window that a server admits was not cut', async () => {
  const [s, found] = await session();
  await talk(s, 2, 60);
  expect(await s.report({ window: 4_096 })).toEqual({ truncation: 'none', lost: [] });
  expect(found).toEqual([]);
});

test('a host that compacts its list by itself can say so: no alarm, and the next prompt says where the work stood', async () => {
  const { s, list, alarms } = await hosted();
  const tail = list.slice(-2);
  const summary: Message = { role: 'user', content: 'Summary: the parser was read.' };
  const synced = await s.sync([summary, ...tail], { compacted: true });
  expect(synced).toMatchObject({ relation: 'cut', lost: expect.arrayContaining(['e1']) });
  expect([alarms, s.state.recovery, s.state.phase]).toEqual([[], null, 'open']);
  const { messages } = await s.assemble();
  expect(JSON.stringify(messages)).toContain('Recovered context: We were working on');
  expect((await s.sync([summary, ...tail])).relation).toBe('same');
  expect(alarms).toEqual([]);
});

test('a host that reports fewer messages can say that it compacted them', async () => {
  const { s, list, alarms } = await hosted();
  const { truncation } = await s.report({ messages: 2, compacted: true });
  expect([truncation, alarms, s.state.recovery]).toEqual(['none', [], null]);
  expect(JSON.stringify((await s.assemble()).messages)).toContain('Recovered context');
  expect(await s.report({ messages: 2 })).toMatchObject({ truncation: 'none' });
  expect(await s.report({ messages: 1 })).toMatchObject({ truncation: 'suspected' });
  expect(list).toHaveLength(6);
});

/** A session that asks before it recovers, and the list of its host. */
async function hosted(): Promise<{ s: Session; list: readonly Message[]; alarms: string[] }> {
  const store = await openStore(':memory:');
  const s = await store.open('s', { window: 16_000, recovery: 'confirm' });
  const alarms: string[] = [];
  s.on('truncation.suspected', ({ rule }) => void alarms.push(rule));
  s.on('recovery.announced', ({ type }) => void alarms.push(type));
  const list = [0, 1, 2].flatMap((n): readonly Message[] => [
    { role: 'user', content: `Read part ${n} of the parser.` },
    { role: 'assistant', content: prose(40, n) },
  ]);
  await s.sync(list);
  return { s, list, alarms };
}
