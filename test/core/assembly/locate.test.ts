import { expect, test } from 'vitest';
import { where } from '../../../src/core/assembly/locate.ts';
import { play } from '../../notation/state.ts';

const formIn = (line: string, id: string): string => {
  const place = where(play(line).state, id);
  return place.place === 'tree' ? place.form : place.place;
};

const times = (count: number, step: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => step(n)).join(' ');

// The window is 1,000 tokens, so the cap of the tree is 150, and more while the entries are few.
test.each([
  ['an open root alone is not shown', 'u5 epoch', 'f0', 'hidden'],
  ['the root and the active frame are on the path', 'push:a epoch', 'f1', 'path'],
  ['short results are whole', 'push:a pop epoch', 'f1', 'whole'],
  ['long ones too, where there is room', 'push:a pop:100 epoch', 'f1', 'whole'],
  ['else there is a brief', 'a740 push:a pop:200 epoch', 'f1', 'brief'],
  ['there is more room while the entries are few', 'push:a pop:200 epoch', 'f1', 'whole'],
  ['a planned frame has its criteria', 'plan:a:30 epoch', 'f1', 'whole'],
  ['else their brief', 'a740 plan:a:150 epoch', 'f1', 'brief'],
  ['a planned frame below one likewise', 'a740 plan:a plan:b:150:a epoch', 'f2', 'brief'],
  ['an older one a line, too', `a740 ${times(40, (n) => `push:a${n} pop`)} epoch`, 'f11', 'line'],
  ['then one of a count', `a740 ${times(40, (n) => `push:a${n} pop`)} epoch`, 'f2', 'counted'],
  ['what lies in a closed frame is not shown', 'push:a push:b pop pop epoch', 'f2', 'hidden'],
  ['what is new waits for the next epoch', 'push:a epoch plan:b', 'f2', 'hidden'],
  [
    'the middle of a long path is counted',
    `${times(30, (n) => `a5 push:a${n}`)} a740 epoch`,
    'f9',
    'counted',
  ],
])('%s', (...[, line, id, form]) => {
  expect(formIn(line, id)).toBe(form);
});

test('an id of no frame is refused', () => {
  expect(() => where(play('u5').state, 'f7')).toThrow(/f7/);
});
