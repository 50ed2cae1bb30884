import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EngineError, isEngineError } from '../../names.ts';
import type { JSONScanner, ParseError } from 'jsonc-parser';
import { isSimilar } from '../call/near.ts';
import type { Io } from '../io.ts';
import { number } from '../paper/size.ts';
import { settingNames, settingOf, type SettingName } from './settings.ts';

/** Whose settings a file has. */
export type Owner = 'project' | 'user';

/** A value, and the line that it stands on. */
interface LocatedValue {
  /** As the variable of the surroundings has it. */
  readonly value: string;
  readonly line: number;
}

/** A file of settings as it was read. */
export interface ConfigFile {
  readonly owner: Owner;
  readonly path: string;
  readonly values: ReadonlyMap<SettingName, LocatedValue>;
  /** What is wrong in it, by the key that it stands at; those keys have no value. */
  readonly faults: ReadonlyMap<string, EngineError>;
}

/** Most bytes of a file of settings: it is read before every command, and may come along with a repository. */
const largest = 64 * 1024;

/** How deep brackets may lie in each other there; settings are flat. */
const deepest = 16;

/** The name of a project's file. */
export const projectFile = 'flamestack.json';

/** The path of a person's own file; null where nothing says where they live. */
export function userPath({ XDG_CONFIG_HOME, HOME }: Io['env']): string | null {
  const folder =
    XDG_CONFIG_HOME?.startsWith('/') === true ? XDG_CONFIG_HOME : HOME && join(HOME, '.config');
  return folder ? join(folder, 'flamestack', 'config.json') : null;
}

/**
 * The path of the file of the project that a folder is in: of the folder itself, or of one above it up to that of its repository. One that
 * belongs to somebody else is none, as one that anybody could have put into a folder that all may write to.
 */
export function projectPath(folder = resolve('.')): string | null {
  const passed: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    passed.push(at);
    if (isThere(join(at, '.git'))) break;
    if (dirname(at) === at) return ours(join(folder, projectFile));
  }
  for (const at of passed) {
    const path = ours(join(at, projectFile));
    if (path !== null) return path;
  }
  return null;
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function ours(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  return stats !== undefined && (uid === undefined || stats.uid === uid) ? path : null;
}

/** Reads a file of settings; null where there is none. Throws `OPTION_INVALID` for one that is none. */
export async function readConfig(owner: Owner, path: string | null): Promise<ConfigFile | null> {
  const text = path === null ? null : textOf(owner, path);
  return path === null || text === null ? null : parseConfig(owner, path, text);
}

/** The settings that a text has, and what is wrong with others; throws `OPTION_INVALID` for a text that is none of settings. */
export async function parseConfig(owner: Owner, path: string, text: string): Promise<ConfigFile> {
  const { createScanner, parseTree, printParseErrorCode, getNodeValue } =
    await import('jsonc-parser');
  const deep = tooDeep(text, createScanner(text));
  if (deep !== null)
    throw refused([path, deep], `brackets lie in each other more than ${deepest} deep`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const lineAt = lineCount(text);
  const [wrong] = errors;
  if (wrong !== undefined && text.trim() !== '')
    throw noJson(path, text, { ...wrong, name: printParseErrorCode(wrong.error) });
  if (root !== undefined && root.type !== 'object')
    throw refused([path, 1], 'holds no settings: it takes { "store": … }');
  const values = new Map<SettingName, LocatedValue>();
  const faults = new Map<string, EngineError>();
  for (const { children = [] } of root?.children ?? []) {
    const [key, valueNode] = children;
    const name = String(key!.value);
    const line = lineAt(key!.offset);
    const fault = (what: string, value?: unknown): unknown =>
      faults.set(name, refused([path, line], what, { name, value }));
    const setting = settingOf(name);
    if (setting === undefined) {
      fault(unknown(name));
      continue;
    }
    const rawValue: unknown = valueNode === undefined ? undefined : getNodeValue(valueNode);
    const value = setting.read(rawValue, dirname(path));
    const valueText = JSON.stringify(rawValue);
    if (value === null) fault(`"${name}" is ${valueText}: it takes ${setting.takes}`, rawValue);
    else if (owner === 'project' && setting.project?.(value, dirname(path)) !== true)
      fault(`"${name}" is ${valueText}: ${notOfProject(name)}`, rawValue);
    else values.set(name as SettingName, { value, line });
  }
  return { owner, path, values, faults };
}

/** The refusal of a text that is no JSON, by its first fault: where it stands, what it is, and who can mend it. */
function noJson(
  path: string,
  text: string,
  { name, offset, length }: Pick<ParseError, 'offset' | 'length'> & { readonly name: string },
): EngineError {
  const before = text.slice(0, offset).split('\n');
  const found = JSON.stringify(text.slice(offset, offset + length).slice(0, mostFound));
  const what =
    name === 'InvalidSymbol'
      ? `${found} is no value; names and texts stand between double quotes`
      : name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const column = before.at(-1)!.length + 1;
  return refused(
    [path, before.length],
    `is no JSON at column ${column}: ${what}. Mend it in an editor, or remove the file; no command changes it until then`,
  );
}

/** Signs of a fault that are shown. */
const mostFound = 40;

/** Why the file of a project may not say a value. */
export function notOfProject(name: string): string {
  return name === 'store'
    ? 'the file of a project names a store below its own folder, from which no link leads out'
    : `a project does not say that; put it into your own file: flamestack config set ${name} <value>`;
}

/** That there is no such setting. */
export function unknown(name: string): string {
  const near = settingNames.find((one) => isSimilar(one, name));
  const others =
    near === undefined ? `the settings are ${settingNames.join(', ')}` : `did you mean "${near}"?`;
  return `There is no setting "${name}"; ${others}`;
}

/** The line on which brackets lie too deep in each other; null where none do. */
function tooDeep(text: string, scanner: JSONScanner): number | null {
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const token = scanner.getTokenLength() === 1 ? text[scanner.getTokenOffset()] : '';
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > deepest) return scanner.getTokenStartLine() + 1;
  }
  return null;
}

/** Tells the line of an offset, from 1, of offsets that grow. */
function lineCount(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}

/**
 * The text of a file; null where there is none. A project's is a file and no link, which could lead anywhere; a person's own may be one. Throws
 * `OPTION_INVALID` for what is no regular file, and for a large one.
 */
export function textOf(owner: Owner, path: string): string | null {
  try {
    const look = owner === 'project' ? lstatSync : statSync;
    const stats = look(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (!stats.isFile())
      throw refused(
        [path, 1],
        `is ${stats.isSymbolicLink() ? 'a link' : 'no regular file'}; settings are read from a regular file`,
      );
    if (stats.size > largest)
      throw refused(
        [path, 1],
        `has ${number(stats.size)} bytes; a file of settings has at most ${number(largest)}`,
      );
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isEngineError(error)) throw error;
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw refused([path, 1], `cannot be read: ${(error as Error).message}`);
  }
}

function refused(
  [path, line]: readonly [path: string, line: number],
  what: string,
  { name = 'config', value }: { readonly name?: string; readonly value?: unknown } = {},
): EngineError {
  return new EngineError('OPTION_INVALID', `${path}:${line}: ${what}`, {
    detail: { option: name, location: path, at: line, ...(value === undefined ? {} : { value }) },
  });
}
