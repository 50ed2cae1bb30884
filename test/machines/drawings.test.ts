import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createActor, createMachine } from 'xstate';
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
  trackerMachine,
} from '../../machines/index.ts';

const machines = [
  frameMachine,
  sessionMachine,
  compressionMachine,
  recoveryMachine,
  trackerMachine,
];
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

/** What somebody else's machine may have, and ours have not. */
const other = createMachine({
  id: 'my-agent',
  type: 'parallel',
  states: {
    work: {
      initial: 'one',
      onDone: { actions: 'told' },
      states: {
        one: { after: { 1000: 'two' }, on: { back: 'past' } },
        two: {
          on: {
            go: {
              target: 'end',
              guard: function isSo() {
                return true;
              },
            },
          },
        },
        past: { type: 'history', history: 'deep', target: 'one' },
        end: { type: 'final' },
      },
    },
    rest: {},
  },
} as never) as AnyStateMachine;

test('SCXML of regions, delays, history, ends and guards of somebody else', () => {
  const text = toScxml(other);
  expect(text).toContain('<parallel id="my-agent">\n    <state id="work" initial="work.one">');
  expect(text).toContain(
    '<send id="after.1000.work.one" event="after.1000.work.one" delay="1000ms"/>',
  );
  expect(text).toContain('<cancel sendid="after.1000.work.one"/>');
  expect(text).toContain('<transition event="after.1000.work.one" target="work.two"/>');
  expect(text).toContain('<transition event="done.state.work">');
  expect(text).toContain('cond="isSo()"');
  expect(text).toContain(
    '<history id="work.past" type="deep">\n        <transition target="work.one"/>',
  );
  expect(text).not.toMatch(/undefined|xstate\./);
});

test('SCXML leads each history that was never left somewhere', () => {
  const leaf = { on: { back: '#flow.a.h' } };
  const flow = createMachine({
    id: 'flow',
    initial: 'a',
    states: {
      a: {
        initial: 'one',
        states: {
          one: leaf,
          two: { id: 'second', initial: 'in', states: { in: {} } },
          h: { type: 'history' },
          path: { type: 'history', target: 'two.in' },
          id: { type: 'history', target: '#second' },
          'b.c': {},
          dot: { type: 'history', target: 'b\\.c' },
        },
      },
      both: { type: 'parallel', states: { x: {}, y: {}, h: { type: 'history' } } },
    },
  });
  const leads = [
    ...toScxml(flow).matchAll(/<history id="([\w.]+)"[^>]*>\s*<transition target="([^"]+)"/g),
  ];
  expect(leads.map(([, id, target]) => `${id} → ${target}`)).toEqual([
    'a.h → a.one',
    'a.path → a.two.in',
    'a.id → a.two',
    'a.dot → a.b.c',
    'both.h → both.x both.y',
  ]);
  expect(toScxml(flow)).not.toMatch(/<history[^>]*\/>/);
});

test('a module names its machine as a program can', async () => {
  const file = new URL('other.ts', folder);
  writeFileSync(file, toSource(other));
  const { myAgentMachine } = (await import(file.href)) as Record<string, AnyStateMachine>;
  expect(toMermaid(myAgentMachine!)).toBe(toMermaid(other));
});

test.each(machines)('the module of $id rests where it begins', async (machine) => {
  const file = new URL(`rest-${machine.id}.ts`, folder);
  writeFileSync(file, toSource(machine));
  const module = (await import(file.href)) as Record<string, AnyStateMachine>;
  const actor = createActor(module[`${machine.id}Machine`]!).start();
  expect(actor.getSnapshot().value).toBe(machine.config.initial);
  actor.stop();
});

test('SCXML of a part', () => {
  const text = toScxml(compressionMachine);
  expect(text.slice(text.indexOf('<state id="waiting">'), text.indexOf('<state id="aging">')))
    .toBe(`<state id="waiting">
    <onexit>
      <flamestack:action name="countAttempt"/>
    </onexit>
    <invoke id="pause" type="flamestack:port" src="pause" flamestack:input="backoffOf()"/>
    <transition event="compression.request">
      <flamestack:action name="tell" params="{&quot;type&quot;:&quot;compression.skipped&quot;,&quot;reason&quot;:&quot;under way&quot;}"/>
    </transition>
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
