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
