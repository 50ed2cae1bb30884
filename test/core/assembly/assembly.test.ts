import { expect, test } from 'vitest';
import { headOf, itemOut, type OutMessage } from '../../../src/core/assembly/assembly.ts';
import { indexOfNewest } from '../../../src/core/sections/human-section.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { printAssembly } from '../../notation/log.ts';
import { play } from '../../notation/state.ts';

/** The messages of a played session: the head of its epoch and the items of its active frame. */
function messagesOf(line: string): readonly OutMessage[] {
  const { state, bodies } = play(line, { system: 'Be careful.' });
  const { items } = state.views.get(state.active)!;
  return [...headOf(state, bodies), ...items.map((item) => itemOut(item, bodies))];
}

test.each([
  ['the system prompt comes first', 'u20 a30', 'system e1 e2'],
  ['goal and tree come before the entries', 'goal:9 plan:docs epoch u5', 'system goal frames e1'],
  ['what changes within an epoch waits for the next', 'epoch goal:9 plan:docs u5', 'system e1'],
  [
    'a checkpoint comes after the tree',
    'u5 a9 checkpoint:7 push:x pop epoch',
    'system frames checkpoints e1',
  ],
  [
    'the newest human entry of its range comes after everything',
    'u5 a9 checkpoint:7 goal:3 epoch u6',
    'system goal checkpoints e1 e3',
  ],
  ['that of a parent comes before the tree', 'u5 a9 push:x epoch u6', 'system e1 frames e3'],
  [
    'what people said before comes first, as one message',
    'u5 a9 u6 a9 u7 checkpoint:7 goal:3 epoch',
    'system human goal checkpoints e5',
  ],
  ['so do their quotes', 'u5 a9 u6 checkpoint:7 offloaded:e1 epoch', 'system human checkpoints e3'],
  [
    'what left is told after what was said, and before the goal',
    'u5 a9 u6 checkpoint:7 told:4 goal:3 epoch',
    'system human chronicle goal checkpoints e3',
  ],
])('%s', (_, line, expected) => {
  expect(printAssembly({ messages: messagesOf(line) })).toBe(expected);
});

test.each([
  [
    'a cleared result names its tokens and its entry',
    'call:read result:read:80 cleared:e2',
    'tool ~e2 [cleared: 80 tokens, e2]',
  ],
  ['a shortened entry is what was stored for it', 'a90 short:e1:5', 'assistant ~e1 […]'],
  [
    'a result without a call is machine text',
    'u5 result:read:2',
    'user ~e2 [late result of read, e2]\nw2x0 w2x1',
  ],
  [
    'a closed unit gets a made result',
    'call:read closed',
    'tool made [no result: the call was given up]',
  ],
])('%s', (_, line, expected) => {
  const { role, kind, entry, content } = messagesOf(line).at(-1)!;
  const id = kind === 'entry' ? entry : kind === 'shortened' ? `~${entry}` : kind;
  expect(`${role} ${id} ${textOf(content)}`).toBe(expected);
});

test('each message costs what the plan and the view say', () => {
  const line = 'u20 u7 a30 goal:9 checkpoint:7 offloaded:e1 epoch a40 call:read result:read:80';
  expect(messagesOf(line).map(({ section, tokens }) => `${section} ${tokens}`)).toEqual([
    'system 2',
    'human 42',
    'goal 17',
    'checkpoints 35',
    'human 7',
    'working 40',
    'working 10',
    'working 80',
  ]);
});

test.each([
  ['stands where it was said', 'u5 a5 push:x u6 pop a7 epoch', 2],
  ['stays there when more is said', 'u5 a5 push:x u6 pop epoch a7 a8', 2],
  ['never parts a call from its results', 'u5 call:read push:x u6 result:read pop epoch', null],
  ['does not follow a call that waits', 'u5 call:read push:x u6 pop epoch', null],
  ['on the path is an item itself', 'u5 a5 push:x u6 a7 epoch', null],
])('the newest human entry of another frame %s', (_, line, index) => {
  const { state } = play(line);
  expect(indexOfNewest(state, state.epochView.newest)).toBe(index);
});

test('what stands before the entries stays as it is until the next epoch, whatever is said', () => {
  const head = (line: string): readonly OutMessage[] => {
    const { state, bodies } = play(line, { system: 'Be careful.' });
    return headOf(state, bodies);
  };
  const line = 'u5 a9 u6 a9 checkpoint:7 told:4,5 goal:3 plan:docs epoch';
  expect(head(`${line} u7 a8 u6`)).toEqual(head(line));
  expect(textOf(head(line).at(-2)!.content)).toContain(
    'The next message is e3, the request begun earlier',
  );
});
