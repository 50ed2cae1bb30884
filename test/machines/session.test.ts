import { createActor, waitFor } from 'xstate';
import { expect, test } from 'vitest';
import { body, sessionMachine } from '../../machines/index.ts';
import { portsOf, rest, stage } from './stage.ts';
import { reachable, walk, walks } from './walk.ts';

const loaded = (completed: boolean) => ({
  type: 'xstate.done.actor.load',
  output: { completed },
});
const events = [
  loaded(false),
  loaded(true),
  { type: 'xstate.error.actor.load', error: new Error('unreadable') },
  { type: 'compression.started' },
  { type: 'compression.ended' },
  { type: 'recovery.started' },
  { type: 'recovery.ended' },
  { type: 'session.complete' },
  { type: 'session.close' },
];

test('every state can be reached, and there are at most a dozen', () => {
  const states = Object.keys(sessionMachine.states);
  expect(reachable(sessionMachine, { events })).toEqual(new Set(states));
  expect(states.length).toBeLessThanOrEqual(12);
});

test('the search tries every event that the machine knows', () => {
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(sessionMachine.events));
});

test.each(walks(sessionMachine, { events }))('a live actor goes %s', async (_, path) => {
  await walk(sessionMachine, path);
});

test('it works alone, given a load port', async () => {
  const machine = sessionMachine.provide({ actors: { load: body(() => ({ completed: false })) } });
  const actor = createActor(machine).start();
  await waitFor(actor, (snapshot) => snapshot.matches('open'));
  for (const type of ['compression.started', 'compression.ended', 'session.close'] as const)
    actor.send({ type });
  expect(actor.getSnapshot()).toMatchObject({ value: 'closed', status: 'done' });
});

test('a load port without a body closes the session and says which port is missing', async () => {
  expect(portsOf(sessionMachine)).toEqual(['load']);
  const actor = createActor(sessionMachine);
  const heard: unknown[] = [];
  actor.on('session.failed', (event) => heard.push(event));
  actor.start();
  await rest();
  expect(actor.getSnapshot().value).toBe('closed');
  expect(heard).toEqual([
    {
      type: 'session.failed',
      reason: 'Port "load" has no body; supply it with machine.provide()',
    },
  ]);
});

test('stopping the actor while a session opens aborts the load', async () => {
  const live = stage(sessionMachine);
  live.stop();
  expect(live.called[0]?.signal.aborted).toBe(true);
});

test('a body must give what its port promises', () => {
  // @ts-expect-error completed is missing
  sessionMachine.provide({ actors: { load: body(() => ({})) } });
});
