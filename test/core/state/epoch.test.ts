import { expect, test } from 'vitest';
import { beginsEpoch } from '../../../src/core/state/epoch.ts';
import { factNames } from '../../../src/core/state/evolve.ts';
import type { Fact } from '../../../src/core/state/fact.ts';

test('what is shown changes with the facts of a closed list', () => {
  expect(factNames.filter((type) => beginsEpoch({ type } as Fact)).toSorted()).toEqual([
    'checkpoint.aged',
    'checkpoint.created',
    'checkpoint.merged',
    'checkpoint.raised',
    'entry.cleared',
    'entry.offloaded',
    'entry.redacted',
    'entry.restored',
    'entry.shortened',
    'frame.invalidated',
    'frame.popped',
    'frame.pushed',
    'frame.retried',
    'frame.started',
    'goal.set',
    'options.changed',
    'session.recovered',
    'session.rolledOver',
    'state.restored',
    'tools.changed',
  ]);
});
