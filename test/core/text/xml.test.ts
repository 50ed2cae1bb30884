import { expect, test } from 'vitest';
import { withOptions } from '../../../src/core/text/options.ts';
import { element, escapeText, tag } from '../../../src/core/text/xml.ts';

test('text between tags, and in attributes, can end neither', () => {
  expect(escapeText('a < b && c > d')).toBe('a &lt; b &amp;&amp; c &gt; d');
  expect(tag('frame', { id: 'f1', title: 'say "<x>"', none: undefined })).toBe(
    '<frame id="f1" title="say &quot;&lt;x&gt;&quot;">',
  );
  expect(element('goal', 'one\n<two>')).toBe('<goal>one\n  &lt;two&gt;</goal>');
  expect(element('goal', '')).toBe('');
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
