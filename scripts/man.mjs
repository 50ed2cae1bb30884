import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes docs/flamestack.1, the man page, of what the program itself says: its help, that of each command,
// and the exit codes. `--print` prints it instead. It needs the build.

process.chdir(join(import.meta.dirname, '..'));
const build = /\.\/(\w+)\//.exec(readFileSync('dist/main.js', 'utf8'))[1];
const { main } = await import(`../dist/${build}/program.js`);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the program says. */
async function said(...words) {
  let out = '';
  const stream = { write: (text) => (out += text) };
  await main(words, {
    stdin: process.stdin,
    stdout: stream,
    stderr: stream,
    env: {},
    signal: new AbortController().signal,
  });
  return out.trimEnd();
}

const escaped = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');

/** Text as it stands, line for line. */
const asItStands = (text) => `.nf\n${escaped(text)}\n.fi`;

/** The names of the commands, as the Tab key offers them. */
const commandNames = (await said('__complete', '')).split('\n').map((line) => line.split('\t')[0]);

const whole = await said('--help');
const [head, ...rest] = whole.split('\n\n');
const parts = [
  `.TH FLAMESTACK 1 "" "flamestack ${version}" "User Commands"`,
  '.SH NAME',
  `flamestack \\- ${escaped(head.replace(/^.*? – /, ''))}`,
  '.SH SYNOPSIS',
  '.B flamestack\n.I command\n[options]',
  '.SH DESCRIPTION',
  asItStands(rest.slice(1).join('\n\n')),
  '.SH COMMANDS',
];
for (const name of commandNames.filter((one) => /^[a-z]/.test(one) && one !== 'help'))
  parts.push(`.SS ${name}`, asItStands(await said(name, '--help')));
parts.push('.SH EXIT STATUS', asItStands(await said('help', 'exit-codes')));
const page = `${parts.join('\n')}\n`;
if (process.argv.includes('--print')) process.stdout.write(page);
else writeFileSync('docs/flamestack.1', page);
