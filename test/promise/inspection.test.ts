import fc from 'fast-check';
import { SimulatedClock } from 'xstate';
import { expect, test } from 'vitest';
import { draws } from '../draws.ts';
import { openOver } from '../../src/engine/open/open-store.ts';
import { inspectionsOf } from '../../src/engine/inspect/inspection.ts';
import { toStanding } from '../../src/engine/time-travel/inspect-again.ts';
import type { State } from '../../src/core/state/state.ts';
import type { FrameNode } from '../../src/core/frames/tree.ts';
import type { Inspection, Session } from '../../src/index.ts';
import { behavior } from '../../src/testing/fast-check/behavior.ts';
import { scriptedSummarizer } from '../../src/testing/scripted-summarizer.ts';
import { newDisk } from '../engine/disk.ts';
import { act, script } from '../engine/script.ts';
import { pass, quiet } from '../engine/turn.ts';

/** All that is told of what is stored. */
async function storedOf(session: Session, after = 0): Promise<Inspection[]> {
  const told: Inspection[] = [];
  for await (const one of session.inspect({ after, live: false })) told.push(one);
  return told;
}

type Standing = Readonly<Record<string, string>>;

/** The actors that go on, each with its last value. */
function fold(told: readonly Inspection[]): Standing {
  const actors = new Map<string, string>();
  const over: Inspection['status'][] = ['stopped', 'error', 'done'];
  for (const { actor, machine, status, value, from } of told) {
    expect(from === null || actors.has(actor), `${actor} began`).toBe(true);
    if (from !== null) expect([actor, actors.get(actor)]).toEqual([actor, from]);
    const isKept = machine === 'frame' || machine === 'session';
    if (isKept ? status === 'stopped' : over.includes(status)) actors.delete(actor);
    else actors.set(actor, value);
  }
  return Object.fromEntries([...actors].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const standingIn = (state: State): Standing => fold(inspectionsOf(toStanding(state), false));

function statusesIn(session: Session): Standing {
  const found: [string, string][] = [];
  const visit = (node: FrameNode): void => {
    found.push([`${session.id}/${node.id}`, node.status]);
    node.children.forEach(visit);
  };
  visit(session.frames.tree());
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What must hold of all that was told of a session while it was live. */
async function check(session: Session, state: State, live: readonly Inspection[]): Promise<void> {
  const stored = await storedOf(session);
  expect(live).toEqual(stored);
  expect(fold(live)).toEqual(standingIn(state));
  const frames = Object.entries(fold(live)).filter(([actor]) => /\/f\d+$/.test(actor));
  expect(Object.fromEntries(frames.filter(([actor]) => !actor.includes('/timer/')))).toEqual(
    statusesIn(session),
  );
  const half = Math.ceil(state.seq / 2);
  const rest = await storedOf(session, half);
  expect(rest.filter(({ seq }) => seq > half)).toEqual(live.filter(({ seq }) => seq > half));
  expect(fold(rest)).toEqual(standingIn(state));
  expect(JSON.stringify(stored)).not.toMatch(/\bw\d|src|Never|Part|Plan|Finish|names|mind/);
}

test('what is told live is what is told by deciding again, and folds to what there is', async () => {
  await fc.assert(
    fc.asyncProperty(script(40), async (steps) => {
      const live: Inspection[] = [];
      const disk = await newDisk();
      const store = await openOver(disk.mount(), {
        clock: new SimulatedClock(),
        inspect: (one) => live.push(one),
      });
      const session = await store.open('s', { window: 1_500, system: 'You are careful.' });
      for (const [at, step] of steps.entries()) await act(session, step, at);
      const { state } = await store.live('s');
      await quiet(4);
      await check(session, state, live);
      await store.close();
    }),
    { numRuns: draws(25) },
  );
});

test('so it is with a slow and moody summarizer', async () => {
  await fc.assert(
    fc.asyncProperty(script(30), fc.array(behavior, { maxLength: 6 }), async (steps, moods) => {
      const live: Inspection[] = [];
      const disk = await newDisk();
      const clock = new SimulatedClock();
      const summarizer = scriptedSummarizer(moods, { clock });
      const store = await openOver(disk.mount(), {
        clock,
        effects: { timeout: 5_000 },
        inspect: (one) => live.push(one),
      });
      const session = await store.open('s', { window: 1_500, summarizer });
      for (const [at, step] of steps.entries()) {
        await pass(clock, act(session, step, at), { step: 1_000 });
        clock.increment((at % 3) * 300);
        await quiet(2);
      }
      await pass(clock, session.settled(), { step: 1_000 });
      const { state } = await store.live('s');
      await quiet(4);
      await check(session, state, live);
      await store.close();
    }),
    { numRuns: draws(25) },
  );
});

test('so it is with frames that are dropped, taken back, and taken back when they were closed', async () => {
  const live: Inspection[] = [];
  const store = await openOver((await newDisk()).mount(), { inspect: (one) => live.push(one) });
  const session = await store.open('s', { window: 4_096 });
  await session.push({ title: 'Part 1' });
  await session.frames.plan({ title: 'Plan 1' });
  await session.push({ title: 'Part 2' });
  await session.pop({ status: 'blocked', results: 'w1' });
  await session.pop({ status: 'failed', results: 'w2', drop: true });
  await session.undo();
  await session.redo();
  await session.undo();
  await session.frames.invalidate('f1', 'w3');
  await session.snapshots.create('w4');
  const { id } = await session.push({ title: 'Part 3' });
  await session.frames.invalidate(id, 'w5');
  const { id: snapshot } = session.snapshots.list().findLast(({ by }) => by === 'person')!;
  await session.snapshots.restore(snapshot);
  await quiet(4);
  await check(session, (await store.live('s')).state, live);
  await session.undo();
  await quiet(4);
  await check(session, (await store.live('s')).state, live);
  await store.close();
});
