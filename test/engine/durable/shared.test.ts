import { createMachine, emit, fromPromise, setup } from 'xstate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { durable, openStore, type DurableMachine, type Store } from '../../../src/index.ts';
import { simulatedClock } from '../../../src/testing/simulated-clock.ts';
import { newFolder } from '../../store/folder.ts';

/** A machine that asks its port once, and is over with the answer. */
const asking = setup({
  types: { emitted: {} as { type: 'asking' }, output: {} as string },
  actors: { ask: fromPromise<string, undefined>(() => Promise.reject(new Error('no body'))) },
}).createMachine({
  id: 'asking',
  version: '1',
  initial: 'idle',
  states: {
    idle: { on: { go: 'busy' }, after: { 1_000: 'busy' } },
    busy: {
      entry: emit({ type: 'asking' }),
      on: { leave: 'idle' },
      invoke: { src: 'ask', onDone: 'over' },
    },
    over: { type: 'final' },
  },
  output: ({ event }) => event.type,
});

/** Opens handles on one machine of a place, whose port answers with `answer`. */
async function opener(place: 'a folder' | 'a store') {
  const folder = await newFolder();
  const host: string | Store = place === 'a folder' ? folder : await openStore(folder);
  const clock = simulatedClock();
  const calls: string[] = [];
  let answer: (given: string) => void = () => undefined;
  const open = async (): Promise<DurableMachine<typeof asking>> => {
    const ports = {
      ask: (_: unknown, { key }: { key: string }) => {
        calls.push(key);
        return new Promise<string>((resolve) => (answer = resolve));
      },
    };
    const made = await durable(asking, { host, id: 'm', ports, clock });
    onTestFinished(() => made.close());
    return made;
  };
  if (typeof host !== 'string') onTestFinished(() => host.close());
  return { host, clock, calls, open, answer: () => answer('yes') };
}

const closed = { code: 'MACHINE_CLOSED' };

test('whoever subscribes is called with the state after each step, behind what it emitted', async () => {
  const { open, answer } = await opener('a folder');
  const [one, other] = await Promise.all([open(), open()]);
  const heard: string[] = [];
  one.on('asking', ({ type }) => heard.push(type));
  const off = one.subscribe((state) => {
    expect(state).toEqual(one.state);
    heard.push(`${state.seq} ${state.value}`);
  });
  other.subscribe(({ seq, status }) => heard.push(`other ${seq} ${status}`));
  await other.send({ type: 'go' });
  expect(heard).toEqual(['asking', '2 busy', 'other 2 active']);
  off();
  answer();
  expect(await other.done).toBe('xstate.done.state.asking.over');
  expect(heard.slice(3)).toEqual(['other 3 done']);
  await one.close();
  expect(() => one.subscribe(() => undefined)).toThrow('closed');
  expect(() => other.subscribe({ next: () => undefined } as never)).toThrow('"listener"');
});

test.each(['a folder', 'a store'] as const)(
  'handles on one machine of %s are one machine, which asks its ports once',
  async (place) => {
    const { open, calls, answer } = await opener(place);
    const [one, other] = await Promise.all([open(), open()]);
    const heard: string[] = [];
    for (const handle of [one, other]) handle.on('asking', ({ type }) => heard.push(type));
    const settled = other.settled();
    await one.send({ type: 'go' });
    expect(other.state).toMatchObject({ seq: 2, value: 'busy' });
    expect(heard).toEqual(['asking', 'asking']);
    expect(calls).toHaveLength(1);
    answer();
    expect(await other.done).toBe(await one.done);
    await settled;
    expect(other.state).toEqual(one.state);
    const late = await open();
    expect(await late.done).toBe(await one.done);
  },
);

test('a timer fires once for all handles, and one that is closed waits for nothing more', async () => {
  const { open, calls, clock, answer } = await opener('a folder');
  const [one, other] = [await open(), await open()];
  const heard: string[] = [];
  one.on('*', ({ type }) => heard.push(type));
  const settled = expect(one.settled()).rejects.toMatchObject(closed);
  await one.close();
  await expect(one.done).rejects.toMatchObject(closed);
  await settled;
  await clock.advance(1_000);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(other.state).toMatchObject({ seq: 2, value: 'busy' });
  expect(heard).toEqual([]);
  answer();
  await other.done;
});

test('what was sent before one of two handles is closed is taken, and told to it', async () => {
  const { open } = await opener('a folder');
  const [one, other] = [await open(), await open()];
  const heard: number[] = [];
  one.subscribe(({ seq }) => heard.push(seq));
  const sent = one.send({ type: 'go' });
  await one.close();
  expect(heard).toEqual([2]);
  expect(other.state.seq).toBe(2);
  expect(await sent).toEqual({ seq: 2 });
});

test('a state is the same for all who are told it, and nobody can change it', async () => {
  const machine = createMachine({ context: { notes: ['mine'] }, on: { go: {} } });
  const store = await openStore(':memory:');
  const one = await durable(machine, { host: store, id: 'm', ports: {} });
  const heard: unknown[] = [];
  one.subscribe(({ context }) => expect(() => context.notes.push('changed')).toThrow(TypeError));
  one.subscribe(({ context }) => heard.push(context.notes));
  await one.send({ type: 'go' });
  expect(heard).toEqual([['mine']]);
  expect(one.state).toBe(one.state);
  await store.close();
});

test('a machine that is opened while its store closes is closed with it, or refused', async () => {
  for (let turns = 0; turns < 60; turns += 1) {
    const store = await openStore(':memory:');
    const ports = { ask: () => 'yes' };
    const opening = durable(asking, { host: store, id: 'm', ports }).catch(
      (error: unknown) => error,
    );
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await store.close();
    const outcome = (await opening) as DurableMachine<typeof asking> | { readonly code: string };
    const sent = 'code' in outcome ? Promise.reject(outcome) : outcome.send({ type: 'go' });
    const code = await sent.catch((error: { code: string }) => error.code);
    expect([turns, code]).toEqual([turns, 'code' in outcome ? 'STORE_CLOSED' : 'MACHINE_CLOSED']);
  }
});

test('the last handle that is closed ends the machine, and the next one opens it again', async () => {
  const { open, calls, answer } = await opener('a store');
  const [one, other] = [await open(), await open()];
  await one.send({ type: 'go' });
  await one.close();
  const closing = other.close();
  const again = await open();
  await closing;
  expect(calls).toEqual([calls[0], calls[0]]);
  answer();
  await again.done;
});

test('a machine that is deleted by one handle is gone for the others, and can begin anew', async () => {
  const { open } = await opener('a store');
  const [one, other] = [await open(), await open()];
  await one.delete();
  await expect(other.done).rejects.toMatchObject({ code: 'MACHINE_ENDED' });
  const anew = await open();
  expect(anew.state).toMatchObject({ seq: 1, value: 'idle' });
  await other.close();
  await anew.send({ type: 'go' });
  expect(anew.state.seq).toBe(2);
});

test('a machine that is open as one version is not begun anew as another', async () => {
  const { open, host } = await opener('a store');
  const one = await open();
  const newer = createMachine({ id: 'asking', version: '2', initial: 'a', states: { a: {} } });
  const given = { host, id: 'm', ports: {} };
  await expect(durable(newer, given)).rejects.toMatchObject({ code: 'MACHINE_CHANGED' });
  const restart = (): undefined => undefined;
  await expect(durable(newer, { ...given, restart })).rejects.toMatchObject({
    code: 'BUSY',
    message: 'Machine "m" is open in this program as "asking" of version 1; close it first',
  });
  await one.close();
  await using anew = await durable(newer, { ...given, restart });
  expect(anew.state).toMatchObject({ seq: 2, value: 'a' });
});

test('more machines than a few run on one open store without a warning', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const store = await openStore(':memory:');
  for (let n = 0; n < 12; n += 1)
    await durable(createMachine({}), { host: store, id: `m${n}`, ports: {} });
  await new Promise((resolve) => setImmediate(resolve));
  await store.close();
  expect(warnings).toEqual([]);
});
