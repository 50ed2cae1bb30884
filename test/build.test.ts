import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';

// The build, of a package as small as can be. Its program loads a part of itself when it is told to.

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'flamestack-build-'));
const dist = join(folder, 'dist');

beforeAll(() => {
  for (const name of ['scripts', 'tsconfig.json', 'tsconfig.build.json', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  write('package-lock.json', '{}');
  write('src/one.ts', 'export class One {}\n');
  write('src/inner.ts', 'export const inner = 1;\n');
  write('src/index.ts', "export { One } from './one.ts';\nexport { inner } from './inner.ts';\n");
  for (const entry of ['src/core/index.ts', 'src/testing/index.ts'])
    write(entry, "export { One } from '../one.ts';\n");
  for (const kit of ['fast-check', 'vitest'])
    write(`src/testing/${kit}/index.ts`, "export { One } from '../../one.ts';\n");
  for (const door of [
    'ai-sdk',
    'anthropic',
    'langchain',
    'mcp',
    'ollama',
    'openai',
    'openai-agents',
    'opencode',
    'pi',
  ])
    write(`src/${door}.ts`, "export { One } from './one.ts';\n");
  write('machines/index.ts', "export { One } from '../src/one.ts';\n");
  for (const name of ['inspector/main.tsx', 'session/main.tsx'])
    write(`src/viewer/page/${name}`, 'document.body.append("page");\n');
  const files = [
    'inspector/inspector.html',
    'page.css',
    'session/session.html',
    'session/session.css',
  ];
  for (const name of files) write(`src/viewer/page/${name}`, '');
  write('src/cli/unreached.ts', 'export const unreached = 1;\n');
  write(
    'src/cli/main.ts',
    `import { unreached } from './unreached.ts';
console.log('ready', unreached);
process.stdin.once('data', async () => {
  const { word } = await import('./later.ts');
  console.log(word);
  process.exit();
});
`,
  );
});

function write(path: string, code: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), code);
}

/** Changes what the program says in the end. */
function say(word: string): void {
  write('src/cli/later.ts', `export const word = '${word}';\n`);
}

/** Builds; gives the builds that are there. */
function build(...words: readonly string[]): readonly string[] {
  const script = join(folder, 'scripts/build.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return readdirSync(dist).filter((name) => !name.includes('.'));
}

/** Starts the program, which waits. */
async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(dist, 'main.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** What a waiting program says when it may go on. */
async function end({ stdin, stdout }: ChildProcess): Promise<string> {
  stdin!.end('go on\n');
  return (await text(stdout!)).trim();
}

test('what is built is not built again', () => {
  say('first');
  const builds = build();
  const [name] = builds;
  const made = statSync(join(dist, name!, 'main.js')).mtimeMs;
  expect(build()).toEqual(builds);
  expect(statSync(join(dist, name!, 'main.js')).mtimeMs).toBe(made);
});

test('a program that runs loads the rest of itself from its own build', async () => {
  say('first');
  build();
  const early = await start();
  say('second');
  build();
  const late = await start();
  expect([await end(early), await end(late)]).toEqual(['first', 'second']);
});

test('one build before the newest stays, and none in what is packed', () => {
  for (const word of ['second', 'third', 'fourth']) {
    say(word);
    build();
  }
  expect(build()).toHaveLength(2);
  expect(build('--alone')).toHaveLength(1);
});

test('an entry has what another has, once, and declarations of its own reach', async () => {
  const [name] = build('--alone');
  const doors = [
    'ai-sdk',
    'anthropic',
    'langchain',
    'mcp',
    'ollama',
    'openai',
    'openai-agents',
    'opencode',
    'pi',
  ];
  const kits = ['testing', 'testing-fast-check', 'testing-vitest'];
  const entries = ['index', ...doors, 'core', 'machines', ...kits];
  const ones = await Promise.all(
    entries.map(async (entry) => {
      const { One } = (await import(join(dist, `${entry}.js`))) as { One: unknown };
      return One;
    }),
  );
  expect(new Set(ones).size).toBe(1);
  const types = join(dist, name!, 'types');
  expect(existsSync(join(types, 'src/inner.d.ts'))).toBe(true);
  expect(existsSync(join(types, 'src/cli/main.d.ts'))).toBe(false);
});
