import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { constants } from './constants.mjs';
import { startChunks } from './start-chunks.mjs';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = Object.keys({ ...dependencies, ...peerDependencies });

/**
 * Bundles `entries`, sources by name, into `folder`. What several of them need is there once, and what is
 * imported on demand stays apart. Nothing is minified: a stack trace has the names of the source.
 */
export async function bundle(entries, folder) {
  const chunks = startChunks();
  const whole = await rolldown({
    input: entries,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: new RegExp(`^(${packages.join('|')})(/|$)`),
    transform: { target: 'node20' },
    plugins: [constants, chunks.plugin],
  });
  await whole.write({
    dir: folder,
    chunkFileNames,
    codeSplitting: {
      groups: [{ name: (id) => chunks.fileOf(id), debugName: 'start' }],
      includeDependenciesRecursively: false,
    },
    comments: { jsdoc: false },
  });
  await whole.close();
}

/** Bundles the pages into `folder`: of each a script, its style and its document, and what they share; that of a session in one script, too. */
export async function bundlePage(folder) {
  const page = 'src/viewer/page';
  mkdirSync(folder, { recursive: true });
  const whole = await rolldown({
    input: { inspector: `${page}/inspector/main.tsx`, session: `${page}/session/main.tsx` },
    platform: 'browser',
    transform: { target: 'es2023', jsx: { runtime: 'automatic' } },
  });
  await whole.write({ dir: folder, minify: true, chunkFileNames: 'shared.js' });
  await whole.close();
  const alone = await rolldown({
    input: { session: `${page}/session/main.tsx` },
    platform: 'browser',
    transform: { target: 'es2023', jsx: { runtime: 'automatic' } },
  });
  await alone.write({ dir: `${folder}/alone`, minify: true });
  await alone.close();
  const files = [
    'inspector/inspector.html',
    'page.css',
    'session/session.html',
    'session/session.css',
  ];
  for (const file of files) copyFileSync(`${page}/${file}`, `${folder}/${basename(file)}`);
}

/** A file of several modules has the name of the folder that they share. */
function chunkFileNames({ isDynamicEntry, moduleIds }) {
  if (isDynamicEntry || moduleIds.length === 1) return '[name].js';
  const paths = moduleIds.map((id) => relative('.', id).split(sep).slice(0, -1));
  const shared = paths.reduce((one, other) => {
    const end = one.findIndex((part, at) => part !== other[at]);
    return end === -1 ? one : one.slice(0, end);
  });
  return `${shared.join('-') || 'flamestack'}.js`;
}
