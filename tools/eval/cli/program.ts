import { InvalidArgumentError, Option } from 'commander';
import { sections } from '../../../src/index.ts';
import type { CommandCall, CommonOptions } from '../../../src/cli/call/call.ts';
import { commandLine } from '../../../src/cli/command-line/command-line.ts';
import type { Io } from '../../../src/cli/io.ts';
import {
  common,
  formatOption,
  parseCount,
  parseNames,
} from '../../../src/cli/command-line/options.ts';
import { parseWindow } from '../../../src/cli/command-line/window.ts';
import { evalFiles } from './eval.ts';
import type { Typed } from './methods.ts';
import { checkTogether, trialOf, type EvalOptions } from './options.ts';
import { probeFiles } from './probes.ts';
import { sampleFiles } from './sample.ts';
import { checkPage } from './looks.ts';

const examples = `
Plays each file through every method, makes a context before each assistant
message, and looks there for what that message takes up again: names, copied
text, directives of people. No model is asked, nothing is kept.

Methods: flamestack, keep-last, head-tail, clear-results, prune-calls, user-first;
and tuned, with options of your own.

With --probes, the context at the cut of each probe file's session is searched
for what answers its questions. Session files, if any, one for each probe file.

Examples
  npm run eval -- session.jsonl
  npm run eval -- *.jsonl --budget 8k,16k --method flamestack,keep-last
  npm run eval -- session.jsonl --method flamestack,tuned --trigger 0.9
  npm run eval -- session.jsonl --html report.html
  npm run eval -- --probes probes.json session.jsonl --context contexts
  npm run eval -- session.jsonl --sample 20 --section checkpoints
  npm run --silent eval -- session.jsonl --json | jq '.totals[].rates.far'
`;

/** Runs the evaluation with the words after its name; gives the exit code and never rejects. */
export function main(words: readonly string[], io: Io): Promise<number> {
  const { program, making, run } = commandLine('npm run eval --', io, words.includes('--json'));
  program
    .description('Measure what a window keeps of session files, beside the usual methods.')
    .argument('[file...]', 'session files')
    .addOption(
      new Option(
        '--budget <tokens>',
        'one or more: 8k,16k; 8000,16000,32000 unless told',
      ).argParser(parseBudgets),
    )
    .addOption(
      new Option('--method <names>', 'some only: flamestack,keep-last').argParser(parseNames),
    )
    .option('--all', 'prints every measure, what was lost, and what the words mean')
    .option('--html <file>', 'writes a page with charts there')
    .option('--flat', 'all messages as one frame, whatever the file says')
    .option('--trigger <share>', 'adds the method `tuned`: when the engine compresses')
    .option('--preserve-recent <tokens>', 'likewise: what stays verbatim, 2000 or 30%')
    .addOption(
      new Option('--option <name=value>', 'likewise: any option of a session').argParser(
        parseOption,
      ),
    )
    .addOption(
      new Option(
        '--probes <file>',
        'asks the questions of a probe file; may be said again',
      ).argParser(parseAnother),
    )
    .option('--context <folder>', 'with --probes: writes each context there, as text')
    .addOption(
      new Option(
        '--sample <n>',
        'prints random lines of a section with what they came from',
      ).argParser(parseCount),
    )
    .addOption(new Option('--section <name>', 'with --sample: of which section').choices(sections))
    .addOption(
      new Option('--seed <n>', 'with --sample: for the same lines again').argParser(parseCount),
    )
    .addOption(formatOption());
  common(program, examples, null).action(
    async (files: string[], options: EvalOptions & CommonOptions) =>
      making.settle(await runWith(files, options, making.call(options))),
  );
  return run(words);
}

/** The run that the options ask for. */
async function runWith(
  files: readonly string[],
  options: EvalOptions,
  call: CommandCall,
): Promise<number> {
  checkTogether(files, options);
  const { probes, context, sample: count, section } = options;
  if (options.html !== undefined) await checkPage(options.html);
  const trial = await trialOf(options);
  const once = [...new Set(files)];
  const looks = { all: options.all === true, html: options.html };
  if (probes !== undefined)
    return probeFiles({ ...trial, ...looks, probes, sessions: files, context }, call);
  if (count === undefined || section === undefined)
    return evalFiles(once, { ...trial, ...looks }, call);
  const { seed = Math.floor(Math.random() * 1_000_000) } = options;
  return sampleFiles(once, { ...trial, lot: { section, count, seed } }, call);
}

/** A file, beside those before it. */
function parseAnother(file: string, before?: readonly string[]): readonly string[] {
  return [...(before ?? []), file];
}

/** The least budget that the engine takes, in tokens. */
const leastBudget = 1_000;

/** Budgets in tokens, with commas between. */
function parseBudgets(text: string): readonly number[] {
  const budgets = parseNames(text).map(parseWindow);
  if (budgets.every((budget) => budget >= leastBudget)) return budgets;
  throw new InvalidArgumentError(`A budget has ${leastBudget} tokens at least.`);
}

/** `name=value`, beside those before it. */
function parseOption(text: string, before: Typed = {}): Typed {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It takes a name and a value: trigger=0.9.');
  return { ...before, [name]: value };
}
