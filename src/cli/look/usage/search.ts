import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Between } from '../../../index.ts';
import type { CommonOptions, CommandSetup } from '../../call/call.ts';
import { parseDate, parseEnd } from '../../command-line/date.ts';
import { common, limitOption, paged, parseCount, wantWords } from '../../command-line/options.ts';
import type { SearchOptions } from '../search-result.ts';

const examples = `
All sessions of the store are searched, and the best hits shown by session, the
one with the best hit first; --session and --project narrow it. Words are found
in any form, names also by their parts: token finds refreshToken. Words between
double quotes are found where they stand so, one behind the other. On a terminal
the lines that answer are shown; in a pipe whole texts, as many as --tokens has
room for, cut to COLUMNS only where that is set. --frame and --turns are of one
session, the latest unless it is named.
The exit code is 3 if nothing is found. Ids alone are opened, as by expand.

Examples
  flamestack search refresh token
  flamestack search parser.ts --role tool --tool bash
  flamestack search TS2345 --session notes --turns 10-
  flamestack search '"never rename" parser' --role person --project shop --json
  flamestack search e40-e52
`;

/** Adds `search`. */
export function addSearch(program: Command, { call, settle }: CommandSetup): void {
  const command = program
    .command('search')
    .description('Find what was said, in the window or long out of it.')
    .argument('<words...>', 'what to look for: names, paths, error codes, words, "a phrase"')
    .option('--session <id>', 'only this one: an id, its beginning, words of its title, @1')
    .option('--project <folder>', 'only those of a folder: a part of its path, or . for this one')
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
    .option('--frame <id>', 'in one frame of one session: f3')
    .addOption(
      new Option('--turns <range>', 'in some turns of one session: 3, 3-9, 3-').argParser(
        parseTurns,
      ),
    )
    .addOption(new Option('--since <date>', 'said then or later: 2026-11-20').argParser(parseDate))
    .addOption(new Option('--until <date>', 'said by the end of then').argParser(parseEnd))
    .addOption(limitOption('hits', 10))
    .addOption(
      new Option('--tokens <n>', 'of all texts together; 200 for each hit unless told').argParser(
        parseCount,
      ),
    );
  common(paged(command), examples).action(
    async (words: string[], options: SearchOptions & CommonOptions) => {
      wantWords(words, 'words');
      const { search } = await import('../search.ts');
      settle(await search(words, options, call(options)));
    },
  );
}

function parseTurns(text: string): Between {
  const match = /^(\d+)?(-|\.\.)?(\d+)?$/.exec(text.trim());
  const [, from, dash, to] = match ?? [];
  if (match === null || (from === undefined && to === undefined))
    throw new InvalidArgumentError('It takes a turn or a range: 3, 3-9, 3-, -9.');
  if (dash === undefined) return [Number(from), Number(from)];
  if (Number(from ?? 0) > Number(to ?? Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError(`Turn ${to} is before turn ${from}: ${to}-${from}.`);
  return {
    ...(from !== undefined && { from: Number(from) }),
    ...(to !== undefined && { to: Number(to) }),
  };
}
