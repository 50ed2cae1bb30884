import { mkdir } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { EngineError } from '../../names.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { putFile } from '../call/put-file.ts';
import { cleanLine } from '../paper/clean.ts';
import { number } from '../paper/size.ts';
import { table } from '../paper/table.ts';
import {
  notOfProject,
  projectFile,
  projectPath,
  parseConfig,
  readConfig,
  textOf,
  unknown,
  userPath,
  type Owner,
} from './config-file.ts';
import { configFiles } from './configured.ts';
import { settingNames, settingOf, type Setting, type SettingName } from './settings.ts';

/** A setting as it stands. */
interface Standing {
  readonly name: SettingName;
  /** Null where nobody says anything. */
  readonly value: string | null;
  readonly from: 'environment' | Owner | null;
  /** The variable, or the file with its line. */
  readonly source: string | null;
}

/** Lists every setting, its value and where that comes from; gives the exit code. */
export async function list(call: CommandCall): Promise<number> {
  const all = await standing(call);
  all.forEach(checkVariable);
  if (call.json) {
    const user = userPath(call.io.env);
    call.emit('flamestack.config/1', { user, project: projectPath(), settings: all });
    return exits.done;
  }
  const columns = [{ title: 'setting' }, { title: 'value' }, { title: 'from', gives: true }];
  const rows = all.map(({ name, value, source }) => [
    name,
    cleanLine(valueText(name, value)),
    source === null ? '' : value === null ? `${source} comes first` : cleanLine(source),
  ]);
  const paper = call.paper();
  const [head, ...lines] = table(columns, rows, paper);
  call.print(paper.paint(head!, 'gray'), ...lines);
  call.note(`Your own file: ${userPath(call.io.env) ?? 'none, since HOME is not set'}`);
  return exits.done;
}

/** A value as a person reads it: a window as all output has it. */
function valueText(name: SettingName, value: string | null): string {
  if (value === null) return settingOf(name)!.usual;
  return name === 'window' && /^\d+$/.test(value) ? number(Number(value)) : value;
}

/** Prints the value of a setting; gives the exit code, which says whether anybody says one. */
export async function get(name: string, call: CommandCall): Promise<number> {
  checked(name);
  const current = (await standing(call)).find((one) => one.name === name)!;
  checkVariable(current);
  if (call.json) call.emit('flamestack.config/1', { settings: [current] });
  else if (current.value !== null) call.print(cleanLine(current.value));
  else call.note(`Not set. The default is ${settingOf(name)!.usual}.`);
  return current.value === null ? exits.nothing : exits.done;
}

/** What is changed, in which file. */
interface SettingChange {
  readonly name: string;
  /** Undefined takes it out. */
  readonly value: string | undefined;
  readonly project: boolean;
}

/** Writes a value into a file, or takes it out; the rest of the file stays as it is. Gives the exit code. */
export async function change(
  { name, value, project }: SettingChange,
  call: CommandCall,
): Promise<number> {
  const owner: Owner = project ? 'project' : 'user';
  const path = project ? (projectPath() ?? resolve(projectFile)) : userPath(call.io.env);
  if (path === null)
    throw new EngineError('OPTION_INVALID', 'HOME is not set, so you have no file of your own', {
      detail: { option: 'project' },
    });
  const before = await readConfig(owner, path);
  const isSaid = before?.values.has(name as SettingName) === true || before?.faults.has(name);
  if (value === undefined && isSaid !== true) {
    checked(name);
    call.note(`${path} does not say "${name}".`);
    return exits.nothing;
  }
  const folder = dirname(path);
  const spelled =
    value === undefined
      ? undefined
      : spelling({ setting: checked(name), name, value }, { owner, folder });
  const text = textOf(owner, path);
  const formatting = { insertSpaces: true, tabSize: 2 };
  const source = text === null || text.trim() === '' ? '{}\n' : text;
  const after = applyEdits(
    source,
    modify(source, [name], spelled, { formattingOptions: formatting }),
  );
  await put(owner, path, after);
  const [fault] = (await parseConfig(owner, path, after)).faults.values();
  if (call.json)
    call.emit('flamestack.config/1', {
      settings: (await standing(call)).filter((one) => one.name === name),
    });
  else if (value === undefined) call.note(`Removed "${name}" from ${path}.`);
  else call.note(`Set "${name}" to ${JSON.stringify(spelled)} in ${path}.`);
  if (fault !== undefined) call.note(`Still wrong: ${cleanLine(fault.message)}`);
  return exits.done;
}

/** Every setting as it stands, in the order in which they are told. */
async function standing({ io }: CommandCall): Promise<readonly Standing[]> {
  const env = io.processEnv ?? io.env;
  const files = await configFiles(env);
  return settingNames.map((name): Standing => {
    const { variable, beside = [] } = settingOf(name)!;
    const said = [variable, ...beside].find((one) => env[one]);
    if (said === variable)
      return { name, value: env[variable]!, from: 'environment', source: variable };
    const file = files.find(({ values }) => values.has(name));
    if (file === undefined || said !== undefined)
      return {
        name,
        value: null,
        from: said === undefined ? null : 'environment',
        source: said ?? null,
      };
    const { value, line } = file.values.get(name)!;
    return { name, value, from: file.owner, source: `${file.path}:${line}` };
  });
}

/** Throws `OPTION_INVALID` for a variable with a value that its setting does not take. */
function checkVariable({ name, value, from }: Standing): void {
  const { variable, read, takes } = settingOf(name)!;
  const isFine = name === 'ascii' || value === null || read(value, resolve('.')) !== null;
  if (from !== 'environment' || isFine) return;
  throw new EngineError('OPTION_INVALID', `${variable} is "${value}": it takes ${takes}`, {
    detail: { option: name, value },
  });
}

function checked(name: string): Setting {
  const setting = settingOf(name);
  if (setting !== undefined) return setting;
  throw new EngineError('OPTION_INVALID', unknown(name), { detail: { option: name } });
}

/** A value as a file spells it; throws `OPTION_INVALID` for one that the setting does not take. */
function spelling(
  { setting, name, value }: { setting: Setting; name: string; value: string },
  { owner, folder }: { owner: Owner; folder: string },
): unknown {
  const here = resolve('.');
  const read = setting.read(value, here);
  if (read === null)
    throw new EngineError('OPTION_INVALID', `"${name}" is "${value}": it takes ${setting.takes}`, {
      detail: { option: name, value },
    });
  if (owner === 'project' && setting.project?.(read, folder) !== true)
    throw new EngineError('OPTION_INVALID', `"${name}" is "${value}": ${notOfProject(name)}`, {
      detail: { option: name, value },
    });
  if (/^(?:true|false|\d+)$/.test(value)) return JSON.parse(value);
  if (setting.isPlace !== true || read === 'off' || isAddressText(read)) return value;
  return owner === 'project' ? relative(folder, read) : read;
}

const isAddressText = (text: string): boolean => /^\w+:\/\//.test(text);

/** Writes a file in one step. */
async function put(owner: Owner, path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await putFile(path, text, { mode: owner === 'user' ? 0o600 : 0o644 });
}
