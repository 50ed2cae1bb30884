import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  harvest,
  sectionsOf,
  type HarvestRequest,
} from '../../../src/core/checkpoints/extractive-summary.ts';
import { markersIn } from '../../../src/core/frames/goal-markers.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { byteBound, type Count } from '../../../src/core/messages/token-count.ts';

const words: Count = (text) => text.match(/[A-Za-z0-9]+|[^\sA-Za-z0-9]/g)?.length ?? 0;

const session: readonly Message[] = [
  { role: 'user', content: 'Please fix the login. Never touch the lockfile.' },
  { role: 'user', origin: 'machine', content: 'Never read this as a request: machineName' },
  {
    role: 'assistant',
    content: 'Let me look at the token guard first.',
    toolCalls: [
      {
        id: 'c1',
        name: 'edit',
        arguments: { file_path: 'src/auth/token.ts', text: 'return isExpired(token)' },
      },
    ],
  },
  { role: 'tool', toolCallId: 'c1', content: 'ok' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c2', name: 'bash', arguments: { command: 'npx vitest run test/auth' } }],
  },
  {
    role: 'tool',
    toolCallId: 'c2',
    isError: true,
    content: 'TypeError: isExpired is not a function\n  at src/auth/login.ts:12',
  },
  {
    role: 'assistant',
    content:
      'The bug was an inverted guard, so I decided to compare timestamps instead of strings.\n[DECISION] Tokens live for 900 seconds - LOCKED\nStill need to update the docs page.\nShould refresh tokens rotate on every use?',
  },
];

const request = (over: Partial<HarvestRequest> = {}): HarvestRequest => ({
  purpose: 'checkpoint',
  entries: session.map((message, n) => ({ id: `e${n + 1}`, message })),
  text: '',
  target: 300,
  count: words,
  ...over,
});

test('a harvest has sections for requests, findings, open items, errors, commands, files and names', () => {
  expect(harvest(request())).toBe(`Requests:
- Never touch the lockfile.
Findings and decisions:
- The bug was an inverted guard, so I decided to compare timestamps instead of strings.
- Tokens live for 900 seconds
Open:
- Still need to update the docs page.
- Should refresh tokens rotate on every use?
Errors:
- TypeError: isExpired is not a function
Commands: \`npx vitest run test/auth\` (failed)
Files: *auth/token.ts auth/login.ts
Names: machineName`);
});

test('results begin with findings and files', () => {
  const lines = harvest(request({ purpose: 'results' })).split('\n');
  expect(lines[0]).toBe('Findings and decisions:');
  expect(lines.find((line) => line.endsWith(':') || /^[A-Z]\w+: /.test(line))).toBe(lines[0]);
  expect(lines[3]).toBe('Files: *auth/token.ts auth/login.ts');
});

test('the sections of a harvest are read back', () => {
  expect(sectionsOf(harvest(request()))).toEqual({
    decisions: [
      'The bug was an inverted guard, so I decided to compare timestamps instead of strings.',
      'Tokens live for 900 seconds',
    ],
    files: ['auth/token.ts'],
    next: ['Still need to update the docs page.'],
    questions: ['Should refresh tokens rotate on every use?'],
  });
});

test("a model's sections are read with patience", () => {
  const text =
    '# Summary\n\n## Key Decisions\n1. Use one store\n\n**Files modified:**\n* `src/a.ts` (new)\n\n### Next steps:\n- Ship it\n\nOpen questions:\n- Why?';
  expect(sectionsOf(text)).toEqual({
    decisions: ['Use one store'],
    files: ['src/a.ts'],
    next: ['Ship it'],
    questions: ['Why?'],
  });
});

test('heads of any habit are read: listed, lower case, with a sign, or with the section behind them', () => {
  expect(
    sectionsOf(
      '1. **Key decisions:**\n- Use one store\n2. **Next steps**\n- Ship it\n- **Open questions:**\n  - Why?',
    ),
  ).toEqual({ decisions: ['Use one store'], files: [], next: ['Ship it'], questions: ['Why?'] });
  expect(sectionsOf('decisions:\n- Use one store\nnext steps:\n- Ship it')).toMatchObject({
    decisions: ['Use one store'],
    next: ['Ship it'],
  });
  expect(sectionsOf('### 🔒 2. Next steps\n- Ship it').next).toEqual(['Ship it']);
  expect(
    sectionsOf(
      '**Decisions:** Use one store.\n**Files changed**: `a.ts`, `b/c.ts`\nNext steps: ship it',
    ),
  ).toEqual({
    decisions: ['Use one store.'],
    files: ['a.ts', 'b/c.ts'],
    next: ['ship it'],
    questions: [],
  });
});

test('a sentence that begins like a head stays an item of its section', () => {
  const text = 'Progress:\n- Decision: taken\n- All wired\nDecisions:\n- Note: keep the port';
  expect(sectionsOf(text).decisions).toEqual(['Note: keep the port']);
});

test('items lose bold marks and empty boxes, and those that say nothing are left out', () => {
  const text = `Decisions:
- **Use JWT**: it is \`stateless\`, see src/**/auth and __init__.py
- **Locked**
Next steps:
- [ ] Write the docs
- [x] Write the tests
- None
Open questions:
- None at this time.
- (none)
- N/A
- No open questions
- None of the tests say which port; which?
- 日本語?`;
  expect(sectionsOf(text)).toEqual({
    decisions: ['Use JWT: it is `stateless`, see src/**/auth and __init__.py', 'Locked'],
    files: [],
    next: ['Write the docs'],
    questions: ['None of the tests say which port; which?', '日本語?'],
  });
});

test('files are read without what is told of them', () => {
  const text = `Files changed:
- src/a.ts: renamed \`foo\` to \`bar\`
- Created \`src/b.ts\` and \`src/c.ts\` - new
- src/d.ts (modified), mostly
- Modified: src/e.ts, Makefile.am
- various test files
- None
Artifacts:
- src/a.ts
- README.md`;
  expect(sectionsOf(text).files).toEqual([
    'src/a.ts',
    'src/b.ts',
    'src/c.ts',
    'src/d.ts',
    'src/e.ts',
    'Makefile.am',
    'README.md',
  ]);
});

test('earlier findings and files of a frame go into its results', () => {
  const text = 'Findings and decisions:\n- We chose LevelDB as the store.\nFiles: *store/key.ts';
  const results = harvest(request({ purpose: 'results', text }));
  expect(results).toContain('- We chose LevelDB as the store.');
  expect(sectionsOf(results).files).toEqual(['auth/token.ts', 'store/key.ts']);
  expect(harvest(request({ purpose: 'results', text, entries: [] }))).toBe(text);
});

test('aging and merging drop lines and add none', () => {
  const text = harvest(request());
  const aged = harvest(request({ purpose: 'age', text, target: 40 }));
  expect(words(aged)).toBeLessThanOrEqual(40);
  expect(
    aged
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .every((line) => text.includes(line)),
  ).toBe(true);
  const merged = harvest(request({ purpose: 'merge', text: `${text}\n${text}`, target: 150 }));
  expect(merged.match(/Findings and decisions:/g)).toHaveLength(1);
});

const content = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    'We must always use src/core/tree.ts.',
    '<frame id="f1">',
    '</history>\n[… 5 tokens left out …]',
    '[GOAL] Ship it',
    '- [DECISION] Use X - LOCKED',
    'Error: cannot find fooBar\u001b[31m\u0007',
    'Files: a, b',
    'Next step: is it done?',
    '```\ncode',
    'a\u2028<b>\rc',
    'word '.repeat(200),
  ),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constant('user' as const),
    content,
    origin: fc.constantFrom('person' as const, 'machine' as const),
  }),
  fc.record({
    role: fc.constant('assistant' as const),
    content,
    toolCalls: fc.array(
      fc.record({
        name: fc.constantFrom('bash', 'edit', 'other'),
        arguments: fc.oneof(
          content,
          fc.record({ command: content, path: content }),
          fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        ),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ role: fc.constant('tool' as const), content, isError: fc.boolean() }),
);
const anyRequest = fc.record({
  purpose: fc.constantFrom(
    'checkpoint' as const,
    'age' as const,
    'merge' as const,
    'results' as const,
    'partial' as const,
  ),
  entries: fc
    .array(message, { maxLength: 8 })
    .map((messages) => messages.map((message, n) => ({ id: `e${n + 1}`, message }))),
  text: fc.oneof(
    fc.constant(''),
    fc.array(content, { maxLength: 6 }).map((lines) => lines.join('\n')),
  ),
  target: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 1_200 })),
  count: fc.constantFrom<Count>(byteBound, words),
});

test('a harvest meets every target, for any entries and any counter', () => {
  fc.assert(
    fc.property(anyRequest, (request) => request.count(harvest(request)) <= request.target),
    { numRuns: 1_000 },
  );
});

test('a harvest is not empty where there is a word and room for it', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const said =
        request.text + request.entries.map(({ message }) => message.content as string).join(' ');
      fc.pre(request.target >= 8 && /[a-z]{3}/.test(said));
      expect(harvest(request)).not.toBe('');
    }),
    { numRuns: 1_000 },
  );
});

test('no line of a harvest could pass for markup or a marker, and none holds a control character', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const text = harvest(request);
      expect(text).not.toMatch(/^\s*[<[]/m);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(markersIn(text)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test('the same entries give the same bytes', () => {
  fc.assert(
    fc.property(anyRequest, (request) => harvest(request) === harvest(structuredCloneOf(request))),
  );
});

function structuredCloneOf(request: HarvestRequest): HarvestRequest {
  return {
    ...request,
    entries: request.entries.map(({ id, message }) => ({ id, message: { ...message } })),
  };
}

test.each(['a', '/', ' ', '\n', 'must a. ', 'a\n', 'error\n', 'src/a.ts '])(
  'messages of a million characters of %j are harvested',
  (unit) => {
    const content = unit.repeat(1_000_000 / unit.length);
    const entries = (['user', 'assistant', 'tool'] as const).map((role, n) => ({
      id: `e${n}`,
      message: { role, content },
    }));
    expect(
      byteBound(
        harvest({ purpose: 'checkpoint', entries, text: content, target: 500, count: byteBound }),
      ),
    ).toBeLessThanOrEqual(500);
  },
  20_000,
);
