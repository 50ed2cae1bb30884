import { expect, test } from 'vitest';
import {
  chronicleLines,
  chronicleTitle,
  chronicleText,
  withIndex,
} from '../../../src/core/sections/chronicle-section.ts';
import { recallLine } from '../../../src/core/sections/recall-line.ts';
import { noTools } from '../../../src/core/messages/tool-spec.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play } from '../../notation/state.ts';

const { state, bodies } = play('u5 a9 told:3,2');
const under = (root: string, recall: boolean): State => ({
  ...state,
  chronicle: { ...state.chronicle, root },
  tools: { ...noTools, recall },
});
const first =
  'What happened before the entries below, oldest first, in the words of the log; e… are ids of entries.';

test.each([
  ['', false, first],
  ['/w', false, `${first} Files are told from /w.`],
  ['', true, `${first} ${recallLine(true)}`],
  ['/w', true, `${first} Files are told from /w. ${recallLine(true)}`],
])(
  'the title says from where files of %j are told, and how to recall: %s',
  (root, recall, title) => {
    expect(chronicleTitle(under(root, recall))).toBe(title);
  },
);

test('without lines it is told how to read what a checkpoint tells, where it opens all the same', () => {
  const none = (opens: boolean): string =>
    chronicleText(under('/w', true), bodies, { lines: [], opens });
  expect([none(false), none(true)]).toEqual(['', `Files are told from /w. ${recallLine(true)}`]);
  expect(chronicleText(state, bodies, { lines: chronicleLines(state), opens: false })).toBe(
    `${first}\nAfter e1:\n- e2 w1x0 w1x1 w1x2 · w1x0 w1x1`,
  );
});

test('an index stands below lines, never alone', () => {
  expect(withIndex('told', 'index')).toBe('told\nindex');
  expect([withIndex('', 'index'), withIndex('told', ''), withIndex('', '')]).toEqual([
    '',
    'told',
    '',
  ]);
});

test('lines are those of the path, without what checkpoints hold, or people said who are shown', () => {
  const lines = (of: State): readonly number[] => chronicleLines(of).map(({ id }) => id);
  const below = play('u5 a9 told:3,2 push:x u4 a3 told:4 pop');
  const all = lines(state);
  expect(all).toHaveLength(2);
  expect(lines(below.state)).toEqual(all);
  const inside = play('u5 a9 told:3,2 push:x u4 a3 told:4').state;
  expect(lines(inside)).toHaveLength(3);
  const asked = (n: number): State => ({
    ...state,
    chronicle: {
      ...state.chronicle,
      lines: state.chronicle.lines.map((line) => ({ ...line, kind: 'asked', n })),
    },
  });
  expect(lines(asked(1))).toEqual([]);
  expect(lines(asked(2))).toEqual(all);
  const quoted = play('u5 a9 u6 checkpoint:4 offloaded:e1 told:3').state;
  const ofQuote = quoted.chronicle.lines.map((line) => ({ ...line, kind: 'asked' as const, n: 1 }));
  expect(lines({ ...quoted, chronicle: { ...quoted.chronicle, lines: ofQuote } })).toEqual([]);
  const held = play('u5 a9 told:3,2 checkpoint:4').state;
  const view = held.views.get(held.active)!;
  const checkpoints = view.checkpoints.map((one) => ({ ...one, lines: [all[0]!] }));
  const views = new Map(held.views).set(held.active, { ...view, checkpoints });
  expect(lines({ ...held, views })).toEqual([all[1]]);
});
