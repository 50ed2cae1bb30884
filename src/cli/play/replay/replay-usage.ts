import { Option, type Command } from 'commander';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { parseStep } from '../../command-line/moment.ts';
import { type SessionWords, common, meant, speedOption } from '../../command-line/options.ts';
import type { ReplayCommandOptions } from './reel.ts';

const examples = `
Plays what is stored, step by step, without a model; nothing is written, and a
chat may have the session open. A step is a record: 120, e52 (when it came), a
time. On a terminal space pauses, the arrow keys step back and forward, Page Up,
Page Down, Home and End go further, + and - change the speed, q quits.

--verify decides every stored input again, and compares facts, texts, assemblies
and entries byte for byte; the first difference is named, the exit code is 1.

--find names the first step after which an expression holds (exit code 3: none).
  names      fields of the state, as \`show --json\` has them, and frames.<id>
  compare    == != < <= > >=, and ~ (holds this text); null for nothing
  combine    and, or, not, parentheses; a name alone: whether it is anything

Examples
  flamestack replay                                the latest session
  flamestack replay notes --from 100 --to 200 --speed 5
  flamestack replay notes --verify
  flamestack replay notes --find "compressions >= 3"
  flamestack replay notes --find "not goal or frames.f2.status == 'failed'"
  flamestack replay notes --json | jq -r '.facts[]?.type'
  flamestack export notes > notes.jsonl            a file that \`run\` plays
`;

/** Adds `replay`. */
export function addReplay(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('replay')
    .description('Play a stored session, decide it again, or find a step of it.')
    .argument('[session...]', 'the latest unless told')
    .addOption(new Option('--from <step>', 'the first step').argParser(parseStep))
    .addOption(new Option('--to <step>', 'the last step').argParser(parseStep))
    .addOption(speedOption('about 20 s for all of it on a terminal'))
    .option('--fast', 'do not wait between steps')
    .addOption(new Option('--verify', 'decide every input again').conflicts('find'))
    .option('--find <expression>', 'name the first step after which this holds');
  common(command, examples).action(
    async (said: SessionWords, options: ReplayCommandOptions & CommonOptions) => {
      const { replay } = await import('./replay.ts');
      settle(await replay(meant(said), options, call(options)));
    },
  );
}
