import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLedger } from '../../../src/core/assembly/ledger-section.ts';
import { textId } from '../../../src/core/values/id.ts';
import type { LedgerName } from '../../../src/core/breadcrumbs/ledger.ts';
import type { LedgerBlock } from '../../../src/core/state/view.ts';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const name = (text: string, over: Partial<LedgerName> = {}): LedgerName => ({
  name: text,
  kind: 'identifier',
  entry: 1,
  mentions: 1,
  feeds: 1,
  score: 1,
  changed: false,
  at: 1,
  ...over,
});

type Shown = LedgerBlock & { readonly body: string };
const block = (body: string, n = 1): Shown => ({
  text: textId(n),
  tokens: words(body) + 4,
  upTo: n,
  body,
});

const many = (size: number, from = 0): readonly LedgerName[] =>
  Array.from({ length: size }, (_, n) => name(`name${from + n}`));

test('names stand under their kinds, changed files with a star, commands apart by semicolons', () => {
  const names = [
    name('auth/token.ts', { kind: 'path', changed: 'auth/token.ts' }),
    name('isExpired'),
    name('npm run check', { kind: 'command' }),
    name('auth/login.ts', { kind: 'path' }),
    name('git log --oneline', { kind: 'command' }),
  ];
  const { kept, added } = planLedger({ blocks: [], names, cap: 200, count: words });
  expect(kept).toEqual([]);
  expect(added).toBe(
    [
      'Named earlier, out of view now:',
      'Files (* changed): auth/token.ts* auth/login.ts',
      'Names: isExpired',
      'Commands: npm run check; git log --oneline',
    ].join('\n'),
  );
});

test('what stands already stays as it is; names that came since go into one more block', () => {
  const first = block(
    'Named earlier, out of view now:\nFiles (* changed): a/b.ts*\nNames: oldName',
  );
  const names = [
    name('a/b.ts', { kind: 'path', changed: 'a/b.ts' }),
    name('newName'),
    name('oldName'),
  ];
  const { kept, added } = planLedger({ blocks: [first], names, cap: 1_000, count: words });
  expect(kept).toEqual([{ text: 't1', tokens: first.tokens, upTo: 1 }]);
  expect(added).toBe('Names: newName');
});

test('nothing is added where nothing came since', () => {
  const first = block('Named earlier, out of view now:\nCommands: npm test; git status');
  const names = [name('git status', { kind: 'command' }), name('npm test', { kind: 'command' })];
  expect(planLedger({ blocks: [first], names, cap: 1_000, count: words }).added).toBe('');
});

test('commands with stars and semicolons stand as they are printed', () => {
  const commands = ['git add src/*', "awk '{ a; b }' log", 'npm test'].map((text) =>
    name(text, { kind: 'command' }),
  );
  const shown = planLedger({ blocks: [], names: commands, cap: 200, count: words }).added;
  const next = planLedger({ blocks: [block(shown)], names: commands, cap: 1_000, count: words });
  expect(next.added).toBe('');
});

test('a file that was changed since is named again, with its star', () => {
  const first = block('Named earlier, out of view now:\nFiles (* changed): a/b.ts c/d.ts*');
  const names = ['a/b.ts', 'c/d.ts'].map((path) => name(path, { kind: 'path', changed: path }));
  const { added } = planLedger({ blocks: [first], names, cap: 1_000, count: words });
  expect(added).toBe('Files (* changed): a/b.ts*');
});

test('a ledger that used its share up is written anew', () => {
  const full = block(`Named earlier, out of view now:\nNames: ${'x '.repeat(190).trim()}`);
  const { kept, added } = planLedger({ blocks: [full], names: many(400), cap: 200, count: words });
  expect(kept).toEqual([]);
  expect(added.startsWith('Named earlier, out of view now:\nNames: name0 name1 ')).toBe(true);
});

test('whatever came before, the ledger stays within its cap and names nothing twice', () => {
  const step = fc.record({ fresh: fc.nat(120), cap: fc.integer({ min: 0, max: 600 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let blocks: readonly Shown[] = [];
      let names: readonly LedgerName[] = [];
      for (const { fresh, cap } of steps) {
        names = [...many(fresh, names.length), ...names];
        const { kept, added } = planLedger({ blocks, names, cap, count: words });
        blocks = blocks.filter(({ text }) => kept.some((one) => one.text === text));
        if (added !== '') blocks = [...blocks, block(added, blocks.length + 1)];
        expect(blocks.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(
          Math.max(0, cap),
        );
        const shown = blocks.flatMap((one) => one.body.match(/name\d+/g) ?? []);
        expect(new Set(shown).size).toBe(shown.length);
      }
    }),
  );
});
