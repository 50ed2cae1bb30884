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
  const { refused: stretches } = plansOf(
    person('Make it safe'),
    says('I plan a salt'),
    person('Go on'), // e3
    says('A salt of 16 bytes'),
    ...call('ExitPlanMode', plan, refused), // e5
    ...call('ExitPlanMode', plan, 'User has approved your plan.'),
  );
  expect(stretches).toEqual([{ from: 3, to: 5 }]);
  const failed = plansOf(person('Go'), ...call('ExitPlanMode', plan, 'No such tool'));
  expect(failed.refused).toEqual([]);
});

test('a turn that a person speaks against has no plan that stands, another has', () => {
  const against = (said: string) =>
    plansOf(person('A salt?'), says('Add a salt'), person(said)).refused;
  expect(against('No, leave it as it is')).toEqual([{ from: 1, to: 3 }]);
  expect(against('Never mind')).toEqual([{ from: 1, to: 3 }]);
  expect(against('Yes, go on')).toEqual([]);
  expect(against('No problem, go on')).toEqual([]);
  // Who agrees may speak against something else.
  expect(against('Yes, do it. And mend the total, it is wrong')).toEqual([]);
  expect(against('Looks good! The title of the page is wrong, too')).toEqual([]);
  expect(against('Ok, but this is wrong')).toHaveLength(1);
  expect(against('Go back, it is wrong')).toHaveLength(1);
  expect(against('Ok, forget it')).toHaveLength(1);
});
