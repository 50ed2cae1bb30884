import { expect, test } from 'vitest';
import { newRuns } from '../../../src/core/values/parts.ts';
import { newDraft, type Draft } from '../../../src/engine/step/draft.ts';
import { play } from '../../notation/state.ts';

const { state, bodies } = play('u20 push:auth a30');
const moved = { type: 'session.moved', phase: 'compressing' } as const;

test('a decision that is begun again takes over what a stage recorded, and goes through it no more', () => {
  let times = 0;
  const stage = (draft: Draft): string => {
    times += 1;
    draft.record(moved);
    return draft.write('told');
  };
  const { run } = newRuns({ begin: () => undefined, isOver: () => true });
  const decided = () =>
    run((part) => {
      const draft = newDraft(state, { count: () => 1, bodies, at: 5, part });
      const written = draft.stage(stage);
      draft.record({ ...moved, phase: 'open' });
      return { written, texts: [...draft.texts], facts: draft.facts, phase: draft.state.phase };
    });
  let done = decided();
  for (; done === null; done = decided());
  const { written, texts, facts, phase } = done.value;
  expect(texts).toEqual([[written, 'told']]);
  expect(facts).toEqual([moved, { ...moved, phase: 'open' }]);
  expect([phase, times]).toEqual(['open', 1]);
});
