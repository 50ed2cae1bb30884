import { notJson } from '../../core/values/json.ts';
import type { PortFailure } from './machine-record.ts';

/** What JSON gives back of a value; a field that is undefined is then not there. */
export function asJson<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}

/** A part of a value that a machine cannot keep. */
interface NotKept {
  readonly path: string;
  /** What it is, and what to keep instead. */
  readonly is: string;
}

/** The first part of a value that JSON does not give back; null where there is none. */
export function notKept(value: unknown, path: string): NotKept | null {
  const fault = value === undefined ? null : notJson(value, path);
  return fault && { path: fault.path, is: `${fault.is}; ${insteadOf(fault.value)}` };
}

function insteadOf(value: unknown): string {
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
