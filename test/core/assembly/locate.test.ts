import { expect, test } from 'vitest';
import { gapsOf, where, type EntryPlace } from '../../../src/core/assembly/locate.ts';
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

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['u5 a9', ['verbatim f0', 'verbatim f0'], []],
  [
    'u5 a9 u6 call:read result:read:80 cleared:e5 a40 short:e6:9',
    [
      'verbatim f0',
      'verbatim f0',
      'verbatim f0',
      'verbatim f0',
      'shortened f0 5',
      'shortened f0 9',
    ],
    ['e5–e6 2 f0 shortened'],
  ],
  [
    'u5 a9 u6 a9 checkpoint:7 epoch u6 a9 u3 a4 checkpoint:5 epoch a8',
    [
      'verbatim f0',
      'checkpoint f0 c1 e1 e4',
      'verbatim f0',
      'checkpoint f0 c1 e1 e4',
      'verbatim f0',
      'checkpoint f0 c2 e5 e8',
      'verbatim f0',
      'checkpoint f0 c2 e5 e8',
      'verbatim f0',
    ],
    [
      'e2–e2 1 f0 checkpoint c1',
      'e4–e4 1 f0 checkpoint c1',
      'e6–e6 1 f0 checkpoint c2',
      'e8–e8 1 f0 checkpoint c2',
    ],
  ],
  [
    'u5 a9 u6 a9 u7 checkpoint:7 offloaded:e1,e3 epoch',
    [
      'checkpoint f0 c1 e1 e5',
      'checkpoint f0 c1 e1 e5',
      'checkpoint f0 c1 e1 e5',
      'checkpoint f0 c1 e1 e5',
      'verbatim f0',
    ],
    ['e1–e4 4 f0 checkpoint c1'],
  ],
  [
    'u5 a9 push:x u3 a5 epoch',
    ['verbatim f0', 'partial f0 e1 e2', 'verbatim f1', 'verbatim f1'],
    ['e2–e2 1 f0 partial'],
  ],
  [
    'u5 a9 push:x u3 a5 pop epoch u4',
    ['verbatim f0', 'verbatim f0', 'verbatim f1', 'results f1', 'verbatim f0'],
    ['e4–e4 1 f1 results'],
  ],
  [
    'u5 a9 push:x a5 invalidate:x epoch u4',
    ['verbatim f0', 'verbatim f0', 'invalidated f1', 'verbatim f0'],
    ['e3–e3 1 f1 invalidated'],
  ],
  [
    'u5 a9 push:x a5 block epoch a4',
    ['verbatim f0', 'verbatim f0', 'results f1', 'verbatim f0'],
    ['e3–e3 1 f1 results'],
  ],
  [
    'a9 push:x u5 a5 pop epoch a4',
    ['verbatim f0', 'verbatim f1', 'results f1', 'verbatim f0'],
    ['e3–e3 1 f1 results'],
  ],
  [
    'a9 call:read push:x u5 a5 pop epoch a4',
    ['verbatim f0', 'verbatim f0', 'verbatim f1', 'results f1', 'verbatim f0'],
    ['e4–e4 1 f1 results'],
  ],
  ['a9 call:read closed a4', ['verbatim f0', 'verbatim f0', 'verbatim f0'], []],
  ['u5 result:read:5', ['verbatim f0', 'shortened f0 5'], ['e2–e2 1 f0 shortened']],
  [
    'u5 push:x u5 a7 checkpoint:3 push:y u4 a3 epoch',
    ['verbatim f0', 'verbatim f1', 'checkpoint f1 c1 e2 e3', 'verbatim f2', 'verbatim f2'],
    ['e3–e3 1 f1 checkpoint c1'],
  ],
  [
    'u5 a9 u6 a3 offloaded:e1 push:x u5',
    ['offloaded f0 e1 e1', 'partial f0 e2 e4', 'verbatim f0', 'partial f0 e2 e4', 'verbatim f1'],
    ['e1–e1 1 f0 offloaded', 'e2–e2 1 f0 partial', 'e4–e4 1 f0 partial'],
  ],
  [
    'u5 a9 push:x u4 a3 u5 checkpoint:2 pop a3 result:read:3',
    [
      'verbatim f0',
      'verbatim f0',
      'results f1',
      'results f1',
      'verbatim f1',
      'verbatim f0',
      'shortened f0 3',
    ],
    ['e3–e4 2 f1 results', 'e7–e7 1 f0 shortened'],
  ],
  [
    'u5 a9 u6 a3 checkpoint:4 epoch u4 call:read push:x u4 a3 short:e7:2 push:y u6',
    [
      'verbatim f0',
      'checkpoint f0 c1 e1 e4',
      'verbatim f0',
      'checkpoint f0 c1 e1 e4',
      'verbatim f0',
      'partial f0 e5 e6',
      'shortened f1 2',
      'partial f1 e7 e8',
      'verbatim f2',
    ],
    [
      'e2–e2 1 f0 checkpoint c1',
      'e4–e4 1 f0 checkpoint c1',
      'e6–e6 1 f0 partial',
      'e7–e7 1 f1 shortened',
      'e8–e8 1 f1 partial',
    ],
  ],
  [
    'a5 push:x u5 a9 fail a3 call:read,list result:read:7 cleared:e5 closed a3',
    [
      'verbatim f0',
      'verbatim f1',
      'results f1',
      'verbatim f0',
      'shortened f0 5',
      'verbatim f0',
      'verbatim f0',
    ],
    ['e3–e3 1 f1 results', 'e5–e5 1 f0 shortened'],
  ],
])(
  'each entry of “%s” has its place, and each that is not verbatim a gap',
  (line, places, gaps) => {
    const { state } = play(line);
    const printed = places.map((_, index) => {
      const { place, entry, frame, ...rest } = where(state, `e${index + 1}`) as EntryPlace;
      expect(entry).toBe(`e${index + 1}`);
      return [place, frame, ...Object.values(rest)].join(' ');
    });
    expect(printed).toEqual(places);
    expect(
      gapsOf(state).map(({ from, to, entries, frame, place, checkpoint }) =>
        [`${from}–${to}`, entries, frame, place, checkpoint].join(' ').trim(),
      ),
    ).toEqual(gaps);
    expect(() => where(state, `e${places.length + 1}`)).toThrow(`"e${places.length + 1}"`);
  },
);
