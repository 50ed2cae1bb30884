import type { SessionSummary } from '../../../index.ts';
import { when } from '../../paper/size.ts';

/** Tokens that nobody says in one message. */
const ofSeveral = 1_000;

/**
 * Whether nobody knows when it was said, and the time is one that the file that it came from has or tells: more than a message was said in
 * one millisecond, before it was here.
 */
export const isOfFile = ({ began, said, created, turns, tokens }: SessionSummary): boolean =>
  began === said && said < created && (turns > 1 || tokens > ofSeveral);

/** What `~` before a time says. */
export const fileTime = '~ its messages have no dates of their own; that is the date of the file.';

/** When something was said in a session last, for a list; `~` before what only its file says. */
export const saidText = (session: SessionSummary, now: number): string =>
  `${isOfFile(session) ? '~' : ''}${when(session.said, now)}`;
