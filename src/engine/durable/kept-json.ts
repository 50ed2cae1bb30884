import { fail } from '../../core/values/error.ts';
import { notJson, type NotJson } from '../../core/values/json.ts';
import type { PortFailure } from './machine-record.ts';

/** What JSON gives back of a value; a field that is undefined is then not there. */
export function asJson<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}

/** The first part of a value that JSON does not give back; `is` says what to keep instead. Null where there is none. */
export function notKept(value: unknown, path: string): NotJson | null {
  const fault = value === undefined ? null : notJson(value, path);
  return fault && { ...fault, is: `${fault.is}; ${insteadOf(fault)}` };
}

/** Refuses a value that JSON does not give back, by the name of the option that it is; throws `OPTION_INVALID`. */
export function checkKept(name: string, value: unknown): void {
  const fault = notKept(value, name);
  if (fault === null) return;
  const message = `Option "${fault.path}" cannot be ${fault.is}`;
  throw fail('OPTION_INVALID', message, { option: fault.path, value: fault.value });
}

function insteadOf({ is, value }: NotJson): string {
  if (is === 'a part of itself') return 'keep its id there';
  if (is.startsWith('more than ')) return 'keep it flatter, or in another place';
  if (value instanceof Error) return 'keep its message: JSON holds no Error';
  if (value instanceof Date) return 'keep its getTime(): JSON holds no Date';
  if (value instanceof Map) return 'keep its entries as a list: JSON holds no Map';
  if (value instanceof Set) return 'keep its values as a list: JSON holds no Set';
  return 'keep what JSON holds';
}

/** A rejection as it is kept. */
export function failureOf(error: unknown): PortFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  const { code } = error as { readonly code?: unknown };
  const isCode = typeof code === 'string' || Number.isFinite(code);
  return { name, message, ...(isCode && { code: code as string | number }) };
}

/** The rejection that was kept. */
export const errorOf = ({ message, ...others }: PortFailure): Error =>
  Object.assign(new Error(message), others);
