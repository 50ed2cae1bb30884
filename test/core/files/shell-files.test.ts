import { expect, test } from 'vitest';
import { movesIn, shownPath, writesIn } from '../../../src/core/files/shell-files.ts';

const moves = (shell: string) => movesIn(shell).map(({ from, to }) => `${from} > ${to}`);

test.each([
  ['mv a.ts b.ts', ['a.ts > b.ts']],
  ['git mv -f a.ts src/b.ts', ['a.ts > src/b.ts']],
  ['mv a.ts src/', ['a.ts > src/a.ts']],
  ['mv x/a.ts .', ['x/a.ts > a.ts']],
  ['mv a.ts x/b.ts lib', ['a.ts > lib/a.ts', 'x/b.ts > lib/b.ts']],
  ['mv src/* lib/', ['src/* > lib']],
  ['rm -rf build a.ts', ['build > ', 'a.ts > ']],
  ['cd src && rm a.ts && cd .. && rm /tmp/x.ts', ['src/a.ts > ', '/tmp/x.ts > ']],
  ['git rm $FILE', []],
  ['mv a.ts', []],
  ['cp a.ts b.ts', []],
  ['cp mv b.ts', []],
])('what %j moves', (shell, expected) => expect(moves(shell)).toEqual(expected));

test('here-documents are written to files, whole or at their end', () => {
  const text = (command: string) => `${command} <<'EOF'\nline\nEOF`;
  expect(writesIn(text('cat > a.ts'))).toEqual([{ path: 'a.ts', text: 'line', extent: 'whole' }]);
  expect(writesIn(text('cat >> a.ts'))).toEqual([{ path: 'a.ts', text: 'line', extent: 'part' }]);
  expect(writesIn(text('cd src && cat - >a.ts'))[0]!.path).toBe('src/a.ts');
  expect(writesIn(text('tee a.ts'))).toEqual([{ path: 'a.ts', text: 'line', extent: 'whole' }]);
  expect(writesIn(text('tee -a a.ts'))[0]!.extent).toBe('part');
  expect(writesIn(text('cat > $FILE'))).toEqual([]);
  expect(writesIn(text('psql'))).toEqual([]);
  expect(writesIn('cat > a.ts')).toEqual([]);
});

test.each([
  ['cat src/a.ts', 'src/a.ts'],
  ['cd src && head -n 5 a.ts', 'src/a.ts'],
  ["sed -n '1,5p' src/a.ts", 'src/a.ts'],
  ['tail a.ts | less', 'a.ts'],
  ['cat a.ts b.ts', undefined],
  ['sed -i s/a/b/ a.ts', undefined],
  ['echo a.ts', undefined],
  ["cat > a.ts <<'E'\nx\nE", undefined],
  ['cat', undefined],
])('%j shows %s', (shell, path) => expect(shownPath(shell)).toBe(path));
