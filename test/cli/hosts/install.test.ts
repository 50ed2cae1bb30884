import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import { agents, type AgentFile } from '../../../src/cli/hosts/install/agents.ts';
import { changedLines } from '../../../src/cli/hosts/install/changed-lines.ts';
import {
  withServerTable,
  withoutServerTable,
} from '../../../src/cli/hosts/install/server-table.ts';
import { flamestack, folder, typed } from '../call.ts';
import { draws } from '../../draws.ts';

// A person's settings are theirs: what was there stays, and what was put there goes again.

const own = {
  model: 'opus',
  permissions: { allow: ['Bash(ls:*)'] },
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
};
const settings = '.claude/settings.local.json';

/** As a person typed it: an indent, breaks and a comment of their own. */
const typedSettings = `${JSON.stringify(own, null, 4)
  .replace('{', '{\n    // mine')
  .replaceAll('\n', '\r\n')}\r\n`;

test('with --json it is done by --yes, and refused before anything is printed without', async () => {
  const project = await projectWith({ [settings]: typedSettings });
  const refused = await flamestack('install claude-code --json');
  expect([refused.exit, refused.out]).toEqual([2, '']);
  expect(JSON.parse(refused.err)).toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'yes' },
  });
  const { exit, out } = await flamestack('install claude-code --json --yes');
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ schema: 'flamestack.install/1' });
  expect(await read(project, '.mcp.json')).toMatchObject({ mcpServers: { flamestack: {} } });
});

test('Claude Code gets hooks and a server beside what was there, and gives both back', async () => {
  const project = await projectWith({ [settings]: typedSettings });
  const { exit, out, err } = await flamestack('install claude-code --yes');
  expect(exit).toBe(0);
  expect(
    err.match(/does not read ".*settings.local.json", because comments stand in it/g),
  ).toHaveLength(1);
  expect(out).toMatch(/^ {2}\+ +"SessionStart": \[$/m);
  const now = (await read(project, settings)) as typeof own & { enabledMcpjsonServers: string[] };
  expect(now.model).toBe('opus');
  expect(now.permissions.allow).toEqual([
    'Bash(ls:*)',
    ...['recall', 'recovery', 'frame_status'].map((tool) => `mcp__flamestack__${tool}`),
  ]);
  expect(now.hooks.Stop).toHaveLength(2);
  expect(now.hooks.Stop[1]?.hooks[0]?.command).toMatch(/ hook claude-code$/);
  expect(now.enabledMcpjsonServers).toEqual(['flamestack']);
  expect(await read(project, '.mcp.json')).toMatchObject({ mcpServers: { flamestack: {} } });
  expect(await readFile(join(project, '.flamestack/.gitignore'), 'utf8')).toBe('*\n');

  expect((await flamestack('install claude-code --yes')).err).toContain('Nothing to change.');

  expect((await flamestack('uninstall claude-code --yes')).exit).toBe(0);
  expect(await readFile(join(project, settings), 'utf8')).toBe(typedSettings);
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
  expect(existsSync(join(project, '.flamestack'))).toBe(true);
});

test('what a project shares names no place of this machine where the project has the package', async () => {
  const project = await projectWith({ 'node_modules/flamestack/dist/main.js': '' });
  const main = join(project, 'node_modules/flamestack/dist/main.js');
  const byPath = await flamestack('install claude-code --yes');
  expect(byPath.err).toMatch(/"[^"]*\.mcp\.json" names this program by its path on this machine/);
  const argv = vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, main]);
  onTestFinished(() => argv.mockRestore());
  const { err } = await flamestack('install claude-code --yes');
  expect(err).not.toContain('on this machine');
  const flame = { command: 'npx', args: ['--no', '--', 'flamestack', 'mcp'] };
  expect(await read(project, '.mcp.json')).toEqual({ mcpServers: { flamestack: flame } });
  // Settings of this person alone call the program itself.
  expect(await readFile(join(project, settings), 'utf8')).toContain(main);
  expect((await flamestack('uninstall claude-code --yes')).exit).toBe(0);
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
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

test.each([
  ['no JSON', '{ "hooks": '],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['hooks in a list', '{"hooks":[]}'],
  ['no groups', '{"hooks":{"Stop":"x"}}'],
  ['a group of nothing', '{"hooks":{"Stop":[null]}}'],
  ['a list that is none', '{"enabledMcpjsonServers":{}}'],
  ['permissions in a list', '{"permissions":[]}'],
])('settings that an agent would not read stay as they are: %s', async (_, text) => {
  const project = await projectWith({ [settings]: text });
  const { exit, err } = await flamestack('install claude-code --yes');
  expect(exit).toBe(2);
  expect(err).toContain('settings.local.json');
  expect(await readFile(join(project, settings), 'utf8')).toBe(text);
  expect(existsSync(join(project, '.mcp.json'))).toBe(false);
});

test('what may not be written to, leads nowhere or is in the way is named, and nothing is begun', async () => {
  const project = await projectWith({ '.mcp.json': '{}' });
  await chmod(join(project, '.mcp.json'), 0o444);
  expect((await flamestack('install claude-code --yes')).err).toContain('may not be written to');
  const other = await projectWith({});
  await symlink('nowhere.json', join(other, '.mcp.json'));
  expect((await flamestack('install claude-code --yes')).err).toContain('leads nowhere');
  const third = await projectWith({ '.flamestack': 'x' });
  expect((await flamestack('install claude-code --yes')).err).toContain('no folder');
  for (const one of [project, other, third]) expect(existsSync(join(one, settings))).toBe(false);
});

test('where the last file cannot be written, the first ones are as they were', async () => {
  const project = await projectWith({ [settings]: typedSettings });
  // The link leads to a file beside which none can be written: its name would be too long.
  await writeFile(join(project, 'm'.repeat(250)), '{}');
  await symlink('m'.repeat(250), join(project, '.mcp.json'));
  expect((await flamestack('install claude-code --yes')).exit).toBe(1);
  expect(await readFile(join(project, settings), 'utf8')).toBe(typedSettings);
});

test('what Claude Code does not read is named, and only that', async () => {
  const project = await projectWith({ '.claude/settings.json': '{"url":"https://a.b"}' });
  expect((await flamestack('install claude-code --yes')).err).not.toContain('does not read');
  await writeFile(join(project, '.claude/settings.json'), '{} // mine');
  const { err } = await flamestack('install claude-code --yes');
  expect(err).toMatch(/Claude Code does not read ".*settings\.json", because comments stand in it/);
  expect(err).toContain('Nothing to change.');
});

test('a server of a person stays', async () => {
  const mine = '{"mcpServers":{"flamestack":{"command":"mine"}}}';
  const project = await projectWith({ '.mcp.json': mine });
  await flamestack('uninstall claude-code --yes');
  expect(await readFile(join(project, '.mcp.json'), 'utf8')).toBe(mine);
});

const program = { command: 'node', args: ['main.js'] };

test.each([
  ['nothing', ''],
  ['settings', 'model = "gpt"\n'],
  ['tables before and after', '[a]\nx = 1\n\n[b]\ny = 2\n'],
  ['other breaks', 'model = "gpt"\r\n'],
  ['a remark like ours', '# flamestack: end\nmodel = "gpt"\n# flamestack: mine\n'],
])('a table can be put into a file of %s again and again, and taken out', (_, text) => {
  const file = 'config.toml';
  const once = withServerTable({ file, text }, program);
  expect(withServerTable(once, program)).toEqual(once);
  expect(once.text.match(/mcp_servers/g)).toHaveLength(1);
  expect(withoutServerTable(once).text).toBe(text);
});

test.each([
  '[mcp_servers.flamestack]\ncommand = "mine"\n',
  '[mcp_servers."flamestack"]\n',
  '[ mcp_servers . flamestack ]\n',
  'mcp_servers.flamestack.command = "mine"\n',
  'mcp_servers = { other = { command = "x" } }\n',
  'text = """never ends\n',
])('a file that could not be read with the table is left as it is: %j', (text) => {
  expect(() => withServerTable({ file: 'config.toml', text }, program)).toThrow('config.toml');
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
  return parse(await readFile(join(project, name), 'utf8')) as unknown;
}

test('pi gets this package beside the others of a project, and gives the file back', async () => {
  const before = '{\n  "packages": ["npm:other"],\n  "theme": "dark"\n}\n';
  const project = await projectWith({ '.pi/settings.json': before });
  expect((await flamestack('install pi --yes')).exit).toBe(0);
  const { packages } = (await read(project, '.pi/settings.json')) as { packages: string[] };
  expect(packages).toHaveLength(2);
  expect(existsSync(join(project, '.flamestack'))).toBe(true);
  expect((await flamestack('install pi --yes')).err).toContain('Nothing to change.');
  await flamestack('uninstall pi --yes');
  expect(await read(project, '.pi/settings.json')).toEqual(parse(before));
});

test('OpenCode gets a plugin in place of the server of an earlier version; uninstalling gives back the same bytes', async () => {
  const mcp = { other: { type: 'local', command: ['other'] } };
  const before = `${JSON.stringify({ plugin: ['./mine.js'], mcp }, null, 2)}\n`;
  const project = await projectWith({ 'opencode.json': before });
  const file = join(project, 'opencode.json');
  await flamestack('install opencode --yes');
  const given = (await read(project, 'opencode.json')) as { plugin: string[] };
  expect(given).toEqual({
    plugin: ['./mine.js', expect.stringMatching(/extensions.opencode\.js$/)],
    mcp,
  });
  expect((await flamestack('install opencode --yes')).err).toContain('Nothing to change.');
  const served = { type: 'local', command: ['flamestack', 'mcp'], enabled: true };
  await writeFile(file, JSON.stringify({ ...given, mcp: { ...mcp, flamestack: served } }, null, 2));
  await flamestack('install opencode --yes');
  expect(await read(project, 'opencode.json')).toEqual(given);
  await writeFile(file, before);
  await flamestack('install opencode --yes');
  await flamestack('uninstall opencode --yes');
  expect(await readFile(file, 'utf8')).toBe(before);
  const own = { mcp: { flamestack: { type: 'remote', url: 'http://127.0.0.1:1' } } };
  await writeFile(file, JSON.stringify(own));
  await flamestack('uninstall opencode --yes');
  expect(await read(project, 'opencode.json')).toEqual(own);
});

const names = fc.array(fc.string(), { maxLength: 2 });

/** What a person may have in the settings of an agent. */
const ownValue = fc.record(
  {
    hooks: fc.dictionary(
      fc.constantFrom('Stop', 'SessionStart', 'Other'),
      fc.array(
        fc.record({ hooks: fc.array(fc.record({ command: fc.string() }), { minLength: 1 }) }),
        { maxLength: 2 },
      ),
    ),
    mcpServers: fc.dictionary(fc.constantFrom('a', 'b'), fc.record({ command: fc.string() })),
    mcp: fc.dictionary(fc.constantFrom('a', 'b'), fc.record({ command: names })),
    permissions: fc.record({ allow: names }, { requiredKeys: [] }),
    enabledMcpjsonServers: names,
    packages: names,
    plugin: names,
    model: fc.json().map((text) => JSON.parse(text) as unknown),
  },
  { requiredKeys: [] },
);

/** The same as text: squeezed, in lines, or with blanks, breaks, comments and commas of a person's own. */
const ownText = fc
  .record({
    begin: fc.constantFrom('', '', '\uFEFF'),
    value: ownValue,
    indent: fc.constantFrom(0, 1, 2, 4, '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', ' // mine\n'),
    blanks: fc.option(
      fc.array(fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', '/* , */', '// ]\n'), {
        minLength: 1,
        maxLength: 12,
      }),
    ),
    hasLastComma: fc.boolean(),
  })
  .map(({ begin, value, indent, eol, end, blanks, hasLastComma }) => {
    const text = JSON.stringify(value, null, indent).replaceAll('\n', eol);
    if (blanks === null) return begin + text + end;
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g)!;
    const odd = tokens.map((token, at) => {
      const isLast = /^[\]}]$/.test(tokens[at + 1] ?? '') && !/^[[{]$/.test(token);
      return `${token}${isLast && hasLastComma ? ',' : ''}${blanks[at % blanks.length]!}`;
    });
    return begin + odd.join('') + end;
  });

/** Whether all that was there is there: lists begin with what they had. */
function isKept(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || before === null) return Object.is(before, after);
  const held = Object(after) as Record<string, unknown>;
  return Object.entries(before).every(([name, value]) => isKept(value, held[name]));
}

test.each(['claude-code', 'codex', 'pi', 'opencode', 'cursor'] as const)(
  '%s: whatever was there, what is put into it is valid, and taking it out gives the same bytes',
  (name) => {
    const places = { project: '/project', env: {} };
    const files: readonly AgentFile[] = agents[name]
      .files(places)
      .filter(({ path }) => path.endsWith('.json'));
    fc.assert(
      fc.property(ownText, (text) => {
        for (const { path: file, put, take } of files) {
          const given = put({ file, text }, program);
          const errors: ParseError[] = [];
          const read = (one: string): unknown =>
            parse(one.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
          expect(isKept(read(text), read(given.text))).toBe(true);
          expect(errors).toEqual([]);
          expect(put(given, program)).toEqual(given);
          expect(take(given).text).toBe(text);
        }
      }),
      { numRuns: draws(200) },
    );
  },
);
