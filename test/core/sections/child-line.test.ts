import { expect, test } from 'vitest';
import type { Frame } from '../../../src/core/frames/frame.ts';
import { frameOf } from '../../../src/core/frames/tree.ts';
import { childLine, type ChildForm } from '../../../src/core/sections/child-line.ts';
import { frameId, textId } from '../../../src/core/values/id.ts';
import { play, type Played } from '../../notation/state.ts';

const base: Frame = {
  ...frameOf(play('push:a a2 pop').state.frames, 'f1'),
  results: {
    text: textId(1),
    tokens: 61,
    brief: 'It works',
    artifacts: ['a.ts', 'b.ts'],
    decisions: ['Use <b>', 'No cache'],
    by: 'person',
  },
};
const texts = { text: () => 'It works\nas it should' } as unknown as Played['bodies'];

test.each<readonly [string, ChildForm, Partial<Frame>, string]>([
  [
    'whole',
    'whole',
    {},
    '<results>\n  It works\n  as it should\n</results><decisions>Use <b>; No cache</decisions><artifacts>a.ts, b.ts</artifacts>',
  ],
  [
    'brief, with its tokens where a brief says less',
    'brief',
    {},
    '<results whole="61 tokens">It works</results><decisions>Use <b>; No cache</decisions><artifacts>a.ts, b.ts</artifacts>',
  ],
  [
    'brief, where that is all',
    'brief',
    { results: { ...base.results!, tokens: 60, artifacts: [], decisions: [] } },
    '<results>It works</results>',
  ],
  [
    'with what was told from the log, and what failed last',
    'brief',
    {
      results: {
        ...base.results!,
        tokens: 9,
        harvested: ['artifacts'],
        failing: ['npm test', 'npm run lint'],
      },
    },
    '<results>It works</results><failing when="left" from="log">npm test; npm run lint</failing><decisions>Use <b>; No cache</decisions><artifacts from="log">a.ts, b.ts</artifacts>',
  ],
  [
    'with a reason of its own',
    'brief',
    { reason: 'No time', results: { ...base.results!, tokens: 9, artifacts: [], decisions: [] } },
    '<results>It works</results><reason>No time</reason>',
  ],
  [
    'whose reason is its results',
    'brief',
    { reason: 'It works', results: { ...base.results!, tokens: 9, artifacts: [], decisions: [] } },
    '<results>It works</results>',
  ],
  ['without results', 'brief', { results: null, reason: 'Lost' }, '<reason>Lost</reason>'],
])('a child %s', (...[, form, changes, inside]) => {
  const child = { ...base, ...changes };
  const open = '<child id="f1" status="completed"><title>a</title>';
  expect(childLine(child, form, texts)).toBe(`${open}${inside}</child>`);
});

test('a frame that tries another again says so, and a line of an invalidated one its entries and reason', () => {
  const retried: Frame = { ...base, retryOf: frameId(9), results: null };
  expect(childLine(retried, 'brief', texts)).toContain('status="completed" retry-of="f9">');
  const gone: Frame = { ...base, status: 'invalidated', results: null, reason: 'Not needed' };
  expect(childLine(gone, 'line', texts)).toBe(
    '<child id="f1" status="invalidated" entries="e1–e1"><title>a</title><reason>Not needed</reason></child>',
  );
});

test.each([
  // Items and what parts them may take 240 characters; the first is shown, whatever it takes.
  [['x'.repeat(100), 'y'.repeat(136)], `${'x'.repeat(100)}, ${'y'.repeat(136)}`],
  [['x'.repeat(100), 'y'.repeat(137)], `${'x'.repeat(100)}, … 1 more`],
  [['x'.repeat(300), 'y', 'z'], `${'x'.repeat(239)}…, … 2 more`],
])('a list of artifacts shows as many as a line has room for: case %#', (artifacts, shown) => {
  const child = { ...base, results: { ...base.results!, artifacts, decisions: [] } };
  expect(childLine(child, 'brief', texts)).toContain(`<artifacts>${shown}</artifacts>`);
});
