// Every machine through `xstate/graph`, out of the box.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
} from 'flamestack/machines';
import { machineEvents, modelMachine } from 'flamestack/testing';
import { createTestModel, getShortestPaths, getSimplePaths } from 'xstate/graph';

for (const machine of [frameMachine, sessionMachine, compressionMachine, recoveryMachine])
  test(`paths through ${machine.id}`, async () => {
    const options = { events: machineEvents[machine.id], limit: 100_000 };
    const reached = new Set(getShortestPaths(machine, options).map(({ state }) => state.value));
    const reachable = Object.keys(machine.states).filter((name) => name !== 'over');
    assert.deepEqual(
      reachable.filter((name) => !reached.has(name)),
      [],
    );
    if (machine === frameMachine) assert.ok(getSimplePaths(machine, options).length > 5);
    const seen = [];
    for (const path of createTestModel(modelMachine(machine), options).getShortestPaths())
      await path.test({ states: { '*': ({ value }) => seen.push(value) }, events: {} });
    assert.ok(seen.length > 0);
  });
