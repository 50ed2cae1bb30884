import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = Object.keys({ ...dependencies, ...peerDependencies });

/**
 * Bundles `entries`, sources by name, into `folder`. What several of them need is there once, and what is
 * imported on demand stays apart. Nothing is minified: a stack trace has the names of the source.
 */
export async function bundle(entries, folder) {
  const whole = await rolldown({
    input: entries,
    platform: 'node',
    external: new RegExp(`^(${packages.join('|')})(/|$)`),
    transform: { target: 'node20' },
  });
  await whole.write({ dir: folder, chunkFileNames, comments: { jsdoc: false } });
  await whole.close();
}

/** Bundles the page into `folder`: one script, its style and its document. */
export async function bundlePage(folder) {
  const page = 'src/viewer/page';
  mkdirSync(folder, { recursive: true });
  const whole = await rolldown({
    input: { page: `${page}/main.tsx` },
    platform: 'browser',
    transform: { target: 'es2023', jsx: { runtime: 'automatic' } },
  });
  await whole.write({ dir: folder, minify: true });
  await whole.close();
  for (const name of ['index.html', 'page.css'])
    copyFileSync(`${page}/${name}`, `${folder}/${name}`);
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
