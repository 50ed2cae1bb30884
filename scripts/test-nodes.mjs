import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

// Runs what `npm test` does on the newest release of each of these lines of Node, had from npm for this run only.
// Words after `npm run test:nodes --` choose tests as for vitest.

const lines = [22, 24];

process.chdir(join(import.meta.dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'flamestack-node-'));
try {
  const failed = lines.filter((line) => !passes(line));
  console.log(failed.length === 0 ? 'All passed.' : `Failed on Node ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Whether the tests pass on a line of Node. */
function passes(line) {
  const node = install(line);
  console.log(`== Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const given = process.argv.slice(2);
  const isChosen = given.some((word) => word.includes('test/') || word.startsWith('--project'));
  const chosen = isChosen ? given : ['--project', 'shared', '--project', 'alone', ...given];
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...chosen];
  const env = { ...process.env, PATH };
  return spawnSync(node, words, { stdio: 'inherit', env }).status === 0;
}

/** Installs a line of Node; gives the path of its program. */
function install(line) {
  const prefix = join(folder, String(line));
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix];
  const words = ['install', ...options, `${name}@${line}`];
  const { status } = spawnSync('npm', words, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm has no Node ${line} for this machine`);
  return join(prefix, 'node_modules', name, 'bin', 'node');
}
