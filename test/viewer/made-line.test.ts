import { expect, test } from 'vitest';
import {
  frameLineOf,
  piecesOf,
  plain,
  sentencesOf,
} from '../../src/viewer/page/session/model/made-line.ts';

// Lines that Flamestack made, as people read them.

test('the line of a frame is read as its title, its status and what came of it', () => {
  const line =
    '  <child id="f2" status="completed"><title>Rate <limits></title><results whole="99 tokens">60 writes; 429 & Retry-After.</results><success-criteria>green</success-criteria></child>';
  expect(frameLineOf(line)).toEqual({
    id: 'f2',
    status: 'completed',
    title: 'Rate <limits>',
    parts: [
      { name: 'results', text: '60 writes; 429 & Retry-After.' },
      { name: 'success criteria', text: 'green' },
    ],
  });
  for (const other of [
    '- e7 wrote <child>',
    '<goal status="active">',
    '</child>',
    '<child id="f1">',
  ])
    expect(frameLineOf(other)).toBeNull();
  expect([plain('</child>'), plain('<more children="3"/>'), plain('a < b <c>')]).toEqual([
    '',
    '',
    'a < b <c>',
  ]);
});

test('a text is told sentence by sentence', () => {
  expect(
    sentencesOf(
      'GCRA in memory of v1.2 (src/a.ts). It trusts X only from 10.0.0.0/8; limits hold. · “Yes.” Next?',
    ),
  ).toEqual([
    'GCRA in memory of v1.2 (src/a.ts).',
    'It trusts X only from 10.0.0.0/8;',
    'limits hold.',
    '“Yes.”',
    'Next?',
  ]);
  expect(sentencesOf('  …  ')).toEqual([]);
});

test('what left stands before what tells of it now, in the order of the log', () => {
  const line = (text: string, section = 'checkpoints') => ({ section, text });
  const pieces = piecesOf({
    entries: [
      ['e2-e5', 'e9'],
      ['e4', 'e12'],
    ],
    gone: [
      line('<child id="f1" status="in_progress">', 'frames'),
      line('- e9 old'),
      line('below it'),
    ],
    came: [
      line('<child id="f1" status="completed">', 'frames'),
      line('- e3 told'),
      line('- e9 new'),
    ],
  });
  const shown = pieces.map((one) => one.sign + ('entries' in one ? one.entries : one.line.text));
  expect(shown).toEqual([
    '-<child id="f1" status="in_progress">',
    '+<child id="f1" status="completed">',
    '-e2-e5',
    '+- e3 told',
    '+e4',
    '-e9',
    '-- e9 old',
    '-below it',
    '+- e9 new',
    '+e12',
  ]);
});
