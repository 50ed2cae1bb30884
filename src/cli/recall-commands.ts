import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Between } from '../index.ts';
import type { Call, CommonOptions } from './call.ts';
import type { ExpandCommandOptions } from './commands/expand.ts';
import type { SearchOptions } from './commands/search.ts';
import type { TraceCommandOptions } from './commands/trace.ts';
import { common } from './option.ts';

/** What commands are made with. */
interface Making {
  readonly call: (options: CommonOptions) => Call;
  readonly settle: (code: number) => void;
  readonly examples: Readonly<Record<'search' | 'trace' | 'expand', string>>;
}

/** The commands that find what was said: `search`, `trace`, `expand`. */
export function addRecallCommands(program: Command, making: Making): void {
  const { call, settle, examples } = making;
  const search = program
    .command('search')
    .description('Find what was said, in the window or long out of it; the best first.')
    .argument('<words...>', 'what to look for: names, paths, error codes, words')
    .addOption(sessionOption().conflicts('all'))
    .option('--all', 'all sessions of the store')
    .addOption(
      new Option('--role <role>', 'said by one only').choices([
        'user',
        'assistant',
        'tool',
        'person',
        'machine',
      ]),
    )
    .option('--tool <name>', 'calls of one tool, and their results')
    .option('--frame <id>', 'in one frame: f3')
    .addOption(new Option('--turns <range>', 'in some turns: 3, 3-9, 3-').argParser(parseTurns))
    .addOption(new Option('--since <date>', 'said then or later: 2026-11-20').argParser(parseDate))
    .addOption(new Option('--until <date>', 'said by the end of then').argParser(parseEnd))
    .addOption(limitOption('hits', 10))
    .addOption(new Option('--tokens <n>', 'of all texts together').argParser(parseCount));
  common(search, examples.search).action(
    async (words: string[], options: SearchOptions & CommonOptions) => {
      for (const name of narrowing)
        if (options.all === true && options[name] !== undefined)
          throw new InvalidArgumentError(`--${name} narrows one session, not --all.`);
      const { search: run } = await import('./commands/search.ts');
      settle(await run(words, options, call(options)));
    },
  );
  const trace = program
    .command('trace')
    .description('Find where a sentence of a summary comes from, or a checkpoint does.')
    .argument('<sentence...>', 'the sentence, or the id of a checkpoint: c2')
    .addOption(sessionOption())
    .option('--checkpoint <id>', 'the checkpoint that it stands in')
    .addOption(limitOption('sources', 5));
  common(trace, examples.trace).action(
    async (words: string[], options: TraceCommandOptions & CommonOptions) => {
      const { trace: run } = await import('./commands/trace.ts');
      settle(await run(words, options, call(options)));
    },
  );
  const expand = program
    .command('expand')
    .description('Print the entries behind a checkpoint, a frame, a range or a marker, whole.')
    .argument('<ref...>', 'c2, f3, e42, e40-e52, or a marker that names one')
    .addOption(sessionOption())
    .addOption(limitOption('entries', null));
  common(expand, examples.expand).action(
    async (words: string[], options: ExpandCommandOptions & CommonOptions) => {
      const { expand: run } = await import('./commands/expand.ts');
      settle(await run(words, options, call(options)));
    },
  );
}

/** Options that only a search of one session takes. */
const narrowing = ['role', 'tool', 'frame', 'turns', 'since', 'until'] as const;

const sessionOption = (): Option =>
  new Option('--session <id>', 'an id, the beginning of one, or @1, @2, …; the latest unless told');

function limitOption(what: string, usual: number | null): Option {
  const about = usual === null ? `at most this many ${what}` : `${what}; ${usual} unless told`;
  return new Option('--limit <n>', about).argParser(parseCount);
}

/** A whole number from 1 up, as it is typed. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It takes a whole number above 0.');
}

function parseTurns(text: string): Between {
  const found = /^(\d+)?(-|\.\.)?(\d+)?$/.exec(text.trim());
  const [, from, dash, to] = found ?? [];
  if (found === null || (from === undefined && to === undefined))
    throw new InvalidArgumentError('It takes a turn or a range: 3, 3-9, 3-, -9.');
  if (dash === undefined) return [Number(from), Number(from)];
  return {
    ...(from !== undefined && { from: Number(from) }),
    ...(to !== undefined && { to: Number(to) }),
  };
}

function parseDate(text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It takes a date: 2026-11-20, or 2026-11-20T14:00Z.');
}

/** The end of a day, or the moment itself where a time was told. */
function parseEnd(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  return parseDate(text) + (isDay ? 86_400_000 - 1 : 0);
}
