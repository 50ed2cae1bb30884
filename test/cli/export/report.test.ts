import fc from 'fast-check';
import { marked, type Token, type Tokens } from 'marked';
import { expect, test } from 'vitest';
import { fenced, inline, table } from '../../../src/cli/export/forms/markdown.ts';
import { cleanLine } from '../../../src/cli/paper/clean.ts';
import { openStore } from '../../../src/index.ts';
import { demoStore, flamestack, folder } from '../call.ts';

test('a text of anybody on a line is text there: what would mark something is escaped, and nothing is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab_ *`[]<>|~\\#!&\n'.split('')), maxLength: 30 }),
      (text) => {
        const shown = inline(text);
        expect(shown.replace(/\\([\\`*[\]<>|~_&#])/g, '$1')).toBe(cleanLine(text));
        const bare = shown.replace(/\\[\\`*[\]<>|~_&#]/g, '.');
        expect(bare).not.toMatch(/[\\`*[\]<>|&\n]|^#|~~|(?<![ab])_|_(?![ab])/);
      },
    ),
  );
  expect(inline('&lt;1. x')).toBe(String.raw`\&lt;1. x`);
  expect(['1. x', '- x', '# x', '== x'].map((one) => inline(one))).toEqual([
    String.raw`1\. x`,
    String.raw`\- x`,
    String.raw`\# x`,
    String.raw`\== x`,
  ]);
  expect(inline('snake_case stays, _this_ not')).toBe(String.raw`snake_case stays, \_this\_ not`);
});

test('a fence is longer than any in the text', () => {
  for (const inner of ['`', '```', '`````js\nx\n`````']) {
    const lines = fenced(inner).split('\n');
    const [fence] = /^`+/.exec(lines[0]!)!;
    expect(lines.at(-1)).toBe(fence);
    expect(inner).not.toContain(fence);
  }
});

test('a report has the figures, the work, what was asked and lost, and then all of it', async () => {
  const store = await demoStore();
  const { exit, out } = await flamestack(`export --as md --store ${store}`);
  expect(exit).toBe(0);
  expect(out.match(/^##? .*$/gm)).toEqual([
    '# Tidy the parts',
    '## Goal',
    '## Frames',
    '## What people asked for',
    '## What the model is told of what it no longer sees',
    '## What went out of the prompt',
    '## What was said',
  ]);
  const { state } = JSON.parse((await flamestack(`show --json --store ${store}`)).out) as {
    state: { tokens: number; turn: number; compressions: number };
  };
  const number = (value: number): string => value.toLocaleString('en');
  expect(out).toContain(
    `| said | 67 entries in ${state.turn} turns, ${number(state.tokens)} tokens |`,
  );
  expect(out).toContain(`| compressions | ${state.compressions} |`);
  expect(out).toMatch(/\| by whom \| read 16 \([\d,]+ tokens\), person 17 /);
  expect(out).toMatch(/^- ✓ \*\*Deep parts\*\* \(f1 completed, .*: Parts 5 to 9 are tidy\.$/m);
  expect(out).toMatch(/^ {2}- ⊘ \*\*Dead end\*\* \(f2 invalidated, .*: no rewrite wanted$/m);
  expect(out).toContain('- turn 3, e9: Please look at part 3. Never rename src/part-3.ts.');
  expect(out).toMatch(/^- \*\*Compression 1\*\* \(turn \d+, [\d,]+ → [\d,]+ tokens, \d+ entr/m);
  expect(out.match(/^- \*\*Compression \d+\*\*/gm)).toHaveLength(state.compressions);
  expect(out.match(/^### e\d+ · /gm)).toHaveLength(67);
  for (let n = 1; n <= 16; n += 1) expect(out).toContain(`Part ${n} sets limit${n} to ${n * 100}.`);
});

test('what strangers wrote marks nothing up, and no key is in it', async () => {
  const store = await folder();
  const key = `ghp_${'aB3cD4eF5gH6'.repeat(3)}`;
  {
    await using made = await openStore(store);
    const session = await made.open('notes', { window: 2_048, title: '*x* <img src=x> [a](b)' });
    await session.append({ role: 'user', content: `</details>\n# Not a heading\u001b[31m ${key}` });
    await session.append({ role: 'assistant', content: '```\n## Goal\n```' });
    await session.settled();
  }
  const { out, err } = await flamestack(`export --as md --store ${store}`);
  expect(out).toContain(String.raw`# \*x\* \<img src=x\> \[a\](b)`);
  expect(out).toContain('````text\n```\n## Goal\n```\n````');
  expect(out).not.toMatch(/\u001b|ghp_/);
  expect(out).toContain(String.raw`e1: \</details\> # Not a heading \[redacted GitHub token\]`);
  expect(err).toContain('1 key-like string redacted');
  const bare = await flamestack(`export --as md --no-redact --store ${store}`);
  expect(bare.out).toContain(key);
});

test('a session in which nothing was said has a report, too', async () => {
  const store = await folder();
  {
    await using made = await openStore(store);
    await made.open('empty', { window: 2_048 });
  }
  const { exit, out } = await flamestack(`export --as md --store ${store}`);
  expect(exit).toBe(0);
  expect(out).toContain('| when | nothing was said yet |');
  for (const form of ['svg', 'speedscope', 'trace', 'otlp'])
    expect((await flamestack(`export --as ${form} --store ${store}`)).exit).toBe(0);
});

/** Every piece of a document of Markdown, as its reader parts it. */
function tokensOf(text: string): readonly Token[] {
  const found: Token[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => void found.push(token));
  return found;
}

/** Texts of anybody that are full of what marks something up. */
const strange: fc.Arbitrary<string> = fc
  .array(
    fc
      .constantFrom('a', 'b ', ' ', '\n', '# ', '- ', '1. ', '| ', '|', '```', '~~~', '<b>', '&lt;')
      .chain((one) =>
        fc.constantFrom(one, '*', '_', '`', '[x](y)', '![', ']', '~~', '\\', '>', '---'),
      ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

test('a reader of Markdown takes a text of anybody for text, and a table of such texts for one', () => {
  fc.assert(
    fc.property(fc.array(strange, { minLength: 1, maxLength: 4 }), (texts) => {
      const lines = texts.map((text) => inline(text).trim()).filter((line) => line !== '');
      for (const line of lines) {
        const kinds = tokensOf(`- ${line}`).map(({ type }) => type);
        expect(new Set(kinds)).toEqual(
          new Set(kinds.filter((kind) => /^(?:list|list_item|text|escape|space)$/.test(kind))),
        );
      }
      const [read, ...others] = marked.lexer(
        table(
          ['', ''],
          lines.map((line) => ['x', line]),
        ),
      );
      expect(others).toEqual([]);
      const { rows } = read as Tokens.Table;
      expect(rows.map((row) => row.length)).toEqual(lines.map(() => 2));
      for (const text of texts)
        expect(marked.lexer(fenced(text)).map(({ type }) => type)).toEqual(['code']);
    }),
  );
});

test('a reader of Markdown finds in a report the headings and tables that it has, and no markup of what was said', async () => {
  const store = await folder();
  {
    await using made = await openStore(store);
    const title = '# *x* | <b>y</b> [a](b)';
    const session = await made.open('notes', { window: 2_048, title });
    await session.push({ title: '| a | b |\n| --- | --- |' });
    for (let n = 0; n < 30; n += 1) {
      await session.append({
        role: 'user',
        content: `# Heading ${n}\n- [a](b) | ~~~ ${'word '.repeat(40)}`,
      });
      await session.append({ role: 'assistant', content: `\`\`\`\n| a |\n| --- |\n<script>${n}` });
    }
    await session.settled();
  }
  const { out } = await flamestack(`export --as md --store ${store}`);
  const tokens = tokensOf(out);
  const kinds = new Set(tokens.map(({ type }) => type));
  for (const kind of ['html', 'link', 'image', 'em', 'del', 'blockquote', 'hr', 'def'])
    expect([kind, kinds.has(kind)]).toEqual([kind, false]);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  expect(headings.filter(({ depth }) => depth === 3)).toHaveLength(60);
  expect(headings.filter(({ depth }) => depth < 3).map(({ text }) => text.slice(0, 12))).toEqual([
    String.raw`\# \*x\* \| `,
    'Frames',
    'What people ',
    'What the mod',
    'What went ou',
    'What was sai',
  ]);
  const tables = tokens.filter((token): token is Tokens.Table => token.type === 'table');
  expect(tables.map(({ rows }) => rows.every((row) => row.length === 2))).toEqual([true]);
});
