import { expect, test } from 'vitest';
import {
  settingsIn,
  settingsInBlocks,
  shortName,
  groupedSettings,
} from '../../../src/core/definitions/settings.ts';

test.each([
  ['"port": 8080,', ['port: 8080']],
  ['traces_exporter: :none', ['traces_exporter: :none']],
  ['PORT=8080', ['PORT: 8080']],
  ['config :app,\nurl http://a.b/c\n# port: 1', []],
])('%j sets %j', (text, told) => {
  expect(settingsIn(text).map((one) => one.text)).toEqual(told);
});

test.each([
  ['- port: 8080', ['port: 8080']],
  ['export PORT=8080', ['PORT: 8080']],
  ['let port := 8080', ['port: 8080']],
  ['"port":8080', ['port: 8080']],
  ['port:8080', []],
  ['port => 8080,', ['port: 8080']],
  ['p: 8080', []],
  ['pp: 8080', ['pp: 8080']],
  ['if: 8080', []],
  ['port == 8080', []],
  ['port: {', []],
  [`port: ${'8'.repeat(48)}`, [`port: ${'8'.repeat(48)}`]],
  [`port: ${'8'.repeat(49)}`, []],
  ['// port: 8080', []],
  ['; port: 8080', []],
])('%j sets, told as %j', (text, told) => {
  expect(settingsIn(text).map((one) => one.text)).toEqual(told);
});

test('a line of more than three hundred characters sets nothing', () => {
  expect(settingsIn(`port: 8080${' '.repeat(290)}`)).toHaveLength(1);
  expect(settingsIn(`port: 8080${' '.repeat(291)}`)).toEqual([]);
});

test('a value that goes on below is no setting', () => {
  const nix =
    "nix.gc = {\n  dates = \"weekly\";\n};\npostInstall = ''\n  rm x\n'';\nmeta = base // {";
  expect(settingsIn(nix).map(({ text }) => text)).toEqual(['dates: "weekly"']);
});

const named = (text: string, shown: 'whole' | 'part' = 'whole') =>
  settingsInBlocks(text, shown).map(({ name, value }) => `${name} ${value}`);

test.each([
  ['nix.gc = {\n  dates = "weekly";\n};\nport = 80;', ['nix.gc.dates "weekly"', 'port 80']],
  [
    '{ pkgs, ... }:\n{\n  zram = {\n    enable = true;\n  };\n  swap.enable = false;\n}',
    ['zram.enable true', 'swap.enable false'],
  ],
  [
    '{\n  "scripts": {\n    "lint": "lint"\n  },\n  "type": "module"\n}',
    ['scripts.lint "lint"', 'type "module"'],
  ],
  [
    'on: push\njobs:\n  build:\n    runs-on: linux\n  test:\n    runs-on: mac',
    ['on push', 'jobs.build.runs-on linux', 'jobs.test.runs-on mac'],
  ],
  [
    'steps:\n- run: a\n  name: b\n- run: c\nkind: d',
    ['steps.run a', 'steps.name b', 'steps.run c', 'kind d'],
  ],
  ['a: &base\n  port: 1', ['a.port 1']],
  [
    'env:\n  - name: PORT\n    value: 80\n  - name: "HOST"\n    value: db\nimage: shop',
    ['env.PORT.value 80', 'env.HOST.value db', 'image shop'],
  ],
  ['labels:\n  app.shop.io/name: till', ['labels.name till']],
  [
    'name = "a"\n[tool.lint]\nline = 9\n[[bin]]\npath = "b"\n[remote "up"]\nurl = c',
    ['name "a"', 'tool.lint.line 9', 'bin.path "b"', 'remote.up.url c'],
  ],
  [
    'resource "bucket" "logs" {\n  acl = "private"\n  rule {\n    days = 3\n  }\n}',
    ['resource.bucket.logs.acl "private"', 'resource.bucket.logs.rule.days 3'],
  ],
  ['config = lib.mkIf on {\n  port = 80;\n};', ['config.port 80']],
])('the settings of %j stand in their blocks', (text, told) => {
  expect(named(text)).toEqual(told);
});

test.each([
  ["hook = ''\n  PORT=1\n  host=2\n'';\nport = 3;", ['port 3']],
  ['run: |\n  PORT=1\n\n  host=2\nport: 3', ['port 3']],
  ['run = """\nPORT=1\n"""\nport = 3', ['port 3']],
  ["run = '''\nPORT=1\n'''\nport = 3", ['port 3']],
  ['run = <<-EOT\nPORT=1\nEOT\nport = 3', ['port 3']],
  ["empty = ''\nport = 3", ['port 3']],
  ['run = """one""", port\nport = 3', ['run """one""", port', 'port 3']],
  ['# port: 1\n  # port: 2\nport: 3', ['port 3']],
])('what stands in a text sets nothing: %j', (text, told) => {
  expect(named(text)).toEqual(told);
});

test('the name of a setting whose block is not shown begins with a dot, but in a section', () => {
  expect(named('    dates = "weekly";\n  gc = {\n    keep = 3;\n  };')).toEqual([
    '.dates "weekly"',
    '.gc.keep 3',
  ]);
  expect(named('port = 80\n[log]\nlevel = 1\n@@\nsize = 2', 'part')).toEqual([
    '.port 80',
    'log.level 1',
    '.size 2',
  ]);
  expect(settingsInBlocks('  port = 80', 'part')[0]).toMatchObject({
    text: 'port: 80',
    line: '  port = 80',
  });
});

test.each([
  ['.dates', 'dates'],
  ['.gc.dates', 'gc.dates'],
  ['nix.gc.dates', 'nix.gc.dates'],
  ['spec.template.spec.ports.name', '…spec.ports.name'],
])('%s is told as %s', (name, told) => {
  expect(shortName(name)).toBe(told);
});

test('settings of one block stand together, the block before the first', () => {
  const told = ['gc.dates: 1', 'port: 80', 'gc.keep: 3', '…spec.app.name: a', 'load(a.b: int)'];
  expect(groupedSettings(told)).toEqual([
    'gc.dates: 1',
    '.keep: 3',
    'port: 80',
    '…spec.app.name: a',
    'load(a.b: int)',
  ]);
  expect(groupedSettings(['port: 80', 'host: a'])).toEqual(['port: 80', 'host: a']);
});

test('of many blocks the nearest stand in a name', () => {
  const nested = (deep: number): string =>
    Array.from({ length: deep }, (_, at) => `${' '.repeat(at)}b${at}:\n`).join('');
  const name = (deep: number): string => named(`${nested(deep)}${' '.repeat(deep)}port: 1`)[0]!;
  expect(name(7)).toBe('b0.b1.b2.b3.b4.b5.b6.port 1');
  expect(name(40)).toBe('.b33.b34.b35.b36.b37.b38.b39.port 1');
});
