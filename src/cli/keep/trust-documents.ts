import { isEngineError, type EngineError, type Session } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { confirmed } from '../call/confirmed.ts';
import { shownLine, shownValue } from '../paper/shown.ts';

/**
 * Recovers from documents. Those of which the store does not know that it wrote them are shown to whoever sits at the
 * terminal first; gives whether they were taken in. Rejects where nobody sits there, unless they said `yes`.
 */
export async function recoverTrusted(
  session: Session,
  from: string,
  { yes, call }: { readonly yes: boolean; readonly call: CommandCall },
): Promise<boolean> {
  try {
    await session.recover({ from, trust: false });
  } catch (error) {
    if (!isEngineError(error, 'DOCUMENT_UNTRUSTED')) throw error;
    if (!yes && !(await isBelieved(error, call))) return false;
    await session.recover({ from });
  }
  return true;
}

/** Shows whoever sits at the terminal what documents tell, and asks whether they believe it; throws the error where nobody sits there. */
export async function isBelieved(
  error: EngineError<'DOCUMENT_UNTRUSTED'>,
  call: CommandCall,
): Promise<boolean> {
  const { io, json } = call;
  if (io.stdin.isTTY !== true || json) throw error;
  const { files, goal, decisions, next, edited } = error.detail;
  const width = io.stderr.columns ?? 80;
  const section = (title: string, value: unknown): readonly string[] =>
    value === '' || (Array.isArray(value) && value.length === 0)
      ? []
      : [title, ...shownValue(value, width)];
  call.note(
    'The store does not know that it wrote this as it stands there:',
    ...files.map((file) => `  ${shownLine(file)}`),
    ...section('Goal', goal),
    ...section('Decisions', decisions),
    ...section('Next', next),
    ...section('Written by hand', edited),
  );
  return confirmed('Take it in, for the model to go on from?', { what: 'Taking it in', call });
}
