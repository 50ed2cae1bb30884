import { expect, test } from 'vitest';
import { outputLines } from '../../../src/core/outcomes/outputs.ts';
import { exchangesIn } from '../../../src/core/outcomes/exchanges.ts';
import type { Message } from '../../../src/core/messages/message.ts';

/** The lines of commands with what they printed: e1 e2, e3 e4, … */
const told = (...ran: readonly (readonly [command: string, output: string])[]): readonly string[] =>
  outputLines(
    exchangesIn(
      ran
        .flatMap(([command, content], index): readonly Message[] => [
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: `c${index}`, name: 'bash', arguments: { command } }],
          },
          { role: 'tool', toolCallId: `c${index}`, content },
        ])
        .map((message, index) => ({ n: index + 1, message })),
    ),
  ).map(({ n, kind, text }) => {
    expect(kind).toBe('read');
    return `e${n} ${text}`;
  });

test('a short output is told with its command', () => {
  expect(
    told(
      ['getconf ARG_MAX', '2097152\n'],
      ['dig shop', 'a\nb1\n<shellId: 3 completed with exit code 0>'],
    ),
  ).toEqual(['e2 `getconf ARG_MAX`: 2097152', 'e4 `dig shop`: a / b1']);
});

test('of a command that ran again the newest output stands', () => {
  expect(told(['job 7', 'queued'], ['dig a', 'b1'], ['job 7', 'passed'])).toEqual([
    'e4 `dig a`: b1',
    'e6 `job 7`: passed',
  ]);
});

test.each([
  ['nothing', 'job 7', ''],
  ['that it worked', 'job 7', 'Done.'],
  ['that there is none', 'job 7', '(Bash completed with no output)'],
  ['a long text', 'job 7', 'a1 '.repeat(200)],
  ['many lines', 'job 7', 'a1\n'.repeat(13)],
  ['what a check gave', 'npm test', '4 tests passed'],
  ['where the work stands', 'git status && ls', 'main, 4 files'],
  ['what looks around', 'git -C app log -1 2>&1 | head -4; cat VERSION 2>&1', 'a1 b2'],
  ['what edits tell', 'job 7', ' a.ts | 6 +++\n 1 file changed, 6 insertions(+)'],
  ['how large something is', 'wc -l a.ts', '42 a.ts'],
  ['how far it is', 'add a', 'Progress: resolved 0, reused 1, downloaded 0\n++\n'],
  ['a failure', 'job 7', 'error: no job 7'],
])('%s is not told', (_, command, output) => {
  expect(told([command, output])).toEqual([]);
});

test('what only counts while something goes on is left out of an output', () => {
  expect(told(['add a', 'Progress: resolved 9, reused 1\n\n+++\n+ a 7.0.2\nDone in 2 s'])).toEqual([
    'e2 `add a`: + a 7.0.2 / Done in 2 s',
  ]);
});
