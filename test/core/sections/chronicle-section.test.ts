import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blocksOf,
  chronicleLines,
  chronicleTitle,
  toldBlocks,
  withIndex,
} from '../../../src/core/sections/chronicle-section.ts';
import type { KeptLine } from '../../../src/core/chronicle/chronicle.ts';
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

test('without lines it is told how to read what a checkpoint tells, once something was compressed', () => {
  const none = (compressions: number, factor: number): readonly string[] =>
    toldBlocks({ ...under('/w', true), compressions }, bodies, { lines: [], blocks: [0], factor });
  const how = `Files are told from /w. ${recallLine(true)}`;
  expect([none(0, 1), none(1, 0), none(1, 0.1), none(2, 1)]).toEqual([[], [], [how], [how]]);
  const lines = chronicleLines(state);
  expect(toldBlocks(state, bodies, { lines, blocks: [lines.length], factor: 0 })).toEqual([
    `${first}\nAfter e1:\n- e2 w1x0 w1x1 w1x2 · w1x0 w1x1`,
  ]);
});

test('an index stands below the lines of the last block, never alone', () => {
  expect(withIndex(['told', 'more'], 'index')).toEqual(['told', 'more\nindex']);
  expect([withIndex([], 'index'), withIndex(['told'], ''), withIndex([], '')]).toEqual([
    [],
    ['told'],
    [],
  ]);
});

test('a block that is full stays as it is while lines come behind it', () => {
  const kinds = ['asked', 'said', 'done', 'changed'] as const;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(60), fc.nat(3), fc.nat(4)), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 100, max: 20_000 }),
      (drawn, limit) => {
        let [n, turn] = [1, 1];
        const lines = drawn.map(([tokens, kind, step], row) => {
          n += step;
          if (kinds[kind] === 'asked') turn = n;
          const line = { n, to: n, turn, kind: kinds[kind]!, text: '', tokens, worth: 1, file: '' };
          return { ...line, id: row + 1, frame: 'f0', source: 't1', row, made: 0, names: 0 };
        }) as unknown as readonly KeptLine[];
        const whole = blocksOf(lines, { limit });
        expect(whole.reduce((sum, length) => sum + length, 0)).toBe(lines.length);
        const before = blocksOf(lines.slice(0, -1), { limit });
        expect(whole.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
        let at = 0;
        for (const length of whole.slice(0, -1)) {
          at += length;
          const [last, next] = [lines[at - 1]!, lines[at]!];
          expect(last.kind).not.toBe('asked');
          expect(last.kind === next.kind && last.n === next.n).toBe(false);
        }
      },
    ),
  );
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
