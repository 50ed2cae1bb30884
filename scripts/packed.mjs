import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Packs the package, installs it in a fresh folder as a stranger would, and does there what
// test/packed says: embeds, searches, watches, replays, scripts. npm gives the packages beside it.

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: [],
};
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'flamestack-stranger-'));
try {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', folder], root),
  );
  cpSync(join(root, 'test/packed'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['types.ts'] }),
  );
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const beside = ['xstate', 'typescript'].map((name) => `${name}@${devDependencies[name]}`);
  run('npm', ['install', '--no-audit', '--no-fund', join(folder, filename), ...beside], folder);
  run('npx', ['tsc', '--noEmit'], folder);
  process.stdout.write('✔ types of the machines are exported\n');
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...files], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What a program prints; ends with what it complained where it fails. */
function run(program, words, cwd) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`);
}
