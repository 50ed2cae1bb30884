import { expect, test } from 'vitest';
import { openStore, type Message, type ReplayStep, type Session } from '../../../src/index.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { failingOnce, newDisk, passing } from '../disk.ts';
import { newFolder } from '../../store/folder.ts';

const person = (content: string): Message => ({ role: 'user', content });
const words = (count: number, at: number): string =>
  Array.from({ length: count }, (_, n) => `w${(at * 31 + n * 7) % 997}`).join(' ');

async function talk(session: Session, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) {
    await session.append(person(`Do part ${turn}. ${words(30, turn)}`));
    await session.append({ role: 'assistant', content: words(90, turn) });
  }
}

async function all(steps: AsyncIterable<ReplayStep>): Promise<ReplayStep[]> {
  const found: ReplayStep[] = [];
  for await (const step of steps) found.push(step);
  return found;
}

test('a replay gives each record with its input, its facts and the session as it was', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 1_500, reserve: 0 });
  await talk(session, 30);
  await session.undo();
  const { seq } = session.state;
  const steps = await all(store.replay('s'));
  expect(steps.map((step) => step.seq)).toEqual(Array.from({ length: seq }, (_, n) => n + 1));
  expect(steps[0]!.input.type).toBe('create');
  expect(steps.at(-1)!.input).toMatchObject({ type: 'restore', cause: 'undo' });
  expect(steps.at(-1)!.state).toEqual(session.state);
  expect(steps[0]).not.toHaveProperty('difference');
  for (const step of steps) {
    const view = await session.at({ seq: step.seq });
    expect(step.state).toEqual(view.state);
    expect(await step.assemble()).toEqual(await view.assemble());
    expect(step.tree()).toEqual(view.tree());
  }
  expect(session.state.seq).toBe(seq);
});

test('a replay begins and ends where it is told, decided again or not', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 1_500, reserve: 0 });
  await talk(session, 30);
  const numbers = async (options: object): Promise<number[]> =>
    (await all(store.replay('s', options))).map(({ seq }) => seq);
  expect(await numbers({ from: 4, to: 6 })).toEqual([4, 5, 6]);
  expect(await numbers({ from: { entry: 'e2' }, to: { seq: 4 } })).toEqual([3, 4]);
  const again = await all(store.replay('s', { from: 40, decide: true }));
  expect(again.map(({ difference }) => difference)).toEqual(again.map(() => null));
  await expect(numbers({ to: 10_000 })).rejects.toMatchObject({ code: 'MOMENT_NOT_FOUND' });
  await expect(all(store.replay('t'))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
});

test('what cannot be read for a moment ends a replay, and is no difference', async () => {
  const disk = await newDisk();
  const store = await openOver(disk.mount());
  const session = await store.open('s', { window: 1_500, reserve: 0 });
  await talk(session, 8);
  await session.goal.set('Ship it');
  await session.undo();
  await store.close();
  let failures = 0;
  for (const kind of ['state', 'journal', 'entry', 'text'] as const)
    for (let nth = 1; nth <= 12; nth += 1) {
      await using reader = await openOver(failingOnce(disk.mount(), { kind, nth }));
      const steps = await all(reader.replay('s', { decide: true })).catch((error: unknown) => {
        expect(error).toBe(passing);
        failures += 1;
        return [];
      });
      expect(steps.filter(({ difference }) => difference !== null)).toEqual([]);
    }
  expect(failures).toBeGreaterThan(0);
});

test('a replay that is aborted ends', async () => {
  await using store = await openStore(':memory:');
  await talk(await store.open('s', { window: 1_500 }), 3);
  const leave = new AbortController();
  const seen: number[] = [];
  const reason = new Error('enough');
  const watching = (async () => {
    for await (const { seq } of store.replay('s', { signal: leave.signal })) {
      seen.push(seq);
      if (seq === 2) leave.abort(reason);
    }
  })();
  await expect(watching).rejects.toBe(reason);
  expect(seen).toEqual([1, 2]);
});

test('a store that is open elsewhere is replayed beside its writer, and is not written to', async () => {
  const folder = await newFolder();
  await using store = await openStore(folder);
  const session = await store.open('s', { window: 1_500 });
  await talk(session, 10);
  await using reader = await openStore(folder, { readOnly: true });
  const steps = await all(reader.replay('s', { decide: true }));
  expect(steps.at(-1)).toMatchObject({ seq: session.state.seq, difference: null });
  await session.append(person('Go on'));
  expect(session.state.seq).toBe(steps.length + 1);
});
