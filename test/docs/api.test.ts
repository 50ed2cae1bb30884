import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('docs/api.md has the public types of today (npm run docs:api)', () => {
  const script = join(root, 'scripts/api.mjs');
  const page = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' });
  expect(readFileSync(join(root, 'docs/api.md'), 'utf8')).toBe(page);
});
