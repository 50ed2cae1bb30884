import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  breadcrumbTypes,
  encodeBreadcrumbs,
  mergeBreadcrumbs,
  mostBreadcrumbs,
  mostEntries,
  readBreadcrumbs,
  type Breadcrumb,
} from '../../../src/core/breadcrumbs/breadcrumb.ts';
import { entitiesOf } from '../../../src/core/entities/entities.ts';
import { entryId, ordinal, textId } from '../../../src/core/values/id.ts';
import type { LeavingEntry, Message } from '../../../src/core/messages/message.ts';
import { breadcrumbsFor } from '../../../src/core/breadcrumbs/extract-breadcrumbs.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const anyCrumb: fc.Arbitrary<Breadcrumb> = fc.record({
  type: fc.constantFrom(...breadcrumbTypes),
  reference: fc.oneof(fc.constantFrom('a.ts', 'b.ts', 'parse'), fc.string()),
  hint: fc.oneof(fc.constantFrom('', 'reads'), fc.string()),
  entries: fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: mostEntries })
    .map((ns) => ns.sort((a, b) => a - b).map(entryId)),
});
const anyTrail = fc.array(anyCrumb, { maxLength: 20 });
const keysOf = (crumbs: readonly Breadcrumb[]): string[] =>
  crumbs.map(({ type, reference, hint }) =>
    JSON.stringify([type, reference, type === 'decision' && hint]),
  );

const leaving: readonly LeavingEntry[] = (
  [
    {
      role: 'user',
      content: 'See https://arxiv.org/abs/2509.13313 before you touch parseConfig().',
    },
    {
      role: 'assistant',
      content: 'We decided to use exponential backoff instead of a fixed delay.',
      toolCalls: [{ name: 'edit', arguments: { path: 'src/retry.ts', text: 'backoffDelay(3)' } }],
    },
    { role: 'tool', name: 'edit', content: 'done' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ name: 'bash', arguments: { command: 'npm run test:retry' } }],
    },
    { role: 'tool', name: 'bash', content: 'error in src/queue/worker.ts' },
  ] satisfies Message[]
).map((message, index) => ({ n: index + 11, message }));

const everything = new Set(leaving.flatMap(({ message }) => [...entitiesOf(message).keys()]));

test('all five types are found, with what was done and the entries they came from', () => {
  const crumbs = breadcrumbsFor(leaving, everything);
  const found = (type: Breadcrumb['type']) => crumbs.filter((crumb) => crumb.type === type);
  expect(found('file')).toContainEqual({
    type: 'file',
    reference: 'src/retry.ts',
    hint: 'changed by edit',
    entries: ['e12'],
  });
  expect(found('file').map(({ reference }) => reference)).toContain('queue/worker.ts');
  expect(found('function').map(({ reference }) => reference)).toContain('parseConfig');
  expect(found('decision')).toEqual([
    {
      type: 'decision',
      reference: 'e12',
      hint: 'We decided to use exponential backoff instead of a fixed delay.',
      entries: ['e12'],
    },
  ]);
  expect(found('action')).toEqual([
    { type: 'action', reference: 'npm run test:retry', hint: 'was run', entries: ['e14'] },
  ]);
  expect(found('external')[0]).toMatchObject({
    reference: 'https://arxiv.org/abs/2509.13313',
    entries: ['e11'],
  });
});

test('what a summary lost goes before what it kept, and a changed file is never left out', () => {
  const many: readonly LeavingEntry[] = Array.from({ length: 60 }, (_, index) => ({
    n: index + 1,
    message: { role: 'assistant', content: `Read src/part${index}.ts again.` },
  }));
  const files = Array.from({ length: 30 }, (_, index) => `src/part${index}.ts`);
  const names = breadcrumbsFor(many, new Set(files)).map(({ reference }) => reference);
  expect(names.toSorted()).toEqual(files.toSorted());
  const changed = breadcrumbsFor([...many, ...leaving], new Set(files));
  expect(changed.map(({ reference }) => reference)).toContain('src/retry.ts');
  expect(breadcrumbsFor(many, new Set()).length).toBe(20);
});

test('what nobody looks for has none: words of code, listings, what only looks like a path, announcements', () => {
  const call = (text: string): Message => ({
    role: 'assistant',
    content: 'Now let me sort the rows instead of the columns. See merge/sort.',
    toolCalls: [{ name: 'edit', arguments: { path: 'src/rows.ts', text } }],
  });
  const messages: readonly Message[] = [
    call('function sortRows(rows) {\n  return rows.toSorted(byWeight).indexOf(0)\n}'),
    { role: 'tool', name: 'bash', content: 'out/a.js\nout/b.js\nout/c.js\nout/d.js\n--noEmit' },
  ];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  const lost = new Set(messages.flatMap((message) => [...entitiesOf(message).keys()]));
  expect(breadcrumbsFor(entries, lost).map(({ reference }) => reference)).toEqual([
    'src/rows.ts',
    'sortRows',
  ]);
});

test('papers and standards that are cited lead to themselves', () => {
  const message: Message = { role: 'user', content: '- ReSum (arxiv:2509.13313), and RFC 6749.' };
  expect(breadcrumbsFor([{ n: 7, message }], new Set())).toEqual([
    {
      type: 'external',
      reference: 'arxiv:2509.13313',
      hint: 'ReSum (arxiv:2509.13313), and RFC 6749.',
      entries: ['e7'],
    },
    expect.objectContaining({ reference: 'RFC 6749', entries: ['e7'] }),
  ]);
});

test('a trail is bounded, whatever leaves', () => {
  const many: readonly LeavingEntry[] = Array.from({ length: 400 }, (_, index) => ({
    n: index + 1,
    message: { role: 'assistant', content: `Read src/part${index}.ts and callPart${index}().` },
  }));
  const lost = new Set(many.flatMap(({ message }) => [...entitiesOf(message).keys()]));
  const crumbs = breadcrumbsFor(many, lost);
  expect(crumbs).toHaveLength(mostBreadcrumbs);
  expect(crumbs.every(({ hint }) => hint.length <= 100)).toBe(true);
});

test('hints are one line, whole characters, whatever the messages hold', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: codePoint }), { maxLength: 5 }), (texts) => {
      const entries = texts.map((text, index): LeavingEntry => ({
        n: index + 1,
        message: { role: 'assistant', content: `${text} src/deep/file.ts ${text}` },
      }));
      for (const { hint } of breadcrumbsFor(entries, new Set())) {
        expect(hint).not.toMatch(/[\n\r\u0000-\u001f]/);
        expect(hint.length).toBeLessThanOrEqual(100);
      }
    }),
  );
});

test('merging keeps each type and reference once, with all entries that fit, the newest hint', () => {
  fc.assert(
    fc.property(fc.array(anyTrail, { maxLength: 4 }), (lists) => {
      const merged = mergeBreadcrumbs(lists);
      const keys = keysOf(merged);
      expect(new Set(keys).size).toBe(keys.length);
      expect(new Set(keys)).toEqual(new Set(keysOf(lists.flat())));
      for (const { entries } of merged) {
        expect(entries.length).toBeLessThanOrEqual(mostEntries);
        expect(entries.map(ordinal)).toEqual(entries.map(ordinal).toSorted((a, b) => a - b));
      }
      expect(mergeBreadcrumbs([merged])).toEqual(merged);
    }),
  );
  const older: Breadcrumb = {
    type: 'file',
    reference: 'a.ts',
    hint: 'read',
    entries: [entryId(3)],
  };
  const newer = { ...older, hint: 'changed', entries: [entryId(9)] };
  expect(mergeBreadcrumbs([[older], [newer]])).toEqual([
    { ...older, hint: 'changed', entries: ['e3', 'e9'] },
  ]);
});

test('above the bound the oldest of the largest type go', () => {
  const crumb = (type: Breadcrumb['type'], n: number): Breadcrumb => ({
    type,
    reference: `${type}${n}`,
    hint: '',
    entries: [entryId(n)],
  });
  const files = Array.from({ length: 9 }, (_, n) => crumb('file', n + 1));
  const merged = mergeBreadcrumbs([files, [crumb('action', 20)]], 4);
  expect(merged.map(({ reference }) => reference)).toEqual(['file7', 'file8', 'file9', 'action20']);
});

test('what is stored is read back', () => {
  fc.assert(
    fc.property(anyTrail, (crumbs) => {
      const stored = { texts: [textId(1)] };
      const found = readBreadcrumbs(stored, () => encodeBreadcrumbs(crumbs));
      expect(found).toEqual(mergeBreadcrumbs([crumbs]));
    }),
  );
});

test('a decision of the model that a person rejects is none', () => {
  const decision = 'We decided to use a queue instead of a lock for the writer.';
  const hints = (answer: string): readonly string[] =>
    breadcrumbsFor(
      [
        { n: 1, message: { role: 'assistant', content: decision } },
        { n: 2, message: { role: 'user', content: answer } },
      ],
      new Set([decision]),
    ).map(({ hint }) => hint);
  expect(hints('good, go on')).toContain(decision);
  expect(hints('no, that is wrong')).not.toContain(decision);
});

test('a plain word and a home folder are no breadcrumbs', () => {
  const content = 'insertions(+) in /Users/ada and /dev/null; then `parseRow()` of src/row.ts';
  const names = breadcrumbsFor([{ n: 1, message: { role: 'user', content } }], new Set()).map(
    ({ reference }) => reference,
  );
  expect(names).toContain('src/row.ts');
  for (const none of ['insertions', 'Users/ada', 'dev/null']) expect(names).not.toContain(none);
});
