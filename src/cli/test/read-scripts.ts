import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Script } from '../../testing/index.ts';
import { EngineError } from '../../names.ts';
import type { ScriptSource } from './source.ts';
import { withWindows } from './windows.ts';
import { yamlScripts } from './yaml-file.ts';

const codeFile = /\.[cm]?[jt]s$/;

/** The scripts of a file: YAML, or a module that exports them. */
export async function readScripts(file: string): Promise<readonly ScriptSource[]> {
  if (codeFile.test(file)) return codeScripts(file);

  try {
    return yamlScripts(await readFile(file, 'utf8'));
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function codeScripts(file: string): Promise<readonly ScriptSource[]> {
  // Each time by another address, so that what was changed is read again.
  const address = `${pathToFileURL(resolve(file)).href}?${performance.now()}`;
  const module = (await import(/* @vite-ignore */ address).catch((error: unknown) => {
    throw unreadable(file, error);
  })) as Readonly<Record<string, unknown>>;
  const scripts = Object.values(module).flat().filter(isScript);
  return scripts.map((script) => ({
    name: script.test,
    mistake: null,
    script: withWindows(script),
    place: () => null,
  }));
}

const isScript = (value: unknown): value is Script => Array.isArray(Object(value).steps);

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ERR_MODULE_NOT_FOUND: 'is not there, or imports what is not there',
  EISDIR: 'is a folder; name the files in it',
  EACCES: 'may not be read',
  ERR_UNKNOWN_FILE_EXTENSION:
    'is TypeScript, which this Node does not read: use Node 22.18 or newer, or JavaScript',
};

function unreadable(file: string, error: unknown): EngineError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = reasons[code] ?? `cannot be read: ${message}`;
  return new EngineError('OPTION_INVALID', `${file} ${reason}`, {
    detail: { option: 'files', value: file },
    cause: error,
  });
}
