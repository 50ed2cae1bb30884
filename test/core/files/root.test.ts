import { expect, test } from 'vitest';
import { fromRoot, pathFrom, rootIn } from '../../../src/core/files/root.ts';
import type { Message } from '../../../src/core/messages/message.ts';

const reading = (...paths: readonly unknown[]): readonly Message[] =>
  paths.map((path) => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ name: 'read', arguments: { path } }],
  }));

test.each([
  ['most files lie in', ['a.ts', 'src/b.ts', 'src/c.ts', 'test/d.ts', 'e.md'], '/work/shop'],
  [
    'a folder inside a project is no root',
    ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'],
    '/work/shop',
  ],
  [
    'the only folder of a larger work is no root',
    ['types/a.ts', 'types/b.ts', 'types/c.ts', 'types/d.ts'],
    '/work/shop',
  ],
  [
    'folders inside a project are none',
    ['src/a/a.ts', 'src/a/b.ts', 'src/b/c.ts', 'src/b/d.ts'],
    '/work/shop',
  ],
  [
    'a folder of folders is one',
    ['own/a/a.ts', 'own/a/b.ts', 'own/b/c.ts', 'own/b/d.ts'],
    '/work/shop/own',
  ],
  [
    'the deepest of folders that most lie in',
    ['a.ts', 'own/x/b.ts', 'own/y/c.ts', 'own/x/d.ts', 'own/y/e.ts'],
    '/work/shop/own',
  ],
  ['where there is nothing above, it is one', ['a.ts', 'b.ts', 'c.ts', 'd.ts'], '/work/shop'],
  ['three files are too few', ['a.ts', 'b.ts', 'c.ts'], ''],
])('the root: %s', (_, files, root) => {
  expect(rootIn(reading(...files.map((file) => `/work/shop/${file}`)))).toBe(root);
});

test('a few files elsewhere change nothing; many leave no root', () => {
  const inside = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `/work/shop/${name}.ts`);
  expect(rootIn(reading(...inside, '/tmp/x/log.txt'))).toBe('/work/shop');
  expect(rootIn(reading(...inside.slice(0, 4), '/etc/a/b', '/opt/c/d', '/var/e/f'))).toBe('');
});

test('what is no path is no file, and the root of all is none', () => {
  expect(rootIn(reading('/a b', 7, null, '/*.ts', `/${'x'.repeat(400)}`, 'src/a.ts'))).toBe('');
  expect(rootIn(reading('/a', '/b', '/c', '/d', '/e'))).toBe('');
  expect(rootIn([{ role: 'user', content: '/work/shop/a.ts' }])).toBe('');
  const four = reading(...['a', 'b', 'c', 'd'].map((name) => `/work/shop/${name}.ts`));
  expect(rootIn([{ role: 'assistant', content: 'So.' }, ...four])).toBe('/work/shop');
});

test('paths below the root are told from there, others as they are', () => {
  expect(fromRoot('changed /work/shop/src/a.ts', '/work/shop')).toBe('changed src/a.ts');
  expect(fromRoot('cp /work/shop/a /work/shop/b', '/work/shop')).toBe('cp a b');
  expect(fromRoot('/work/shopping/a.ts', '/work/shop')).toBe('/work/shopping/a.ts');
  expect(fromRoot('/work/shop/a.ts', '')).toBe('/work/shop/a.ts');
  expect(fromRoot('in `/work/shop/`: a.ts, /work/shop/…/b.ts', '/work/shop')).toBe(
    'in `./`: a.ts, …/b.ts',
  );
});

test('what lies above the root, but in the project, is told from there', () => {
  const root = '/home/ann/work/shop/cmd/api';
  expect(fromRoot('read /home/ann/work/shop/docs/plan.md', root)).toBe('read ../../docs/plan.md');
  expect(fromRoot('/home/ann/work/shop/cmd/web/a.go', root)).toBe('../web/a.go');
  expect(fromRoot('/home/ann/work/other/a.go', root)).toBe('/home/ann/work/other/a.go');
});

test('the folder that commands work in is the root, though all that they name lies right in it', () => {
  const works: readonly Message[] = ['ls', 'npm test', 'git status', 'cat a.ts'].map((cmd) => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ name: 'exec_command', arguments: { cmd, workdir: '/work/shop/api' } }],
  }));
  expect(rootIn(works)).toBe('/work/shop/api');
  expect(rootIn([...works, ...reading('/work/shop/api/a.ts')])).toBe('/work/shop/api');
});

test('paths of Windows lead to a root as others do, and are told from there', () => {
  const inside = ['a', 'src\\b', 'src\\c', 'test\\d'].map((name) => `C:\\work\\shop\\${name}.cs`);
  expect(rootIn(reading(...inside))).toBe('C:/work/shop');
  expect(fromRoot('changed C:/work/shop/src/b.cs', 'C:/work/shop')).toBe('changed src/b.cs');
  expect(fromRoot('See C:\\work\\shop\\src\\b.cs.', 'C:/work/shop')).toBe('See src\\b.cs.');
});

test('what a host keeps of its own leads to none, and the folder of a person is none', () => {
  const paths = (folder: string): readonly string[] =>
    ['a/a', 'b/b', 'c/c', 'd'].map((name) => `${folder}/${name}.md`);
  expect(rootIn(reading(...paths('/work/shop/.claude/skills')))).toBe('');
  expect(rootIn(reading(...paths('/tmp/claude/work')))).toBe('');
  const worktree = '/home/ada/.codex/worktrees/9a6a/shop';
  expect(rootIn(reading(...paths(worktree)))).toBe(worktree);
  for (const folder of ['/home/ada', '/Users/ada', 'C:/Users/ada'])
    expect(rootIn(reading(...paths(folder)))).toBe('');
  expect(rootIn(reading(...paths('/home/ada/shop')))).toBe('/home/ada/shop');
});

test.each([
  ['~/.shop/a.toml', '/home/me/shop', '/home/me/.shop/a.toml'],
  ['~/.shop/a.toml', 'C:/Users/me/shop', 'C:/Users/me/.shop/a.toml'],
  ['~/.shop/a.toml', '/work/shop', '~/.shop/a.toml'],
  ['~/shop/a.ts', '/home/me/shop', 'a.ts'],
  ['src/~/a.ts', '/home/me/shop', 'src/~/a.ts'],
  ['cmd/app/a.go', '/work/shop/cmd/app', 'a.go'],
  ['cmd/app/db/a.go', '/work/shop/cmd/app', 'db/a.go'],
  ['cmd/app/b/a.go', '/work/shop/cmd/app/cli', '../b/a.go'],
  ['cmd/apple/a.go', '/work/shop/cmd/app', 'cmd/apple/a.go'],
  ['app/a.go', '/work/shop/cmd/app', 'app/a.go'],
])('%s, from the home or the repository that %s lies in, is %s', (path, root, told) => {
  expect(pathFrom(path, root)).toBe(told);
});
