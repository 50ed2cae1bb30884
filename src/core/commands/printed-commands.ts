import { checkRunIn, covers } from './check-runs.ts';
import { simpleCommands } from './shell-words.ts';

// What a script of the project prints of itself before it runs: which script of which package, and its command.
//
//   > shop@1.0.0 check                 npm
//   > npm run check --workspaces
//
//   > @shop/api@1.0.0 check
//   > tsc --noEmit

/** A command that a script printed before it ran it. */
export interface PrintedCommand {
  /** The package whose script it is; '' where that is not printed. */
  readonly owner: string;
  readonly command: string;
}

/** The commands that an output of scripts names as run, whole, in their order. */
export function printedCommands(output: string): readonly PrintedCommand[] {
  const heads = [...output.matchAll(printedScript)];
  return Array.from(output.matchAll(printedCommand), ({ index, 1: command = '' }) => ({
    owner: heads.findLast((head) => head.index < index)?.[1] ?? '',
    command,
  }));
}

/** The scripts that an output names as run. */
export const printedScripts = (output: string): readonly string[] =>
  Array.from(output.matchAll(printedScript), ([, , one, other]) => one ?? other!);

/** Whether a command behind which others run was printed in part. */
export const isPrintedInPart = (output: string): boolean => clippedCommand.test(output);

/** Whether a printed command runs what follows only where what is before it passed. */
export const isStrict = (command: string): boolean => !/;|\|\|/.test(command);

/** A check with the folder that it was run in; '' for none that is known. */
interface PlacedCheck {
  readonly command: string;
  readonly place?: string;
}

/** Whether a script that passed in a folder has run all that a check does: there, or in a package that is called as the folder below in which that was. */
export function hasRun(
  printed: readonly PrintedCommand[],
  { place: below = '', ...check }: PlacedCheck,
  place: string,
): boolean {
  if (printed.length === 0) return false;
  const isHere = below === place;
  if (!isHere && !isBelow(below, place)) return false;
  const narrow = runsOf(check.command);
  const wide = printed
    .filter(({ owner }) => (isHere ? owner === printed[0]!.owner : isCalledAs(owner, below)))
    .filter(({ command }) => isStrict(command))
    .flatMap(({ command }) => runsOf(command));
  return narrow.length > 0 && narrow.every((one) => wide.some((run) => covers(run, one)));
}

const runsOf = (command: string) =>
  simpleCommands(command).flatMap(({ words }) => checkRunIn(words) ?? []);

const isBelow = (place: string, above: string): boolean =>
  above === '' ? /^[^/]/.test(place) : place.startsWith(`${above}/`);

/** Whether a package is called as its folder, with no more than a prefix of the project: `@shop/shop-api` of `packages/api`. */
function isCalledAs(owner: string, folder: string): boolean {
  const name = folder.replace(/^.*\//, '');
  return owner === name || owner.endsWith(`/${name}`) || owner.endsWith(`-${name}`);
}

/** A command that a script prints before it runs it, whole: `> vitest run`, `$ eslint src`, `[lint] $ eslint src`. */
const printedCommand =
  /^[ \t]{0,4}(?:\[[\w:.-]{1,60}\] )?(?:>|\$) (?!\S{1,100}@\S{1,60} \S)(\S[^\n]{0,400}(?<!…))$/gm;

const clippedCommand = /^[ \t]{0,4}(?:\[[\w:.-]{1,60}\] )?(?:>|\$) [^\n]{0,400}…$/m;

/** A script that another one runs: `> shop@1.0.0 test:unit`, `[test:unit] $ vitest run`. */
const printedScript =
  /^[ \t]{0,4}(?:> (\S{1,100})@\S{1,60} ([\w:.-]{1,60})$|\[([\w:.-]{1,60})\] \$ )/gm;
