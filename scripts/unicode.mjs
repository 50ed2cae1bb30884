import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Writes src/tokenizer/split/unicode.ts: the letters, marks and numbers of the Unicode version that the
// vocabularies' own splitter knows, whatever Node runs. The data is had from npm for this run only.

const version = '16.0.0';
const categories = {
  Lu: 'Uppercase_Letter',
  Ll: 'Lowercase_Letter',
  Lt: 'Titlecase_Letter',
  Lm: 'Modifier_Letter',
  Lo: 'Other_Letter',
  M: 'Mark',
  N: 'Number',
};

const folder = mkdtempSync(join(tmpdir(), 'flamestack-unicode-'));
try {
  const made = spawnSync('npm', ['install', '--prefix', folder, `@unicode/unicode-${version}@2`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (made.status !== 0) throw new Error('The data could not be installed');
  const data = join(folder, 'node_modules', '@unicode', `unicode-${version}`, 'General_Category');
  const rows = [];
  for (const [short, long] of Object.entries(categories)) {
    const file = pathToFileURL(join(data, long, 'code-points.mjs'));
    const { default: points } = await import(file);
    rows.push(`  ${short}: '${packed(points)}',`);
  }
  writeFileSync(
    join(import.meta.dirname, '..', 'src', 'tokenizer', 'split', 'unicode.ts'),
    `// Made by scripts/unicode.mjs from Unicode ${version}.

/**
 * The code points of each general category, as ranges in order: how far the first lies from the end
 * of the range before, and, after a dash, how many follow it; in base 36.
 */
export const unicodeRanges = {
${rows.join('\n')}
};
`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Code points in order as a text of ranges. */
function packed(points) {
  const ranges = [];
  for (const point of points) {
    const last = ranges.at(-1);
    if (last !== undefined && point === last.end + 1) last.end = point;
    else ranges.push({ start: point, end: point });
  }
  let before = 0;
  return ranges
    .map(({ start, end }) => {
      const gap = (start - before).toString(36);
      before = end;
      return end > start ? `${gap}-${(end - start).toString(36)}` : gap;
    })
    .join(' ');
}
