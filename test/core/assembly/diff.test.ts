import { expect, test } from 'vitest';
import type { Assembly, OutMessage } from '../../../src/core/assembly/assembly.ts';
import { difference } from '../../../src/core/assembly/diff.ts';

const assembly = (total: number, ...messages: readonly object[]): Assembly =>
  ({ messages: messages as readonly OutMessage[], budget: { total } }) as unknown as Assembly;

const said = (entry: string, content: string, tokens: number): object => ({
  role: 'user',
  content,
  kind: 'entry',
  section: 'working',
  tokens,
  entry,
});
const short = (entry: string, tokens: number): object => ({
  ...said(entry, '[…]', tokens),
  kind: 'shortened',
});
const answered = (content: string): object => ({ ...said('e1', content, 5), role: 'assistant' });
const made = (section: string, content: string, more: object = {}): object => ({
  role: 'user',
  content,
  kind: 'made',
  section,
  tokens: 7,
  ...more,
});

test('what changed is told by section, by entry, oldest first, and by what is named', () => {
  const before = assembly(
    90,
    { role: 'system', content: 'See docs/rules.md', kind: 'made', section: 'system', tokens: 5 },
    said('e10', 'Look into src/pool.ts', 20),
    said('e2', 'and src/lamp.ts', 30),
    said('e3', 'the same', 4),
    said('e4', 'short soon', 40),
    made('goal', 'Ship it'),
  );
  const after = assembly(
    70,
    { role: 'system', content: 'See docs/rules.md', kind: 'made', section: 'system', tokens: 5 },
    made('human', 'and more', { entries: ['e2'] }),
    said('e3', 'the same', 4),
    short('e4', 6),
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'read', arguments: { path: 'src/pool.ts' } }],
      kind: 'entry',
      section: 'working',
      tokens: 9,
      entry: 'e11',
    },
    said('e12', 'src/new.ts', 3),
  );
  expect(difference(before, after)).toEqual({
    tokens: [90, 70],
    sections: [
      { section: 'system', before: 5, after: 5 },
      { section: 'human', before: 0, after: 7 },
      { section: 'goal', before: 7, after: 0 },
      { section: 'working', before: 94, after: 22 },
    ],
    entries: [
      { entry: 'e4', before: 'entry', after: 'shortened', tokens: [40, 6] },
      { entry: 'e10', before: 'entry', after: null, tokens: [20, 0] },
      { entry: 'e11', before: null, after: 'entry', tokens: [0, 9] },
      { entry: 'e12', before: null, after: 'entry', tokens: [0, 3] },
    ],
    facts: {
      kept: [
        { name: 'docs/rules.md', kind: 'path' },
        { name: 'src/pool.ts', kind: 'path' },
      ],
      lost: [{ name: 'src/lamp.ts', kind: 'path' }],
      gained: [{ name: 'src/new.ts', kind: 'path' }],
    },
  });
});

test.each([
  [said('e1', 'a', 5), said('e1', 'a', 5), 0],
  [said('e1', 'a', 5), said('e1', 'a', 6), 1],
  [said('e1', 'a', 5), short('e1', 5), 1],
  [said('e1', 'a', 5), made('human', 'a', { entries: ['e1'] }), 0],
  [made('human', 'a', { entries: ['e1'] }), said('e1', 'a', 5), 0],
  [made('human', 'a', { entries: ['e1'] }), short('e1', 5), 1],
  [made('human', 'a', { entries: ['e1'] }), made('goal', 'a'), 1],
])('%j, then %j', (before, after, changes) => {
  expect(difference(assembly(5, before), assembly(5, after)).entries).toHaveLength(changes);
});

test('a decision is the same with its marker and without, also over a line break', () => {
  const decision = 'We decided to keep the store in one file.';
  const facts = (before: string, after: string) =>
    difference(assembly(5, answered(before)), assembly(5, answered(after))).facts;
  expect(facts(decision, `[DECISION] ${decision}`).lost).toEqual([]);
  expect(facts(`[DECISION] ${decision}`, decision).lost).toEqual([]);
  expect(facts(decision, 'We decided to keep the store\nin one file.').lost).toEqual([]);
  expect(facts(decision, 'Nothing of it.').lost).toEqual([{ name: decision, kind: 'decision' }]);
  expect(facts('', decision)).toEqual({
    kept: [],
    lost: [],
    gained: [{ name: decision, kind: 'decision' }],
  });
});

test('a name that a cut tore counts on neither side', () => {
  const cut = 'a.ts and src/auth/has\n[… 40 tokens left out, e1 …]\nPassword(plain), b.ts';
  const names = ({ facts: { kept, lost, gained } }: ReturnType<typeof difference>) =>
    [kept, lost, gained].map((facts) => facts.map(({ name }) => name));
  const whole = assembly(1, said('e1', 'a.ts and src/auth/hash.ts, hashPassword(plain), b.ts', 30));
  const shorter = assembly(1, { ...said('e1', cut, 20), kind: 'shortened' });
  expect(names(difference(whole, shorter))).toEqual([
    ['a.ts', 'b.ts'],
    ['auth/hash.ts', 'hashPassword'],
    [],
  ]);
  const line = assembly(1, made('chronicle', '- e1 read a.ts, b.ts and src/auth/has…'));
  expect(names(difference(shorter, line))).toEqual([['a.ts', 'b.ts'], [], []]);
});
