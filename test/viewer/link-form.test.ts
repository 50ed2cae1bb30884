import { expect, test } from 'vitest';
import { linkForm } from '../../src/viewer/page/session/model/link-form.ts';

/** What leads somewhere, in brackets, and what is marked, in braces. */
const marked = (text: string, ...words: readonly string[]): string =>
  text.replace(linkForm(words), (found, id: string | undefined) =>
    id === undefined ? `{${found}}` : `[${found}]`,
  );

test('ids lead to their entries, and words are marked where one begins with them', () => {
  expect(marked('e4-e9, f2 and the4 of cafe2')).toBe('[e4-e9], [f2] and the4 of cafe2');
  expect(marked('Limits of e4: limit, unlimited', 'limit')).toBe(
    '{Limit}s of [e4]: {limit}, unlimited',
  );
});

test('a name is marked behind an escape that stands there as it is written, and where it begins as an id', () => {
  expect(marked(String.raw`"a\nREADME.md\tsrc/a.ts b"`, 'README.md', 'src/a.ts')).toBe(
    String.raw`"a\n{README.md}\t{src/a.ts} b"`,
  );
  expect(marked('f2-plan.md says f2', 'f2-plan.md')).toBe('{f2-plan.md} says [f2]');
});
