import { parseWindow } from '../command-line/window.ts';

/** The values of a script, with windows as they are typed (`8k`) in tokens. */
export function withWindows<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withWindows) as T;
  if (!isPlain(value)) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    name === 'window' && /^\d+(\.\d+)?[km]$/i.test(String(field))
      ? parseWindow(String(field))
      : withWindows(field),
  ]);
  return Object.fromEntries(fields) as T;
}

const isPlain = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
