import type { ErrorDetails } from './error-details.ts';

/** Every code that the engine throws; `docs/errors.md` has the table, and a test compares the two. */
export const errorCodes = [
  'BUSY',
  'CHECKPOINT_FINEST',
  'CHECKPOINT_NOT_FOUND',
  'CHECKPOINT_NO_ROOM',
  'CONFLICT',
  'CONTEXT_OVERFLOW',
  'DOCUMENTS_OFF',
  'DOCUMENT_FAILED',
  'DOCUMENT_UNTRUSTED',
  'ENTRY_NOT_FOUND',
  'FRAME_CHILDREN_LEFT',
  'FRAME_CLOSED',
  'FRAME_FROZEN',
  'FRAME_NOT_FOUND',
  'FRAME_STATUS',
  'FRAME_TITLE_TOO_LONG',
  'GOAL_MISSING',
  'GOAL_TOO_LARGE',
  'IMPORT_DIVERGED',
  'IMPORT_EMPTY',
  'IMPORT_FORMAT_UNKNOWN',
  'IMPORT_MISMATCH',
  'IMPORT_SOURCE_UNREADABLE',
  'MACHINE_CHANGED',
  'MACHINE_CLOSED',
  'MACHINE_ENDED',
  'MACHINE_FAILED',
  'MACHINE_UNSUPPORTED',
  'MESSAGE_INVALID',
  'MODEL_BUSY',
  'MODEL_FAILED',
  'MODEL_INTERRUPTED',
  'MODEL_NOT_FOUND',
  'MODEL_OVERFLOW',
  'MODEL_REFUSED',
  'MODEL_UNREACHABLE',
  'MODEL_UNSUPPORTED',
  'MOMENT_NOT_FOUND',
  'OPTION_INVALID',
  'RECORD_DAMAGED',
  'RECOVERY_EMPTY',
  'RECOVERY_NOT_ASKED',
  'SEQUENCE_GAP',
  'REDO_EMPTY',
  'SESSION_CLOSED',
  'SESSION_COMPLETED',
  'SESSION_ID_INVALID',
  'SESSION_NOT_FOUND',
  'SNAPSHOT_NOT_FOUND',
  'STORE_CLOSED',
  'STORE_DAMAGED',
  'STORE_IN_USE',
  'STORE_NOT_FOUND',
  'STORE_READ_ONLY',
  'STORE_TOO_NEW',
  'STORE_UNAVAILABLE',
  'SUMMARIZER_MISSING',
  'SYSTEM_TOO_LARGE',
  'TOKENIZER_MISMATCH',
  'TOKENIZER_UNKNOWN',
  'UNDO_EMPTY',
  'WINDOW_REQUIRED',
  'WINDOW_TOO_SMALL',
] as const;

/** The code of an error. */
export type ErrorCode = (typeof errorCodes)[number];

const mark = Symbol.for('flamestack.error');

/** An error of one code. */
class CodedError<Code extends ErrorCode> extends Error {
  /** The kind of error, from a closed list. */
  readonly code: Code;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The values and limits named in the message. */
  readonly detail: ErrorDetails[Code];

  constructor(
    code: Code,
    message: string,
    options: {
      readonly detail: ErrorDetails[Code];
      readonly retryable?: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.detail = options.detail;
    Object.defineProperty(this, mark, { value: true });
  }
}

/** An error of the engine, a union that its `code` tells apart: the code is the API, the message is for people. */
export type EngineError<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? CodedError<Code>
  : never;
export const EngineError: typeof CodedError = CodedError;

/** An error of `code` that no retry can help. */
export function fail<Code extends ErrorCode>(
  code: Code,
  message: string,
  detail: ErrorDetails[Code],
): EngineError<Code> {
  return new CodedError(code, message, { detail }) as EngineError<Code>;
}

/** Whether an error says that what is stored is damaged or gone; any other fault may pass. */
export const isDamage = (error: unknown): boolean =>
  isEngineError(error, 'RECORD_DAMAGED') ||
  isEngineError(error, 'SEQUENCE_GAP') ||
  isEngineError(error, 'STORE_DAMAGED');

/** Whether `error` is the engine's, and of `code` if one is given; works across two installed copies. */
export function isEngineError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is EngineError<Code> {
  return (
    typeof error === 'object' &&
    error !== null &&
    mark in error &&
    (code === undefined || (error as unknown as EngineError).code === code)
  );
}
