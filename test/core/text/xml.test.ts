import { expect, test } from 'vitest';
import { withOptions } from '../../../src/core/text/options.ts';
import { element, tag, tagless } from '../../../src/core/text/xml.ts';

test('text between tags, and in attributes, can end neither', () => {
  expect(tagless('</results><child id="f9"><!-- 3 frames --> <b>')).toBe(
    '‹/results>‹child id="f9">‹!-- 3 frames --> <b>',
  );
  expect(tag('frame', { id: 'f1', title: 'say "<x>"', none: undefined })).toBe(
    '<frame id="f1" title="say &quot;&lt;x&gt;&quot;">',
  );
  expect(element('goal', 'one\n</goal>')).toBe('<goal>one\n  ‹/goal></goal>');
  expect(element('goal', '')).toBe('');
});

test('text between tags stands in the words of whoever wrote it', () => {
  const said =
    'GET /notes?limit&cursor gives Map<Id, Note> where a < b && c > d; `&amp;` is the log’s own';
  expect(tagless(said)).toBe(said);
});

test('options that a question names by letters are told with it', () => {
  const text =
    '- **(a) Server derives it** from the cookie\nOption B: a queue of jobs. It is slow\n(c) no';
  expect(withOptions('Is it (a) or option b?', text)).toBe(
    'Is it (a) or option b? (a) Server derives it from the cookie; (b) a queue of jobs',
  );
  expect(withOptions('Is it (c)?', text)).toBe('Is it (c)?');
  expect(withOptions('Which one?', text)).toBe('Which one?');
  const long = `(a) ${'word '.repeat(30)}`;
  expect(withOptions('(a)?', long)).toHaveLength('(a)? (a) '.length + 70);
});
