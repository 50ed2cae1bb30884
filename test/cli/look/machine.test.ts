import { expect, test } from 'vitest';
import { sessionMachine, toDefinition, toMermaid, toScxml } from '../../../machines/index.ts';
import { flamestack } from '../call.ts';

test('machines are listed with what they are for, within 80 columns', async () => {
  const { exit, out, err } = await flamestack('machine');
  expect([exit, err]).toEqual([0, '']);
  expect(out).toMatch(/^session +4 states: .*\nframe +6 states: /);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  const { machines } = JSON.parse((await flamestack('machine --json')).out);
  expect(machines.map((one: { name: string }) => one.name)).toEqual([
    'session',
    'frame',
    'compression',
    'recovery',
    'tracker',
  ]);
});

test('a machine is drawn in each form', async () => {
  const shown = async (words: string) => (await flamestack(`machine session ${words}`)).out;
  expect(await shown('')).toBe(toMermaid(sessionMachine));
  expect(await shown('--as scxml')).toBe(toScxml(sessionMachine));
  expect(JSON.parse(await shown('--as json'))).toEqual(toDefinition(sessionMachine));
  expect(await shown('--as xstate')).toMatch(/^import \{ setup \} from 'xstate';/);
  expect(JSON.parse(await shown('--json'))).toMatchObject({ machine: { id: 'session' } });
});

test('what is no machine, or no form, is wrong usage', async () => {
  for (const words of ['machine nothing', 'machine frame --as png']) {
    const { exit, err } = await flamestack(words);
    expect(exit).toBe(2);
    expect(err).toMatch(/Allowed choices are|one of/);
  }
});
