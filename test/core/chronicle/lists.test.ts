import { expect, test } from 'vitest';
import { lineMaker, type LineKind } from '../../../src/core/lines/line.ts';
import { listsOf } from '../../../src/core/chronicle/lists.ts';

const make = lineMaker((text) => text.length);
const line = (kind: LineKind, text: string, file = '') =>
  make({ n: 1, turn: 0, kind, text, worth: 1, file });

test('lines tell decisions, files, what is next and what is open, each once', () => {
  expect(
    listsOf([
      line('asked', 'We decided on tabs.'),
      line('said', 'We decided on argon2id.'),
      line('said', 'We decided on argon2id.'),
      line('said', 'Should we go with bcrypt instead of it?'),
      line('said', 'Next: mend the pool.'),
      line('said', 'Remaining: is it fast?'),
      line('list', 'list: [x] read it; [~] mend it; and the rest; [ ] write the test'),
      line('changed', 'changed a.ts', '/work/shop/a.ts'),
      line('changed', 'changed a.ts', '/work/shop/a.ts'),
      line('read', 'The plan was to go with JWT.'),
    ]),
  ).toEqual({
    decisions: ['We decided on argon2id.'],
    files: ['/work/shop/a.ts'],
    next: ['Next: mend the pool.', '[~] mend it; and the rest', '[ ] write the test'],
    questions: ['Should we go with bcrypt instead of it?', 'Remaining: is it fast?'],
  });
});

test('of each list the newest two dozen stay; items are those of lists alone', () => {
  const many = Array.from({ length: 26 }, (_, n) => line('said', `Next: ${n}.`, `a${n}.ts`));
  const { next, files } = listsOf([...many, line('done', 'list: [ ] write the test')]);
  expect([next.length, next[0], files.length, files[0]]).toEqual([24, 'Next: 2.', 24, 'a2.ts']);
});

test.each([
  ['Next step is it.', true],
  ['Next steps: all.', true],
  ['Nextdoor it is.', false],
  ['To-do: all of it.', true],
  ['Todo: all of it.', true],
  ['Remaining is it.', true],
  ['Still need it.', true],
  ['Still to do it.', true],
  ['Still here.', false],
  ['Left to do: it.', true],
  ['Not yet done.', true],
  ['Pending is it.', true],
  ['Open are two.', true],
  ['Opened is it.', false],
  ['So next is it.', false],
])('%j is ahead: %j', (text, is) => {
  expect(listsOf([line('said', text)]).next).toEqual(is ? [text] : []);
});

test('what a person refused is no decision', () => {
  const decided = 'We decided to store the hash, because logs are read.';
  expect(listsOf([line('said', decided)]).decisions).toEqual([decided]);
  expect(listsOf([line('said', `“${decided}” refused in e4: “no”`)]).decisions).toEqual([]);
});
