import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Fetches the agents that `npm run e2e -- claude-code codex` runs, in the versions that it was written for,
// into a folder of yours (some 700 MB), and prints where they are: eval "$(node scripts/agents.mjs ~/agents)".

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/agents.mjs <folder>\n');
  process.exit(2);
}

const system = `${process.platform}-${process.arch}`;
const packages = [
  `@anthropic-ai/claude-code-${system}@2.1.329`,
  `@openai/codex-${system}@npm:@openai/codex@0.169.0-${system}`,
];
const place = resolve(folder);
mkdirSync(place, { recursive: true });
if (!existsSync(join(place, 'package.json'))) writeFileSync(join(place, 'package.json'), '{}\n');
execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
  cwd: place,
  stdio: ['ignore', 2, 2],
});

/** The file of a name in what was fetched. */
function programIn(name, scope) {
  const found = readdirSync(join(place, 'node_modules', scope), {
    recursive: true,
    withFileTypes: true,
  }).find((file) => file.isFile() && file.name === name);
  return join(found.parentPath, found.name);
}

process.stdout.write(`export CLAUDE_CODE='${programIn('claude', '@anthropic-ai')}'\n`);
process.stdout.write(`export CODEX='${programIn('codex', '@openai')}'\n`);
