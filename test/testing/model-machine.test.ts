import {
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

test.each(machines)('a model of $id goes where the machine goes, along every path', (machine) => {
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
});

test.each(machines)('createTestModel takes a model of $id', async (machine) => {
  const options = { events: eventsOf(machine), limit: 100_000 };
  const reached = new Set<unknown>();
  for (const path of createTestModel(modelMachine(machine), options as never).getShortestPaths())
    await path.test({ states: { '*': ({ value }) => void reached.add(value) }, events: {} });
  const states = Object.keys(machine.states).filter((name) => name !== 'over');
  expect(reached).toEqual(new Set(states));
});
