import { expect, test } from 'vitest';
import { newDraft } from '../../../src/engine/step/draft.ts';
import { standing } from '../../../src/engine/step/trace.ts';
import { play } from '../../notation/state.ts';

const { state, bodies } = play('u20 push:auth a30');
const context = { count: () => 1, bodies, at: 5 };
const moved = { type: 'session.moved', phase: 'compressing' } as const;

test('what is tried on a fork and not taken over is not told', () => {
  const draft = newDraft(state, { ...context, isTraced: true });
  const trial = draft.fork();
  trial.record(moved);
  expect(draft.trace).toEqual([]);
  draft.adopt(trial);
  trial.record({ ...moved, phase: 'open' });
  expect(draft.trace!.map(({ event, from, to }) => [event.type, from, to])).toEqual([
    ['compression.started', 'open', 'compressing'],
  ]);
});

test('where nobody inspects, nothing is noted', () => {
  const draft = newDraft(state, context);
  draft.record(moved);
  draft.tell(...standing(draft.state));
  expect([draft.trace, draft.fork().trace]).toEqual([null, null]);
});
