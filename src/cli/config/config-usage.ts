import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../call/call.ts';
import { common } from '../command-line/options.ts';
import { settingNames, settings } from './settings.ts';

const after = `
Settings
${settingNames.map((name) => `  ${name.padEnd(10)} ${settings[name].about}\n${' '.repeat(13)}${settings[name].takes}`).join('\n')}

An option comes first, then a variable of the environment, as FLAMESTACK_STORE,
then flamestack.json of the project (in the folder, or one above it in the same
repository), then your own file, ~/.config/flamestack/config.json. Both are
JSON, with comments if you like. The file of a project comes along with a
repository: it may say a window, and a store below its own folder, no more.

Examples
  flamestack config                     each value, and where it comes from
  flamestack config set model llama3.2:3b
  flamestack config set window 16k --project
  flamestack config get store
  flamestack config unset pager
`;

/** What is typed behind `config`, and its options. */
type ConfigWords = [
  what: 'get' | 'set' | 'unset' | undefined,
  name: string | undefined,
  value: string | undefined,
  options: CommonOptions & { readonly project?: boolean },
];

/** Adds `config`. */
export function addConfig(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('config')
    .description('What is used unless told: each value, and where it comes from.')
    .addArgument(new Argument('[what]', 'all of it unless told').choices(['get', 'set', 'unset']))
    .addArgument(new Argument('[setting]', 'its name'))
    .argument('[value]', 'for set')
    .option('--project', 'in flamestack.json of the project, not in your own file');
  common(command, after, null).action(async (...[what, name, value, options]: ConfigWords) => {
    const { list, get, change } = await import('./config.ts');
    if (what === undefined) return settle(await list(call(options)));
    if (name === undefined)
      throw new InvalidArgumentError(`Of which setting? There are ${settingNames.join(', ')}.`);
    if (what === 'get') return settle(await get(name, call(options)));
    if ((what === 'set') !== (value !== undefined))
      throw new InvalidArgumentError(
        what === 'set' ? 'To which value?' : 'unset takes the name alone.',
      );
    settle(await change({ name, value, project: options.project === true }, call(options)));
  });
}
