import {
  createMachine,
  getInitialSnapshot,
  getNextSnapshot,
  type AnyStateMachine,
  type EventObject,
} from 'xstate';
import { createTestModel, getShortestPaths } from 'xstate/graph';
import { expect, test } from 'vitest';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  trackerMachine,
} from '../../machines/index.ts';
import { machineEvents, modelMachine } from '../../src/testing/index.ts';

const machines: readonly AnyStateMachine[] = [
  frameMachine,
  sessionMachine,
  compressionMachine,
  recoveryMachine,
];

const eventsOf = ({ id }: AnyStateMachine) =>
  machineEvents[id as keyof typeof machineEvents] as unknown as EventObject[];

test.each([...machines, trackerMachine])(
  'a model of $id goes where the machine goes, along every path',
  (machine) => {
    const model = modelMachine(machine);
    const events = eventsOf(machine);
    const limit = 100_000;
    const paths = getShortestPaths(machine, { events, limit } as never);
    expect(paths.length).toBeGreaterThan(Object.keys(machine.states).length - 2);
    for (const { steps } of paths) {
      let [real, same] = [getInitialSnapshot(machine), getInitialSnapshot(model)];
      for (const { event } of steps) {
        real = getNextSnapshot(machine, real, event);
        same = getNextSnapshot(model, same, event);
        expect([same.value, same.context]).toEqual([real.value, real.context]);
      }
    }
  },
);

test.each(machines)('createTestModel takes a model of $id', async (machine) => {
  const options = { events: eventsOf(machine), limit: 100_000 };
  const reached = new Set<unknown>();
  for (const path of createTestModel(modelMachine(machine), options as never).getShortestPaths())
    await path.test({ states: { '*': ({ value }) => void reached.add(value) }, events: {} });
  const states = Object.keys(machine.states).filter((name) => name !== 'over');
  expect(reached).toEqual(new Set(states));
});

test('ports without a name of their own are told apart, as the machine does', () => {
  const work = (name: string) => ({
    initial: 'busy',
    states: {
      busy: { invoke: { src: name, onDone: 'ok', onError: 'bad' } },
      ok: {},
      bad: {},
    },
  });
  const machine = createMachine({
    id: 'own',
    type: 'parallel',
    states: { left: work('one'), right: work('other') },
  } as never) as AnyStateMachine;
  const events = ['left', 'right'].flatMap((side) =>
    ['done', 'error'].map((kind) => ({ type: `xstate.${kind}.actor.0.own.${side}.busy` })),
  );
  const paths = getShortestPaths(modelMachine(machine), { events } as never);
  expect(new Set(paths.map(({ state }) => JSON.stringify(state.value))).size).toBe(9);
});
