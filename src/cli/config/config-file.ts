import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EngineError } from '../../names.ts';
import type { ParseError } from 'jsonc-parser';
import { isSimilar } from '../command-line/near.ts';
import type { Io } from '../io.ts';
import { settingNames, settingOf, type SettingName } from './settings.ts';

/** Whose settings a file has. */
export type Owner = 'project' | 'user';

/** A value, and the line that it stands on. */
interface Found {
  /** As the variable of the surroundings has it. */
  readonly value: string;
  readonly line: number;
}

/** A file of settings as it was read. */
export interface ConfigFile {
  readonly owner: Owner;
  readonly path: string;
  readonly values: ReadonlyMap<SettingName, Found>;
  /** What is wrong in it, by the key that it stands at; those keys have no value. */
  readonly faults: ReadonlyMap<string, EngineError>;
}

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
  const found = statSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  return found?.isFile() === true && (uid === undefined || found.uid === uid) ? path : null;
}

/** Reads a file of settings; null where there is none. Throws `OPTION_INVALID` for one that is none. */
export async function readConfig(owner: Owner, path: string | null): Promise<ConfigFile | null> {
  const text = path === null ? null : textOf(path);
  return path === null || text === null ? null : parseConfig(owner, path, text);
}

/** The settings that a text has, and what is wrong with others; throws `OPTION_INVALID` for a text that is none of settings. */
export async function parseConfig(owner: Owner, path: string, text: string): Promise<ConfigFile> {
  const { parseTree, printParseErrorCode, getNodeValue } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const [wrong] = errors;
  if (wrong !== undefined && text.trim() !== '') {
    const what = printParseErrorCode(wrong.error)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase();
    throw refused([path, lineAt(wrong.offset)], `is no JSON there: ${what}`);
  }
  if (root !== undefined && root.type !== 'object')
    throw refused([path, 1], 'holds no settings: it takes { "store": … }');
  const values = new Map<SettingName, Found>();
  const faults = new Map<string, EngineError>();
  for (const { children = [] } of root?.children ?? []) {
    const [key, given] = children;
    const name = String(key!.value);
    const line = lineAt(key!.offset);
    const fault = (what: string, value?: unknown): unknown =>
      faults.set(name, refused([path, line], what, { name, value }));
    const setting = settingOf(name);
    if (setting === undefined) {
      fault(unknown(name));
      continue;
    }
    const told: unknown = given === undefined ? undefined : getNodeValue(given);
    const value = setting.read(told, dirname(path));
    const shown = JSON.stringify(told);
    if (value === null) fault(`"${name}" is ${shown}: it takes ${setting.takes}`, told);
    else if (owner === 'project' && setting.project?.(value, dirname(path)) !== true)
      fault(`"${name}" is ${shown}: ${notOfProject(name)}`, told);
    else values.set(name as SettingName, { value, line });
  }
  return { owner, path, values, faults };
}

/** Why the file of a project may not say a value. */
export function notOfProject(name: string): string {
  return name === 'store'
    ? 'the file of a project names a store below its own folder'
    : `a project does not say that; put it into your own file: flamestack config set ${name} <value>`;
}

/** That there is no such setting. */
export function unknown(name: string): string {
  const near = settingNames.find((one) => isSimilar(one, name));
  return `"${name}" is no setting${near === undefined ? `; there are ${settingNames.join(', ')}` : `; do you mean "${near}"?`}`;
}

/** The text of a file; null where there is none. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
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
