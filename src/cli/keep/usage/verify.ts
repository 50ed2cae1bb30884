import type { Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { type SessionWords, common, meant } from '../../command-line/options.ts';

const examples = `
Reads every record, past those that are damaged; ends with code 4 where
something is lost. What is lost is in no other place of the store: bring a
backup into its place with \`flamestack restore\`, or mend it as far as it can be
with \`flamestack repair\`.

Examples
  flamestack verify
  flamestack verify notes
  flamestack verify --json | jq '.sessions[] | select(.isSound | not) | .id'
`;

/** Adds `verify`. */
export function addVerify(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('verify')
    .description('Check every record of the store, and say which are missing or changed.')
    .argument('[session...]', 'all of them unless told');
  common(command, examples).action(async (said: SessionWords, options: CommonOptions) => {
    const { verify } = await import('../whole/verify.ts');
    settle(await verify(meant(said), call(options)));
  });
}
