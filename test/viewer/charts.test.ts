import { expect, test } from 'vitest';
import {
  compressionMachine,
  frameMachine,
  recoveryMachine,
  sessionMachine,
  toArrows,
} from '../../machines/index.ts';
import charts from '../../src/viewer/page/charts.json' with { type: 'json' };

const machines = [sessionMachine, frameMachine, compressionMachine, recoveryMachine];

test.each(machines)('the page draws $id as it is; else: npm run docs:diagrams', (machine) => {
  const chart = charts[machine.id as keyof typeof charts];
  expect(chart.states.map(({ name }) => name)).toEqual(Object.keys(machine.states));
  expect(chart.states.find(({ isInitial }) => isInitial)?.name).toBe(machine.config.initial);
  const drawn = chart.arrows.flatMap(({ from, to, lines }) =>
    lines.map((line) => ({ from, to, ...line })),
  );
  const inOrder = (arrows: readonly object[]) =>
    arrows.map((one) => JSON.stringify(one)).toSorted();
  expect(inOrder(drawn)).toEqual(inOrder([...toArrows(machine)]));
});

test.each(Object.entries(charts))('in %s no two states touch', (_, { states }) => {
  for (const one of states)
    for (const other of states)
      if (one !== other) {
        const isBeside = one.x + one.width < other.x || other.x + other.width < one.x;
        const isBelow = one.y + one.height < other.y || other.y + other.height < one.y;
        expect(isBeside || isBelow, `${one.name}, ${other.name}`).toBe(true);
      }
});
