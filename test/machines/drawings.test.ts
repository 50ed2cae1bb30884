import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  toDefinition,
  toMermaid,
  toScxml,
  toSource,
} from '../../machines/index.ts';

const machines = [frameMachine, sessionMachine, compressionMachine, recoveryMachine];
const folder = new URL('./generated/', import.meta.url);

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every function in the chart of a machine, with the key that it stands at. */
function functionsOf(value: unknown, key = ''): [string, { name: string }][] {
  if (typeof value === 'function') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    functionsOf(inner, Array.isArray(value) ? key : name),
  );
}

test.each(machines)('every function in the chart of $id has a name of its own', (machine) => {
  const inline = functionsOf(machine.config).filter(
    ([key, { name }]) => name === '' || name === key,
  );
  expect(inline).toEqual([]);
});

test.each(machines)('as JSON, $id says all that its chart does', (machine) => {
  const text = JSON.stringify(toDefinition(machine));
  for (const [, { name }] of functionsOf(machine.config)) expect(text).toContain(`"${name}()"`);
  const { schemas: _, ...config } = machine.config;
  expect(Object.keys(toDefinition(machine))).toEqual(Object.keys(config));
});

test.each(machines)('as a module, $id is the same chart', async (machine: AnyStateMachine) => {
  const file = new URL(`${machine.id}.ts`, folder);
  writeFileSync(file, toSource(machine));
  const module = (await import(file.href)) as Record<string, AnyStateMachine>;
  const read = module[`${machine.id}Machine`]!;
  expect(toMermaid(read)).toBe(toMermaid(machine));
  expect(toDefinition(read)).toEqual(toDefinition(machine));
  expect(toScxml(read)).toBe(toScxml(machine));
});

test.each(machines)('as SCXML, $id has each state, and each transition once', (machine) => {
  const text = toScxml(machine);
  const states = Object.values((machine as AnyStateMachine).states);
  for (const { key } of states) expect(text).toMatch(new RegExp(`<(state|final) id="${key}"`));
  const arrows = states.flatMap(({ transitions, always = [] }): AnyTransitionDefinition[] => [
    ...[...transitions.values()].flat(),
    ...always,
  ]);
  expect(text.match(/<transition /g)).toHaveLength(arrows.length);
  const acts = states.flatMap(({ entry, exit }) => [...entry, ...exit]);
  const actions = [...acts, ...arrows.flatMap((arrow) => arrow.actions)];
  expect(text.match(/<flamestack:action name="/g) ?? []).toHaveLength(actions.length);
  expect(text).not.toMatch(/undefined|\[object|xstate\./);
});

test('SCXML of a part', () => {
  const text = toScxml(compressionMachine);
  expect(text.slice(text.indexOf('<state id="waiting">'), text.indexOf('<state id="aging">')))
    .toBe(`<state id="waiting">
    <onexit>
      <flamestack:action name="countAttempt"/>
    </onexit>
    <invoke id="pause" type="flamestack:port" src="pause" flamestack:input="backoffOf()"/>
    <transition event="compression.cancel" target="idle">
      <flamestack:action name="keepEnd" params="{&quot;type&quot;:&quot;compression.cancelled&quot;}"/>
      <flamestack:action name="tell" params="{&quot;type&quot;:&quot;compression.cancelled&quot;}"/>
    </transition>
    <transition event="compression.fallback" target="aging">
      <flamestack:action name="takeFallback"/>
    </transition>
    <transition event="done.invoke.pause" target="summarizing"/>
    <transition event="error.platform.pause" target="summarizing"/>
  </state>
  `);
});
