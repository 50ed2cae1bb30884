import { InvalidArgumentError, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { common, limitOption, paged, sessionOption } from '../../command-line/options.ts';
import type { ExpandCommandOptions } from '../expand.ts';

const examples = `
Examples
  flamestack expand c2                              what a checkpoint stands for
  flamestack expand e40-e52 --session notes --json
  flamestack expand "[cleared: 900 tokens, e12]"
`;

/** Adds `expand`. */
export function addExpand(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('expand')
    .description('Print the entries behind a checkpoint, a frame, a range or a marker, whole.')
    .argument('<ref...>', 'c2, f3, e42, e40-e52, or a marker that names one')
    .addOption(sessionOption())
    .addOption(limitOption('entries', null));
  common(paged(command), examples).action(
    async (said: string[], options: ExpandCommandOptions & CommonOptions) => {
      const words = withEntries(said);
      await refuseOther(words);
      refuseReversed(words.join(' '));
      const { expand } = await import('../expand.ts');
      settle(await expand(words, options, call(options)));
    },
  );
}

/** Where a number comes first, numbers are entries, as `show --entry` has them. */
function withEntries(words: readonly string[]): readonly string[] {
  if (!/^\d/.test(words[0] ?? '')) return words;
  return words.map((word) =>
    /^\d(?:[\d\s,–-]|\.\.)*$/.test(word) ? word.replace(/\b[1-9]\d*/g, 'e$&') : word,
  );
}

/** Beside references stands nothing else, as a session, which has its option; a marker is taken as it is. */
async function refuseOther(words: readonly string[]): Promise<void> {
  const { isReference } = await import('../../../index.ts');
  const ref = words.join(' ');
  if (words.length < 2 || isReference(ref) || ref.startsWith('[')) return;
  const other = words.find((word) => !isReference(word))!;
  const others = words.filter((word) => word !== other).join(' ');
  throw new InvalidArgumentError(
    `"${other}" is no reference. Of the session "${other}": flamestack expand ${others} --session ${other}`,
  );
}

/** A range whose end is before its beginning is mistyped. */
function refuseReversed(ref: string): void {
  const [, from, to] = /^e(\d+)\s*(?:-|–|\.\.)\s*e?(\d+)$/.exec(ref) ?? [];
  if (Number(from) > Number(to))
    throw new InvalidArgumentError(`Entry e${to} is before e${from}: e${to}-e${from}.`);
}
