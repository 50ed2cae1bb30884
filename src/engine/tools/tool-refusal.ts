import { isEngineError, type ErrorCode } from '../../core/values/error.ts';
import { clip } from '../../core/text/sentences.ts';
import type { Session } from '../session/session.ts';
import { framesIn, nameOf } from './tool-status.ts';

// A refusal of the engine is told to the model, with what it can do about it.
// Errors for which no model is to blame end the call.

/** Errors that end a call. */
const fatal: ReadonlySet<ErrorCode> = new Set([
  'RECORD_DAMAGED',
  'SEQUENCE_GAP',
  'SESSION_CLOSED',
  'STORE_CLOSED',
  'STORE_DAMAGED',
  'STORE_UNAVAILABLE',
]);

/** Longest message that is passed on, in characters. */
const longest = 300;

/** Most frames that are named. */
const mostNamed = 8;

/** What a model is told of an error; throws one that ends the call. */
export function refusal(session: Session, error: unknown): string {
  if (!isEngineError(error) || fatal.has(error.code)) throw error;
  const { code, message, retryable } = error;
  const next = advice[code]?.(session) ?? (retryable ? 'Try again.' : '');
  return `${code}: ${clip(message, longest)}. ${next}`.trim();
}

/** What a model can do about an error. */
type Advice = (session: Session) => string;

const whereYouAre: Advice = (session) =>
  `You are in ${session.state.active}. Frames that are not closed: ${openFrames(session)}.`;

const advice: Readonly<Partial<Record<ErrorCode, Advice>>> = {
  FRAME_TITLE_TOO_LONG: () => 'Use two to five words; details belong into the criteria.',
  FRAME_NOT_FOUND: (session) => `Frames that are not closed: ${openFrames(session)}.`,
  FRAME_FROZEN: () => 'Plan or push another frame instead.',
  FRAME_CLOSED: whereYouAre,
  FRAME_STATUS: whereYouAre,
  ENTRY_NOT_FOUND: ({ state: { entries } }) =>
    entries === 0 ? 'The log is empty.' : `Entries are e1 to e${entries}.`,
  GOAL_TOO_LARGE: () => 'Shorten the description.',
  SESSION_COMPLETED: () => 'It can only be read.',
};

function openFrames(session: Session): string {
  const open = framesIn(session).filter(({ node }) =>
    ['planned', 'in_progress', 'blocked'].includes(node.status),
  );
  const named = open.slice(-mostNamed).map(({ node }) => `${nameOf(node)} ${node.status}`);
  const rest = open.length - named.length;
  return (rest > 0 ? [`${rest} older`, ...named] : named).join(', ') || 'none';
}
