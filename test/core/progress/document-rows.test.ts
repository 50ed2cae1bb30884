import { expect, test } from 'vitest';
import { meaningOf, rowsOf } from '../../../src/core/progress/document-rows.ts';
import { nothingReported } from '../../../src/core/state/document-schedule.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import { workIn } from './work.ts';

/** A line of an entry and the next; what names a file is of that. */
const line = (kind: Line['kind'], n: number, text: string): Line => {
  const file = /^changed (\S+)/.exec(text)?.[1] ?? '';
  return { turn: 0, kind, n, to: n + 1, text, file, worth: 1, tokens: 4 };
};

/** The rows that lines give by themselves. */
const rows = (...lines: readonly Line[]) => rowsOf(workIn([]), lines, nothingReported);

test('a failure leads to its command, or to its entry where it names none', () => {
  expect(
    rows(
      line('failed', 1, '`npm test` failed: 3 errors'),
      line('failed', 3, 'The server is gone'),
      line('failed', 5, '`npm test` succeeded'),
    ),
  ).toEqual([
    { type: 'action', reference: 'npm test', hint: 'failed: 3 errors', entries: ['e1', 'e2'] },
    { type: 'action', reference: 'e3', hint: 'The server is gone', entries: ['e3', 'e4'] },
    { type: 'action', reference: 'e5', hint: '`npm test` succeeded', entries: ['e5', 'e6'] },
  ]);
});

test('a changed file leads to what it brought; one of no name leads nowhere', () => {
  expect(
    rows(
      line('changed', 1, 'changed a.ts (+ class A)'),
      line('changed', 3, 'changed b.ts'),
      line('changed', 5, 'in a.ts: class B'),
      line('said', 7, 'changed c.ts'),
    ),
  ).toEqual([
    { type: 'file', reference: 'a.ts', hint: 'changed: + class A', entries: ['e1', 'e2'] },
    { type: 'file', reference: 'b.ts', hint: 'changed', entries: ['e3', 'e4'] },
  ]);
});

test('what was changed twice has one row with what came last; the newest fifty stay', () => {
  const twice = rows(
    line('changed', 1, 'changed a.ts'),
    line('changed', 3, 'changed a.ts (+ class A)'),
  );
  expect(twice.map(({ hint }) => hint)).toEqual(['changed: + class A']);
  const many = rows(
    ...Array.from({ length: 51 }, (_, at) => line('changed', at, `changed f${at}`)),
  );
  expect([many.length, many[0]!.reference]).toEqual([50, 'f1']);
});

test('each request leads to the entries where it was worked on', () => {
  const work = workIn([
    'u Add a login page to src/web/app.ts',
    'a Done.',
    'u ok',
    'u Now rename the store to vault in src/store.ts',
    'a I did.',
  ]);
  const told = (messages: number) =>
    rowsOf(work, [], { ...nothingReported, messages }).map(({ reference, hint }) => [
      reference,
      hint,
    ]);
  const second = '“Now rename the store to vault in src/store.ts”';
  expect(told(0)).toEqual([
    ['e1–e3', '“Add a login page to src/web/app.ts”'],
    ['e4–e5', second],
  ]);
  expect(told(1)[0]).toEqual(['e2–e3', '“Add a login page to src/web/app.ts” (since e1)']);
  expect(told(3)).toEqual([['e4–e5', second]]);
  expect(told(4)).toEqual([['e5', `${second} (since e4)`]]);
  expect(told(5)).toEqual([]);
});

test('an edit of the page by hand is no work on a request', () => {
  const work = workIn(['u Add a login page to src/web/app.ts', 'a Done.', 'm edited'], {
    edits: [{ n: 3, gone: [], decisions: [] }] as never,
  });
  expect(rowsOf(work, [], nothingReported).map(({ reference }) => reference)).toEqual(['e1–e2']);
});

test.each([
  ['`npm test` failed', 'npm test', 'failed'],
  ['so `npm test` failed: a', 'e1', 'so `npm test` failed: a'],
  ['`npm `test` failed', 'e1', '`npm `test` failed'],
  ['`` failed', 'e1', '`` failed'],
  ['`npm test`  failed', 'e1', '`npm test` failed'],
])('the failure %j leads to %j', (text, reference, hint) => {
  expect(rows(line('failed', 1, text))).toEqual([
    { type: 'action', reference, hint, entries: ['e1', 'e2'] },
  ]);
});

test('a hint has a hundred characters, as a meaning has as many as it may', () => {
  const long = 'x'.repeat(200);
  const hints = rows(
    line('failed', 1, `\`a\` failed ${long}`),
    line('changed', 3, `changed a.ts (${long})`),
  ).map(({ hint }) => hint.length);
  expect(hints).toEqual([100, 100]);
  expect(meaningOf(line('changed', 1, `changed a.ts (${long})`), 20)).toBe('changed: xxxxxxxxxx…');
  const request = rowsOf(workIn([`u Rename the store to ${long}`]), [], nothingReported);
  expect(request.map(({ hint }) => hint.length)).toEqual([102]);
});

test('rows of failures come before those of files, and those before requests; a name may be of both', () => {
  const work = workIn(['u Add a login page to src/web/app.ts', 'a Done.']);
  const lines = [line('changed', 3, 'changed make'), line('failed', 1, '`make` failed')];
  expect(
    rowsOf(work, lines, nothingReported).map(({ type, reference }) => [type, reference]),
  ).toEqual([
    ['action', 'make'],
    ['file', 'make'],
    ['action', 'e1–e2'],
  ]);
});
