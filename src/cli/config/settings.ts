import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { wayOut } from '../../adapters/project-store.ts';
import { postgresAddress } from '../../names.ts';
import { leastWindow, parseWindow } from '../command-line/window.ts';

/** What a file may say once for all: how it is spelled there, and the variable of the surroundings that says the same. */
export interface Setting {
  readonly about: string;
  readonly variable: string;
  /** Other variables by which a person says the same thing another way. */
  readonly beside?: readonly string[];
  /** What it takes, for messages. */
  readonly takes: string;
  /** The value as the variable has it; null for one that it does not take. `folder` is that of the file. */
  readonly read: (value: unknown, folder: string) => string | null;
  /** Whether it names a folder; a relative one is told from that of the file. */
  readonly isPlace?: true;
  /** Whether the file of a project may say it: it comes along with a repository, so nothing that starts a program, or sends anything anywhere. */
  readonly project?: (value: string, folder: string) => boolean;
  /** What is in force where nobody says anything. */
  readonly usual: string;
}

const words = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const oneOf =
  (...names: readonly string[]) =>
  (value: unknown): string | null =>
    names.find((name) => name === value) ?? null;

/** Most characters of a path that any system takes. */
const longestPath = 4_096;

/** A folder below that of the file, or an address as it is. */
function place(value: unknown, folder: string): string | null {
  const text = words(value);
  if (text !== null && text.length > longestPath) return null;
  if (text === null || postgresAddress(text) !== null) return text;
  return isAbsolute(text) ? text : resolve(folder, text.replace(/^~(?=\/)/, homedir()));
}

function window(value: unknown): string | null {
  try {
    const tokens = parseWindow(String(value));
    return tokens < leastWindow ? null : String(tokens);
  } catch {
    return null;
  }
}

/** Whether a place is a folder below that of the file, wherever links lead, as are the documents beside it. */
const isBelow = (value: string, folder: string): boolean =>
  postgresAddress(value) === null &&
  [value, join(dirname(value), 'memory')].every((one) => wayOut(one, folder) === null);

/** Every setting, by its name. */
export const settings = {
  store: {
    about: 'where sessions are kept',
    variable: 'FLAMESTACK_STORE',
    takes: 'a folder, or postgres://…',
    read: place,
    isPlace: true,
    project: isBelow,
    usual: '.flamestack',
  },
  window: {
    about: 'the window of sessions that are new',
    variable: 'FLAMESTACK_WINDOW',
    takes: 'a number of tokens, 1000 at least: 8192, "8k" (8,192), "32k", "1m"',
    read: window,
    project: () => true,
    usual: '8,192, for import 32,768',
  },
  model: {
    about: 'the model of chat and doctor',
    variable: 'FLAMESTACK_MODEL',
    takes: 'the name of a model',
    read: words,
    usual: 'the one used last',
  },
  host: {
    about: 'an Ollama server',
    variable: 'OLLAMA_HOST',
    beside: ['FLAMESTACK_OPENAI'],
    takes: 'an address',
    read: words,
    usual: 'this machine',
  },
  openai: {
    about: 'another kind of server, by its base URL',
    variable: 'FLAMESTACK_OPENAI',
    beside: ['OLLAMA_HOST'],
    takes: 'a base URL',
    read: words,
    usual: 'none',
  },
  documents: {
    about: 'where checkpoint documents go',
    variable: 'FLAMESTACK_DOCUMENTS',
    takes: 'a folder, or "off"',
    read: (value, folder) => (value === 'off' ? 'off' : place(value, folder)),
    isPlace: true,
    usual: 'off',
  },
  pager: {
    about: 'what shows results longer than the screen',
    variable: 'FLAMESTACK_PAGER',
    beside: ['PAGER'],
    takes: 'a command, or "off"',
    read: words,
    usual: 'less -FRX',
  },
  color: {
    about: 'whether output has colors',
    variable: 'FLAMESTACK_COLOR',
    beside: ['FORCE_COLOR', 'NO_COLOR'],
    takes: '"auto", "always" or "never"',
    read: oneOf('auto', 'always', 'never'),
    usual: 'auto',
  },
  ascii: {
    about: 'plain characters only',
    variable: 'FLAMESTACK_ASCII',
    takes: 'true or false',
    read: (value) =>
      value === true || value === 'true' ? '1' : value === false || value === 'false' ? '' : null,
    usual: 'false',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The name of a setting. */
export type SettingName = keyof typeof settings;

/** The names of all settings. */
export const settingNames = Object.keys(settings) as readonly SettingName[];

/** The setting of a name; undefined for none. */
export const settingOf = (name: string): Setting | undefined =>
  Object.hasOwn(settings, name) ? settings[name as SettingName] : undefined;
