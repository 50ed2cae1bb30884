import { parseWindow } from '../command-line/window.ts';

/** A script, with the windows of its session and of its steps as they are typed (`8k`) in tokens. */
export function withWindows<T>(script: T): T {
  return withField(withField(script, 'session', inTokens), 'steps', withStepWindows);
}

/** Steps with options of the session, or with what a server said of its window. */
const stepsWithWindow = ['configure', 'reopen', 'report'];

function withStepWindows(steps: unknown): unknown {
  if (!Array.isArray(steps)) return steps;
  const inRepeat = (repeat: unknown): unknown => withField(repeat, 'steps', withStepWindows);
  return steps.map((step: unknown) =>
    stepsWithWindow.reduce(
      (now, name) => withField(now, name, inTokens),
      withField(step, 'repeat', inRepeat),
    ),
  );
}

const inTokens = (options: unknown): unknown =>
  withField(options, 'window', (window) =>
    /^\d+(\.\d+)?[km]$/i.test(String(window)) ? parseWindow(String(window)) : window,
  );

/** A value with another one in a field that it has. */
const withField = <T>(value: T, name: string, change: (field: unknown) => unknown): T =>
  isPlain(value) && Object.hasOwn(value, name)
    ? { ...value, [name]: change(value[name as keyof T]) }
    : value;

const isPlain = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
