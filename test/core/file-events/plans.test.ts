import { expect, test } from 'vitest';
import { plansIn } from '../../../src/core/file-events/plans.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { exchangesIn } from '../../../src/core/outcomes/exchanges.ts';

const person = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content });
const call = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  content: string,
): readonly Message[] => [
  { role: 'assistant', content: '', toolCalls: [{ id: name + content, name, arguments: given }] },
  {
    role: 'tool',
    toolCallId: name + content,
    content,
    ...(/^The user d|^No/.test(content) && { isError: true }),
  },
];

const plansOf = (...messages: readonly Message[]) => {
  const entries = messages.map((message, at) => ({ n: at + 1, message }));
  return plansIn(entries, exchangesIn(entries));
};

const refused = "The user doesn't want to proceed with this tool use.";

test('a plan is what asks to be carried out, and what a sub-agent reports that makes plans', () => {
  const asked = call('ExitPlanMode', { plan: 'Add a salt' }, 'User has approved your plan.');
  const agent = (subagent_type: string) =>
    call('Task', { subagent_type, prompt: 'Look into it' }, `By ${subagent_type}`);
  expect([...plansOf(person('Go'), ...asked).in]).toEqual([2]);
  expect([...plansOf(person('Go'), ...agent('Plan')).in]).toEqual([3]);
  expect([...plansOf(person('Go'), ...agent('Explore'), ...agent('planets')).in]).toEqual([]);
});

test('with a plan that was refused goes what led to it in its turn', () => {
  const plan = { plan: 'Add a salt' };
  const { isRefused } = plansOf(
    person('Make it safe'),
    says('I plan a salt'), // e2
    says('Now for the rest'),
    person('Go on'),
    says('A salt of 16 bytes'), // e5
    ...call('ExitPlanMode', plan, refused), // e6
    ...call('ExitPlanMode', plan, 'User has approved your plan.'), // e8
  );
  expect([2, 5, 6, 8].map((n) => isRefused(n, ''))).toEqual([false, true, true, false]);
  const failed = plansOf(person('Go'), ...call('ExitPlanMode', plan, 'No such tool'));
  expect(failed.isRefused(2, '')).toBe(false);
});

test('a plan that a person speaks against is refused, another is not', () => {
  const against = (said: string) => plansOf(says('Add a salt'), person(said)).isRefused(1, 'salt');
  expect(against('No, leave it as it is')).toBe(true);
  expect(against('Never mind')).toBe(true);
  expect(against('Yes, go on')).toBe(false);
  expect(against('No problem, go on')).toBe(false);
  const before = plansOf(person('No, leave it'), says('Add a salt'));
  expect(before.isRefused(2, 'salt')).toBe(false);
  // Later on it is that which is named.
  const later = (said: string) =>
    plansOf(says('A'), person('Ok'), says('B'), person(said)).isRefused(
      1,
      'Add random salts to hashed passwords',
    );
  expect(later('No, the hashed passwords stay')).toBe(true);
  expect(later('No, the page stays white')).toBe(false);
});
