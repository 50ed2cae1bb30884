import { createActor } from 'xstate';
import { expect, test } from 'vitest';
import { sessionMachine, sessionTable } from '../../machines/index.ts';
import type { Phase, SessionSignal } from '../../src/core/frames/lifecycle.ts';
import { portsOf } from './stage.ts';
import { reachable, walk, walks } from './walk.ts';

const phases = Object.keys(sessionMachine.states) as Phase[];
const signals = sessionMachine.events as SessionSignal[];
const cells = phases.flatMap((phase) => signals.map((type) => ({ phase, type })));

test('every phase can be reached, and there are at most a dozen', () => {
  expect(reachable(sessionMachine)).toEqual(new Set(phases));
  expect(phases.length).toBeLessThanOrEqual(12);
});

test.each(walks(sessionMachine))('a live actor goes %s', async (_, path) => {
  await walk(sessionMachine, path);
});

test('it asks for nothing', () => {
  expect(portsOf(sessionMachine)).toEqual([]);
});

test('the table has each phase, and each cell is what a live actor does', () => {
  expect(Object.keys(sessionTable)).toEqual(phases);
  for (const { phase, type } of cells) {
    const snapshot = sessionMachine.resolveState({ value: phase, context: {} });
    const actor = createActor(sessionMachine, { snapshot }).start();
    const to = sessionTable[phase][type];
    expect(actor.getSnapshot().can({ type }), `${type} while ${phase}`).toBe(to !== undefined);
    actor.send({ type });
    expect(actor.getSnapshot().value, `${type} while ${phase}`).toBe(to ?? phase);
  }
});

test('a command leaves the phase as it is, unless it goes back', () => {
  const moves = cells.flatMap(({ phase, type }) => {
    const to = sessionTable[phase][type];
    return to === undefined || to === phase ? [] : [`${phase} ${type} ${to}`];
  });
  expect(moves.filter((move) => !/ (?:compression|recovery|session)\./.test(move))).toEqual([
    'compressing restore open',
    'recovering restore open',
    'completed restore open',
  ]);
});

test('a completed session takes what looks back and what is still owed, and no more work', () => {
  const only = Object.keys(sessionTable.open).filter((type) => !(type in sessionTable.completed));
  expect(
    only.filter((type) => !/^(?:compression|recovery|session)\./.test(type)).toSorted(),
  ).toEqual(
    'append edit invalidate plan pop push raise retry start suspect sync.branch tool.goal'.split(
      ' ',
    ),
  );
});
