import { InvalidArgumentError, Option, type Command } from 'commander';
import { formats } from '../../names.ts';
import { momentHelp, parseMoment } from './moment.ts';
import { parseWindow } from './window.ts';

// Options that several commands take, and what is typed after an option.

/** `--model`; `about` says which it is unless told. */
export function modelOption(about: string): Option {
  return new Option('--model <name>', about);
}

/** `--host`. */
export function hostOption(): Option {
  const about = 'an Ollama server; OLLAMA_HOST, or this machine, unless told';
  return new Option('--host <url>', about);
}

/** `--openai`, with or without an address. */
export function openaiOption(): Option {
  const about = 'another kind of server, by its base URL; OPENAI_BASE_URL unless told';
  return new Option('--openai [url]', about).conflicts('host');
}

/** Gives a command the options that every one has, and what its help says after them; null takes no store. */
export function common(
  command: Command,
  after: string,
  store: string | null = 'FLAMESTACK_STORE, or .flamestack, unless told',
): Command {
  if (store !== null) command.option('--store <folder>', store);
  // Where nothing is paged, it says what is so anyway.
  if (!command.options.some(({ long }) => long === '--no-pager'))
    command.addOption(new Option('--no-pager').default(false).hideHelp());
  return command
    .option('--json', 'the result as JSON on stdout')
    .option('-q, --quiet', 'results only')
    .option('--color', 'color even where there is no terminal')
    .option('--no-color', 'no color')
    .option('--ascii', 'plain characters')
    .addHelpText('after', after.trimEnd());
}

/** Gives a command that may print more than the screen has `--no-pager`; its call has a pager then. */
export const paged = (command: Command): Command =>
  command.option('--no-pager', 'print at once, without a pager');

/** `--documents`. */
export function documentsOption(): Option {
  const about = 'write checkpoint documents there; FLAMESTACK_DOCUMENTS, or none, unless told';
  return new Option('--documents <folder>', about);
}

/** `--window`; `fallback` says what it is unless told. */
export function windowOption(fallback: string): Option {
  const about = `tokens, 1000 at least: 8192, 8k (8,192), 32k, 1m; ${fallback}`;
  return new Option('--window <tokens>', about).argParser(parseWindow);
}

/** `--format`. */
export function formatOption(): Option {
  return new Option('--format <name>', 'told from the content unless given').choices(formats);
}

/** `--speed`; `fallback` says what it is unless told. */
export function speedOption(fallback: string): Option {
  return new Option('--speed <steps>', `steps per second; ${fallback}`)
    .argParser(parseSpeed)
    .conflicts('fast');
}

function parseSpeed(text: string): number {
  const speed = Number(text);
  if (Number.isFinite(speed) && speed > 0) return speed;
  throw new InvalidArgumentError('It takes a number of steps per second, above 0.');
}

/** Names with commas between, each once. */
export function parseNames(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

/** What is typed to name a session: its id, or words of its title. */
export type SessionWords = readonly string[];

/** The session that words name; undefined where there are none. */
export const meant = (words: SessionWords): string | undefined =>
  words.length === 0 ? undefined : words.join(' ');

/** Refuses words of which nothing is left but white space, as if there were none; throws `InvalidArgumentError`. */
export function wantWords(words: readonly string[], name: string): void {
  if (words.join('').trim() === '') throw new InvalidArgumentError(`argument '${name}' is empty`);
}

/** `--session`, of commands whose arguments are something else. */
export function sessionOption(): Option {
  const about = 'an id, its beginning, words of its title, or @2; the latest unless told';
  return new Option('--session <id>', about);
}

/** `--at`. */
export function atOption(): Option {
  return new Option('--at <moment>', momentHelp).argParser(parseMoment);
}

/** `--limit`; null as `usual` is no limit unless told. */
export function limitOption(what: string, usual: number | null): Option {
  const about = usual === null ? `at most this many ${what}` : `${what}; ${usual} unless told`;
  return new Option('--limit <n>', about).argParser(parseCount);
}

/** A whole number from 1 up, as it is typed. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It takes a whole number above 0.');
}
