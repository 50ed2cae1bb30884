import { expect, test } from 'vitest';
import { standingsIn, type Standing } from '../../../../tools/eval/probes/standing.ts';

const gap = (length: number): string => ' '.repeat(length);

test.each<[string, Standing]>([
  ['The port is 8080.', 'near'],
  ['THE PORT IS 8080.', 'near'],
  [`port${gap(396)}8080`, 'near'],
  [`port${gap(397)}8080`, 'apart'],
  [`8080${gap(500)}port${gap(300)}8080`, 'near'],
  ['The socket is 8080.', 'near'],
  ['The port is 80.', 'missing'],
  ['', 'missing'],
])('%s', (text, standing) => {
  expect(standingsIn(text)([['port', 'Socket'], ['8080']])).toBe(standing);
});

test('each key is held against the first, not against the others', () => {
  const text = `left${gap(380)}first${gap(380)}right`;
  const look = standingsIn(text);
  expect(look([['first'], ['left'], ['right']])).toBe('near');
  expect(look([['left'], ['first'], ['right']])).toBe('apart');
});
