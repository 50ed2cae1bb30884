import { EngineError } from '../../core/values/error.ts';

// What goes wrong over a connection is of two kinds. The server said why: then it did nothing. Or
// nobody answered any more: then it may have done what it was asked, and only reading tells.

/** An error of the server, or of the connection to it. */
interface PostgresError extends Error {
  /** Five characters where the server said it (SQLSTATE), a name of the system otherwise. */
  readonly code?: string;
  /** The tries of all addresses of a host. */
  readonly errors?: readonly Error[];
}

/** Asking again helps nothing: who asks, what for, and what may not be done. */
const lasting = /^(28|3D|3F|42|0A|22)/;
const corrupt = /^XX00[12]$/;
/** Two transactions came in each other's way, and this one was taken back. */
const takenBack = /^40(001|P01)$/;
/** The server ended the connection, whatever it was doing. */
const cutOff = /^(08|57P0)/;

/** The error for what `cause` kept from being read or written; `wrote` says whether a commit had been sent. */
export function postgresFailure(
  location: string,
  cause: unknown,
  { wrote = false }: { readonly wrote?: boolean } = {},
): EngineError {
  const { code = '' } = cause as PostgresError;
  const reason = reasonOf(cause as PostgresError);
  if (corrupt.test(code)) {
    const message = `Store "${location}" is damaged: ${reason}`;
    return new EngineError('STORE_DAMAGED', message, { detail: { location }, cause });
  }
  const isUnknown = wrote && isCutOff(cause);
  const end = isUnknown ? '; whether the last commit was written is seen by reading again' : '';
  return new EngineError(
    'STORE_UNAVAILABLE',
    `Store "${location}" cannot be used: ${reason}${end}`,
    {
      detail: { location, reason: code, ...(isUnknown ? { isWritten: 'unknown' } : {}) },
      retryable: !lasting.test(code),
      cause,
    },
  );
}

/** Whether nobody knows what the server made of what it was sent. */
function isCutOff(cause: unknown): boolean {
  const { code = '' } = cause as PostgresError;
  return !/^[0-9A-Z]{5}$/.test(code) || cutOff.test(code);
}

/** Whether the server took a transaction back that may simply be sent again. */
export const isTakenBack = (cause: unknown): boolean =>
  takenBack.test((cause as PostgresError).code ?? '');

/** An error of several addresses has no message of its own. */
const reasonOf = ({ message, errors = [], code = 'no answer' }: PostgresError): string =>
  message || errors[0]?.message || code;
