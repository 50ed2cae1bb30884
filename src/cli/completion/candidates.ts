import type { Argument, Command, Option } from 'commander';
import { settingNames, settings } from '../config/settings.ts';
import { exitTopic } from '../help.ts';
import { files } from './shell-scripts.ts';

/** What may stand where the cursor is. */
export interface Candidate {
  readonly value: string;
  /** What it is, in a few words; empty where the value says it. */
  readonly about: string;
  /** Whether words that stand in `about` name it, too. */
  readonly isTitled?: boolean;
}

/** What a store knows; `store` is the value of `--store`. */
export interface StoreNames {
  readonly sessions: (store: string | undefined) => Promise<readonly Candidate[]>;
  readonly agents: (store: string | undefined) => Promise<readonly Candidate[]>;
  /** The models of the server. */
  readonly models: () => Promise<readonly Candidate[]>;
}

type Candidates = readonly Candidate[] | typeof files;

/** What the last of the words may become, as a program parses those before it; `files` for any file. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  names: StoreNames,
): Promise<Candidates> {
  // A shell may take the sign of `--as=md` for a word of its own.
  const split = words.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const last = split.at(-1) ?? '';
  const current = last === '=' ? '' : last;
  const parsed = parse(
    program,
    split.slice(0, -1).filter((word) => word !== '='),
  );
  const candidates = await possible(parsed, current, names);
  if (candidates === files) return candidates;
  // The whole word is replaced, with the option that it begins with.
  const lead = /^--[\w-]+=/.exec(words.at(-1) ?? '')?.[0] ?? '';
  return candidates
    .filter((one) => fits(one, current))
    .map((one) => ({ ...one, value: lead + one.value }));
}

function fits({ value, about, isTitled = false }: Candidate, current: string): boolean {
  return (
    value.startsWith(current) ||
    (isTitled && about.toLowerCase().includes(current.replace(/^["']/, '').toLowerCase()))
  );
}

/** What is typed before the cursor. */
interface Parsed {
  readonly command: Command;
  /** Its arguments so far. */
  readonly args: readonly string[];
  readonly options: readonly Option[];
  /** The option whose value comes next; null for none. */
  readonly open: Option | null;
  readonly store: string | undefined;
  /** Whether `--` said that no option follows. */
  readonly isOver: boolean;
}

function parse(program: Command, words: readonly string[]): Parsed {
  let command = program;
  let open: Option | null = null;
  let store: string | undefined;
  let isOver = false;
  const args: string[] = [];
  const options: Option[] = [];
  for (const word of words) {
    if (open !== null) {
      if (open.long === '--store') store = word;
      open = null;
    } else if (word === '--' && !isOver) isOver = true;
    else if (word.startsWith('-') && !isOver) {
      const option = command.options.find(({ long, short }) => word === long || word === short);
      if (option === undefined) continue;
      options.push(option);
      if (option.required) open = option;
    } else {
      const inner = command.commands.find((one) => one.name() === word);
      if (inner === undefined || args.length > 0) args.push(word);
      else command = inner;
    }
  }
  return { command, args, options, open, store, isOver };
}

function possible(
  { command, args, options, open, store, isOver }: Parsed,
  current: string,
  names: StoreNames,
): Candidates | Promise<Candidates> {
  if (open !== null) return valuesOf(open, store, names);
  if (current.startsWith('-') && !isOver)
    return command
      .createHelp()
      .visibleOptions(command)
      .filter((option) => !options.includes(option))
      .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
  const isHelp = command.parent === null && args.length === 1 && args[0] === 'help';
  if (command.commands.length > 0)
    return args.length > 0 && !isHelp
      ? []
      : [
          ...command.commands.map((one) => ({ value: one.name(), about: one.description() })),
          ...(isHelp ? [{ value: exitTopic, about: 'What the exit codes say.' }] : []),
        ];
  const { registeredArguments } = command;
  const next = registeredArguments[args.length] ?? registeredArguments.at(-1);
  // A session is named by one candidate, though its title may be typed in words.
  const isMany = next?.variadic === true && next.name() !== 'session';
  const isMore = args.length < registeredArguments.length || isMany;
  return next === undefined || !isMore ? [] : valuesOf(next, store, names);
}

/** What an option or argument takes. */
function valuesOf(
  taking: Option | Argument,
  store: string | undefined,
  { sessions, agents, models }: StoreNames,
): Candidates | Promise<Candidates> {
  if (taking.argChoices !== undefined)
    return taking.argChoices.map((value) => ({ value, about: '' }));
  const name = taking.name();
  const takes = 'flags' in taking ? taking.flags : `<${name}>`;
  if (name === 'session' || takes.includes('<session>')) return sessions(store);
  if (name === 'agent') return agents(store);
  if (name === 'model') return models();
  if (name === 'setting')
    return settingNames.map((value) => ({ value, about: settings[value].about }));
  return /<(?:file|folder|backup|store)/.test(takes) ? files : [];
}
