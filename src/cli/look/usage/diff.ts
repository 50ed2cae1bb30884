import { Argument, InvalidArgumentError, type Command } from 'commander';
import { quote, type CommonOptions, type CommandSetup } from '../../call/call.ts';
import { momentHelp, parseMoment, type TypedMoment } from '../../command-line/moment.ts';
import { common, paged, sessionOption } from '../../command-line/options.ts';
import type { DiffOptions } from '../diff.ts';

const examples = `
Names are paths, identifiers, numbers, decisions and what else says of a text
what it is about: those that were lost, kept and came, by kind.

Examples
  flamestack diff                    what the last compression cost
  flamestack diff 40
  flamestack diff 40 41 --session notes
  flamestack diff s3 --json | jq .facts.lost
`;

/** Adds `diff`. */
export function addDiff(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('diff')
    .description('Compare what the model saw at two moments: sections, entries, names.')
    .addArgument(
      new Argument('[before]', `${momentHelp}; before the last compression unless told`).argParser(
        momentNotSession,
      ),
    )
    .addArgument(new Argument('[after]', 'now unless told').argParser(momentNotSession))
    .addOption(sessionOption());
  common(paged(command), examples).action(
    async (
      before: TypedMoment | undefined,
      after: TypedMoment | undefined,
      options: DiffOptions & CommonOptions,
    ) => {
      const { diff } = await import('../diff.ts');
      settle(await diff([before, after], options, call(options)));
    },
  );
}

/** Reads a moment; where the latest session but one, or words, stand in its place, the message says how a session is named. */
function momentNotSession(text: string): TypedMoment {
  try {
    return parseMoment(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError) || /^\d/.test(text)) throw error;
    throw new InvalidArgumentError(`${error.message} A session: --session ${quote(text)}`);
  }
}
