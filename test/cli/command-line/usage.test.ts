import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { main } from '../../../src/cli/program.ts';
import { flamestack, folder, run, scriptFile } from '../call.ts';

test('the program alone says what it can, in at most 40 lines of 80 columns', async () => {
  const { exit, out, err } = await flamestack('');
  expect([exit, err]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.at(-1)).toContain('nothing leaves this machine.');
  expect((await flamestack('--help')).out).toBe(out);
});

test.each(['chat', 'doctor', 'run', 'import', 'ls', 'show'])(
  '%s has help with examples',
  async (name) => {
    expect((await flamestack('')).out).toMatch(new RegExp(`^  ${name} `, 'm'));
    const { exit, out } = await flamestack(`${name} --help`);
    expect(exit).toBe(0);
    expect(out).toMatch(new RegExp(`Examples\n  flamestack ${name}`));
  },
);

test('options of most commands are taken by those, too, for which they change nothing', async () => {
  const store = await folder();
  for (const line of [
    'config',
    `verify --store ${store}`,
    `snapshot ls --store ${store}`,
    'redo --yes',
  ])
    expect([line, (await flamestack(`${line} --no-pager`)).err]).toEqual([
      line,
      expect.not.stringContaining('unknown option'),
    ]);
  expect((await flamestack('config --help')).out).not.toContain('--no-pager');
});

test('import --help names the agents whose sessions are found', async () => {
  const { out } = await flamestack('import --help');
  for (const agent of ['Claude Code', 'Codex', 'Copilot CLI', 'Gemini CLI', 'pi'])
    expect(out.replaceAll(/\s+/g, ' ')).toContain(agent);
});

test.each(['run', 'show'])('help %s is %s --help', async (name) => {
  expect(await flamestack(`help ${name}`)).toEqual(await flamestack(`${name} --help`));
});

test('help alone is --help, and help for nothing is refused', async () => {
  expect(await flamestack('help')).toEqual(await flamestack('--help'));
  expect(await flamestack('help runn')).toMatchObject({ exit: 2, out: '' });
});

test('wrong options of a command lead to the help of the command', async () => {
  expect((await flamestack('ls --nope')).err).toContain('`flamestack ls --help`');
  expect((await flamestack('runn')).err).toContain('`flamestack --help`');
});

test.each(['run', 'import'])('%s names the least window', async (name) => {
  const { out } = await flamestack(`${name} --help`);
  expect(out.replace(/\s+/g, ' ')).toContain('tokens, 1000 at least: 8192, 8k (8,192)');
});

test('the version is that of the package', async () => {
  const { exit, out } = await flamestack('--version');
  expect(exit).toBe(0);
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await flamestack('version')).out).toBe(out);
  const { out: json } = await flamestack('version --json');
  expect(JSON.parse(json)).toEqual({ schema: 'flamestack.version/1', version: out.trim() });
});

test('flamestack man prints the path of the man page, and opens it where there is a man', async () => {
  const told = await flamestack('man');
  expect(told).toMatchObject({ exit: 0, err: '' });
  const page = told.out.trim();
  expect(await readFile(page, 'utf8')).toMatch(/^\.TH FLAMESTACK 1/m);
  let command = '';
  const at = (isThere: boolean) => ({
    isTTY: true,
    startPager: (asked: string) => {
      command = asked;
      return { isLeft: false, write: () => undefined, end: async () => isThere };
    },
  });
  expect(await flamestack('man', at(true))).toEqual({ exit: 0, out: '', err: '' });
  expect(command).toContain(`; man ${page}`);
  expect(await flamestack('man', at(false))).toEqual(told);
  const { out } = await flamestack('man --json', at(true));
  expect(JSON.parse(out)).toEqual({ schema: 'flamestack.man/1', page });
});

test.each([
  ['runn', "unknown command 'runn' (Did you mean run?)"],
  ['follow notes', "unknown command 'follow' (Did you mean watch?)"],
  ['serve', "unknown command 'serve' (Did you mean view?)"],
  ['check', "unknown command 'check' (Did you mean doctor, or verify for a store?)"],
  ['freeze x', "unknown command 'freeze' (Did you mean snapshot create?)"],
  ['where e3', "unknown command 'where' (Did you mean show --entry <id>?)"],
  ['follow --help', "unknown command 'follow' (Did you mean watch?)"],
  ['nosuch -h', "unknown command 'nosuch'"],
  ['expand nosuch e12', '"nosuch" is no reference'],
  ['expand e12 nosuch', 'flamestack expand e12 --session nosuch'],
  ['expand e5-e2', 'Entry e2 is before e5: e2-e5.'],
  ['expand 5-2', 'Entry e2 is before e5: e2-e5.'],
  ['expand 5 nosuch', 'flamestack expand e5 --session nosuch'],
  ['expand e5 2024', 'flamestack expand e5 --session 2024'],
  ['ls --nope', "unknown option '--nope'"],
  ['ls --turn 5', "unknown option '--turn'"],
  ['show --turn 5', "unknown option '--turn' (a moment is named by --at <turn>)"],
  ['show --turn=5', "unknown option '--turn=5' (a moment is named by --at 5)"],
  ['run', "missing required argument 'file'"],
  ['doctor a', '"doctor" takes no "a"'],
  ['snapshot ls @6', '"snapshot ls" takes no "@6"'],
  ['chat --tools magic', 'There is files; other tools come from servers: --mcp.'],
  ['chat --host a --openai b', "cannot be used with option '--host <url>'"],
  ['chat --summarizer none', "argument 'none' is invalid"],
  ['ls --since then', "argument 'then' is invalid. It takes a date or a while: 2026-11-20"],
  ['run x --window 8x', "option '--window <tokens>' argument '8x' is invalid"],
  ['run x --format word', "argument 'word' is invalid. Allowed choices are flamestack"],
  ['run x --speed 0', "argument '0' is invalid"],
  ['run x --speed 3 --fast', "cannot be used with option '--fast'"],
  ['show --entry e1 --section goal', "cannot be used with option '--section <name>'"],
  ['show --section none', "argument 'none' is invalid"],
  ['mcp --http 70000', "argument '70000' is invalid. It takes a port, 1 to 65535."],
  ['import a b --id c', '--id takes one file'],
])('%s is wrong usage', async (line, message) => {
  const { exit, out, err } = await flamestack(line);
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain(message);
  const json = await flamestack(`${line} --json`);
  expect(JSON.parse(json.err)).toMatchObject({
    schema: 'flamestack.error/1',
    exit: 2,
    message: expect.stringContaining(message) as unknown,
  });
});

test.each([
  ['snapshot ls @6', 'A session is named by --session: flamestack snapshot ls --session @6'],
  ['repair x', '`flamestack repair --help` tells what it takes.'],
  ['redact e5 --session @1', 'A session is named without it: flamestack redact e5 @1'],
  ['redact --session=@1 e5', 'A session is named without it: flamestack redact e5 @1'],
  ['show --entry e5 --session', 'named without it: flamestack show --entry e5 <session>'],
  ['undo --session login', 'A session is named without it: flamestack undo login'],
  ['rm --session notes', 'A session is named without it: flamestack rm notes'],
  ['search -c', 'What begins with a dash and is no option stands behind --.'],
  ['import nosuch', 'Those of this machine: flamestack import --all'],
  ['run nosuch.jsonl', 'Sessions of the store: flamestack ls'],
  ['trace -c', 'What begins with a dash and is no option stands behind --.'],
])('%s tells what to do next', async (line, next) => {
  expect((await flamestack(line)).err).toContain(next);
});

test.each(['search', 'trace'])('%s is not called with words of white space', async (line) => {
  const blank: typeof main = (words, io) => main([...words, '', ' '], io);
  const { exit, err } = await run(blank, line);
  expect([exit, err.split('\n')[0]]).toEqual([
    2,
    expect.stringMatching(/argument '\w+' is empty$/),
  ]);
});

test('a command that is given no text does not tell how a text begins with a dash', async () => {
  const { err } = await flamestack('show --line --nope');
  expect(err).toBe(
    "flamestack: unknown option '--nope'\n  `flamestack show --help` lists its options.\n",
  );
});

test('a window too small for any session is wrong usage', async () => {
  const { exit, err } = await flamestack(`run ${await scriptFile()} --window 500`);
  expect([exit, err]).toEqual([
    2,
    'flamestack: A window of 500 tokens is below 1000\n  Try --window 8k.\n',
  ]);
});

test('an option is suggested only where it is near', async () => {
  const { err } = await flamestack('import x --session @1');
  expect(err.split('\n')[0]).toBe("flamestack: unknown option '--session'");
  expect((await flamestack('ls --limt 3')).err).toContain('(Did you mean --limit?)');
  expect((await flamestack('undo --session @1')).err).not.toContain('Did you mean');
});

test('a command is suggested only where it is near', async () => {
  const { exit, err } = await flamestack('goal');
  expect([exit, err.split('\n')[0]]).toEqual([2, "flamestack: unknown command 'goal'"]);
  expect((await flamestack('serach x')).err).toContain('(Did you mean search?)');
});
