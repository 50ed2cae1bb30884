import { expect, test } from 'vitest';
import {
  belowFolder,
  commonFolder,
  isBelow,
  isDocument,
  isFilePath,
  knownPaths,
  filesNamed,
  isAsidePath,
  nameOf,
  plainPath,
} from '../../../src/core/files/paths.ts';

test.each([
  ['./a/../b', 'b'],
  ['@src/a.ts', 'src/a.ts'],
  ['a//b/./c', 'a/b/c'],
  ['/a/../b', '/b'],
  ['/../b', '/b'],
  ['../b', 'b'],
  ['a/../../b', 'b'],
  ['/a/b/', '/a/b'],
])('the path %s is %s', (said, path) => expect(plainPath(said)).toBe(path));

test('a path is found by its end, its name or from the root, unless several are meant', () => {
  const { find } = knownPaths('/w/app', ['src/a.ts', 'lib/a.ts', 'src/b.ts', '/etc/c.conf']);
  expect(find('src/a.ts')).toBe('src/a.ts');
  expect(knownPaths('/w/app', ['x/b/a.ts']).find('/w/app/b/a.ts')).toBe(undefined);
  expect(knownPaths('/w/app', ['x/b/a.ts']).find('/b/a.ts')).toBe(undefined);
  expect(find('/w/app/src/a.ts')).toBe('src/a.ts');
  expect(find('./src/a.ts')).toBe('src/a.ts');
  expect(find('b.ts')).toBe('src/b.ts');
  expect(find('a.ts')).toBeUndefined();
  expect(find('c.conf')).toBe('/etc/c.conf');
  expect(find('/etc/c.conf')).toBe('/etc/c.conf');
  expect(find('/other/b.ts')).toBeUndefined();
  expect(find('app/src/b.ts')).toBe('src/b.ts');
  expect(find('xsrc/b.ts')).toBeUndefined();
});

test('a longer path takes the place of its known ends, and what is dropped is not found', () => {
  const paths = knownPaths('', ['core/tree.ts', 'tree.ts', 'other/tree.ts']);
  expect(paths.add('src/core/tree.ts')).toEqual({
    path: 'src/core/tree.ts',
    folds: ['core/tree.ts'],
  });
  expect(paths.find('core/tree.ts')).toBe('src/core/tree.ts');
  expect(paths.add('core/tree.ts')).toEqual({ path: 'src/core/tree.ts', folds: [] });
  paths.drop('src/core/tree.ts');
  expect(paths.find('core/tree.ts')).toBeUndefined();
  const rooted = knownPaths('/w', ['core/tree.ts']);
  expect(rooted.add('/x/core/tree.ts')).toEqual({ path: '/x/core/tree.ts', folds: [] });
  expect(rooted.add('/w/src/core/tree.ts').folds).toEqual(['core/tree.ts']);
});

test('the common folder is the one that makes paths shortest to tell', () => {
  const deep = [
    '/home/me/app/src/a.ts',
    '/home/me/app/src/b.ts',
    '/home/me/app/test/c.ts',
    '/etc/x',
  ];
  expect(commonFolder(deep)).toBe('/home/me/app');
  expect(commonFolder(['/a/b.ts'])).toBe('');
  expect(commonFolder(['/a/b.ts', '/a/c.ts'])).toBe('');
  expect(commonFolder(['/a/b.ts', '/a/c.ts', '/a/d.ts'])).toBe('/a');
  expect(commonFolder(['src/a.ts', 'src/b.ts', 'src/c.ts'])).toBe('');
  expect(belowFolder('/home/me/a.ts', '/home/me')).toBe('…/a.ts');
  expect(belowFolder('/home/men/a.ts', '/home/me')).toBe('/home/men/a.ts');
  expect(belowFolder('/a.ts', '')).toBe('/a.ts');
  expect([isBelow('/a/b', '/a'), isBelow('/ab', '/a'), isBelow('/a', '/a')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([nameOf('/a/b.ts'), nameOf('b.ts'), nameOf('a/')]).toEqual(['b.ts', 'b.ts', '']);
});

test.each(['src/a.ts', '/etc/x.conf', 'Makefile', 'a.b.c7'])('%s is the path of one file', (text) =>
  expect(isFilePath(text)).toBe(true),
);
test.each(['src/*.ts', 'a b.ts', '$HOME/a.ts', 'a.7', 'src', `${'a'.repeat(201)}.ts`, 'a.'])(
  '%s is not the path of one file',
  (text) => expect(isFilePath(text)).toBe(false),
);

test('documents are told by their extension', () => {
  const all = ['a.md', 'a.MDX', 'a.markdown', 'a.rst', 'a.adoc', 'a.txt', 'a.ts', 'amd', 'a.md.ts'];
  expect(all.filter(isDocument)).toEqual([
    'a.md',
    'a.MDX',
    'a.markdown',
    'a.rst',
    'a.adoc',
    'a.txt',
  ]);
});

test('prose names files with folders and by a name alone, but no members, calls and addresses', () => {
  const text = 'See src/a.ts, b.json and @lib/c.py; not x.test( nor https://a.b/c.ts or: ~/d.sh.';
  expect(filesNamed(text)).toEqual(['src/a.ts', 'b.json', '@lib/c.py', '~/d.sh']);
});

test.each([
  'See https://platform.acme.com/docs/guide.md for it.',
  'It is at platform.acme.com/docs/guide.md now.',
  'Read SCHEMA.md/RESOLVER.md first.',
  'It ends with panic/log.Fatal there.',
  'It lies in `~/.claude/projects/*/UUID.jsonl` there.',
  'It is repoRoot/.shop/state.json or tmpDir/a.ts then.',
  'It is read from $HOME/.kube/shop.yaml there.',
  'It is cut within a name: `src/pool_rewind.g…: the rest',
])('%j names no file of the work', (text) => {
  expect(filesNamed(text)).toEqual([]);
});

test.each(['/srv/next.js/readme.md', 'shop.github.io/index.html'])(
  '%s is a file where a call gives it',
  (path) => expect(isFilePath(path)).toBe(true),
);

test.each(['ann/shop.com', 'ann/shop.io', 'Support/Shop/rows.json'])('%s is no file', (text) =>
  expect(filesNamed(`It is in ${text} now.`)).toEqual([]),
);

test('what git and a host keep for themselves is beside the work', () => {
  for (const path of ['.git/index.lock', 'app/.git/HEAD', 'run/tasks/a.output', 'docs/a.png'])
    expect(isAsidePath(path)).toBe(true);
  for (const path of ['.gitignore', '.github/a.yml', 'src/git/a.ts'])
    expect(isAsidePath(path)).toBe(false);
});

test('a path with folders left out is none', () => {
  expect(filesNamed('It is in src/.../rows.ts and in src/db/pool.ts.')).toEqual(['src/db/pool.ts']);
});

test('a path that begins with a folder above the work is found by its end, a shorter one is not', () => {
  expect(knownPaths('/w/shop/app', ['lib/a.ts']).find('/shop/app/lib/a.ts')).toBe('lib/a.ts');
  const { find } = knownPaths('', ['/w/shop/app/lib/a.ts']);
  expect(find('/shop/app/lib/a.ts')).toBe('/w/shop/app/lib/a.ts');
  expect(find('/lib/a.ts')).toBeUndefined();
});
