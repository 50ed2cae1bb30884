import fc from 'fast-check';
import type { Assembly, OutMessage } from '../../../src/core/assembly/assembly.ts';
import type { Budget } from '../../../src/core/budget/budget.ts';
import { textOf, type Message, type ToolCall } from '../../../src/core/messages/message.ts';

// Histories as an assembly holds them: results right behind their calls, in any
// order, with and without ids; ids that come back in every answer.

/** A message of an assembly without its labels. */
type Said = Message | { readonly role: 'system'; readonly content: string };

/** An assembly of these messages; entries are numbered by place. */
export function assemblyOf(
  messages: readonly Said[],
  budget: { readonly window: number; readonly reserve: number } = { window: 4_000, reserve: 600 },
): Pick<Assembly, 'messages' | 'budget'> {
  return {
    messages: messages.map((message, index): OutMessage => ({
      ...message,
      kind: 'entry',
      section: 'working',
      tokens: 1,
      entry: `e${index + 1}`,
    })),
    budget: budget as Budget,
  };
}

/** The text of each message. */
export const textsIn = (history: readonly Said[]): readonly string[] =>
  history.map(({ content }) => textOf(content));

/** All calls, in order. */
export const callsIn = (history: readonly Said[]): readonly ToolCall[] =>
  history.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));

const word = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });
const meta = { secret: true };

const aCall = fc.record({
  id: fc.option(fc.constantFrom('call_0', 'call_1', 'e2.1'), { nil: undefined }),
  name: fc.constantFrom('read', 'write'),
  arguments: fc.oneof(
    fc.dictionary(fc.constantFrom('path', 'text'), word),
    fc.constantFrom('{"path":', 'none', '[1]'),
  ),
});

const aUser: fc.Arbitrary<readonly Said[]> = word.map((content) => [
  { role: 'user', content, meta },
]);

const anAnswer: fc.Arbitrary<readonly Said[]> = word.map((content) => [
  { role: 'assistant', content, thinking: 'secret', meta },
]);

const aUnit: fc.Arbitrary<readonly Said[]> = fc
  .tuple(
    fc.constantFrom('', 'Let me see'),
    fc.uniqueArray(aCall, { minLength: 1, maxLength: 3, selector: (call) => call.id ?? call }),
    fc.boolean(),
  )
  .map(([content, calls, isTurned]) => {
    const toolCalls = calls.map(({ id, ...call }) => (id === undefined ? call : { id, ...call }));
    const results = toolCalls.map((call, index): Said => ({
      role: 'tool',
      content: `result ${index} of ${call.name}`,
      ...('id' in call ? { toolCallId: call.id } : { name: call.name }),
    }));
    const named = toolCalls.some((call) => !('id' in call));
    const ordered = isTurned && !named ? results.toReversed() : results;
    return [{ role: 'assistant', content, toolCalls }, ...ordered];
  });

/** A history that an assembly may hold. */
export const aHistory: fc.Arbitrary<readonly Said[]> = fc
  .tuple(fc.boolean(), fc.array(fc.oneof(aUser, anAnswer, aUnit), { maxLength: 8 }))
  .map(([hasSystem, turns]) => [
    ...(hasSystem ? [{ role: 'system', content: 'Be careful' } as const] : []),
    ...turns.flat(),
  ]);
