import { expect, test } from 'vitest';
import { cells, decided, phases } from './phase-stage.ts';

// What a session takes in each phase, and where that leads, without a look at its machine.

const refused = ['append', 'push', 'plan', 'start', 'edit', 'pop', 'invalidate', 'retry'];
/** The phases that a command leads to, one after the other; it stays where it is unless told. */
const moves: Readonly<Record<string, readonly string[]>> = {
  'open recover': ['recovering'],
  'open compress': ['compressing'],
  'open pop': ['completed'],
  'open restore': ['open'],
  'compressing recover': ['recovering'],
  'compressing settle': ['open'],
  'compressing abandon': ['open'],
  'compressing redact': ['open'],
  'compressing pop': ['completed'],
  'compressing restore': ['open'],
  'recovering confirm': ['open'],
  'recovering pop': ['completed'],
  // A recovery outlives going back.
  'recovering restore': ['open', 'recovering'],
  'completed restore': ['open'],
};

test.each(phases)(
  'of the commands that are decided, a session that is %s refuses these only',
  (phase) => {
    const left = cells.flatMap((cell) => {
      if (cell.phase !== phase) return [];
      const isTaken = typeof decided(phase, cell.input) === 'object';
      return isTaken ? [] : [cell.command];
    });
    const asked = phase === 'recovering' || phase === 'completed' ? [] : ['confirm'];
    expect(left.toSorted()).toEqual((phase === 'completed' ? refused : asked).toSorted());
  },
);

test.each(cells)(
  '$command while $phase moves the session where it must, and not on the way',
  (cell) => {
    const { phase, command, input } = cell;
    const decision = decided(phase, input);
    if (typeof decision === 'string') return;
    const gone = decision.facts.flatMap((fact) => {
      return fact.type === 'session.moved' || fact.type === 'state.restored' ? [fact.phase] : [];
    });
    const to = moves[`${phase} ${command}`] ?? [];
    expect(gone).toEqual(to);
    expect(decision.state.phase).toBe(to.at(-1) ?? phase);
  },
);
