import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { openStore, type Message, type Session, type Synced } from '../../src/index.ts';
import { prose } from '../../src/testing/made-text.ts';
import { newHost, type Event, type Host } from './host.ts';

// What a host does to its own list, event by event: each is told apart, with the ids
// of what was lost.

const trials = draws(25);

const size = fc.oneof(fc.nat(6), fc.integer({ min: 7, max: 300 }));
const shape = fc.record({
  /** Words of a message, and calls before an answer, in turn. */
  sizes: fc.array(size, { minLength: 1, maxLength: 12 }),
  calls: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
  named: fc.boolean(),
});

const count = fc.integer({ min: 1, max: 4 });
const part = fc.double({ min: 0.05, max: 0.9, noNaN: true });

const events = {
  'more appended': fc.record({ type: fc.constant('append'), count }),
  'the same list again': fc.record({ type: fc.constant('same') }),
  'the head dropped': fc.record({ type: fc.constant('head'), part, count: fc.nat(3) }),
  'the head replaced by a summary': fc.record({
    type: fc.constant('summary'),
    part,
    count: fc.nat(3),
  }),
  'a restart with the newest only': fc.record({ type: fc.constant('restart') }),
  'as many dropped as appended': fc
    .record({ type: fc.constant('slide'), drop: count, count })
    .map(({ type, drop }) => ({ type, drop, count: drop })),
  'one dropped, more appended': fc.record({
    type: fc.constant('slide'),
    drop: fc.constant(1),
    count: fc.integer({ min: 2, max: 5 }),
  }),
  'old results cleared in place': fc.record({
    type: fc.constant('clear'),
    spared: fc.nat(6),
    count: fc.nat(3),
  }),
  'one result shortened': fc.record({ type: fc.constant('shorten'), part, count: fc.nat(3) }),
  'the last prompt edited and sent again': fc.record({ type: fc.constant('edit') }),
  'the last answer thrown away, and made anew': fc.record({
    type: fc.constant('retry'),
    count: fc.nat(2),
  }),
  'turns taken back': fc.record({ type: fc.constant('rewind'), count }),
} as const satisfies Record<string, fc.Arbitrary<Event>>;

const said = (message: Message): string => JSON.stringify([message.role, message.content]);

async function logOf(session: Session): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of session.log()) found.push(said(entry));
  return found;
}

/** Does what a host did, and holds what is said of it against what the host knows. */
async function play(session: Session, host: Host, expected: Synced): Promise<void> {
  const told: string[] = [];
  const off = session.on('truncation.suspected', ({ rule }) => void told.push(rule));
  const synced = await session.sync(host.list());
  await session.settled();
  off();
  expect(synced).toEqual(expected);
  expect(told).toEqual(expected.lost.length > 0 ? ['history.changed'] : []);
  expect(await session.sync(host.list())).toEqual({ relation: 'same', appended: [], lost: [] });
}

async function check(session: Session, host: Host): Promise<void> {
  expect(await logOf(session)).toEqual(host.log().map(said));
  const { messages, budget } = await session.assemble();
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  const shown = new Set(messages.flatMap(({ entry }) => entry ?? []));
  const branch = host.branch();
  expect([...shown].toSorted()).toEqual(branch.toSorted());
  for (const id of host.log().map((_, at) => `e${at + 1}`))
    expect(session.where(id).place).toBe(branch.includes(id) ? 'verbatim' : 'left');
}

test.each(Object.entries(events))(
  '%s is told apart, with the ids of what was lost',
  async (_, event) => {
    await fc.assert(
      fc.asyncProperty(
        shape,
        fc.integer({ min: 8, max: 40 }),
        event,
        async (like, first, given) => {
          await using store = await openStore(':memory:');
          const session = await store.open('s', { window: 400_000 });
          const host = newHost(like, prose);
          await play(session, host, host.act({ type: 'append', count: first }));
          await play(session, host, host.act(given));
          await check(session, host);
        },
      ),
      { numRuns: trials },
    );
  },
);

test('one event after another, nothing is lost, nothing is appended twice, and each loss is told once', async () => {
  await fc.assert(
    fc.asyncProperty(
      shape,
      fc.integer({ min: 4, max: 30 }),
      fc.array(fc.oneof(...Object.values(events)), { minLength: 2, maxLength: 12 }),
      async (like, first, given) => {
        await using store = await openStore(':memory:');
        let session = await store.open('s', { window: 400_000 });
        const host = newHost(like, prose);
        await play(session, host, host.act({ type: 'append', count: first }));
        for (const [at, event] of given.entries()) {
          await play(session, host, host.act(event));
          if (at % 4 !== 3) continue;
          await session.close();
          session = await store.open('s');
        }
        await check(session, host);
      },
    ),
    { numRuns: trials },
  );
});
