import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { shells } from '../../../src/cli/completion/shell-scripts.ts';
import { flamestack, folder, scriptFile } from '../call.ts';
import { build, program } from '../pty.ts';

// Each script is read by the shell it is for, and asked what a line becomes.

beforeAll(build);

/** What a shell is asked with: the script of that shell, the words, and what it prints of them. */
const asking = {
  bash: (words: readonly string[]) => `
    source "$SCRIPT"
    complete -p flamestack > /dev/null || exit 1
    COMP_WORDS=(flamestack ${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length}
    _flamestack 2> /dev/null
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (words: readonly string[]) => `
    source "$SCRIPT"
    complete -C "flamestack ${words.join(' ')}"`,
  // The line editor is not there without a terminal: what it would be given is printed.
  zsh: (words: readonly string[]) => `
    compdef() { [[ "$*" == '_flamestack flamestack' ]] }
    compadd() { print -l -- $shown }
    _files() { print -l -- *(N) }
    source "$SCRIPT" || exit 1
    words=(flamestack ${words.map((word) => `'${word}'`).join(' ')})
    CURRENT=$#words
    _flamestack`,
} as const;

const here = shells.filter((shell) => spawnSync(shell, ['--version']).status === 0);

test('bash is here', () => {
  expect(here).toContain('bash');
});

test.each(here)('%s completes commands, options, sessions and files', async (shell) => {
  const place = await folder();
  const { out } = await flamestack(`completion ${shell}`);
  await writeFile(join(place, 'script'), out);
  await mkdir(join(place, 'bin'));
  const command = join(place, 'bin', 'flamestack');
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(command, 0o755);
  await mkdir(join(place, 'work'));
  await writeFile(join(place, 'work', 'old notes.jsonl'), '');
  await flamestack(`import ${await scriptFile()} --store ${join(place, 'store')} --window 8k`);
  const ask = (...words: string[]): string =>
    execFileSync(shell, ['-c', asking[shell](words)], {
      cwd: join(place, 'work'),
      encoding: 'utf8',
      env: {
        ...process.env,
        HOME: place,
        PATH: `${join(place, 'bin')}:${process.env['PATH']}`,
        SCRIPT: join(place, 'script'),
        FLAMESTACK_STORE: join(place, 'store'),
      },
    });
  expect(ask('salv').trim()).toMatch(/^salvage\b/);
  expect(ask('re')).toMatch(/^replay\b/m);
  expect(ask('re')).toMatch(/^redo\b/m);
  expect(ask('undo', '--dr').trim()).toMatch(/^--dry-run\b/);
  expect(ask('show', 'de').trim()).toMatch(/^demo\b/);
  expect(ask('import', 'old')).toMatch(/old.*notes\.jsonl/);
});
