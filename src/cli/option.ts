import { InvalidArgumentError, Option, type Command } from 'commander';
import { formats } from '../index.ts';
import type { ChatOptions } from './chat/options.ts';
import type { Typed } from './eval/methods.ts';
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
  return command
    .option('--json', 'the result as JSON on stdout')
    .option('-q, --quiet', 'results only')
    .option('--color', 'color even where there is no terminal')
    .option('--no-color', 'no color')
    .option('--ascii', 'plain characters')
    .addHelpText('after', after.trimEnd());
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

/** What `--tools` names. */
export function parseTools(text: string): ChatOptions['tools'] {
  const names = parseNames(text);
  for (const name of names)
    if (name !== 'files' && name !== 'shell')
      throw new InvalidArgumentError('There are files and shell.');
  return names as ChatOptions['tools'];
}

/** The least budget that the engine takes, in tokens. */
const leastBudget = 1_000;

/** Budgets in tokens, with commas between. */
export function parseBudgets(text: string): readonly number[] {
  const budgets = parseNames(text).map(parseWindow);
  if (budgets.every((budget) => budget >= leastBudget)) return budgets;
  throw new InvalidArgumentError(`A budget has ${leastBudget} tokens at least.`);
}

/** Names with commas between, each once. */
export function parseNames(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

/** `name=value`, beside those before it. */
export function parseOption(text: string, before: Typed = {}): Typed {
  const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It takes a name and a value: trigger=0.9.');
  return { ...before, [name]: value };
}

/** Steps per second. */
export function parseSpeed(text: string): number {
  const speed = Number(text);
  if (Number.isFinite(speed) && speed > 0) return speed;
  throw new InvalidArgumentError('It takes a number of steps per second, above 0.');
}
