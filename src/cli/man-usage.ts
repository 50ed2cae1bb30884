import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { quote, type CommandCall, type CommandSetup, type CommonOptions } from './call/call.ts';
import { common } from './command-line/options.ts';

const examples = `
Elsewhere than at a terminal, and where there is no man, its path is printed.

Examples
  flamestack man
  flamestack man --json | jq -r .page
`;

/** Adds `man`. */
export function addMan(program: Command, { call }: CommandSetup): void {
  const command = program.command('man').description('Open the man page, or print its path.');
  common(command, examples, null).action(async (options: CommonOptions) => {
    const one = call(options);
    const page = manPage();
    if (one.json) one.emit('flamestack.man/1', { page });
    else if (!(await isOpened(page, one))) one.print(page);
  });
}

/** Where the man page of this package lies, installed or cloned. */
function manPage(): string {
  const root = createRequire(import.meta.url).resolve('flamestack/package.json');
  return join(dirname(root), 'docs', 'flamestack.1');
}

/** Opens a page with `man`; false where this is no terminal, or has none. */
async function isOpened(page: string, call: CommandCall): Promise<boolean> {
  const { startPager } = call.io;
  if (startPager === undefined || !call.paper().isLive || process.platform === 'win32')
    return false;
  return startPager(`command -v man > /dev/null || exit 127; man ${quote(page)}`).end();
}
