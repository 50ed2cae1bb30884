import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedLines } from '../../../src/cli/hosts/install/changed-lines.ts';
import { withServerTable, withoutServerTable } from '../../../src/cli/hosts/install/toml-table.ts';
import { flamestack, folder, typed } from '../call.ts';

// A person's settings are theirs: what was there stays, and what was put there goes again.

const own = {
  model: 'opus',
  permissions: { allow: ['Bash(ls:*)'] },
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
};
const settings = '.claude/settings.local.json';

test('Claude Code gets hooks and a server beside what was there, and gives both back', async () => {
  const project = await projectWith({ [settings]: JSON.stringify(own) });
  const { exit, out } = await flamestack('install claude-code --yes');
  expect(exit).toBe(0);
  expect(out).toContain('+     "SessionStart": [');
  const now = (await read(project, settings)) as typeof own & { enabledMcpjsonServers: string[] };
  expect(now).toMatchObject({ model: 'opus', permissions: own.permissions });
  expect(now.hooks.Stop).toHaveLength(2);
  expect(now.hooks.Stop[1]?.hooks[0]?.command).toMatch(/ hook claude-code$/);
  expect(now.enabledMcpjsonServers).toEqual(['flamestack']);
  expect(await read(project, '.mcp.json')).toMatchObject({ mcpServers: { flamestack: {} } });
  expect(await readFile(join(project, '.flamestack/.gitignore'), 'utf8')).toBe('*\n');

  expect((await flamestack('install claude-code --yes')).err).toContain('Nothing to change.');

  expect((await flamestack('uninstall claude-code --yes')).exit).toBe(0);
  expect(await read(project, settings)).toEqual(own);
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
  expect(existsSync(join(project, '.flamestack'))).toBe(true);
});

test('Codex gets its hooks, and a table of its own in a file that a person writes', async () => {
  const home = join(await projectWith({}), 'codex');
  await mkdir(home);
  const config = 'model = "gpt"\n\n[tools]\nweb = true\n';
  await writeFile(join(home, 'config.toml'), config);
  const env = { CODEX_HOME: home };
  await flamestack('install codex --yes', { env });
  expect(await readFile(join(home, 'config.toml'), 'utf8')).toContain(config);
  expect(Object.keys(((await read(home, 'hooks.json')) as typeof own).hooks)).toContain('Stop');
  await flamestack('uninstall codex --yes', { env });
  expect(await readFile(join(home, 'config.toml'), 'utf8')).toBe(config);
  expect(existsSync(join(home, 'hooks.json'))).toBe(false);
});

test('nothing is written unless a person says yes', async () => {
  const project = await projectWith({});
  const { exit, err } = await flamestack('install cursor');
  expect(exit).toBe(2);
  expect(err).toContain('say --yes');
  const asked = await flamestack('install cursor', { stdin: typed('no'), isTTY: true });
  expect(asked.err).toContain('Nothing was changed.');
  expect(existsSync(join(project, '.cursor'))).toBe(false);
  await flamestack('install cursor', { stdin: typed('yes'), isTTY: true });
  expect(await read(project, '.cursor/mcp.json')).toMatchObject({ mcpServers: { flamestack: {} } });
  // Cursor tells of no turns: there is nothing to keep a store for.
  expect(existsSync(join(project, '.flamestack'))).toBe(false);
});

test.each(['{ "hooks": ', '[]', '"x"'])('settings that are no settings stay: %s', async (text) => {
  const project = await projectWith({ [settings]: text });
  const { exit, err } = await flamestack('install claude-code --yes');
  expect(exit).toBe(2);
  expect(err).toContain('settings.local.json');
  expect(await readFile(join(project, settings), 'utf8')).toBe(text);
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
});

test.each([
  ['nothing', ''],
  ['settings', 'model = "gpt"\n'],
  ['settings without a last break', 'model = "gpt"'],
  ['tables before and after', '[a]\nx = 1\n\n[b]\ny = 2\n'],
])('a table can be put into a file of %s again and again, and taken out', (_, text) => {
  const program = { command: 'node', args: ['main.js'] };
  const once = withServerTable(text, program);
  expect(withServerTable(once, program)).toBe(once);
  expect(once.match(/mcp_servers/g)).toHaveLength(1);
  expect(withoutServerTable(once).trimEnd()).toBe(text.trimEnd());
  expect(withoutServerTable(`${once}\n[later]\n`)).toContain('[later]');
});

test.each([
  ['a', 'a', []],
  ['', 'a\nb\n', ['+ a', '+ b']],
  ['a\nb\n', '', ['- a', '- b']],
  ['a\nb\nc\n', 'a\nx\nc\n', ['  a', '- b', '+ x', '  c']],
  ['1\n2\n3\n4\n', '1\n2\n3\n4\n5\n', ['  …', '  3', '  4', '+ 5']],
])('the lines that change from %j to %j', (before, after, lines) => {
  expect(changedLines(before, after)).toEqual(lines.length === 0 ? expect.anything() : lines);
});

/** A project with these files, in which the test works until its end. */
async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await folder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(project, name, '..'), { recursive: true });
    await writeFile(join(project, name), text);
  }
  const before = process.cwd();
  process.chdir(project);
  onTestFinished(() => process.chdir(before));
  return project;
}

async function read(project: string, name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(project, name), 'utf8'));
}
