import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What a module loads before anything of it runs. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith('/')) return seen;
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(
    /^(?:import|export) (?!type )([^;']*?)from '([^']+)';/gm,
  )) {
    const isTyped = /^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names);
    if (!isTyped) loadedBy(from.startsWith('.') ? resolve(file, '..', from) : from, seen);
  }
  return seen;
}

const named = (files: ReadonlySet<string>): readonly string[] =>
  [...files].map((file) => (file.startsWith('/') ? relative(root, file) : file));

it.each(['ls', 'search'])('loads nothing of a session that runs for `%s`', (command) => {
  const files = named(loadedBy(join(root, `src/cli/look/${command}.ts`)));
  expect(files).toContain('src/engine/journal/sessions/list-sessions.ts');
  expect(files).not.toContain('src/engine/live/live-session.ts');
  expect(files).not.toContain('src/engine/open/open-store.ts');
});

it('loads nothing that makes formats or segments of a language for any command', () => {
  const files = named(loadedBy(join(root, 'src/cli/program.ts')));
  expect(files).toContain('src/cli/call/call.ts');
  expect(files).not.toContain('string-width');
  const making = files.filter(
    (file) =>
      file.endsWith('.ts') && /^const .*new Intl\./m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(making).toEqual([]);
});
