import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { folder, scriptFile } from '../call.ts';
import { serverWith } from '../chat-stage.ts';
import { build, program } from '../pty.ts';

// Who only asks how the program is called waits for no database, no statecharts and no vocabulary.

beforeAll(build);

/** Tells on stderr what is imported. */
const telling = inline(`
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    writeSync(2, 'imported ' + found.url + '\\n');
    return found;
  }
`);
const spy = inline(`import { register } from 'node:module'; register(${JSON.stringify(telling)});`);

/** The files that a call of the program loads. */
async function filesOf(words: readonly string[], input = ''): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--import', spy, program, ...words], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(input);
  const imported = (await text(child.stderr)).matchAll(/^imported (.*)$/gm);
  return [...imported].map((match) => match[1]!);
}

/** The packages of some files. */
function packagesIn(files: readonly string[]): readonly string[] {
  const found = files.flatMap((file) => /\/node_modules\/([^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(found)].sort();
}

async function packagesOf(words: readonly string[], input?: string): Promise<readonly string[]> {
  return packagesIn(await filesOf(words, input));
}

function inline(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test.each([
  [['--version']],
  [['--help']],
  [['help', 'doctor']],
  [['chat', '--help']],
  [['nothing']],
  [['ls', '--nothing']],
  [['show', '--section', 'nothing']],
  [['run', 'session.jsonl', '--window', 'wide']],
])('flamestack %j loads the parser of its words, and no other package', async (words) => {
  expect(await packagesOf(words)).toEqual(['commander']);
});

test('a list loads no database, no statecharts and no vocabulary; what opens a session all of them', async () => {
  const store = join(await folder(), 'store');
  const vocabulary = expect.stringMatching(/\/o200k-base\.js$/);
  const imported = await filesOf(['import', await scriptFile(), '--store', store]);
  expect(imported).toContainEqual(vocabulary);
  expect(packagesIn(imported)).toEqual(expect.arrayContaining(['level', 'xstate']));
  const listed = await filesOf(['ls', '--store', store]);
  expect(listed).not.toContainEqual(vocabulary);
  expect(packagesIn(listed)).not.toContain('level');
  expect(packagesIn(listed)).not.toContain('xstate');
});

test('a command begins with a few files, a list with some more, and a hook with neither parser nor store', async () => {
  const store = join(await folder(), 'store');
  await filesOf(['import', await scriptFile(), '--store', store]);
  const ours = (files: readonly string[]): number =>
    new Set(files.filter((file) => /\/dist\/\w+\/[^/]+\.js$/.test(file))).size;
  expect(ours(await filesOf(['--version']))).toBeLessThanOrEqual(6);
  const listed = await filesOf(['ls', '--store', store]);
  expect(ours(listed)).toBeLessThanOrEqual(10);
  expect(listed).not.toContain('node:crypto');
  const hook = await filesOf(['hook', 'claude-code'], '{}');
  expect(ours(hook)).toBeLessThanOrEqual(5);
  expect(packagesIn(hook)).toEqual([]);
});

test('a chat loads what speaks with servers of tools only where it has some', async () => {
  const server = await serverWith();
  const store = join(await folder(), 'store');
  const words = ['chat', '--host', server.url, '--store', store];
  const speaks = '@modelcontextprotocol';
  expect(await packagesOf(words, 'Hello\n')).not.toContain(speaks);
  const mcp = ['--mcp', 'examples/mcp.json'];
  expect(await packagesOf([...words, ...mcp], 'Hello\n')).toContain(speaks);
});
