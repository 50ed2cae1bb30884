import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentsOf, textOf, type AssistantMessage } from '../../../src/core/messages/message.ts';
import { truncateMessage } from '../../../src/core/text/truncate-message.ts';
import { messageTokens, type Count } from '../../../src/core/messages/token-count.ts';

/** A crude vocabulary: words and marks. */
const count: Count = (text) => text.match(/[A-Za-z0-9]+|[^\sA-Za-z0-9]/g)?.length ?? 0;
const long = (words: number): string => Array.from({ length: words }, (_, n) => `w${n}`).join(' ');
const file = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const at = (target: number) => ({ target, count });

test('a text without room for a marker becomes the marker, whole; one no longer than a marker stays', () => {
  const calls = [{ id: 'c1', name: 'read', arguments: { path: long(300) } }];
  const message: AssistantMessage = {
    role: 'assistant',
    content: 'Reading it now.',
    toolCalls: calls,
  };
  expect(truncateMessage(message, 7, at(20)).content).toBe('Reading it now.');
  expect(truncateMessage({ ...message, content: long(90) }, 7, at(20)).content).toBe(
    '[… 90 tokens left out, e7 …]',
  );
});

test('arguments keep their type, and JSON stays JSON', () => {
  const given = [
    { text: long(400) },
    JSON.stringify({ text: long(400) }),
    `{"text": "${long(400)}`,
  ];
  for (const target of [20, 60, 200])
    for (const one of given) {
      const message = {
        role: 'assistant',
        content: '',
        toolCalls: [{ name: 'write', arguments: one }],
      } as const;
      const [call] = (truncateMessage(message, 7, at(target)) as AssistantMessage).toolCalls!;
      expect(typeof call!.arguments).toBe(typeof one);
      expect(argumentsOf(call!)).toContain('e7');
      if (one !== given[2]) expect(() => JSON.parse(argumentsOf(call!)) as unknown).not.toThrow();
    }
});

test('arguments that cost less than what would stand for them stay', () => {
  const toolCalls = [
    { name: 'stop', arguments: {} },
    { name: 'write', arguments: { list: Array.from({ length: 300 }, (_, n) => n) } },
  ];
  expect(truncateMessage({ role: 'assistant', content: '', toolCalls }, 7, at(30))).toEqual({
    role: 'assistant',
    content: '',
    toolCalls: [toolCalls[0], { name: 'write', arguments: { shortened: 'e7' } }],
  });
});

test('arguments of any depth are cut', () => {
  let deep: Record<string, unknown> = { text: long(900) };
  for (let level = 0; level < 2_000; level += 1) deep = { deep };
  const toolCalls = [{ name: 'write', arguments: deep }];
  const shorter = truncateMessage({ role: 'assistant', content: '', toolCalls }, 7, at(1_000));
  expect(messageTokens(shorter, count)).toBeLessThanOrEqual(1_000);
  expect(JSON.stringify(shorter)).toContain('left out, e7');
});

test('files are left out by name and number, before text is', () => {
  const content = [{ type: 'text', text: 'Look at these.' } as const, file, file];
  expect(truncateMessage({ role: 'user', content }, 7, at(100)).content).toBe(
    'Look at these.\n[… 2 files left out, e7 …]',
  );
  expect(truncateMessage({ role: 'user', content: [file] }, 7, at(100)).content).toBe(
    '[… 1 file left out, e7 …]',
  );
});

test('a shortened text is its head, one marker and its tail, within its target', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 900 }),
      fc.integer({ min: 20, max: 200 }),
      (text, target) => {
        const content = textOf(
          truncateMessage({ role: 'user', content: text }, 7, at(target)).content,
        );
        if (content === text) return;
        expect(messageTokens({ role: 'user', content }, count)).toBeLessThanOrEqual(target);
        const [head, tail, more] = content.split(/\n?\[… \d+ tokens left out, e7 …\]\n?/);
        expect(more).toBeUndefined();
        expect(text.startsWith(head!) && text.endsWith(tail!)).toBe(true);
      },
    ),
  );
});
