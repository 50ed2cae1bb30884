import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newLocation } from '../../store/folder.ts';
import { openStore, type Message, type Session } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { draws } from '../../draws.ts';

const talk = (turns: number, size = 40): Message[] =>
  Array.from({ length: turns }, (_, n): Message[] => [
    { role: 'user', content: `Step ${n}: ${prose(size, n)}` },
    { role: 'assistant', content: `Done ${n}. ${prose(size, n + 500)}` },
  ]).flat();

async function session(options: object = {}): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window: 8_000, ...options });
}

async function contents(s: Session): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { role, content } of s.log()) found.push({ role, content });
  return found;
}

const next: Message = { role: 'user', content: 'And now something else.' };

test('a first list is taken in whole, without its system prompt', async () => {
  const s = await session();
  const system = { role: 'system', content: 'Be careful.' } as unknown as Message;
  const synced = await s.sync([system, ...talk(2)]);
  expect(synced).toEqual({ relation: 'append', appended: ['e1', 'e2', 'e3', 'e4'], lost: [] });
  expect(await s.sync([system, ...talk(2)])).toEqual({ relation: 'same', appended: [], lost: [] });
});

test('what was appended here and stands in the list is not appended again', async () => {
  const s = await session();
  await s.append(talk(2));
  expect(await s.sync([...talk(2), next])).toMatchObject({ relation: 'append', appended: ['e5'] });
  await s.append(talk(3).slice(4));
  const list = [...talk(2), next, ...talk(3).slice(4)];
  expect(await s.sync(list)).toMatchObject({ relation: 'same', appended: [] });
  expect(await contents(s)).toEqual(list);
});

test('a loss is named once, and the next assembly tells where the work stood', async () => {
  const s = await session();
  await s.goal.set({ description: 'Move the tokens', next: ['Write the migration'] });
  await s.sync(talk(6));
  const { epoch } = s.state;
  const told: unknown[] = [];
  s.on('truncation.suspected', ({ rule, truncation, numbers }) =>
    told.push({ rule, truncation, numbers }),
  );
  const cut = await s.sync([...talk(6).slice(4), next]);
  expect(cut).toEqual({ relation: 'cut', appended: ['e13'], lost: ['e1', 'e2', 'e3', 'e4'] });
  expect(told).toEqual([
    { rule: 'history.changed', truncation: 'certain', numbers: { lost: 4, head: 4 } },
  ]);
  expect(s.state.epoch).toBeGreaterThan(epoch);
  const { messages, budget } = await s.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  const text = messages.map(({ content }) => JSON.stringify(content)).join('\n');
  expect(text).toContain('Recovered context: We were working on Move the tokens');
  expect(text).toContain('next step is Write the migration');
  expect(text).toContain(next.content);
  const again = [...talk(6).slice(4), next, { role: 'assistant', content: 'Yes.' }] as Message[];
  expect(await s.sync(again)).toEqual({ relation: 'append', appended: ['e14'], lost: [] });
  expect(told).toHaveLength(1);
});

test('a second loss names only what went since', async () => {
  const s = await session();
  await s.sync(talk(6));
  await s.sync(talk(6).slice(4));
  expect(await s.sync(talk(6).slice(6))).toEqual({
    relation: 'cut',
    appended: [],
    lost: ['e5', 'e6'],
  });
});

test('results cleared in place and a text shortened are told apart', async () => {
  const s = await session();
  const long = { role: 'tool', toolCallId: 'a', content: prose(200, 3) } as const;
  const other = { role: 'tool', toolCallId: 'b', content: prose(200, 4) } as const;
  const calls: Message = {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'a', name: 'read', arguments: {} },
      { id: 'b', name: 'read', arguments: {} },
    ],
  };
  const list: Message[] = [...talk(2), calls, long, other, ...talk(1, 30)];
  await s.sync(list);
  const numbers: unknown[] = [];
  s.on('truncation.suspected', (fact) => numbers.push(fact.numbers));
  const after = list.map((message) => {
    if (message === long) return { ...long, content: '[cleared]' };
    return message === other ? { ...other, content: other.content.slice(0, 200) } : message;
  });
  expect(await s.sync(after)).toEqual({ relation: 'cut', appended: [], lost: ['e6', 'e7'] });
  expect(numbers).toEqual([{ lost: 2, cleared: 1, shortened: 1 }]);
});

test('a prompt edited and sent again is a fork, and begins no recovery', async () => {
  const s = await session();
  await s.sync(talk(3));
  const facts: string[] = [];
  s.on('*', ({ type }) => facts.push(type));
  const synced = await s.sync([...talk(3).slice(0, 4), next]);
  expect(synced).toMatchObject({ relation: 'fork', appended: ['e7'], lost: [], forkedAt: 'e5' });
  expect(facts).not.toContain('truncation.suspected');
  expect(facts).toContain('history.compared');
});

test('whatever a host drops and adds, nothing is appended twice and a loss is told once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ drop: fc.nat(6), add: fc.nat(3), reopens: fc.boolean() }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (steps) => {
        await using store = await openStore(':memory:');
        let s = await store.open('s', { window: 8_000 });
        let list = talk(4);
        await s.sync(list);
        const all = [...list];
        let made = 0;
        for (const { drop, add, reopens } of steps) {
          const dropped = Math.min(drop, list.length - 1);
          const added = talk(20).slice(8 + made, 8 + made + add);
          made += add;
          list = [...list.slice(dropped), ...added];
          all.push(...added);
          const { lost, appended } = await s.sync(list);
          expect([lost.length, appended.length]).toEqual([dropped, add]);
          if (reopens) {
            await s.close();
            s = await store.open('s');
          }
          expect(await s.sync(list)).toMatchObject({ appended: [], lost: [] });
        }
        expect(await contents(s)).toEqual(all.map(({ role, content }) => ({ role, content })));
      },
    ),
    { numRuns: draws(200) },
  );
});

test('an edit of the page by hand, which no list has, is no loss, and outlives another branch', async () => {
  const documents = await newLocation();
  const store = await openStore(':memory:', { documents });
  const s = await store.open('s', { window: 8_000 });
  const told: string[] = [];
  s.on('*', ({ type }) => told.push(type));
  const call = async (name: string): Promise<void> => {
    const page = join(documents, 'NOW.md');
    const text = await readFile(page, 'utf8');
    const edited = text.replace('## Where', `- [ ] Call ${name}\n\n## Where`);
    await writeFile(page, name === 'Ben' ? edited.replace('[ ] Ring', '[x] Ring') : edited);
  };
  await s.goal.set({
    description: 'Call them all',
    milestones: [{ text: 'Ring Dan', status: 'pending' }],
  });
  await s.sync(talk(2));
  await s.writeDocument();
  await call('Ada');
  await s.writeDocument();
  expect((await s.entry('e5')).content).toContain('Call Ada');
  const list = [...talk(2), next];
  expect(await s.sync(list)).toEqual({ relation: 'append', appended: ['e6'], lost: [] });
  await call('Ben');
  await s.writeDocument();
  await s.settled();
  expect(await s.sync(list)).toEqual({ relation: 'same', appended: [], lost: [] });
  const answer: Message = { role: 'assistant', content: 'A first answer to it.' };
  expect(await s.sync([...list, answer])).toMatchObject({ relation: 'append', lost: [] });
  const other: Message = { role: 'user', content: 'No, rather something else entirely.' };
  expect(await s.sync([...talk(2), other])).toMatchObject({ relation: 'fork', lost: [] });
  const shown = JSON.stringify((await s.assemble()).messages);
  for (const said of ['Call Ada', 'Call Ben', 'rather something else'])
    expect(shown).toContain(said);
  expect(shown).not.toContain('A first answer');
  expect(s.state.goal?.milestones).toMatchObject([{ status: 'completed' }]);
  await call('Cyd');
  await s.writeDocument();
  expect(await s.sync([...list, answer])).toMatchObject({ relation: 'fork', lost: [] });
  const back = JSON.stringify((await s.assemble()).messages);
  for (const said of ['Call Ada', 'Call Ben', 'Call Cyd']) expect(back).toContain(said);
  expect(back).not.toContain('rather something else');
  expect(told.filter((type) => /truncation|recover/.test(type))).toEqual([]);
  await store.close();
});

test('the document of a recovery, which no list has, is no loss', async () => {
  const documents = await newLocation();
  const first = await openStore(':memory:', { documents });
  const lost = await first.open('s', { window: 8_000 });
  await lost.sync(talk(2));
  await lost.writeDocument();
  await first.close();
  const s = await session();
  await s.recover({ from: documents });
  expect(await s.sync(talk(2))).toEqual({
    relation: 'append',
    appended: ['e2', 'e3', 'e4', 'e5'],
    lost: [],
  });
  expect(await s.sync([...talk(2), next])).toMatchObject({ relation: 'append', lost: [] });
});
