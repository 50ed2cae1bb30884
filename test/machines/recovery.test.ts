import {
  createActor,
  waitFor,
  type AnyMachineSnapshot,
  type EventObject,
  type Snapshot,
} from 'xstate';
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import { expect, test } from 'vitest';
import { body, recoveryMachine } from '../../machines/index.ts';
import type { RecoveredContext, Suspicion } from '../../src/core/truncation/recovery.ts';
import { machineEvents } from '../../src/testing/index.ts';
import { portsOf, rest, stage } from './stage.ts';
import { eventsTo, reachable, walk, walks, type Search } from './walk.ts';

const ports = portsOf(recoveryMachine);
const suspicion: Suspicion = { rule: 'count.fell', truncation: 'suspected', numbers: {}, lost: [] };
const context: RecoveredContext = {
  workingOn: 'the guard',
  lastCompleted: 'the reading',
  nextStep: 'the tests',
  open: [],
  files: [],
};
const answered = (port: string, output: unknown) => ({ type: `xstate.done.actor.${port}`, output });
const suspect = { type: 'recovery.suspect', suspicion };

const search: Search = {
  events: machineEvents.recovery,
  tell: ({ value }: AnyMachineSnapshot) => String(value),
};

test('every state can be reached but the end of one that is asked once, and there are at most a dozen', () => {
  const states = Object.keys(recoveryMachine.states);
  const reached = reachable(recoveryMachine, search);
  expect([...reached, 'over'].toSorted()).toEqual(states.toSorted());
  expect(states.length).toBeLessThanOrEqual(12);
});

test('the tests try every event that the machine knows', () => {
  const rejected = ports.map((port) => `xstate.error.actor.${port}`);
  const tried = new Set([...search.events!.map(({ type }) => type), ...rejected]);
  expect(tried).toEqual(new Set(recoveryMachine.events));
});

test.each(walks(recoveryMachine, search))('a live actor goes %s', async (_, path) => {
  await walk(recoveryMachine, path);
});

test('it works alone, given its ports', async () => {
  const told: unknown[] = [];
  const machine = recoveryMachine.provide({
    actors: {
      weigh: body(() => true),
      announce: body(() => null),
      read: body(() => context),
      rebuild: body(({ memory }) => memory.context !== null),
      confirm: body(() => ({ right: false, recap: 'It was the login.' })),
      resume: body(({ memory }) => (told.push(memory.recap), null)),
    },
  });
  const actor = createActor(machine).start();
  actor.on('recovery.announced', () => told.push('announced'));
  actor.send({ type: 'recovery.suspect', suspicion });
  await waitFor(actor, (snapshot) => snapshot.matches('watching'));
  expect(told).toEqual(['announced', 'It was the login.']);
});

test('what cannot be read is asked for', async () => {
  const live = stage(recoveryMachine);
  for (const event of [suspect, answered('weigh', true), answered('announce', null)])
    await live.play(event);
  await live.play({
    type: 'xstate.error.actor.read',
    error: new Error('no such file'),
  } as EventObject);
  expect(live.value()).toBe('recap');
  expect(live.emitted).toContainEqual({ type: 'recovery.unread', reason: 'no such file' });
  live.stop();
});

test.each(ports.filter((port) => port !== 'read'))(
  'a %s port that rejects is told, and leaves an actor that watches',
  async (port) => {
    const live = stage(recoveryMachine);
    for (const event of eventsTo(recoveryMachine, search, port)) await live.play(event);
    await live.play({
      type: `xstate.error.actor.${port}`,
      error: new Error('no answer'),
    } as EventObject);
    expect(live.error()).toBeUndefined();
    expect(live.value()).toBe('watching');
    expect(live.emitted.at(-1)).toEqual({ type: 'recovery.stopped', port, reason: 'no answer' });
    live.stop();
  },
);

test.each(ports)('restored while it asks %s, it asks again under the same key', async (port) => {
  const first = stage(recoveryMachine);
  const asks = { ...suspect, key: 'r7' };
  const way = eventsTo(
    recoveryMachine,
    { ...search, events: search.events!.filter(({ type }) => type !== 'recovery.supply') },
    port,
  );
  for (const event of way) await first.play(event.type === 'recovery.suspect' ? asks : event);
  const persisted = JSON.parse(JSON.stringify(first.persisted())) as Snapshot<unknown>;
  const second = stage(recoveryMachine, ports, persisted);
  await rest();
  expect(second.called).toMatchObject([{ port, input: { key: 'r7' } }]);
  expect(second.called[0]!.input).toEqual(first.called.at(-1)!.input);
  first.stop();
  second.stop();
});

test('one that is asked once is done with it, and says how it ended', async () => {
  const machine = recoveryMachine.provide({
    actors: {
      rebuild: body(() => true),
      confirm: body(() => ({ right: true, recap: '' })),
      resume: body(() => null),
    },
  });
  const actor = createActor(machine, { input: { once: { context } } }).start();
  await waitFor(actor, ({ status }) => status === 'done');
  expect(actor.getSnapshot().output).toMatchObject({
    type: 'recovery.resumed',
    memory: { context, source: 'documents' },
  });
});

test('graphs of it are drawn without a word of help', () => {
  expect(getShortestPaths(recoveryMachine).length).toBeGreaterThan(1);
  expect(getSimplePaths(recoveryMachine).length).toBeGreaterThan(1);
});

const upTo = {
  confirming: [
    suspect,
    answered('weigh', true),
    answered('announce', null),
    answered('read', context),
    answered('rebuild', true),
  ],
  recap: [{ type: 'recovery.supply', context } as EventObject, answered('rebuild', false)],
};

test.each([
  ['confirming', answered('confirm', { right: true, recap: '' }), 'resuming'],
  ['confirming', answered('confirm', { right: false, recap: 'It was the login.' }), 'resuming'],
  ['confirming', answered('confirm', { right: false, recap: '' }), 'recap'],
  ['confirming', { type: 'recovery.cancel' }, 'watching'],
  ['recap', answered('recap', 'It was the login.'), 'resuming'],
  ['recap', { type: 'recovery.cancel' }, 'watching'],
] as const)(
  '%s is followed by what was answered, or ends when it is cancelled',
  async (from, event, to) => {
    const live = stage(recoveryMachine);
    for (const one of upTo[from]) await live.play(one);
    expect(live.value()).toBe(from);
    await live.play(event);
    expect(live.value()).toBe(to);
    const told = live.emitted.some(({ type }) => type === 'recovery.cancelled');
    expect(told).toBe(to === 'watching');
    live.stop();
  },
);

test('without a body, a port says which one is missing', async () => {
  const actor = createActor(recoveryMachine).start();
  const told: unknown[] = [];
  actor.on('recovery.stopped', (end) => told.push(end));
  actor.send({ type: 'recovery.suspect', suspicion });
  await rest();
  const reason = 'Port "weigh" has no body; supply it with machine.provide()';
  expect(told).toEqual([{ type: 'recovery.stopped', port: 'weigh', reason }]);
});
