import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The linter finds clocks in core and circles, and two nested tsconfigs keep a platform out. Here
// violations are planted in a copy of the layout, so that a fence that stopped reporting is noticed.
// Which way imports go is kept by `rooms.ts`.

const clock =
  'export const now = (): number => Date.now() + Math.random() + new Date().getTime();\n';
const circle = 'Dependency cycle detected';

/** Files, what stands in each, and what is reported, in the order of its lines. */
const plants: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'src/core/clock.ts',
    clock,
    ['Take the time as an argument.', 'Take ids as arguments.', 'Take the time as an argument.'],
  ],
  ['src/engine/clock.ts', clock, []],
  ['src/store/default.ts', 'export default 1;\n', ['Prefer named exports']],
  ...(['a', 'b'] as const).flatMap((own) => {
    const other = own === 'a' ? 'b' : 'a';
    const of = `{ it } from './${other}`;
    return [
      [`src/store/${own}.ts`, `import ${of}.ts';\nexport { it };\n`, [circle]],
      [`src/store/${own}-type.ts`, `import type ${of}-type.ts';\nexport type { it };\n`, [circle]],
    ] as const;
  }),
];

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'flamestack-fences-'));
for (const file of [
  'package.json',
  '.oxlintrc.json',
  'tsconfig.json',
  'src/core/tsconfig.json',
  'machines/tsconfig.json',
]) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(join(root, file), join(copy, file));
}
for (const [path, code] of plants) plant(path, code);
const said = lint();

test.each(plants)('of %s is reported what should be', (path, _, says) => {
  const heard = said.filter(({ filename }) => filename === path);
  expect(heard.map(({ message, help }) => `${message} ${help}`)).toEqual(
    says.map((words) => expect.stringContaining(words)),
  );
});

test.each([
  ['src/core', ['process', 'console', 'setTimeout', 'fetch', 'performance', 'crypto', 'Buffer']],
  ['machines', ['process', 'console', 'setTimeout', 'fetch', 'performance']],
] as const)('in %s, what a platform brings is a type error', (folder, names) => {
  for (const name of names)
    plant(`${folder}/platform-${name.toLowerCase()}.ts`, `export const it: unknown = ${name};\n`);
  plant(
    `${folder}/legal.ts`,
    'export const it: unknown = [Math.max(1), JSON, Map, Promise, structure()];\nfunction structure(): bigint { return 1n; }\n',
  );
  const { stdout } = run('node_modules/typescript/bin/tsc', ['-p', folder, '--pretty', 'false']);
  const reported = new Set(
    [...stdout.matchAll(/(platform-\w+|legal)\.ts\(/g)].map(([, file]) => file),
  );
  expect(reported).toEqual(new Set(names.map((name) => `platform-${name.toLowerCase()}`)));
});

function plant(path: string, code: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), code);
}

interface Diagnostic {
  readonly message: string;
  readonly help?: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly offset: number } }[];
}

/** What the linter says, of each file in the order of its lines. */
function lint(): readonly Diagnostic[] {
  const { stdout } = run('node_modules/oxlint/bin/oxlint', ['--format=json', '.']);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
  return diagnostics.toSorted((a, b) => offset(a) - offset(b));
}

function offset({ labels }: Diagnostic): number {
  return labels[0]?.span.offset ?? 0;
}

function run(program: string, args: readonly string[]): { readonly stdout: string } {
  return spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: copy,
    encoding: 'utf8',
  });
}
