import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { openStore, type Message } from '../../src/index.ts';

// A host goes from list to list: on, back to a list that it had, each time perhaps with
// its head dropped or summarized.

const step = fc.record({
  /** Which of the lists it had comes next, counted from the newest. */
  back: fc.oneof(fc.constant(0), fc.nat(5)),
  /** Messages that are cut from its end. */
  rewind: fc.oneof(fc.constant(0), fc.nat(5)),
  /** Messages that are said on it; without any, a short prompt at its end reads as said again. */
  more: fc.integer({ min: 1, max: 4 }),
  /** The share of its head that is dropped. */
  drop: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.7, noNaN: true })),
  sums: fc.boolean(),
});

/** Without the head of a list, fewer messages than this that were said before prove nothing; a summary is none of them. */
const telling = 3;

const said = ({ role, content }: Pick<Message, 'role' | 'content'>): string =>
  JSON.stringify([role, content]);

test('whichever list a host goes back to, nothing is appended twice and nothing it said is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 14 }),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (first, steps) => {
        await using store = await openStore(':memory:');
        const session = await store.open('s', { window: 400_000 });
        let made = 0;
        const next = (list: readonly Message[]): Message => {
          made += 1;
          const asks = list.at(-1)?.role !== 'user';
          return asks
            ? { role: 'user', content: `prompt ${made}` }
            : { role: 'assistant', content: `answer ${made}` };
        };
        const grow = (list: readonly Message[], count: number): readonly Message[] => {
          const grown = [...list];
          for (let n = 0; n < count; n += 1) grown.push(next(grown));
          return grown;
        };
        let list = grow([], first);
        const lists = [list];
        const all = new Set(list.map(said));
        await session.sync(list);
        for (const { back, rewind, more, drop, sums } of steps) {
          const from = lists.at(-1 - (back % lists.length))!;
          const isSummed = (from[0]!.content as string).startsWith('Summary');
          const least = telling + (isSummed ? 1 : 0);
          const kept = from.slice(0, Math.max(least, from.length - rewind));
          const whole = grow(kept, more);
          const head = Math.min(Math.floor(whole.length * drop), Math.max(0, kept.length - least));
          const summary: Message = { role: 'user', content: `Summary no. ${(made += 1)}` };
          list = [...(head > 0 && sums ? [summary] : []), ...whole.slice(head)];
          lists.push(list);
          for (const one of list) all.add(said(one));
          await session.sync(list);
          expect(await session.sync(list)).toEqual({ relation: 'same', appended: [], lost: [] });
        }
        const log: string[] = [];
        for await (const entry of session.log()) log.push(said(entry));
        expect(log.toSorted()).toEqual([...all].toSorted());
        const shown = new Set(
          (await session.assemble()).messages.map(({ role, content }) =>
            JSON.stringify([role, content]),
          ),
        );
        expect(list.filter((one) => !shown.has(said(one)))).toEqual([]);
      },
    ),
    { numRuns: draws(40) },
  );
});
