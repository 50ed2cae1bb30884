import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, meant } from '../../command-line/options.ts';
import type { RedactOptions } from '../redact.ts';

const examples = `
The text of the entry goes from the log, the index, the checkpoint documents and
all that was made of it: words of it that no other entry has are masked there.
Its id, role and place stay. Nothing brings the text back. What a model wrote of
it in its own words, entries that repeat it and what nothing reaches are named.

Examples
  flamestack redact e42
  flamestack redact e42 notes-app --yes --json
`;

/** Adds `redact`. */
export function addRedact(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('redact')
    .description('Take the text of one entry out for good.')
    .argument('<entry>', 'its id, as `search` and `log` show it')
    .argument('[session...]', 'the latest unless told')
    .option('--yes', 'do not ask');
  common(command, examples).action(
    async (entry: string, session: SessionWords, options: CommonOptions & RedactOptions) => {
      const { redact } = await import('../redact.ts');
      settle(await redact({ entry, session: meant(session) }, options, call(options)));
    },
  );
}
