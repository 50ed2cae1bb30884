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

const parts = {
  role: 'assistant',
  content: long(120),
  thinking: 'hm',
  meta: { seen: true },
  toolCalls: [
    { id: 'c1', name: 'write file', arguments: { text: long(200), list: [long(60), 3, null] } },
    { id: 'c2', name: 'read', arguments: long(80) },
  ],
} as const satisfies AssistantMessage;

test.each([
  [60, 10, null, 10],
  [90, 20, null, 10],
  [120, 30, [12, 10], 10],
  [200, 57, [44, 11], 16],
  [300, 90, [70, 19], 27],
  [400, 120, [97, 27], 37],
  [450, 120, [117, 33], 45],
  [510, 120, [200, 60], 80],
])(
  'in %d tokens a text keeps a third, and arguments their shares',
  (...[target, text, first, second]) => {
    const shorter = truncateMessage(parts, 7, at(target)) as AssistantMessage;
    const [write, read] = shorter.toolCalls!;
    const made = write!.arguments as { text?: string; list?: readonly [string, number, null] };
    expect(count(textOf(shorter.content))).toBe(text);
    expect(made.text === undefined ? null : [count(made.text), count(made.list![0])]).toEqual(
      first,
    );
    if (first === null) expect(made).toEqual({ shortened: 'e7' });
    else expect(made.list!.slice(1)).toEqual([3, null]);
    expect(count(argumentsOf(read!))).toBe(second);
    expect(Object.keys(shorter)).toEqual(['role', 'content', 'toolCalls']);
  },
);

test.each([
  [29, 18, 'w0 w1 \n[… 38 tokens left out, e7 …]'],
  [30, 19, 'w0 w1 \n[… 37 tokens left out, e7 …]\n w39'],
  [31, 20, 'w0 w1 w2 \n[… 36 tokens left out, e7 …]\n w39'],
])('what files are told with counts: in %d tokens, or %d without them', (target, bare, kept) => {
  const content = [{ type: 'text', text: long(40) } as const, file, file];
  const marked = `${kept}\n[… 2 files left out, e7 …]`;
  const given = { content, meta: { seen: true }, thinking: 'hm' };
  expect(truncateMessage({ role: 'user', content, meta: {} }, 7, at(target))).toEqual({
    role: 'user',
    content: marked,
  });
  expect(truncateMessage({ role: 'assistant', ...given }, 7, at(target))).toEqual({
    role: 'assistant',
    content: marked,
  });
  expect(truncateMessage({ role: 'user', content: long(40) }, 7, at(bare)).content).toBe(kept);
});

const shortArguments = (given: unknown, target: number): unknown => {
  const toolCalls = [{ name: 'w', arguments: given as string }];
  const made = truncateMessage({ role: 'assistant', content: '', toolCalls }, 7, at(target));
  return (made as AssistantMessage).toolCalls![0]!.arguments;
};

test.each([
  ['null', 14, 'null'],
  ['7', 14, '7'],
  ['[1]', 14, '[1]'],
  ['{"a":1}', 14, '{"a":1}'],
  [`no JSON ${long(60)}`, 14, '[… 62 tokens left out, e7 …]'],
  [JSON.stringify({ t: long(60) }), 14, '{"shortened":"e7"}'],
  [{ t: long(60) }, 14, { shortened: 'e7' }],
  [{ t: long(60) }, 40, { t: 'w0 w1 w2 \n[… 56 tokens left out, e7 …]\n w59' }],
  [JSON.stringify({ t: long(60) }), 40, '{"t":"w0 w1 w2 \\n[… 56 tokens left out, e7 …]\\n w59"}'],
])('arguments %j in %d tokens are %j', (given, target, shorter) =>
  expect(shortArguments(given, target)).toEqual(shorter),
);

test('a text of 120 characters inside arguments is never cut, one of 121 is', () => {
  const text = (length: number): string => 'a '.repeat(61).slice(0, length);
  const given = { short: text(120), long: text(121), longer: long(90) };
  const made = shortArguments(given, 135) as Record<string, string>;
  expect(made['short']).toBe(text(120));
  expect(made['long']).toContain('left out');
});

test('of an edit what it takes away gives way to what it brings', () => {
  const text = (word: string): string =>
    Array.from({ length: 90 }, (_, n) => `${word} ${n};`).join('\n');
  const given = { path: 'src/a.ts', edits: [{ oldText: text('old'), newText: text('new') }] };
  const toolCalls = [{ id: 'c1', name: 'edit', arguments: given }];
  const message: AssistantMessage = { role: 'assistant', content: '', toolCalls };
  const whole = messageTokens(message, count);
  const shorter = truncateMessage(message, 7, at(Math.ceil(whole * 0.7))) as AssistantMessage;
  const [edit] = (shorter.toolCalls![0]!.arguments as typeof given).edits;
  expect(edit!.newText).toBe(text('new'));
  expect(edit!.oldText).toContain('tokens left out, e7');
});

test('JSON is kept 64 levels deep, below that it is text', () => {
  const nested = (levels: number, around: (inside: unknown) => unknown): unknown =>
    levels === 0 ? long(900) : around(nested(levels - 1, around));
  const inObjects = (levels: number): unknown =>
    shortArguments(
      nested(levels, (inside) => ({ inside })),
      800,
    );
  const inLists = (levels: number): unknown =>
    shortArguments({ list: nested(levels, (inside) => [inside]) }, 800);
  expect(JSON.stringify(inObjects(64))).not.toContain('{\\"inside');
  expect(JSON.stringify(inObjects(65))).toContain('{\\"inside');
  expect(JSON.stringify(inLists(63))).not.toContain('[\\"w0');
  expect(JSON.stringify(inLists(64))).toContain('[\\"w0');
});
