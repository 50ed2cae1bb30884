import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyLedger,
  addToLedger,
  ranked,
  mentionsOf,
  type LedgerMention,
} from '../../../src/core/breadcrumbs/ledger.ts';
import type { Message } from '../../../src/core/messages/message.ts';

const entries = (...messages: readonly Message[]) =>
  messages.map((message, n) => ({ n: n + 10, message }));
const sighting = (name: string, over: Partial<LedgerMention> = {}): LedgerMention => ({
  name,
  kind: 'identifier',
  entry: 1,
  mentions: 1,
  weight: 1,
  changed: false,
  ...over,
});

test('names are ranked by role: changed, said by a person, in arguments, only in tool output', () => {
  const seen = mentionsOf(
    entries(
      { role: 'tool', content: 'onlyOutput' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ name: 'read', arguments: { query: 'inArguments' } }],
      },
      { role: 'user', content: 'personSaid' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { name: 'write', arguments: { path: '/home/me/app/src/changed.ts', content: 'x' } },
        ],
      },
    ),
  );
  expect(seen.map(({ name, entry, changed }) => [name, entry, changed])).toEqual([
    ['src/changed.ts', 13, '/home/me/app/src/changed.ts'],
    ['personSaid', 12, false],
    ['inArguments', 11, false],
    ['onlyOutput', 10, false],
  ]);
});

test('a file that was changed goes before one that was read later', () => {
  const call = (name: string, path: string): Message => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ name, arguments: { path } }],
  });
  const seen = mentionsOf(entries(call('edit', 'src/changed.ts'), call('read', 'src/read.ts')));
  expect(seen.map(({ name, changed }) => [name, changed])).toEqual([
    ['src/changed.ts', 'src/changed.ts'],
    ['src/read.ts', false],
  ]);
});

test('a sighting leads to the last entry that held the name and counts the entries', () => {
  const seen = mentionsOf(
    entries(
      { role: 'tool', content: 'fooBar fooBar' },
      { role: 'user', content: 'ok' },
      { role: 'tool', content: 'fooBar' },
    ),
  );
  expect(seen).toMatchObject([{ name: 'fooBar', entry: 12, mentions: 2 }]);
});

test('text that a machine put into the user role is output, and decisions are no names', () => {
  const [person] = mentionsOf(entries({ role: 'user', content: 'fooBar' }));
  const [machine] = mentionsOf(entries({ role: 'user', origin: 'machine', content: 'fooBar' }));
  expect(person?.weight).toBeGreaterThan(machine?.weight ?? 0);
  expect(
    mentionsOf(entries({ role: 'assistant', content: 'We decided to keep one store.' })),
  ).toEqual([]);
});

test('at most 768 mentions are made of a feed', () => {
  const content = Array.from({ length: 900 }, (_, n) => `name_${n}`).join(' ');
  expect(mentionsOf(entries({ role: 'tool', content }))).toHaveLength(768);
});

test('a name seen again adds up; one not seen fades', () => {
  const once = addToLedger(emptyLedger, [
    sighting('old', { weight: 3, changed: 'old' }),
    sighting('twice', { entry: 2 }),
  ]);
  const again = addToLedger(once, [
    sighting('twice', { entry: 9, weight: 2 }),
    sighting('new', { weight: 2.5 }),
  ]);
  expect(again.names.find(({ name }) => name === 'twice')).toEqual({
    name: 'twice',
    kind: 'identifier',
    entry: 9,
    mentions: 2,
    feeds: 2,
    score: 2.95,
    changed: false,
    at: 2,
  });
  expect([...ranked(again)].map(({ name }) => name)).toEqual(['twice', 'old', 'new']);
  const later = addToLedger(addToLedger(again, []), [sighting('new')]);
  expect([...ranked(later)].map(({ name }) => name)).toEqual(['new', 'twice', 'old']);
  expect(again.names.find(({ name }) => name === 'old')?.changed).toBe('old');
});

test('above 4,096 names the weakest are dropped', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => sighting(`n${n}`, { weight: n + 1 }));
  const ledger = addToLedger(emptyLedger, many);
  const kept = new Set(ledger.names.map(({ name }) => name));
  expect(kept.size).toBe(4_096);
  expect(kept.has('n4999')).toBe(true);
  expect(kept.has('n904')).toBe(true);
  expect(kept.has('n903')).toBe(false);
});

test('a ledger that was stored is fed like the one in memory, above 4,096 names too', () => {
  let ledger = emptyLedger;
  for (let feeds = 0; feeds < 12; feeds += 1) {
    const sightings = Array.from({ length: 700 }, (_, n) =>
      sighting(`n${(n * 7 + feeds * 611) % 6_001}`, { weight: 1 + (n % 13), entry: feeds }),
    );
    const stored = JSON.parse(JSON.stringify(ledger)) as typeof ledger;
    ledger = addToLedger(ledger, sightings);
    const other = addToLedger(stored, sightings);
    expect(other).toEqual(ledger);
    expect([...ranked(other)]).toEqual([...ranked(ledger)]);
  }
  expect(ledger.names).toHaveLength(4_096);
});

const feeds = fc.array(
  fc.array(
    fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom('path' as const, 'identifier' as const),
      entry: fc.nat(99),
      mentions: fc.integer({ min: 1, max: 9 }),
      weight: fc.integer({ min: 1, max: 9_000 }).map((n) => n / 1_000),
      changed: fc.constantFrom('a/b', 'c/d', false as const),
    }),
  ),
);

test('a feed changes nothing that went before, and survives being stored', () => {
  fc.assert(
    fc.property(feeds, (feeds) => {
      let ledger = emptyLedger;
      for (const sightings of feeds) {
        const before = JSON.stringify(ledger.names);
        const next = addToLedger(ledger, sightings);
        expect(JSON.stringify(ledger.names)).toBe(before);
        expect(next).toEqual(
          addToLedger(ledger, JSON.parse(JSON.stringify(sightings)) as LedgerMention[]),
        );
        expect(next.feeds).toBe(ledger.feeds + 1);
        ledger = next;
      }
      const order = [...ranked(ledger)];
      expect(new Set(order.map(({ name }) => name))).toEqual(
        new Set(ledger.names.map(({ name }) => name)),
      );
      expect(
        order.every(
          ({ feeds: held, mentions, at, score }) =>
            held <= mentions && at <= ledger.feeds && score > 0,
        ),
      ).toBe(true);
    }),
  );
});
