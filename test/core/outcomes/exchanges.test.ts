import { expect, test } from 'vitest';
import { commandOutcomes } from '../../../src/core/outcomes/command-outcomes.ts';
import { filesChanged } from '../../../src/core/file-events/edits.ts';
import { endedByCall, exchangesIn, resultsIn } from '../../../src/core/outcomes/exchanges.ts';
import { failuresIn } from '../../../src/core/outcomes/failures.ts';
import type { Message } from '../../../src/core/messages/message.ts';

const asks = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'bash', arguments: { command: id } })),
});
const result = (toolCallId: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  content,
});

test('each call stands with the first result after it, also where ids are used again', () => {
  const messages = [
    asks('a', 'b'),
    result('b', '1'),
    result('a', '2'),
    asks('a'),
    result('a', '3'),
  ];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  expect(
    exchangesIn(entries).map(({ n, call, result: said, to }) => [n, call.id, said?.content, to]),
  ).toEqual([
    [1, 'a', '2', 3],
    [1, 'b', '1', 2],
    [4, 'a', '3', 5],
  ]);
});

test('a call without a result, and a result without a call', () => {
  const entries = [
    { n: 4, message: result('x', '1') },
    { n: 5, message: asks('a') },
  ];
  expect(exchangesIn(entries)).toMatchObject([{ n: 5, result: undefined, to: 5 }]);
});

test('a result without an id answers the first open call of its name, of the newest calls', () => {
  const call = (name: string): Message => ({
    role: 'assistant',
    content: '',
    toolCalls: [name, name].map((one) => ({ name: one, arguments: {} })),
  });
  const said = (name: string, content: string): Message => ({ role: 'tool', name, content });
  const messages = [
    call('bash'),
    call('read'),
    said('read', '1'),
    said('read', '2'),
    said('bash', '3'),
  ];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  expect(exchangesIn(entries).map(({ result: one }) => one?.content)).toEqual([
    undefined,
    undefined,
    '1',
    '2',
  ]);
});

test('of calls made at once, a result without an id answers that of its name, or the first where it has none', () => {
  const first = (name?: string): readonly unknown[] => {
    const toolCalls = ['bash', 'read'].map((one) => ({ name: one, arguments: {} }));
    const said = { role: 'tool', content: '1', ...(name === undefined ? {} : { name }) } as const;
    const messages: Message[] = [{ role: 'assistant', content: '', toolCalls }, said];
    const entries = messages.map((message, index) => ({ n: index + 1, message }));
    return exchangesIn(entries).map(({ result: one }) => one?.content);
  };
  expect(first('read')).toEqual([undefined, '1']);
  expect(first()).toEqual(['1', undefined]);
  expect(first('other')).toEqual([undefined, undefined]);
});

test('the result of a call is found by the call', () => {
  const message = asks('a', 'b');
  const said = result('b', '1');
  const resultOf = resultsIn([
    { n: 1, message },
    { n: 2, message: said },
  ]);
  const calls = message.role === 'assistant' ? message.toolCalls! : [];
  expect(calls.map(resultOf)).toEqual([undefined, said]);
});

const waits = (id: string, session: number): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id, name: 'write_stdin', arguments: { session_id: session, chars: '' } }],
});

test('a call that waits for a command tells of that, also where it waits again', () => {
  const begins: Message = asks('a');
  const messages = [
    begins,
    result(
      'a',
      'Chunk ID: 1f\nWall time: 1.0 seconds\nProcess running with session ID 34\nOutput:\n',
    ),
    waits('b', 34),
    result('b', 'Process running with session ID 34\nOutput:\ncompiling'),
    waits('c', 34),
    result('c', 'Process exited with code 101\nOutput:\nerror: could not compile'),
    waits('d', 35),
    result('d', 'Exit code: 1\nOutput:\nError: no database'),
  ];
  const exchanges = exchangesIn(messages.map((message, index) => ({ n: index + 1, message })));
  expect(exchanges.map(({ call, work }) => [call.id, work?.id])).toEqual([
    ['a', undefined],
    ['b', 'a'],
    ['c', 'a'],
    ['d', undefined],
  ]);
  expect(failuresIn(exchanges, filesChanged).map(({ text }) => text)).toEqual([
    '`a` failed: error: could not compile',
    '`write_stdin 35` failed: Error: no database',
  ]);
});

test.each([
  [
    'prints nothing, by a script of the model',
    'Script completed\nWall time 5.0 seconds\nOutput:\n\n',
    'ok',
  ],
  ['prints something, where it is waited for again', 'compiling', 'ok'],
])('a command that is waited for has not worked where that %s', (_, first, last) => {
  const told = (...printed: readonly string[]): readonly string[] => {
    const messages = [
      asks('npm test'),
      result('npm test', 'SESSION_ID=7'),
      ...printed.flatMap((text, index): readonly Message[] => [
        waits(`w${index}`, 7),
        result(`w${index}`, text),
      ]),
    ];
    const exchanges = exchangesIn(messages.map((message, index) => ({ n: index + 1, message })));
    return commandOutcomes(exchanges).map((one) => `${one.command}: ${one.result}, e${one.n}`);
  };
  const failing = 'FAIL src/keys.test.ts\nTests  1 failed (4)';
  expect(told(first, failing)).toEqual(['npm test: failed: Tests 1 failed (4), e6']);
  expect(told(first, last)).toEqual(['npm test: worked, e6']);
  expect(told(last)).toEqual(['npm test: worked, e4']);
  expect(told('', '')).toEqual([]);
  expect(told('Process exited with code 0\nOutput:\n')).toEqual(['npm test: worked, e4']);
});

test('what a commit said while it went on stands where a later wait shows nothing', () => {
  const messages = [
    asks('a'),
    result('a', 'SESSION_ID=7'),
    waits('b', 7),
    result('b', '[main 1ef554d] Sort'),
    waits('c', 7),
    result('c', 'Output:\n'),
  ];
  const exchanges = exchangesIn(messages.map((message, index) => ({ n: index + 1, message })));
  const [begun] = exchanges;
  expect(endedByCall(exchanges).get(begun!.call)?.result?.content).toBe('[main 1ef554d] Sort');
});

test('a command that goes on has failed once it shows a failure that is sure', () => {
  const asked = { id: 'a', name: 'bash', arguments: { command: 'cargo test' } };
  const messages: Message[] = [
    { role: 'assistant', content: '', toolCalls: [asked] },
    result('a', 'error[E0432]: unresolved import\n --> src/a.rs:7:12\nSESSION_ID=7'),
  ];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  expect(failuresIn(exchangesIn(entries), filesChanged).map(({ text }) => text)).toEqual([
    '`cargo test` failed: error[E0432]: unresolved import --> src/a.rs:7:12',
  ]);
});

test.each([
  'building\n<command with shellId: 7 is still running after 5 seconds. Use stop_bash to stop it.>',
  'building\n\nSESSION_ID=7\n',
])(
  'what a waiting tool gives is of the command that it waits for, where %j says that one goes on',
  (going) => {
    const messages: Message[] = [
      asks('deploy'),
      result('deploy', going),
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'w', name: 'read_bash', arguments: { shellId: '7' } }],
      },
      result('w', 'deployed'),
    ];
    const entries = messages.map((message, index) => ({ n: index + 1, message }));
    expect(exchangesIn(entries).map(({ work }) => work?.id)).toEqual([undefined, 'deploy']);
  },
);

test.each([
  [
    'it has passed',
    'Process exited with code 0\nOutput:\nTests  4 passed (4)',
    'Tests 4 passed (4)',
  ],
  [
    'it has failed',
    'Process exited with code 1\nOutput:\nTests  1 failed (4)',
    'failed: Tests 1 failed (4)',
  ],
  [
    'a host says so in tags',
    '<status>failed</status>\n\n<exit_code>1</exit_code>\n\n<stdout>\nTests  1 failed (4)\n</stdout>',
    'failed: Tests 1 failed (4)',
  ],
])('what is asked of a command that has ended says nothing of it: where %s', (_, ended, told) => {
  const outcomes = (...printed: readonly string[]): readonly string[] => {
    const messages = [
      asks('npm test'),
      result('npm test', 'SESSION_ID=7'),
      ...printed.flatMap((text, index): readonly Message[] => [
        waits(`w${index}`, 7),
        result(`w${index}`, text),
      ]),
    ];
    const exchanges = exchangesIn(messages.map((message, index) => ({ n: index + 1, message })));
    return commandOutcomes(exchanges).map((one) => `${one.command}: ${one.result}, e${one.n}`);
  };
  const isGone = 'write_stdin failed: Unknown process id 7';
  expect(outcomes(ended, isGone)).toEqual([`npm test: ${told}, e4`]);
  expect(outcomes(ended, '<status>completed</status>')).toEqual([`npm test: ${told}, e4`]);
  expect(outcomes(isGone)).toEqual([]);
  expect(outcomes('<status>running</status>\n\n<stdout>\nTests\n</stdout>')).toEqual([]);
});
