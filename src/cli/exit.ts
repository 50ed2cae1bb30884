import { isEngineError, type ErrorCode } from '../index.ts';

/** Exit codes; scripts rely on them. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  nothing: 3,
  /** The work was done, and what it was to prove is not so. */
  check: 4,
  interrupted: 130,
} as const;

/** What went wrong, for a person and for a script. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** What to do about it; empty where nothing is obvious. */
  readonly advice: string;
  readonly exit: number;
}

/** The failure that `error` means. */
export function toFailure(error: unknown): Failure {
  if (!isEngineError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'UNEXPECTED', message, detail: {}, advice: '', exit: exits.failed };
  }
  const { code, message, detail } = error;
  return { code, message, detail, advice: adviceOn(code, detail), exit: exitOf(code) };
}

function exitOf(code: ErrorCode): number {
  if (code === 'STORE_NOT_FOUND' || code === 'SESSION_NOT_FOUND') return exits.nothing;
  if (code === 'WINDOW_TOO_SMALL' || code === 'OPTION_INVALID' || code === 'SESSION_ID_INVALID')
    return exits.usage;
  return exits.failed;
}

function adviceOn(code: ErrorCode, detail: Readonly<Record<string, unknown>>): string {
  if (code === 'STORE_IN_USE') {
    const { pid } = detail;
    const who = typeof pid === 'number' ? `process ${pid} ends` : 'it ends';
    return `Wait until ${who}, or name another folder with --store.`;
  }
  return advice[code] ?? '';
}

const advice: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONTEXT_OVERFLOW: 'A larger --window would hold it.',
  IMPORT_FORMAT_UNKNOWN: 'Name the format with --format if you know it.',
  IMPORT_SOURCE_UNREADABLE: 'Is the path right, and may you read it?',
  SESSION_NOT_FOUND: '`flamestack ls` lists what is there.',
  STORE_NOT_FOUND:
    'Name the folder with --store, or make one: flamestack import <your session file>',
  STORE_TOO_NEW: 'A newer version of flamestack wrote it; update this one.',
  SYSTEM_TOO_LARGE: 'A larger --window would hold it.',
  WINDOW_TOO_SMALL: 'Try --window 8k.',
};
