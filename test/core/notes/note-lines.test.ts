import { expect, test } from 'vitest';
import { itemsOfList, noteLinesIn } from '../../../src/core/notes/note-lines.ts';
import type { LeavingEntry, Message, ToolCall } from '../../../src/core/messages/message.ts';
import { exchangesIn, type Exchange } from '../../../src/core/outcomes/exchanges.ts';

const call = (id: string, name: string, args: object): ToolCall =>
  ({ id, name, arguments: args }) as ToolCall;

/** What the notes of calls are told as, where each was answered so. */
function told(calls: readonly (readonly [ToolCall, string])[], list: readonly string[] = []) {
  const entries = calls.map(([one], index): LeavingEntry => ({
    n: 2 * index + 2,
    message: { role: 'assistant', content: '', toolCalls: [one] },
  }));
  const exchanges = calls.map(
    ([one, content]): Exchange =>
      ({ call: one, result: { role: 'tool', toolCallId: one.id, content } }) as unknown as Exchange,
  );
  return noteLinesIn(entries, { exchanges, list }).map(
    ({ n, kind, text }) => `${n} ${kind} ${text}`,
  );
}

const todos = (id: string, ...items: readonly string[]): ToolCall =>
  call(id, 'TodoWrite', {
    todos: items.map((content) => ({ content, status: 'pending', activeForm: content })),
  });

test('of lists the newest state is told, at the entry that made it', () => {
  expect(told([[todos('a', 'Read', 'Cut'), 'ok']])).toEqual(['2 list list: [ ] Read; [ ] Cut']);
  expect(
    told([
      [todos('a', 'Read'), 'ok'],
      [todos('b', 'Cut'), 'ok'],
    ]),
  ).toEqual(['4 list list: [ ] Cut']);
  expect(told([], ['[ ] Read'])).toEqual([]);
  expect(told([[todos('a'), 'ok']], ['[ ] Read'])).toEqual([]);
});

test('the items of a list are read back', () => {
  expect(itemsOfList('list: [ ] Read; now; [x] Cut; [~] list: it')).toEqual([
    '[ ] Read; now',
    '[x] Cut',
    '[~] list: it',
  ]);
  expect(itemsOfList('[ ] list: it')).toEqual(['[ ] list: it']);
});

test('a commit that went on behind its result has the hash that came in the end', () => {
  const made = (said: string) => {
    const commit = call('a', 'exec_command', { cmd: 'git commit -m "Cut the pool"' });
    const waits = call('b', 'write_stdin', { session_id: 7, chars: '' });
    const messages: readonly Message[] = [
      { role: 'assistant', content: '', toolCalls: [commit] },
      { role: 'tool', toolCallId: 'a', content: 'Process running with session ID 7\nOutput:\n' },
      { role: 'assistant', content: '', toolCalls: [waits] },
      { role: 'tool', toolCallId: 'b', content: said },
    ];
    const entries = messages.map((message, index) => ({ n: index + 1, message }));
    return noteLinesIn(entries, { exchanges: exchangesIn(entries), list: [] }).map(
      ({ n, text }) => `${n} ${text}`,
    );
  };
  const exited = 'Process exited with code 0\nOutput:\n';
  expect(made(`${exited}[main 1a2b3c4] Cut the pool\n 1 file changed`)).toEqual([
    '1 commit: Cut the pool (1a2b3c4)',
  ]);
  expect(made(`${exited}husky: lint failed`)).toEqual([]);
});

test('a commit is told as done, in 420 characters', () => {
  const commit = (message: string) =>
    told([
      [
        call('a', 'bash', { command: `git commit -m "${message}"` }),
        '[main 1a2b3c4] x\n 1 file changed',
      ],
    ]);
  const [line] = commit('Cut the pool');
  expect(line).toMatch(/^2 done commit: .*Cut the pool/);
  expect(commit(`Cut ${'the pool '.repeat(90)}`)[0]!.length).toBeLessThanOrEqual(427);
});

test('of a long commit its decisions are told behind its subject, of a short one all in order', () => {
  const commit = (body: string): string =>
    told([[call('a', 'bash', { command: `git commit -m "Sell tea\n\n${body}"` }), 'ok']])[0]!;
  expect(commit('It is green.\nRejected: coffee | too bitter')).toBe(
    '2 done commit: Sell tea · It is green. · Rejected: coffee | too bitter',
  );
  const long = Array.from(
    { length: 9 },
    (_, n) => `Leaf ${n} is dried, rolled and packed in tins.`,
  );
  expect(commit([...long, 'Rejected: coffee | too bitter'].join('\n'))).toMatch(
    /^2 done commit: Sell tea · Rejected: coffee \| too bitter · Leaf 0 [^]*…$/,
  );
});

test('the report of a sub-agent stands in the entry that has it, not in that of its call', () => {
  const agent = call('a', 'Agent', { description: 'Find the leak' });
  const entry: LeavingEntry = {
    n: 4,
    message: { role: 'assistant', content: '', toolCalls: [agent] },
  };
  const content = 'The pot leaks because its lid is never closed.';
  const exchange: Exchange = {
    n: 4,
    call: agent,
    result: { role: 'tool', toolCallId: 'a', content },
    to: 9,
  };
  const lines = noteLinesIn([entry], { exchanges: [exchange], list: [] });
  expect(lines.map(({ n, text }) => [n, text.includes(content)])).toContainEqual([9, true]);
});
