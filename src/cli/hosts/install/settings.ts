import { parse, type JSONPath, type ParseError } from 'jsonc-parser';
import { EngineError } from '../../../index.ts';
import { insertedInto, nodeAt, without } from './json-text.ts';

// A person's settings are changed where they have to be and nowhere else: their order, their comments, their indent stay.

/** A settings file as text, read as JSON, in which comments may stand. */
export interface Settings {
  readonly file: string;
  readonly text: string;
}

/** What a settings file says; throws `OPTION_INVALID` where it cannot be read, or is not what an agent reads. */
export function valueIn(settings: Settings, path: JSONPath, kind: 'object' | 'array'): unknown {
  const errors: ParseError[] = [];
  const whole = settings.text.replace(/^\uFEFF/, '');
  if (whole.trim() === '') return undefined;
  const root: unknown = parse(whole, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw refusal(settings.file, 'cannot be read as JSON');
  let value = root;
  for (const [at, name] of path.entries()) {
    if (!isObject(value))
      throw refusal(settings.file, `have no object at ${said(path.slice(0, at))}`);
    value = value[name];
    if (value === undefined) return undefined;
  }
  if (kind === 'array' ? Array.isArray(value) : isObject(value)) return value;
  throw refusal(settings.file, `have no ${kind} at ${said(path)}`);
}

/** Settings with `value` at a path, in place of what was there; at -1 it is added to a list. */
export function withValue(settings: Settings, path: JSONPath, value: unknown): Settings {
  const { text } = settings;
  if (text.trim() === '')
    return { ...settings, text: `${JSON.stringify(nested(path, value), null, 2)}\n` };
  const there = nodeAt(text, path);
  const rest = there === undefined ? settings : { ...settings, text: without(text, there) };
  // The deepest list or object that is there takes it, with what is missing around it.
  let depth = path.length - 1;
  while (depth > 0 && nodeAt(rest.text, path.slice(0, depth)) === undefined) depth -= 1;
  const holder = nodeAt(rest.text, path.slice(0, depth));
  if (holder === undefined) return withValue({ ...rest, text: '' }, path, value);
  const entry = { name: path[depth]!, value: nested(path.slice(depth + 1), value) };
  return { ...rest, text: insertedInto(rest.text, holder, entry) };
}

/** A value in the lists and objects of a path. */
const nested = (path: JSONPath, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => (name === -1 ? [inner] : { [name]: inner }), value);

/** Settings without a path, and without the lists and objects that were made for it. */
export function withoutValue(settings: Settings, path: JSONPath): Settings {
  const node = nodeAt(settings.text, path);
  return node === undefined ? settings : { ...settings, text: without(settings.text, node) };
}

/** The text of settings; null where nothing is left of them. */
export function textOf({ text }: Settings): string | null {
  return text.trim() === '' ? null : text;
}

/** That settings are not what they should be, and so are left as they are. */
export function refusal(file: string, why: string): EngineError {
  const message = `The settings in "${file}" ${why}; mend that, then try again`;
  return new EngineError('OPTION_INVALID', message, {
    detail: { option: 'settings', value: file },
  });
}

const said = (path: JSONPath): string => (path.length === 0 ? 'their top' : `"${path.join('.')}"`);

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
