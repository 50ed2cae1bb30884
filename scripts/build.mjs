import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Each build has a folder of its own, named by a digest of what it is made from. The files beside it,
// which package.json names, lead there in a line:
//
//   dist/index.js  dist/index.d.ts  …  dist/main.js
//   dist/3f9c2a1b/       the newest build
//   dist/90d1e544/       the one before it
//
// So what is built is not built again, and no file of a build is written twice: a program that runs
// finds the rest of itself where it began. `--alone` leaves the newest build only, as it is packed.

const library = {
  index: 'src/index.ts',
  'ai-sdk': 'src/ai-sdk.ts',
  anthropic: 'src/anthropic.ts',
  langchain: 'src/langchain.ts',
  mcp: 'src/mcp.ts',
  ollama: 'src/ollama.ts',
  openai: 'src/openai.ts',
  'openai-agents': 'src/openai-agents.ts',
  opencode: 'src/opencode.ts',
  pi: 'src/pi.ts',
  core: 'src/core/index.ts',
  machines: 'machines/index.ts',
  testing: 'src/testing/index.ts',
  'testing-fast-check': 'src/testing/fast-check/index.ts',
  'testing-vitest': 'src/testing/vitest/index.ts',
};
const program = 'src/cli/main.ts';

process.chdir(join(import.meta.dirname, '..'));
const aside = `.dist-${process.pid}`;
const build = digest();
const before = newest();
if (!existsSync(`dist/${build}`)) {
  clearAside();
  await make();
}
if (before !== build) {
  lead();
  clear([build, before]);
}
if (process.argv.includes('--alone')) clear([build]);

/** The name of what would be built now. */
function digest() {
  const hash = createHash('sha256');
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const file of [...settings, ...['src', 'machines', 'scripts'].flatMap(filesIn)])
    hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .sort();
}

/** The build that is led to; undefined where there is none. */
function newest() {
  if (!existsSync('dist/main.js')) return undefined;
  return /\.\/(\w+)\//.exec(readFileSync('dist/main.js', 'utf8'))?.[1];
}

/** Builds aside; what is whole takes its place, unless another process was faster. */
async function make() {
  const { bundle, bundlePage } = await import('./bundle.mjs');
  const { declare } = await import('./declare.mjs');
  try {
    await declare(Object.values(library), `${aside}/types`);
    await bundle({ ...library, main: program }, aside);
    await bundlePage(`${aside}/page`);
    mkdirSync('dist', { recursive: true });
    renameSync(aside, `dist/${build}`);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (existsSync(`dist/${build}`)) return;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    process.stderr.write(`dist/ cannot be written: ${error.message}\n`);
    process.exit(1);
  }
}

/** Removes what killed builds left. */
function clearAside() {
  for (const name of readdirSync('.')) {
    const pid = /^\.dist-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(name, { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Leads to the build; the program last, since it tells which build is the newest. */
function lead() {
  for (const [name, source] of Object.entries(library)) {
    const types = `./${build}/types/${source.replace(/\.ts$/, '.js')}`;
    put(`dist/${name}.d.ts`, `export * from '${types}';\n`);
    put(`dist/${name}.js`, `export * from './${build}/${name}.js';\n`);
  }
  put('dist/main.js', `#!/usr/bin/env node\nimport './${build}/main.js';\n`, 0o755);
}

/** Writes a file in one step. */
function put(file, text, mode = 0o644) {
  writeFileSync(aside, text, { mode });
  renameSync(aside, file);
}

/** Removes what earlier builds left, but for the builds that are kept. */
function clear(kept) {
  const leads = [
    'main.js',
    ...Object.keys(library).flatMap((name) => [`${name}.js`, `${name}.d.ts`]),
  ];
  for (const name of readdirSync('dist'))
    if (![...kept, ...leads].includes(name))
      rmSync(`dist/${name}`, { recursive: true, force: true });
}
