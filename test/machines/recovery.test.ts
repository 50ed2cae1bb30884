import { createActor, waitFor, type AnyMachineSnapshot, type EventObject } from 'xstate';
import { expect, test } from 'vitest';
import { body, recoveryMachine } from '../../machines/index.ts';
import type { RecoveredContext, Suspicion } from '../../src/core/truncation/recovery.ts';
import { portsOf, rest, stage } from './stage.ts';
import { reachable, walk, walks, type Search } from './walk.ts';

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
  events: [
    suspect,
    { type: 'recovery.supply', context } as EventObject,
    { type: 'recovery.cancel' },
    answered('weigh', true),
    answered('weigh', false),
    answered('announce', null),
    answered('read', context),
    { type: 'xstate.error.actor.read', error: new Error('no such file') } as EventObject,
    answered('rebuild', true),
    answered('rebuild', false),
    answered('confirm', { right: true, recap: '' }),
    answered('confirm', { right: false, recap: '' }),
    answered('confirm', { right: false, recap: 'It was the login.' }),
    answered('recap', 'It was the login.'),
    answered('resume', null),
  ],
  tell: ({ value }: AnyMachineSnapshot) => String(value),
};

test('every state can be reached, and there are at most a dozen', () => {
  const states = Object.keys(recoveryMachine.states);
  expect(reachable(recoveryMachine, search)).toEqual(new Set(states));
  expect(states.length).toBeLessThanOrEqual(12);
});

test('the search tries every event that the machine knows', () => {
  const tried = new Set(search.events?.map(({ type }) => type));
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

test('without a body, a pure port says which one is missing', async () => {
  expect(portsOf(recoveryMachine)).toContain('weigh');
  const actor = createActor(recoveryMachine);
  let error: unknown;
  actor.subscribe({ error: (one) => (error = one) });
  actor.start();
  actor.send({ type: 'recovery.suspect', suspicion });
  await rest();
  expect(String(error)).toContain('Port "weigh" has no body');
});
