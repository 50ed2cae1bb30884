import { expect, test } from 'vitest';
import { movesIn, replacedIn, shownPath, writesIn } from '../../../src/core/files/shell-files.ts';

const moves = (shell: string) => movesIn(shell).map(({ from, to }) => `${from} > ${to}`);

test.each([
  ['mv a.ts b.ts', ['a.ts > b.ts']],
  ['git mv -f a.ts src/b.ts', ['a.ts > src/b.ts']],
  ['mv a.ts src/', ['a.ts > src/a.ts']],
  ['mv a.ts b.ts > log 2>&1', ['a.ts > b.ts']],
  ['mv x/a.ts .', ['x/a.ts > a.ts']],
  ['mv a.ts x/b.ts lib', ['a.ts > lib/a.ts', 'x/b.ts > lib/b.ts']],
  ['mv src/* lib/', ['src/* > lib']],
  ['rm -rf build a.ts', ['build > ', 'a.ts > ']],
  ['cd src && rm a.ts && cd .. && rm /tmp/x.ts', ['src/a.ts > ', '/tmp/x.ts > ']],
  ['git rm $FILE', []],
  ['mv a.ts', []],
  ['cp a.ts b.ts', []],
  ['cp mv b.ts', []],
  ['git rm --cached a.ts', []],
  ['git mv -n a.ts b.ts', []],
  ['mv -n a.ts b.ts', ['a.ts > b.ts']],
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

const python = (...lines: readonly string[]) => `python3 - <<'PY'\n${lines.join('\n')}\nPY`;

test.each([
  [
    'a file that is opened by name',
    python(
      'p = "src/cart.py"',
      's = open(p, encoding="utf-8").read()',
      's = s.replace("total = 0", "total = Decimal(0)")  # "not this"',
      "s = s.replace('a\\n', r'a\\n', 1)",
      'open(p, "w").write(s)',
    ),
    [['src/cart.py', 'total = 0', 'total = Decimal(0)', 'a\n', 'a\\n']],
  ],
  [
    'texts over several lines, set before, in a folder',
    `cd shop && ${python(
      'import pathlib',
      'f = pathlib.Path("src/cart.py")',
      'old = """def total(self):',
      '    return 0"""',
      "new = '''def total(self):",
      "    return sum(self.prices)'''",
      't = f.read_text()',
      'if old in t:',
      '    f.write_text(t.replace(old, new))',
    )}`,
    [
      [
        'shop/src/cart.py',
        'def total(self):\n    return 0',
        'def total(self):\n    return sum(self.prices)',
      ],
    ],
  ],
  [
    'literals that follow one another, and several files',
    python(
      "for name in ['x']: print(name)",
      's = open("a.py").read().replace("one "',
      '   "two", "three")',
      'open("a.py", "w").write(s)',
      'patch("b.py", "old", "new")',
    ),
    [
      ['a.py', 'one two', 'three'],
      ['b.py', 'old', 'new'],
    ],
  ],
  [
    'a pattern, on the command line',
    `python -c "import re; s=open('a.py').read(); open('a.py','w').write(re.sub(r'v\\d+', 'v2', s))"`,
    [['a.py', 'v\\d+', 'v2']],
  ],
  ['what only reads', python('s = open("a.py").read().replace("a", "b"); print(s)'), []],
  ['no file', python('s.replace("a", "b"); f.write(s)'), []],
  [
    'sed, in files and in place',
    "cd lib && sed -i '' -e 's|v1\\.0|v2.0|g; s/^one$/two/' a.py b.py",
    [
      ['lib/a.py', 'v1.0', 'v2.0', 'one', 'two'],
      ['lib/b.py', 'v1.0', 'v2.0', 'one', 'two'],
    ],
  ],
  ['sed twice', 'sed -i s/a/b/ a.py; sed -i s/c/d/ a.py', [['a.py', 'a', 'b', 'c', 'd']]],
  ['sed that puts what it found', "sed -i 's/\\(a\\)/\\1b/; s/a/&b/' a.py", []],
  ['sed that prints', "sed 's/a/b/' a.py", []],
])('a script replaces: %s', (_, shell, expected) =>
  expect(
    replacedIn(shell).map(({ path, edits }) => [
      path,
      ...edits.flatMap((one) => [one.old, one.new]),
    ]),
  ).toEqual(expected),
);
