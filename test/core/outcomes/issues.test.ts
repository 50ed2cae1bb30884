import { expect, test } from 'vitest';
import { foldsOf } from '../../../src/core/chronicle/fold.ts';
import { linesOf } from '../../../src/core/chronicle/lines.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import type { LeavingEntry, Message, ToolCall } from '../../../src/core/messages/message.ts';
import { titleIn } from '../../../src/core/outcomes/issues.ts';

const count = (text: string): number => Math.ceil(text.length / 4);

type Ran = readonly [
  given: string | Pick<ToolCall, 'name' | 'arguments'>,
  said: string,
  isError?: true,
];

/** The lines of calls, a command where it is a text: e1 e2, e3 e4, … */
const linesIn = (calls: readonly Ran[], after = 0): readonly Line[] =>
  linesOf(
    calls
      .flatMap(([given, content, isError], index): readonly Message[] => {
        const call =
          typeof given === 'string' ? { name: 'bash', arguments: { command: given } } : given;
        return [
          { role: 'assistant', content: '', toolCalls: [{ ...call, id: `c${index}` }] },
          { role: 'tool', toolCallId: `c${index}`, content, isError: isError ?? false },
        ];
      })
      .map((message, index): LeavingEntry => ({ n: after + index + 1, message })),
    { turn: 0, root: '', count },
  );

const told = (...calls: readonly Ran[]): readonly string[] =>
  linesIn(calls).map(({ n, text }) => `e${n} ${text}`);

const spec = (id: string, title: string): string =>
  `○ ${id} · ${title}   [● P1 · OPEN]\nOwner: Ada\n\nPasswords must be hashed with argon2id, not bcrypt.\nA hash must never be written to the log of the server.\nThe cost must stay below 200 ms on the small machine.`;
const hash = spec('bd-12', 'Hash passwords');

test('an issue that is closed where it was read is one line, with what was said of it', () => {
  expect(
    told(
      ['bd show bd-12', hash],
      ['bd update bd-12 --status in_progress', '✓ Updated issue: bd-12'],
      ['bd close bd-12 --reason "all tests pass"', '✓ Closed bd-12: all tests pass'],
    ),
  ).toEqual(['e6 bd-12 closed: Hash passwords (all tests pass)']);
});

test('what an open issue says stays, with where it stands', () => {
  const lines = told(
    ['bd show bd-12', hash],
    ['bd update bd-12 --status=in_progress', '✓ Updated issue: bd-12'],
  );
  expect(lines).toContain('e2 Passwords must be hashed with argon2id, not bcrypt.');
  expect(lines).toContain('e4 bd-12 in progress: Hash passwords');
});

test('an issue that is opened again is open, and what it says stands', () => {
  const lines = told(
    ['bd show bd-12', hash],
    ['bd close bd-12', '✓ Closed bd-12: Closed'],
    ['bd reopen bd-12', '↻ Reopened bd-12'],
  );
  expect(lines).toContain('e2 Passwords must be hashed with argon2id, not bcrypt.');
  expect(lines).toContain('e6 bd-12 open: Hash passwords');
  expect(lines.join('\n')).not.toContain('closed');
});

test('a closing that failed closes nothing, but for the issues that it names as closed', () => {
  const failed = ['bd close bd-12', 'Error: database is locked', true] as const;
  expect(told(['bd show bd-12', hash], failed).join('\n')).not.toContain('bd-12 closed');
  const half = told(['bd close bd-1 bd-2', 'Error: no issue bd-2\n✓ Closed bd-1: Closed', true]);
  expect(half.filter((line) => line.includes(' closed'))).toEqual(['e2 bd-1 closed']);
});

test.each<[Ran, string]>([
  [
    ['gh issue close 7 -c "in v2"', '✓ Closed issue #7 (Faster start)'],
    '#7 closed: Faster start (in v2)',
  ],
  [['gh issue close https://github.com/a/b/issues/7', ''], '#7 closed'],
  [['cd app && bd update bd-3 --status closed', 'ok'], 'bd-3 closed'],
  [['glab issue reopen 7', 'ok'], '#7 open'],
  [
    [{ name: 'mcp__github__update_issue', arguments: { issue_number: 7, state: 'closed' } }, '{}'],
    '#7 closed',
  ],
  [
    [{ name: 'linear_update_issue', arguments: { id: 'ENG-7', state: 'Done' } }, '{}'],
    'ENG-7 closed',
  ],
])('%j: %s', (ran, line) => {
  expect(told(ran)).toEqual([`e2 ${line}`]);
});

test.each([
  'bd close',
  'gh pr close 7',
  'bd update bd-3 --title x',
  'bd list',
  'gh issue comment 7 -b x',
])('%s says nothing of the state of an issue', (command) =>
  expect(told([command, 'ok'])).toEqual([]),
);

test('an issue that was read long before it was closed is folded into the line that says so', () => {
  const lines = [
    ...linesIn([
      ['bd show bd-12', hash],
      ['bd show bd-1', spec('bd-1', 'Log in')],
    ]),
    ...linesIn([['bd close bd-12', '✓ Closed bd-12: Closed']], 10),
  ];
  const [fold, ...others] = foldsOf(lines, { root: '', count });
  expect(others).toEqual([]);
  expect(fold!.lines.map(({ n, text }) => `e${n} ${text}`)).toEqual([
    'e12 bd-12 closed: Hash passwords',
  ]);
  const gone = new Set<Line>(fold!.gone);
  expect(new Set(lines.filter((line) => !gone.has(line)).map(({ n }) => n))).toEqual(new Set([4]));
});

test('an issue that is open again keeps what it says; what was said of its state before goes', () => {
  const lines = [
    ...linesIn([['bd show bd-12', hash]]),
    ...linesIn([['bd close bd-12', 'ok']], 10),
    ...linesIn([['bd update bd-12 --status open', 'ok']], 20),
  ];
  const [fold] = foldsOf(lines, { root: '', count });
  expect(fold!.gone.map(({ text }) => text)).toEqual(['bd-12 closed', 'bd-12 open']);
  expect(fold!.lines.map(({ text }) => text)).toEqual(['bd-12 open']);
});

test.each([
  ['title:\tFaster start\nstate:\tOPEN', '#7', 'Faster start'],
  ['[{\n  "id": "bd-1",\n  "title": "Log in",\n', 'bd-1', 'Log in'],
  ['○ bd-1 [EPIC] · Log in [now]   [● P1 · OPEN]', 'bd-1', 'Log in [now]'],
  ['bd-12 in progress: Hash passwords', 'bd-12', 'Hash passwords'],
  ['bd-12: Hash passwords', 'bd-1', ''],
  ['It depends on bd-1 alone.', 'bd-1', ''],
])('the title in %j of %s is %j', (text, issue, title) => {
  expect(titleIn(text, issue)).toBe(title);
});
