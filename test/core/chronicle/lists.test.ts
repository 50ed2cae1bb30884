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
