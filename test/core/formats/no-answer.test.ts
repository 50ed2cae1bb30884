import { expect, test } from 'vitest';
import { fromAnthropic } from '../../../src/anthropic.ts';
import { fromAiSdk, isEngineError } from '../../../src/index.ts';
import { fromResponses } from '../../../src/openai.ts';

const readers = { fromResponses, fromAnthropic, fromAiSdk } as unknown as Readonly<
  Record<string, (given: object) => unknown>
>;

const refusal = (read: (given: object) => unknown, given: object): unknown => {
  try {
    return read(given);
  } catch (error) {
    return isEngineError(error, 'MESSAGE_INVALID') ? [error.detail, error.message] : error;
  }
};

const advice = 'append nothing of it, mend the request or ask again';

test.each([
  ['fromResponses', 'output'],
  ['fromAnthropic', 'content'],
  ['fromAiSdk', 'messages'],
] as const)('%s refuses what is no answer, with the words of an error', (name, field) => {
  const read = readers[name]!;
  const error = { type: 'overloaded_error', message: 'Over\nloaded\u001b[2J' };
  expect(refusal(read, { type: 'error', error })).toEqual([
    { field: 'error' },
    `What the server sent holds an error: "Over loaded"; ${advice}`,
  ]);
  const long = refusal(read, { error: 'x'.repeat(9_000), [field]: [] }) as [object, string];
  expect(long[1].length).toBeLessThan(350);
  if (name === 'fromAiSdk') return;
  const nothing = `What the server sent has nothing in "${field}"; ${advice}`;
  expect(refusal(read, {})).toEqual([{ field }, nothing]);
});

test('an answer beside an empty error is read', () => {
  const said = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };
  for (const error of [null, false, 0, ''])
    expect(fromResponses({ error, output: [said] } as never).content).toBe('Hi');
});
