import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { memorySource } from '../../src/import/source/source.ts';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../src/engine/open/open-store.ts';
import { newDisk } from '../engine/disk.ts';
import { type FrameNode, type LogEntry, type Session, type Store } from '../../src/index.ts';
import { make, refusalOf, type Move } from '../../src/testing/laws/move.ts';
import { command as move } from '../../src/testing/fast-check/commands.ts';

// A session that is exported and taken in elsewhere is the same session: what was
// said byte for byte, its frames, its goal; and exporting it gives the same bytes.
// Taken in where it is already, it adds nothing.

type Made = Exclude<Move, { type: 'reopen' | 'tools' | 'answer' }>;
const back: fc.Arbitrary<Made> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: 'undo' } as const) },
  { weight: 2, arbitrary: fc.constant({ type: 'redo' } as const) },
  { weight: 1, arbitrary: fc.constant({ type: 'snapshot' } as const) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(6), fc.boolean())
      .map(([back, keep]): Made => ({ type: 'restore', back, keep })),
  },
);
const only = (types: readonly Move['type'][]): fc.Arbitrary<Made> =>
  move.filter((one): one is Made => types.includes(one.type));
const played = ['append', 'push', 'plan', 'start', 'edit', 'invalidate', 'retry', 'pop'] as const;
const forward = only([...played, 'goal', 'goal.update', 'goal.status', 'compress']);
const runs = draws(25);

async function scriptOf(session: Session): Promise<string> {
  const lines: string[] = [];
  for await (const line of session.export()) lines.push(JSON.stringify(line));
  return `${lines.join('\n')}\n`;
}

async function logOf(session: Session): Promise<readonly Partial<LogEntry>[]> {
  const entries: Partial<LogEntry>[] = [];
  for await (const { tokens: _, frame: __, ...entry } of session.log()) entries.push(entry);
  return entries;
}

/**
 * A tree with names by the order of its frames in place of their ids; without what was harvested from the
 * log unless `harvested`: what was said in a frame that was taken back stands where the work went on, so more is found there.
 */
function treeOf(root: FrameNode, { harvested }: { harvested: boolean }): unknown {
  const all: FrameNode[] = [];
  const left = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    all.push(node);
    left.push(...node.children);
  }
  const ids = all.map(({ id }) => Number(id.slice(1))).toSorted((a, b) => a - b);
  const nameOf = (id: string | null) => (id === null ? null : ids.indexOf(Number(id.slice(1))));
  const without = harvested ? {} : { decisions: [], artifacts: [], harvested: [] };
  const shown = ({ id, retryOf, children, ...rest }: FrameNode): unknown => ({
    ...rest,
    ...without,
    id: nameOf(id),
    retryOf: nameOf(retryOf),
    children: children.map(shown),
  });
  return shown(root);
}

/** A store on a clock that stands, so that the same moves give the same times. */
const fresh = async (): Promise<Store> =>
  openOver((await newDisk()).mount(), { clock: new SimulatedClock() });

async function play(store: Store, moves: readonly Made[]): Promise<Session> {
  const session = await store.open('s', {
    window: 6_000,
    reserve: 0,
    title: 'A — b',
    system: 'Be brief.',
  });
  await session.append({ role: 'user', content: 'Begin.' });
  for (const one of moves) await refusalOf(make(session, one, new Map()));
  await session.settled();
  return session;
}

async function sameElsewhere(
  moves: readonly Made[],
  compared: { harvested: boolean },
): Promise<void> {
  await using store = await fresh();
  const session = await play(store, moves);
  const script = await scriptOf(session);
  await using other = await fresh();
  const result = await other.import(memorySource(script));
  expect(result).toMatchObject({ id: 's', appended: session.state.entries, skipped: [] });
  const again = await other.open('s');
  expect(await logOf(again)).toEqual(await logOf(session));
  expect(treeOf(again.frames.tree(), compared)).toEqual(treeOf(session.frames.tree(), compared));
  expect(again.state.goal).toEqual(session.state.goal);
  expect(uncounted(await scriptOf(again))).toBe(uncounted(script));
  for (const [one, at] of [
    [store, session],
    [other, again],
  ] as const) {
    const { seq } = at.state;
    expect(await one.import(memorySource(script))).toMatchObject({ appended: 0, skipped: [] });
    expect(at.state.seq).toBe(seq);
  }
}

/** A script without how often its session was compressed: that depends on how its entries came. */
const uncounted = (script: string): string => script.replace(/,"compressions":\d+/, '');

test('what is exported is taken in as the same session, and adds nothing where it is already', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(forward, { maxLength: 30, size: 'max' }), async (moves) => {
      await sameElsewhere(moves, { harvested: true });
    }),
    { numRuns: runs },
  );
});

test('so is one that went back and forth', async () => {
  const moves = fc.array(
    fc.oneof({ weight: 3, arbitrary: forward }, { weight: 1, arbitrary: back }),
    { maxLength: 30, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(moves, async (given) => sameElsewhere(given, { harvested: false })),
    { numRuns: runs },
  );
});

test('a script adds no message to its session, however that went back since, and is refused where it cannot tell', async () => {
  const backs = fc.array(back, { minLength: 1, maxLength: 6 });
  const moves = fc.array(
    fc.oneof({ weight: 4, arbitrary: forward }, { weight: 1, arbitrary: back }),
    { maxLength: 20, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(moves, backs, fc.array(forward, { maxLength: 3 }), async (...given) => {
      const [before, turns, after] = given;
      await using store = await fresh();
      const session = await play(store, before);
      const script = memorySource(await scriptOf(session));
      for (const one of [...turns, ...after]) await refusalOf(make(session, one, new Map()));
      await session.settled();
      const log = await logOf(session);
      expect(await store.import(script)).toMatchObject({ appended: 0 });
      expect(await logOf(session)).toEqual(log);
    }),
    { numRuns: runs },
  );
});

test('a script that has grown adds what is new, to the session itself and to one that was imported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(forward, { maxLength: 20, size: 'max' }),
      fc.array(forward, { maxLength: 10, size: 'max' }),
      async (moves, more) => {
        await using grown = await fresh();
        const whole = await scriptOf(await play(grown, [...moves, ...more]));
        await using store = await fresh();
        await play(store, moves);
        await using other = await fresh();
        await other.import(memorySource(await scriptOf(await store.open('s'))));
        for (const one of [store, other]) {
          await one.import(memorySource(whole));
          expect(uncounted(await scriptOf(await one.open('s')))).toBe(uncounted(whole));
        }
      },
    ),
    { numRuns: runs },
  );
});
