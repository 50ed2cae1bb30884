import { expect, test } from 'vitest';
import type { Fact } from '../../../src/core/state/fact.ts';
import type { State } from '../../../src/core/state/state.ts';
import { freshTimeline } from '../../../src/core/state/timeline.ts';
import { updateUndoSteps } from '../../../src/core/state/evolve-timeline.ts';

const undone = [{ what: 'pop', to: 3, back: 5 }] as const;
const after = (seq: number): State =>
  ({ seq, timeline: { ...freshTimeline, undone, turned: 5 } }) as unknown as State;
const fact = (type: Fact['type']): Fact => ({ type }) as unknown as Fact;

test('what going back compresses to fit is a part of it, and what comes later is new', () => {
  expect(updateUndoSteps(after(5), fact('compression.finished')).timeline).toMatchObject({
    done: [],
    undone,
  });
  expect(updateUndoSteps(after(6), fact('compression.finished')).timeline).toMatchObject({
    done: [{ what: 'compression', to: 6 }],
    undone: [],
  });
});

test.each(['frame.planned', 'frame.edited', 'checkpoint.raised'] as const)(
  'after %s nothing is taken again',
  (type) => {
    expect(updateUndoSteps(after(6), fact(type)).timeline).toMatchObject({ done: [], undone: [] });
  },
);

test.each(['entry.appended', 'snapshot.created', 'session.recovered', 'assembly.sent'] as const)(
  'after %s it can still be taken again',
  (type) => {
    expect(updateUndoSteps(after(6), fact(type)).timeline.undone).toEqual(undone);
  },
);
