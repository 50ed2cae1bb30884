import { applyEdits, modify, parse, type JSONPath, type ParseError } from 'jsonc-parser';
import { EngineError } from '../../../index.ts';

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

/** Settings with `value` at a path, in place of what was there; without it for undefined, and without what is empty then. */
export function withValue(settings: Settings, path: JSONPath, value: unknown): Settings {
  const text = settings.text.trim() === '' ? '{}\n' : settings.text;
  const formattingOptions = { ...indentOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const isArrayInsertion = path.at(-1) === -1;
  const edits = modify(text, path, value, { formattingOptions, isArrayInsertion });
  return { ...settings, text: applyEdits(text, edits) };
}

/** Settings without a path, and without the lists and objects above it that hold nothing else. */
export function withoutValue(settings: Settings, path: JSONPath): Settings {
  const left = withValue(settings, path, undefined);
  const above = path.slice(0, -1);
  if (above.length === 0) return left;
  const value = parse(left.text.replace(/^\uFEFF/, '')) as unknown;
  const holder = above.reduce<unknown>(
    (one, name) => (isObject(one) ? one[name] : undefined),
    value,
  );
  const isEmpty = Array.isArray(holder)
    ? holder.length === 0
    : isObject(holder) && Object.keys(holder).length === 0;
  return isEmpty ? withoutValue(left, above) : left;
}

/** The text of settings; null where nothing is left of them. */
export function textOf({ text }: Settings): string | null {
  const whole = text.trim();
  const isEmpty = whole.startsWith('{') && whole.endsWith('}') && whole.slice(1, -1).trim() === '';
  return whole === '' || isEmpty ? null : text;
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

/** The indent of the first line that has one. */
function indentOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
  };
}
