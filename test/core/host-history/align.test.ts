import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align, type Alignment } from '../../../src/core/host-history/align.ts';
import {
  toComparable,
  type ComparableMessage,
  type ComparableEntry,
} from '../../../src/core/host-history/comparable-message.ts';
import type { Message } from '../../../src/core/messages/message.ts';

// A log in letters: u and a number is what a person said, a what a model did, t a result
// of a call with that number. `t4~` is t4 cleared in place, `t4-` is t4 shortened.

function line(word: string): ComparableMessage {
  const [, role, n, mark] = /^([uat])(\w+)([~-]?)$/.exec(word)!;
  const whole = `${role} number ${n} says a good deal more than its marker would do`;
  const content = mark === '~' ? '[gone]' : mark === '-' ? whole.slice(0, 30) : whole;
  const message: Message =
    role === 't'
      ? { role: 'tool', toolCallId: n!, content }
      : { role: role === 'u' ? 'user' : 'assistant', content };
  return toComparable(message, `${role} ${content}`);
}

const lines = (words: string): readonly ComparableMessage[] =>
  words.split(' ').filter(Boolean).map(line);

const logged = (all: readonly ComparableMessage[]): readonly ComparableEntry[] =>
  all.map((one, at) => ({ ...one, n: at + 1 }));

const of = (log: string, list: string): Alignment => align(logged(lines(log)), lines(list));

const log = 'u1 a2 t2 a4 u5 a6 t6 a8';

test.each([
  ['the same list again', log, 'same', [], []],
  ['more at its end', `${log} u9 a10`, 'append', [], [8, 9]],
  ['a head that was dropped', 'u5 a6 t6 a8', 'head', [1, 2, 3, 4], []],
  ['a head that gave way to a summary', 'u99 u5 a6 t6 a8', 'head', [1, 2, 3, 4], [0]],
  ['as many dropped as appended', 't2 a4 u5 a6 t6 a8 u9 a10', 'head', [1, 2], [6, 7]],
  ['one dropped in the middle, more appended', 'u1 a2 t2 u5 a6 t6 a8 u9', 'middle', [4], [7]],
  ['results cleared where they stood', 'u1 a2 t2~ a4 u5 a6 t6~ a8 u9', 'cleared', [3, 7], [8]],
  ['a long text shortened', 'u1 a2 t2- a4 u5 a6 t6 a8', 'shortened', [3], []],
  ['a restart with the newest', 'u5', 'restart', [1, 2, 3, 4, 6, 7, 8], []],
  ['a restart with something new', 'u77', 'restart', [1, 2, 3, 4, 5, 6, 7, 8], [0]],
  ['nothing at all', '', 'restart', [1, 2, 3, 4, 5, 6, 7, 8], []],
] as const)('%s', (...[, after, manner, lost, fresh]) => {
  const relation = manner === 'same' || manner === 'append' ? manner : 'cut';
  expect(of(log, after)).toMatchObject({ relation, manner, lost, fresh, forkedAt: null });
});

test.each([
  ['a prompt edited and sent again', 'u1 a2 t2 a4 u55', 'edit', 5, [4]],
  ['a prompt edited and answered', 'u1 a2 t2 a4 u55 a66', 'edit', 5, [4, 5]],
  ['an answer thrown away', 'u1 a2 t2 a4 u5', 'retry', 6, []],
  ['an answer made anew', 'u1 a2 t2 a4 u5 a66', 'retry', 6, [5]],
] as const)('%s is another branch, and no loss', (...[, after, manner, forkedAt, fresh]) => {
  const found = of(log, after);
  expect(found).toMatchObject({ relation: 'fork', manner, forkedAt, fresh, lost: [] });
});

test('the first prompt edited in the first turn is another branch, later a restart', () => {
  expect(of('u1 a2', 'u9')).toMatchObject({ relation: 'fork', forkedAt: 1 });
  expect(of('u1 a2 u3 a4', 'u9')).toMatchObject({ relation: 'cut', manner: 'restart' });
});

test.each([
  ['an answer with other words', log, 'u1 a99 t2 a4 u5 a6 t6 a8', 'edited', [2], [1]],
  [
    'a prompt with other words, where more changed',
    log,
    'u1 a2 t2 a4 u99 a6 t6~ a8',
    'cleared',
    [5, 7],
    [4],
  ],
  [
    'a result under another name',
    'u1 a2 t2 t3 a4 u5',
    'u1 a2 t98~ t99~ a4 u5',
    'cleared',
    [3, 4],
    [],
  ],
  ['the first of its results', 'u1 t2 t3 a4 u5', 'u1 t98~ u5', 'middle', [2, 3, 4], []],
  ['results at the head', 'u1 a2 t2 t3 u5 a6 a7', 't98~ t99~ u5 a6 a7', 'head', [1, 2, 3, 4], []],
  ['the head of two alike', 'u1 a2 u3 a4 u1 a2', 'u1 a2 u9', 'head', [1, 2, 3, 4], [2]],
  ['one at the head', 'u1 a2 u3', 'a2 u3', 'head', [1], []],
  ['all but the newest of two', 'u1 a2', 'a2', 'head', [1], []],
  ['all but the newest of three', 'u1 a2 u3', 'u3', 'restart', [1, 2], []],
] as const)('%s: %s is now %s', (...[, before, after, manner, lost, fresh]) => {
  expect(of(before, after)).toMatchObject({ relation: 'cut', manner, lost, fresh });
});

test('what a list lacked before is no news, and comes back without being new', () => {
  const gone = new Set([1, 2]);
  const still = align(logged(lines(log)), lines('t2 a4 u5 a6 t6 a8'), gone);
  expect(still).toMatchObject({ relation: 'same', lost: [], gone: [1, 2] });
  const back = align(logged(lines(log)), lines(log), gone);
  expect(back).toMatchObject({ relation: 'same', lost: [], gone: [] });
  const more = align(logged(lines(log)), lines('a4 u5 a6 t6 a8 u9'), gone);
  expect(more).toMatchObject({ relation: 'cut', manner: 'head', lost: [3], gone: [1, 2, 3] });
});

test('another branch keeps what it still has after the fork, and needs three in common where the head is gone', () => {
  expect(of(log, 'a4 u5 a6 t6 a99')).toMatchObject({
    relation: 'fork',
    forkedAt: 8,
    lost: [1, 2, 3],
  });
  expect(of('u1 a2 t2 a4 u5', 'a4 u99')).toMatchObject({ relation: 'cut', lost: [1, 2, 3, 5] });
});

test.each([
  ['one of several shortened', 'u1 a4- u5 a6 t6 a8', 'middle', [2, 3, 4], [4], []],
  ['two shortened beside one dropped', 'u1 a2- a4- u5 a6 t6 a8', 'middle', [2, 3, 4], [2, 4], []],
  ['two in another order', 'u1 a4- a2- u5 a6 t6 a8', 'middle', [2, 3, 4], [4], [2]],
  ['one of another role', 'u1 t4- u5 a6 t6 a8', 'middle', [2, 3, 4], [], [1]],
  ['one in front of what is there', 'u1 a2 t2 a4 u5 a6 t6 u9 a8', 'append', [], [], [7]],
  ['all between results cleared', 'u1 a2 t2~ u5 a6 t6~ a8', 'middle', [3, 4, 7], [], []],
  ['the first of all shortened', 'u1- a2 t2 a4 u5 a6 t6 a8', 'shortened', [1], [1], []],
  ['a result of another call', 'u1 a2 t9- a4 u5 a6 t6 a8', 'cleared', [3], [], []],
] as const)('%s', (...[, after, manner, lost, shortened, fresh]) => {
  expect(of(log, after)).toMatchObject({ manner, lost, shortened, fresh });
});

test('what is shortened at the end of a list may be new', () => {
  expect(of('u1 a2 u3 a4', 'u1 a2 u3-')).toMatchObject({ fresh: [2], shortened: [] });
  expect(of('u1 a2 t2', 'u1 a2 t2-')).toMatchObject({ fresh: [], shortened: [3], lost: [3] });
  expect(of('u1 a2 t2 t3', 'u1 a2 t3~ t2~')).toMatchObject({ fresh: [], cleared: [4, 3] });
  expect(of('u1 a2 t2 t3', 'u1 a2 t9~')).toMatchObject({ fresh: [], cleared: [3], lost: [3] });
});

test('what is alike at both ends is what leaves less over', () => {
  expect(of('u1 a2 u1', 'u1 a9 u1')).toMatchObject({ manner: 'edited', lost: [2] });
  expect(of('u1 a2 u1 a3', 'u1 a3')).toMatchObject({ manner: 'head', lost: [1, 2] });
  expect(of('u1 a2 u1 a2 u3', 'u1 a2 u3')).toMatchObject({ manner: 'head', lost: [1, 2] });
});

test('what was gone comes back where it stood, though more is gone before it', () => {
  const all = logged(lines('u1 a2 t2 a4 u5 a6'));
  const back = align(all, lines('a2 t2 a4 u5 a6'), new Set([3, 4]));
  expect(back).toMatchObject({ relation: 'cut', manner: 'head', lost: [1], gone: [1], fresh: [] });
  const rewritten = align(all, lines('u1 a2 t2~ a4 u5 a6'), new Set([3]));
  expect(rewritten).toMatchObject({
    relation: 'same',
    lost: [],
    cleared: [],
    gone: [3],
    fresh: [],
  });
  const shorter = align(all, lines('u1 a2 t2- a4 u5 a6'), new Set([3]));
  expect(shorter).toMatchObject({ relation: 'same', shortened: [], gone: [3] });
  const edited = align(all, lines('u1 a99 t2 a4 u5 a6'), new Set([2]));
  expect(edited).toMatchObject({ edited: [], lost: [] });
});

test('another branch where the head is gone has nothing new inside', () => {
  expect(of(log, 'u77 a4 u5 a6 t6 a99')).toMatchObject({
    relation: 'fork',
    forkedAt: 8,
    fresh: [0, 5],
  });
  expect(of(log, 'a4 u5 u77 a6 t6 a99')).toMatchObject({ relation: 'cut', fresh: [2, 5] });
  expect(of(log, 'u1 a2 t2 u77 a4 u5 a6 t6 a99')).toMatchObject({
    relation: 'cut',
    forkedAt: null,
  });
  expect(of(log, 'a2 t2 a4 u5 a99')).toMatchObject({ relation: 'fork', forkedAt: 6, lost: [1] });
});

/** Machine text that a host inserted is `i`. */
const inserted = (word: string): ComparableMessage => {
  const content = `${word} sums up what was said before`;
  return toComparable({ role: 'user', content, origin: 'machine' }, content);
};
const withInserted = (words: string): readonly ComparableMessage[] =>
  words.split(' ').map((word) => (word.startsWith('i') ? inserted(word) : line(word)));

test('what a host inserted is known wherever it stands', () => {
  const moved = (before: string, after: string) =>
    align(logged(withInserted(before)), withInserted(after));
  expect(moved('u1 a2 u3 i4 a5', 'i4 u3 a5')).toMatchObject({ lost: [1, 2], fresh: [] });
  expect(moved('u1 a2 i3 u4 a5', 'i3 u1 a2 u4 a5')).toMatchObject({ relation: 'same', fresh: [] });
  expect(moved('u1 a2 i3 u4 a5', 'u1 a2 u4 a5')).toMatchObject({ lost: [3] });
});

test('three in a row that stand elsewhere are known, or what stands before the last that is common', () => {
  const all = 'u1 a2 u3 u4 u5 a6 u7';
  expect(of(all, 'u3 u4 u5 u1 a2 a6 u7')).toMatchObject({ relation: 'same', fresh: [] });
  expect(of('u1 u2 u3', 'u3 u2 u1').fresh).toEqual([1, 2]);
  expect(of('u1 u2', 'u2 u1').fresh).toEqual([1]);
  expect(of('u1 a2 u3 a4', 'a2 u1 u3 a4')).toMatchObject({ relation: 'same', fresh: [] });
});

const nothing = {
  cleared: [],
  shortened: [],
  edited: [],
  fresh: [],
  inside: [],
  lost: [],
  gone: [],
  forkedAt: null,
  kept: [],
};

test.each<readonly [string, string, Partial<Alignment>]>([
  [log, log, { relation: 'same', manner: 'same' }],
  ['', 'u1', { relation: 'append', manner: 'append', fresh: [0] }],
  ['u1', '', { relation: 'cut', manner: 'head', lost: [1], gone: [1] }],
  [
    log,
    'u1 a2 t2~ u9 u5 a6 t6- a8 u7',
    {
      relation: 'cut',
      manner: 'middle',
      cleared: [3],
      shortened: [7],
      fresh: [3, 8],
      inside: [3],
      lost: [3, 4, 7],
      gone: [3, 4, 7],
    },
  ],
  [
    'u1 a2 u3 a4 u5 a6',
    'u1 a2 u9 a4',
    {
      relation: 'cut',
      manner: 'middle',
      edited: [3],
      fresh: [2],
      inside: [2],
      lost: [3, 5, 6],
      gone: [3, 5, 6],
    },
  ],
])('all that is known of %j beside %j', (before, after, known) => {
  expect(of(before, after)).toEqual({ ...nothing, ...known });
});

/** Lines of which some are alike. */
const anyLog = fc
  .array(fc.nat(30), { minLength: 1, maxLength: 60, size: 'max' })
  .map((numbers) => numbers.map((n, at) => line(n > 20 ? `a${n}` : `u${n}x${at}`)));

test('whatever subset a host keeps, exactly as many are lost as it dropped', () => {
  fc.assert(
    fc.property(anyLog, fc.infiniteStream(fc.boolean()), (all, keep) => {
      const kept = all.filter(() => keep.next().value);
      const found = align(logged(all), kept);
      if (found.relation === 'fork') return;
      expect(found.lost.length).toBe(all.length - kept.length);
      expect(found.fresh).toEqual([]);
    }),
  );
});

test('a dropped head and a new tail are named to the entry, whatever is alike', () => {
  fc.assert(
    fc.property(anyLog, fc.nat(59), fc.nat(4), (all, cut, more) => {
      const head = Math.min(cut, all.length - 1);
      const tail = Array.from({ length: more }, (_, n) => line(`u900x${n}`));
      const found = align(logged(all), [...all.slice(head), ...tail]);
      const unlike = all.every(({ hash }, at) => all.findIndex((o) => o.hash === hash) === at);
      // What is left may begin as the log does, and a new prompt after it is then an edited one.
      if (!unlike && found.relation === 'fork') return;
      expect(found.lost.length).toBe(head);
      expect(found.fresh.length).toBe(more);
      if (unlike) expect(found.lost).toEqual(Array.from({ length: head }, (_, n) => n + 1));
    }),
  );
});
