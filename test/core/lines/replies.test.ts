import { expect, test } from 'vitest';
import { repliesIn } from '../../../src/core/lines/replies.ts';
import type { LeavingEntry } from '../../../src/core/messages/message.ts';

const repliesTo = (said: string, reply: string): readonly string[] => {
  const entries: readonly LeavingEntry[] = [
    { n: 2, message: { role: 'assistant', content: said } },
    { n: 3, message: { role: 'user', content: reply } },
  ];
  return repliesIn(entries).map(({ line }) => line.text);
};

test.each([
  ['Shall the cache be kept per tenant or per user?', 'per tenant'],
  ['Shall I begin?', 'ok, go'],
  ['Which way, (a) or (b)?', "It's b"],
])('%j is told with its answer %j', (asked, reply) => {
  expect(repliesTo(`I measured it twice. ${asked}`, reply)).toEqual([
    `asked “${asked}”; e3 “${reply}”`,
  ]);
});

test('an option that is chosen by its letter is told with what it stands for', () => {
  const said =
    'How is it kept?\n- **(a) The server derives it** from the rows; slow.\n- **(b) The client sends it** whole.\n\nWhich way, (a) or (b)?';
  expect(repliesTo(said, "It's b")).toEqual([
    "asked “Which way, (a) or (b)? (a) The server derives it from the rows; (b) The client sends it whole”; e3 “It's b”",
  ]);
});

test('numbered answers are told with the points that they answer', () => {
  const said =
    'Three forks:\n\n1. **The key** – a hash, or the id?\n2. **Paging** – drop it?\n3. The name is the host.\n\nIt is easy.';
  expect(repliesTo(said, '1. the id\n3) fine, keep it')).toEqual([
    'asked “(1) The key; (3) The name is the host.”; e3 “(1) the id; (3) fine, keep it”',
  ]);
  expect(repliesTo(said, '1. the id\n4. and a fourth')).toEqual([]);
  expect(repliesTo(said, '1. the id')).toEqual([]);
  expect(repliesTo(said.replaceAll('?', '.'), '1. the id\n3) fine')).toEqual([]);
});

test.each([
  ['Shall I begin?', 'will this also let us test it?'],
  ['Shall the cache be kept per tenant or per user?', 'ok, I hope you still know all'],
  ['Shall I begin?', 'the port in the plan is wrong'],
  ['It is done.', 'thanks'],
])('to %j, %j is no answer', (asked, reply) => {
  expect(repliesTo(asked, reply)).toEqual([]);
});

test.each(["no, that's horrible.", 'Nope', 'can you revert that?', "That's not right, use two."])(
  '%j refuses what was said',
  (reply) => {
    expect(repliesTo('The cache is kept per tenant.', reply)).toEqual([
      `refused in e3: “${reply}”`,
    ]);
  },
);

test.each(['no problem, go on', 'not now', 'now the tests'])('%j refuses nothing', (reply) => {
  expect(repliesTo('The cache is kept per tenant.', reply)).toEqual([]);
});
