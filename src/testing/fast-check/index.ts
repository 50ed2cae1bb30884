// Arbitrary messages, commands and sessions, for fast-check.
export { command, message, refusals, session, type SessionMade } from './commands.ts';
// What a scripted summarizer may do with a call, in good and in bad.
export { behavior } from './behavior.ts';
