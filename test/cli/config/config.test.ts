import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectPath } from '../../../src/cli/config/config-file.ts';
import { flamestack, folder, scriptFile, type Told } from '../call.ts';

const before = process.cwd();
let home = '';
let project = '';
beforeEach(async () => {
  home = await folder();
  project = await folder();
  process.chdir(project);
});
afterEach(() => process.chdir(before));

const here = (line: string, env: Record<string, string> = {}): Promise<Told> =>
  flamestack(line, { env: { HOME: home, ...env } });

interface Settings {
  readonly settings: readonly { name: string; value: string; from: string; source: string }[];
}

const settingsOf = async (env: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const { out } = await here('config --json', env);
  const { settings } = JSON.parse(out) as Settings;
  return Object.fromEntries(settings.map((one) => [one.name, [one.value, one.from]]));
};

const own = (): string => join(home, '.config/flamestack/config.json');
const write = (text: string): Promise<void> => writeFile('flamestack.json', text);

test('an option comes before the surroundings, they before the project, and that before the person', async () => {
  await here('config set window 4k');
  expect(await settingsOf()).toMatchObject({ window: ['4096', 'user'], model: [null, null] });
  await here('config set window 8k --project');
  expect(await settingsOf()).toMatchObject({ window: ['8192', 'project'] });
  const env = { FLAMESTACK_WINDOW: '16k' };
  expect(await settingsOf(env)).toMatchObject({ window: ['16k', 'environment'] });

  const small = await here('config set window 999');
  expect([small.exit, small.err]).toEqual([2, expect.stringContaining('1000 at least')]);
  expect(await settingsOf()).toMatchObject({ window: ['8192', 'project'] });

  const file = await scriptFile();
  const windowOf = async (words: string, around: Record<string, string> = {}): Promise<unknown> => {
    const store = join(await folder(), 'store');
    await here(`import ${file} --store ${store} ${words}`, around);
    const { out } = await here(`ls --json --store ${store}`);
    return (JSON.parse(out) as { sessions: { window: number }[] }).sessions[0]!.window;
  };
  expect(await windowOf('')).toBe(8_192);
  expect(await windowOf('', env)).toBe(16_384);
  expect(await windowOf('--window 2k', env)).toBe(2_048);
});

test('a store of before keeps its window, whatever a file says', async () => {
  const file = await scriptFile();
  await here(`import ${file} --window 2k`);
  await here('config set window 8k');
  await here(`import ${file}`);
  const { out } = await here('ls --json');
  expect(JSON.parse(out)).toMatchObject({ sessions: [{ window: 2_048 }] });
});

test('what is wrong is named with its file, its line and its value, and nothing is done', async () => {
  const path = join(project, 'flamestack.json');
  const refusals = {
    '{\n  "window": "wide"\n}': `${path}:2: "window" is "wide": it takes a number of tokens`,
    '{\n  "windw": 1\n}': `${path}:2: There is no setting "windw"; did you mean "window"?`,
    '{\n  "window": 4096\n  "store": "x"\n}': `${path}:3: is no JSON at column 3: comma expected. Mend it in an editor, or remove the file`,
    '{bad': `${path}:1: is no JSON at column 2: "bad" is no value; names and texts stand between double quotes. Mend`,
    '[]': `${path}:1: holds no settings`,
  };
  for (const [text, says] of Object.entries(refusals)) {
    await write(text);
    const { exit, out, err } = await here('ls');
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(`flamestack: ${says}`);
  }
  await write('{ "window": "wide" }');
  const { err } = await here('ls --json');
  expect(JSON.parse(err)).toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'window', location: path, at: 1, value: 'wide' },
  });
  expect((await here('--version')).exit).toBe(0);
  expect((await here('ls --help')).exit).toBe(0);
});

test('the file of a project keeps no command waiting, whatever it is', async () => {
  const path = join(project, 'flamestack.json');
  const limit = 'a file of settings has at most 65,536';
  const refusals: readonly (readonly [make: () => unknown, says: string])[] = [
    [() => write(`{${'"window":1,'.repeat(60_000)}}`), `${path}:1: has 660,002 bytes; ${limit}`],
    [() => truncate(path, 3e9), `has 3,000,000,000 bytes; ${limit}`],
    [() => write('\n[['.repeat(21_000)), `${path}:10: brackets lie in each other`],
    [() => write(`{ "store": "${'a/'.repeat(30_000)}" }`), `${path}:1: "store" is "a/a/`],
    [() => symlink(join(home, 'mine.json'), path), `${path}:1: is a link`],
    [() => execFileSync('mkfifo', [path]), `${path}:1: is no regular file`],
  ];
  await writeFile(join(home, 'mine.json'), '{}');
  for (const [make, says] of refusals) {
    if (!says.includes('3,000,000,000')) await rm(path, { force: true });
    await make();
    const begun = performance.now();
    const { exit, err } = await here('ls');
    expect([says, exit]).toEqual([says, 2]);
    expect(err).toContain(says);
    expect(performance.now() - begun).toBeLessThan(1_000);
  }
});

test('lines are found in one walk over a file, and a person may link their own', async () => {
  await write(`{\n${'"window": 4096,\n'.repeat(4_000)}"window": "wide" }`);
  const begun = performance.now();
  expect((await here('ls')).err).toContain('flamestack.json:4002: "window" is "wide"');
  expect(performance.now() - begun).toBeLessThan(1_000);
  await rm('flamestack.json');
  await mkdir(join(home, '.config/flamestack'), { recursive: true });
  await writeFile(join(home, 'mine.json'), '{ "window": "16k" }');
  await symlink(join(home, 'mine.json'), own());
  expect(await settingsOf()).toMatchObject({ window: ['16384', 'user'] });
});

test('the file of a project starts no program, names no server, and no store outside of it', async () => {
  await symlink(home, 'link');
  const harmful = [
    '"pager": "touch /tmp/harm"',
    '"host": "http://192.0.2.1"',
    '"openai": "http://192.0.2.1"',
    '"model": "big:cloud"',
    '"documents": "docs"',
    '"store": "../elsewhere"',
    '"store": "/tmp/elsewhere"',
    '"store": "postgres://192.0.2.1/x"',
    '"store": "link/store"',
  ];
  for (const one of harmful) {
    await write(`{ ${one} }`);
    const { exit, err } = await here('ls');
    expect([one, exit]).toEqual([one, 2]);
    expect(err).toContain('flamestack.json:1:');
  }
  await write('{ "store": "sessions", }');
  expect(await settingsOf()).toMatchObject({ store: [join(project, 'sessions'), 'project'] });
});

test('the file of a project is found from below, as far as its repository goes', async () => {
  await mkdir('a/b', { recursive: true });
  await write('{}');
  expect(projectPath(join(project, 'a/b'))).toBe(null);
  expect(projectPath(project)).toBe(join(project, 'flamestack.json'));
  await mkdir('.git');
  expect(projectPath(join(project, 'a/b'))).toBe(join(project, 'flamestack.json'));
  await mkdir('a/.git');
  expect(projectPath(join(project, 'a/b'))).toBe(null);
});

test('a value is written beside what stands there, and taken out again', async () => {
  await mkdir(join(home, '.config/flamestack'), { recursive: true });
  const text = '{\n  // mine\n  "model": "llama3.2:3b"\n}\n';
  await writeFile(own(), text);
  expect((await here('config set window 16k')).exit).toBe(0);
  expect(await readFile(own(), 'utf8')).toContain('// mine');
  expect((await here('config get window')).out).toBe('16384\n');
  expect((await here('config unset window')).exit).toBe(0);
  expect(await readFile(own(), 'utf8')).toBe(text);
  expect((await here('config unset window')).exit).toBe(3);
  expect((await here('config get window')).exit).toBe(3);
  await here('config set store sessions');
  expect(JSON.parse((await here('config get store --json')).out)).toMatchObject({
    schema: 'flamestack.config/1',
    settings: [{ value: join(project, 'sessions'), from: 'user' }],
  });
});

test('what cannot be meant is refused', async () => {
  for (const line of [
    'config set',
    'config set window',
    'config unset window 4',
    'config get nope',
  ])
    expect([line, (await here(line)).exit]).toEqual([line, 2]);
  expect((await here('config set pager less --project')).err).toContain(
    'a project does not say that',
  );
  expect((await here('config set color pink')).err).toContain('takes "auto", "always" or "never"');
});

test('colors and signs are as a file says, unless the surroundings say more', async () => {
  await here(`import ${await scriptFile()}`);
  await here('config set color always');
  expect((await here('ls')).out).toContain('\x1b[');
  expect((await here('ls', { NO_COLOR: '1' })).out).not.toContain('\x1b[');
  expect((await here('ls --no-color')).out).not.toContain('\x1b[');
  await here('config set ascii true');
  expect((await here('show --no-color')).out).not.toContain('─');
});

test.each([
  ['{ "window": "abc" }', 'unset window', '{}'],
  ['{ "window": "abc" }', 'set window 8k', '{ "window": "8k" }'],
  ['{ "windw": 1 }', 'unset windw', '{}'],
])('a file that is wrong, as %s, is mended by %s', async (text, words, mended) => {
  await write(text);
  expect((await here(`config ${words} --project`)).exit).toBe(0);
  expect(JSON.parse(await readFile('flamestack.json', 'utf8'))).toEqual(JSON.parse(mended));
  expect((await here('config')).exit).toBe(0);
});

test('what is still wrong in a file is told once one key of it is mended', async () => {
  await write('{ "window": "abc", "windw": 1 }');
  const { exit, err } = await here('config unset window --project');
  expect(exit).toBe(0);
  expect(err).toContain('Still wrong: ');
  expect(err).toContain('There is no setting "windw"');
  const other = await here('config unset nope --project');
  expect([other.exit, other.err.includes('There is no setting "nope"')]).toEqual([2, true]);
});

test('a value that a project may not say is refused without a line of a file that has none', async () => {
  const { exit, err } = await here('config set model foo --project');
  expect(err).not.toContain('--model');
  expect(exit).toBe(2);
  expect(err).toMatch(/^flamestack: "model" is "foo": a project does not say that/);
});

test.each([
  ['FLAMESTACK_WINDOW', 'abc', 'a number of tokens'],
  ['FLAMESTACK_COLOR', 'pink', '"auto", "always" or "never"'],
])('config refuses %s=%s', async (variable, value, takes) => {
  const { exit, out, err } = await here('config', { [variable]: value });
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain(`${variable} is "${value}": it takes ${takes}`);
});

test('import ends with the code of a wrong value where a window is wrong', async () => {
  const file = await scriptFile();
  expect((await here(`import ${file}`, { FLAMESTACK_WINDOW: 'abc' })).exit).toBe(2);
  const small = await here(`import ${file} ${file} --window 500`);
  expect([small.exit, small.err.match(/is below/g)?.length]).toEqual([2, 1]);
  expect((await here(`import ${file} --window 2k`, { FLAMESTACK_WINDOW: 'abc' })).exit).toBe(0);
});

test('what another variable decides says which one comes first', async () => {
  const { out } = await here('config', { OLLAMA_HOST: 'http://127.0.0.1:1' });
  expect(out).toMatch(/^openai +none +OLLAMA_HOST comes first$/m);
});
