import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { parseAst } from 'rolldown/parseAst';
import { find, namesIn } from './declarations.mjs';

// Writes docs/api.md: what each entry exports, in the order and under the comments of its source, as the
// compiler declared it for the build. `--print` prints the page instead.

const entries = {
  flamestack: 'src/index.ts',
  'flamestack/ai-sdk': 'src/ai-sdk.ts',
  'flamestack/anthropic': 'src/anthropic.ts',
  'flamestack/langchain': 'src/langchain.ts',
  'flamestack/mcp': 'src/mcp.ts',
  'flamestack/ollama': 'src/ollama.ts',
  'flamestack/openai': 'src/openai.ts',
  'flamestack/openai-agents': 'src/openai-agents.ts',
  'flamestack/opencode': 'src/opencode.ts',
  'flamestack/pi': 'src/pi.ts',
  'flamestack/core': 'src/core/index.ts',
  'flamestack/machines': 'machines/index.ts',
  'flamestack/testing': 'src/testing/index.ts',
  'flamestack/testing/fast-check': 'src/testing/fast-check/index.ts',
  'flamestack/testing/vitest': 'src/testing/vitest/index.ts',
};

process.chdir(join(import.meta.dirname, '..'));
const style = { ...JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')), objectWrap: 'collapse' };
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] });
const [, build] = /\.\/(\w+)\//.exec(readFileSync('dist/main.js', 'utf8'));
const folder = `dist/${build}/types`;
const shown = new Map();
const page = await print();
if (process.argv.includes('--print')) process.stdout.write(page);
else writeFileSync('docs/api.md', page);

async function print() {
  const parts = [
    '# Public types',
    `Every name that the package exports, as the compiler declares it, and in the end the types that they are made of. What
two entries have is declared in the first. \`npm run docs:api\` writes this page, and a test compares it.`,
  ];
  for (const [entry, source] of Object.entries(entries)) {
    parts.push(`## ${entry}`);
    for (const { title, names } of groupsOf(source)) {
      const found = names.map((name) => find(join(folder, source.replace(/\.ts$/, '.d.ts')), name));
      const added = found.filter(isFirst);
      const before = found.filter((one) => !added.includes(one)).map(({ name }) => `\`${name}\``);
      if (title) parts.push(`### ${title}`);
      if (added.length > 0) parts.push(await block(added));
      if (before.length > 0) parts.push(`As above: ${before.join(', ')}.`);
    }
  }
  parts.push('## Made of', await block(partsOf([...shown.values()])));
  return `${parts.join('\n\n')}\n`;
}

/** The names that an entry exports, under the comments that stand above them. */
function groupsOf(source) {
  const text = readFileSync(source, 'utf8');
  const groups = [];
  let end = 0;
  for (const node of parseAst(text, { lang: 'ts' }).body) {
    const comments = text.slice(end, node.start).match(/(?<=\/\/ |\/\*\* ).+?(?=\.?(?: \*\/)?\n)/g);
    if (comments || end === 0) groups.push({ title: comments?.at(-1), names: [] });
    groups.at(-1).names.push(...node.specifiers.map(({ exported }) => exported.name));
    ({ end } = node);
  }
  return groups;
}

/** What the declarations lead to, each where it is first needed. */
function partsOf(declarations) {
  const all = [...declarations];
  for (const { file, nodes } of all) {
    const named = namesIn(nodes).map((name) => find(file, name));
    all.push(...named.filter((one) => one && isFirst(one)));
  }
  return all.slice(declarations.length);
}

/** Whether the page has it not yet; then it has. */
function isFirst(declaration) {
  const key = `${declaration.file}#${declaration.name}`;
  if (shown.has(key)) return false;
  shown.set(key, declaration);
  return true;
}

async function block(declarations) {
  const code = declarations.flatMap(({ text, nodes }) => nodes.map((node) => printed(text, node)));
  const formatted = await format('api.d.ts', code.join('\n\n'), style);
  return `\`\`\`typescript\n${formatted.code}\`\`\``;
}

/** A declaration under the first sentence of its comment. */
function printed(text, { start, end }) {
  const [, comment] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(text.slice(0, start)) ?? [];
  const code = text
    .slice(start, end)
    .replace(/^(?:export )?(?:declare )?/, '')
    .replaceAll('import("xstate").', '');
  return comment ? `/** ${firstSentence(comment)} */\n${code}` : code;
}

function firstSentence(comment) {
  const words = comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.replace(/(?<=\.) (?=[A-Z`]).*$/, '');
}
