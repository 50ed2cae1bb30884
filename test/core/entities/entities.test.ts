import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  commandsOf,
  entitiesIn,
  entitiesOf,
  containsWord,
} from '../../../src/core/entities/entities.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { scanLimit } from '../../../src/core/text/sentences.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const kinds = (text: string) => Object.fromEntries(entitiesIn(text));

test('a path is known by its last two segments, however it is spelled', () => {
  expect(kinds('See /srv/app/src/core/tree.ts, ../core/tree.ts:12 and src/core/tree.ts.')).toEqual({
    'core/tree.ts': 'path',
  });
});

test('a text names files, identifiers, errors, numbers and URLs in the order in which they stand', () => {
  const text =
    'In config.json set maxRetries (issue #42), call connectNow() on port 8080. It threw TypeError: ENOENT ' +
    'at 3f2a9bc, see https://example.org/a?b=1. Version v1.2.3, id 123e4567-e89b-12d3-a456-426614174000, snake_case.';
  expect([...entitiesIn(text)]).toEqual([
    ['config.json', 'path'],
    ['maxRetries', 'identifier'],
    ['#42', 'number'],
    ['connectNow', 'identifier'],
    ['8080', 'number'],
    ['TypeError', 'error'],
    ['ENOENT', 'error'],
    ['3f2a9bc', 'number'],
    ['https://example.org/a?b=1', 'url'],
    ['v1.2.3', 'number'],
    ['123e4567-e89b-12d3-a456-426614174000', 'number'],
    ['snake_case', 'identifier'],
  ]);
});

test('plain words, years, fractions and members of objects are no names', () => {
  expect(
    kinds('The build of 2024 took 3.5 s and/or 1,234,567 steps; console.log and process.env help.'),
  ).toEqual({});
});

test('a short sentence that settles something is a decision of the text', () => {
  const text =
    'I looked around.\n- We decided to keep sessions in one store.\n```\nnever in code\n```';
  expect(kinds(text)).toEqual({ 'We decided to keep sessions in one store.': 'decision' });
});

test('decisions are read from what the model says, not from tool output', () => {
  const content = 'We decided to keep sessions in one store.';
  expect([...entitiesOf({ role: 'assistant', content }).values()]).toEqual(['decision']);
  expect([...entitiesOf({ role: 'tool', content }).values()]).toEqual([]);
});

test('the facts of a call are its commands and the values of its arguments, not their keys', () => {
  const message: Message = {
    role: 'assistant',
    content: 'Look at src/core/tree.ts',
    toolCalls: [
      {
        name: 'bash',
        arguments: { command: 'npx vitest run test/core/tree.test.ts', file_path_key: 7 },
      },
    ],
  };
  expect([...entitiesOf(message)]).toEqual([
    ['core/tree.ts', 'path'],
    ['npx vitest run test/core/tree.test.ts', 'command'],
    ['core/tree.test.ts', 'path'],
  ]);
  expect(entitiesOf(message)).toBe(entitiesOf(message));
});

test('commands are the parts of a script, cut outside quotes, without redirections', () => {
  const run = (command: string) =>
    commandsOf({
      role: 'assistant',
      content: '',
      toolCalls: [{ name: 'Bash', arguments: { command } }],
    });
  expect(
    run('cd app && npm run build 2>&1 | tail -5; git commit -m "a; b | c"\nrm -rf dist'),
  ).toEqual(['npm run build', 'git commit -m "a; b | c"', 'rm -rf dist']);
  expect(
    commandsOf({
      role: 'assistant',
      content: '',
      toolCalls: [{ name: 'run', arguments: 'git status -s' }],
    }),
  ).toEqual(['git status -s']);
  expect(commandsOf({ role: 'user', content: 'npm run build' })).toEqual([]);
});

test('a name stands in a text only on word boundaries', () => {
  expect(containsWord('see src/core/tree.ts.', 'core/tree.ts')).toBe(true);
  expect(containsWord('see core/tree.tsx', 'core/tree.ts')).toBe(false);
  expect(containsWord('remapKey mapKey', 'mapKey')).toBe(true);
  expect(containsWord('remapKey', 'mapKey')).toBe(false);
  expect(containsWord('anything', '')).toBe(false);
});

test('every name that a text is said to hold stands in it, but for paths that were shortened', () => {
  const word = fc.constantFrom(
    'src/a/b.ts',
    'fooBar',
    'foo_bar(',
    'ENOENT',
    'v1.2.3',
    '12345',
    'https://x.yz/a',
    '#12',
    '.',
    ',',
    '\n',
    '-',
    '/',
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.string({ unit: codePoint, maxLength: 6 })), { maxLength: 30 }),
      (words) => {
        const text = words.join(' ');
        for (const [name, kind] of entitiesIn(text))
          if (kind !== 'path' && kind !== 'decision' && !containsWord(text, name))
            throw new Error(name);
      },
    ),
  );
});

test.each([
  'a',
  'A',
  '/',
  'a/',
  '.',
  '-',
  '1.',
  '@1',
  '1234@',
  '_',
  ' ',
  '\n',
  'http://',
  '`',
  '"',
  '\ud83d\ude00',
  'a.ts.',
  '#1 ',
  'error[E',
  '1.1.1-',
  '123e4567-',
])(
  'a million characters of %j are read in linear time',
  (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const small = entitiesIn(text.slice(0, 1_000)).size;
    expect(entitiesIn(text).size).toBeLessThanOrEqual(Math.max(small, 4_096));
    entitiesOf({
      role: 'assistant',
      content: text,
      toolCalls: [{ name: 'bash', arguments: { command: text } }],
    });
  },
  20_000,
);

test('a chunk of many pieces with a long end is read in linear time', () => {
  expect(entitiesIn('1234@'.repeat(20_000) + '.'.repeat(100_000)).size).toBe(0);
}, 20_000);

test('what stands behind 200,000 characters is not looked at', () => {
  expect(entitiesIn(`${' '.repeat(199_990)}fooBar `).size).toBe(1);
  expect(entitiesIn(`${' '.repeat(200_000)}fooBar `).size).toBe(0);
});

test('a name stands in a text also where an escape ends before it', () => {
  expect(containsWord(String.raw`# A\nREADME.md`, 'README.md')).toBe(true);
  expect(containsWord('# AnREADME.md', 'README.md')).toBe(false);
});

test('a name at the end of what is scanned of a text is not read in part', () => {
  const text = (name: string): string => `${' '.repeat(scanLimit - 12)}src/auth/${name}`;
  expect([...entitiesIn(text('hash.ts')).keys()]).toEqual([]);
  expect([...entitiesIn(text('a.c')).keys()]).toEqual(['auth/a.c']);
});
