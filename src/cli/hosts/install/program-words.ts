import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** How the program is called from settings. */
export interface ProgramWords {
  readonly command: string;
  readonly args: readonly string[];
}

/** A folder that npm has programs in while it runs one: nobody finds them there later. */
const passing = /[/\\]node_modules[/\\]\.bin[/\\]?$/;

/** How this very program is called: by its name, where that leads to it, else by its path. */
export function programWords(env: Readonly<Record<string, string | undefined>>): ProgramWords {
  const program = realpathSync(process.argv[1]!);
  const named = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !passing.test(folder))
    .map((folder) => join(folder, 'flamestack'))
    .find((file) => existsSync(file));
  return named !== undefined && realpathSync(named) === program
    ? { command: 'flamestack', args: [] }
    : { command: process.execPath, args: [program] };
}

/** The same in a file that a project shares: by npm where the project has this very package, wherever it lies. */
export function sharedWords(own: ProgramWords, project: string): ProgramWords {
  return hasPackage(project) ? { command: 'npx', args: ['--no', '--', 'flamestack'] } : own;
}

/** Whether npm finds this very package from a folder. */
function hasPackage(folder: string): boolean {
  const found = join(folder, 'node_modules', 'flamestack');
  if (existsSync(found)) return realpathSync(found) === packageFolder();
  return dirname(folder) !== folder && hasPackage(dirname(folder));
}

/** The folder of this very package. */
export function packageFolder(): string {
  return dirname(dirname(realpathSync(process.argv[1]!)));
}
