import { expect, test } from 'vitest';
import {
  addStep,
  emptyHistory,
  type FrameSpan,
} from '../../src/viewer/page/session/model/history.ts';
import { lanesOf, plannedRows } from '../../src/viewer/page/session/model/axis/lanes.ts';
import { stepAt, whyNoStep } from '../../src/viewer/page/session/model/moment.ts';
import {
  aboutOf,
  compressionsName,
  formText,
  leavingText,
} from '../../src/viewer/page/session/model/words/loss.ts';
import type { Change, PromptMessage, Step } from '../../src/viewer/page/session/model/wire.ts';
import { limitName, limitTitle } from '../../src/viewer/page/session/model/words/limit.ts';
import { pieceName, pieceSize } from '../../src/viewer/page/session/model/words/piece.ts';
import { namesLine } from '../../src/viewer/page/session/model/words/ways.ts';
import { isOwnLine } from '../../src/viewer/page/session/model/words/own-lines.ts';
import { timeIn, timeText } from '../../src/viewer/page/session/model/time.ts';

// What the page and the browser say, without either.

test('lines that nobody said are told from those that somebody did', () => {
  const own = [
    'Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.',
    'What happened before the entries below, oldest first, in the words of the log; e… are ids of entries. Files are told from /home/dev.',
    'Files and commands, the most used first; e… show or name them; …/ is src/auth/:',
    'Artifacts:',
    '## Open questions',
    '**Decisions**',
    '- 16 more',
    '    </checkpoint>',
    '<goal priority="high" status="active">',
    'At first:',
    'After e15:',
  ];
  expect(own.filter((line) => !isOwnLine(line))).toEqual([]);
  const said = [
    '- src/auth/jwt.ts (created)',
    '- A note of somebody else is 404 NOTE_NOT_FOUND (locked)',
    '<child id="f13" status="failed"><title>Search with LIKE</title></child>',
    'The port is 4310.',
    '**Port** 4310 is taken',
  ];
  expect(said.filter(isOwnLine)).toEqual([]);
});

test('a time is read and written in UTC', () => {
  const at = Date.UTC(2026, 2, 3, 17, 50, 49);
  expect(timeText(at)).toBe('2026-03-03 17:50:49 UTC');
  expect(timeText(1e16)).toBe('10000000000000000');
  for (const text of [
    '2026-03-03T17:50:49',
    '2026-03-03 17:50:49 UTC',
    '2026-03-03T19:50:49+02:00',
  ])
    expect(timeIn(text)).toBe(at);
  expect(timeIn('2026-03-03')).toBe(Date.UTC(2026, 2, 3));
  expect([timeIn('banana'), timeIn('2026-03-03T99:00'), timeIn('2026')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('a moment that is a time is after what was said by then; one that is not there says what is', () => {
  const history = emptyHistory();
  const minute = (n: number): number => Date.UTC(2026, 2, 3, 9, n);
  for (const [n, role] of (['user', 'assistant', 'user', 'assistant'] as const).entries())
    addStep(history, {
      seq: n + 1,
      frame: 'f0',
      at: minute(n),
      written: minute(n),
      turn: n < 2 ? 1 : 2,
      epoch: 1,
      said: n,
      sizes: [1],
      limit: 9,
      due: 8,
      news: [
        {
          type: 'entry',
          entry: `e${n + 1}`,
          frame: 'f0',
          role,
          human: n % 2 === 0,
          at: minute(n),
          tokens: 1,
          text: '',
        },
      ],
    });
  expect(stepAt(history, '2026-03-03T09:02')).toBe(2);
  expect(stepAt(history, '2026-03-03T09:01:59')).toBe(1);
  expect(stepAt(history, '2027-01-01')).toBe(3);
  const not = ['9', '1.4', 'e9', 'seq:9', '2026-03-03', 's3', 'banana'];
  expect(not.map((one) => stepAt(history, one))).toEqual(not.map(() => null));
  expect(not.map((one) => whyNoStep(history, one))).toEqual([
    'There is no turn 9; the last is 2.',
    'There is no call 4 in turn 1, which has 1.',
    'There is no entry e9; the last is e4.',
    'There is no step 9; the last is 4.',
    'Nothing was said by 2026-03-03 00:00:00 UTC; it began at 2026-03-03 09:00:00 UTC.',
    'There is no snapshot s3; it has none.',
    '"banana" is no moment: 40 is a turn, e52 an entry, s3 a snapshot, seq:120 a step, 2026-03-02T09:17 a time.',
  ]);
});

test('frames of the same level that overlap are drawn in rows of their own, children below their parents', () => {
  const span = (
    id: string,
    parent: string | null,
    [from, to]: [number, number | null],
  ): FrameSpan => ({
    id,
    parent,
    depth: parent === null ? 0 : parent === 'f0' ? 1 : 2,
    title: id,
    status: 'completed',
    from,
    to,
  });
  const spans = [
    span('f0', null, [0, null]),
    span('f1', 'f0', [1, 9]),
    span('f2', 'f0', [3, 5]),
    span('f3', 'f0', [9, 12]),
    span('f4', 'f2', [4, 5]),
    span('f5', 'f0', [12, 12]),
    span('f6', 'f0', [12, 12]),
  ];
  expect([...lanesOf(spans)]).toEqual([
    ['f0', 0],
    ['f1', 1],
    ['f2', 2],
    ['f3', 1],
    ['f5', 1],
    ['f6', 2],
    ['f4', 3],
  ]);
});

test('planned frames stand below their parents, each in a row of its own', () => {
  const planned = (id: string, parent: string): FrameSpan => ({
    id,
    parent,
    depth: 1,
    title: id,
    status: 'planned',
    from: null,
    to: null,
  });
  const spans = [
    planned('f7', 'f0'),
    planned('f8', 'f0'),
    planned('f9', 'f7'),
    planned('f10', 'f6'),
  ];
  const rows = plannedRows(
    spans,
    new Map([
      ['f0', 0],
      ['f6', 1],
    ]),
  );
  expect([...rows].map(([{ id }, row]) => `${id} ${row}`)).toEqual([
    'f7 1',
    'f8 2',
    'f9 3',
    'f10 4',
  ]);
});

test('a limit that fell is told with the one before it, as long as it holds', () => {
  const limits = [2_700, 6_964, 6_964, 3_482, 3_482, 4_000];
  const steps = limits.map((limit, at): Step => ({
    seq: at + 1,
    frame: 'f0',
    at,
    written: at,
    turn: at + 1,
    epoch: 1,
    said: at,
    sizes: [1],
    limit,
    due: limit,
    news: [],
  }));
  expect(steps.map((_, at) => limitName(steps, at))).toEqual([
    'Limit',
    'Limit',
    'Limit',
    'Limit (6,964 until turn 4)',
    'Limit (6,964 until turn 4)',
    'Limit',
  ]);
});

test('a summary without a model is told as that of the embedded summarizer', () => {
  const history = emptyHistory();
  const sizes = { before: 9, after: 5, names: 2, kept: 1 };
  const whose = { frame: 'f0', checkpoint: 'c1', from: 'e1', to: 'e4', by: 'embedded' };
  history.compressions.push({ at: 0, news: { type: 'compressed', ...sizes, ...whose } });
  expect(aboutOf(history, { at: 0, compression: 0 })).toBe(
    'of 1 · e1-e4 · by the embedded summarizer',
  );
});

test('a prompt that was refused is no cut, nor is a recovery that somebody asked for', () => {
  const history = emptyHistory();
  const cut = (rule: string): void => {
    const news = { type: 'cut', rule, isCertain: true, lost: [] } as const;
    history.cuts.push({ at: history.cuts.length, news, stages: [] });
  };
  const told = (): readonly string[] =>
    history.cuts.map(({ at }) => aboutOf(history, { at, cut: at }));
  cut('prompt.refused');
  cut('count.cut');
  expect(told()).toEqual(['nothing was cut', '']);
  history.cuts.push({ at: 2, news: null, stages: [] });
  cut('recovery.asked');
  cut('prompt.refused');
  cut('history.changed');
  expect(told()).toEqual([
    '1 of 2 refused prompts · nothing was cut',
    '1 of 2 cuts',
    '',
    '',
    '2 of 2 refused prompts · nothing was cut',
    '2 of 2 cuts',
  ]);
});

test('entries that left are told as they stood in the prompt', () => {
  expect(formText('e4', [])).toBe('1 entry, word for word');
  expect(formText('e4-e15', ['e3', 'e5', 'e7'])).toBe('12 entries, 2 of them shortened');
  expect(formText('e5-e6', ['e5', 'e6'])).toBe('2 entries, shortened');
  const change = { left: ['e4', 'e5'], came: ['e9'], short: [['e5', 'e8'], []], gained: 2 };
  expect(leavingText(change as unknown as Change)).toBe(
    '2 entries left the prompt, 1 of which stood there shortened, 1 came, 2 new names',
  );
  expect(
    leavingText({ ...change, came: [], short: [[], []], gained: 0 } as unknown as Change),
  ).toBe('2 entries left the prompt');
});

test('older words of people are told with the tokens of their part, which may stand in two messages', () => {
  const message = (kind: 'made' | 'entry', section: string, tokens: number): PromptMessage => {
    const said = { role: 'user', entry: kind === 'entry' ? 'e9' : null, text: '' };
    return { section, kind, tokens, ...said };
  };
  const sizes = [30, 0, 4_181, 7, 0, 0, 0, 800];
  const told = [
    message('made', 'human', 4_167),
    message('entry', 'human', 14),
    message('made', 'chronicle', 7),
    message('entry', 'working', 90),
  ].map((one) => `${pieceName(one)}: ${pieceSize(one, sizes)}`);
  expect(told).toEqual([
    'Older words of people: 4,167 of 4,181 tokens',
    'user (older words of people): 14 of 4,181 tokens',
    'Chronicle: 7 tokens',
    'user: 90 tokens',
  ]);
  expect(pieceSize(message('made', 'human', 4_167), [])).toBe('4,167 tokens');
  expect(pieceSize(message('entry', 'human', 15), [1, 0, 15])).toBe('15 tokens');
});

test('what lines have of the names in compressed entries is not called all that the prompt has of them', () => {
  expect(namesLine('81 names', '46')).toBe(
    'Of 81 names (paths, commands, numbers and the like) in the entries that were compressed, 46 stand in the lines that tell of them.',
  );
});

test('a mark tells the turn, and how large the prompt was before and after; one of several all of them', () => {
  const history = emptyHistory();
  const step = { turn: 3, sizes: [1], news: [] };
  for (const turn of [3, 3, 5]) addStep(history, { ...step, turn } as unknown as Step);
  for (const at of [0, 1, 2]) {
    const whose = { frame: 'f0', checkpoint: 'c1', from: 'e1', to: 'e4', by: 'embedded' };
    const sizes = { before: 2_000 + at, after: 1_000 + at, names: 2, kept: 1 };
    history.compressions.push({ at, news: { type: 'compressed', ...sizes, ...whose } });
  }
  expect([compressionsName(history, 1, 1), compressionsName(history, 0, 1)]).toEqual([
    'Compression 2, turn 3: 2,001 → 1,001 tokens',
    'Compressions 1–2, turn 3: 2,000 → 1,001 tokens',
  ]);
  expect(compressionsName(history, 0, 2)).toBe('Compressions 1–3, turns 3–5: 2,000 → 1,002 tokens');
});

test('a limit is told as what the window leaves beside the answer', () => {
  expect(limitTitle(32_768, 27_853)).toContain('The window of 32,768 tokens less 4,915, which');
});
