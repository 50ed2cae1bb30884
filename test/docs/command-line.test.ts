import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exits } from '../../src/cli/call/exit.ts';
import { settingNames, settings } from '../../src/cli/config/settings.ts';
import { flamestack, folder, scriptFile } from '../cli/call.ts';

// docs/command-line.md lists what --json gives: each command is run, and what it prints is held against the list.

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
const section = (name: string): string => page.split(`\n## ${name}\n`)[1]!.split('\n## ')[0]!;

/** Fields of each schema in the table. */
const listed = new Map(
  section('JSON')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, , schemas = '', fields = ''] = line.split('|');
      const names = [...schemas.matchAll(/`flamestack\.(.+?)`/g)].map(([, name]) => name!);
      const each =
        names.length > 1 && fields.includes(';') ? fields.split(';') : names.map(() => fields);
      return names.map((name, at) => [name, (each[at] ?? fields).match(/\w+/g)!] as const);
    }),
);

const lines: readonly (readonly [line: string, schema: string])[] = [
  ['ls', 'ls/1'],
  ['show', 'show/1'],
  ['show --at 2', 'show/1'],
  ['show --entry e2', 'entry/1'],
  ['log --limit 3', 'entry/1'],
  ['frames', 'frames/1'],
  ['search part', 'search/1'],
  ['trace limit5', 'trace/1'],
  ['expand e2-e4', 'expand/1'],
  ['breadcrumbs', 'breadcrumbs/1'],
  ['diff 2', 'diff/1'],
  ['machine', 'machines/1'],
  ['machine compression', 'machine/1'],
  ['inspect', 'inspection/1'],
  ['export --as md -o {copies}/demo.md', 'export/1'],
  ['checkpoint --documents {copies}/memory', 'checkpoint/1'],
  ['recover --dry-run', 'recover/1'],
  ['recover', 'recover/1'],
  ['snapshot create here', 'snapshot/1'],
  ['snapshot ls', 'snapshots/1'],
  ['undo --dry-run', 'undo/1'],
  ['undo --yes', 'undo/1'],
  ['redo', 'redo/1'],
  ['undo --list', 'steps/1'],
  ['verify', 'verify/1'],
  ['backup {copies}/backup', 'backup/1'],
  ['repair', 'repair/1'],
  ['salvage {store} --to {copies}/salvaged', 'salvage/1'],
  ['compact', 'compact/1'],
  ['replay --to 3', 'replay/1'],
  ['replay --verify', 'replay/1'],
  ['replay --find turn>2', 'replay/1'],
  ['redact e5 --yes', 'redact/1'],
  ['import {file}', 'import/1'],
  ['rm demo --yes', 'rm/1'],
  ['run {file} --window 2k', 'run/1'],
  ['man', 'man/1'],
  ['version', 'version/1'],
  ['config', 'config/1'],
  ['completion bash', 'completion/1'],
];

/** Commands that take no store, or as a word. */
const storeless = /^(?:machine|salvage|run|man|version|config|completion)\b/;

test('each command prints what the table says with --json, and nothing else', async () => {
  const file = await scriptFile();
  const store = join(await folder(), 'store');
  const copies = await folder();
  await flamestack(`import ${file} --window 2k --store ${store}`);
  for (const [line, schema] of lines) {
    const filled = line
      .replace('{copies}', copies)
      .replace('{store}', store)
      .replace('{file}', file);
    const named = storeless.test(line) ? '' : ` --store ${store}`;
    const { exit, out, err } = await flamestack(`${filled}${named} --json`);
    expect([line, exit, err]).toEqual([line, 0, '']);
    const documents = out.trimEnd().split('\n');
    for (const text of documents) {
      const { schema: name, ...fields } = JSON.parse(text) as Record<string, unknown>;
      expect([line, name]).toEqual([line, `flamestack.${schema}`]);
      const known = listed.get(schema)!;
      if (known[0] === 'type') expect([line, typeof fields['type']]).toEqual([line, 'string']);
      else if (!known.includes('others'))
        expect(Object.keys(fields).filter((field) => !known.includes(field))).toEqual([]);
    }
  }
}, 120_000);

test('the page lists every schema of the commands', () => {
  const sources = readdirSync(join(root, 'src/cli'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'src/cli', name), 'utf8'));
  const used = sources.flatMap((text) =>
    [...text.matchAll(/['`]flamestack\.([\w-]+\/\d)['`]/g)].map(([, name]) => name!),
  );
  expect(used.length).toBeGreaterThan(30);
  const told = [...page.matchAll(/`(?:flamestack\.)?([\w-]+\/\d)`/g)].map(([, name]) => name);
  expect(used.filter((name) => !told.includes(name))).toEqual([]);
});

test('the page lists the exit codes, and the settings with their variables', () => {
  const codes = [...section('Exit codes').matchAll(/^\| (\d+) \|/gm)].map(([, code]) =>
    Number(code),
  );
  expect(codes).toEqual(Object.values(exits));
  const rows = [...section('What is used unless told').matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)];
  expect(rows.map(([, name, variable]) => [name, variable])).toEqual(
    settingNames.map((name) => [name, settings[name].variable]),
  );
});
