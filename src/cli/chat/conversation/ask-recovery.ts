import type { RecoveryAnswer } from '../../../index.ts';
import type { Chat } from './chat.ts';

// The person is asked at the ordinary prompt, so that nothing they type is lost: a line
// that is neither yes nor no is their next message, and what was recovered goes before it.

/**
 * Where context was lost: says so, tells what was recovered, and asks whether it is right. It is
 * taken as it is where nobody is there, or what they typed before the question is their next
 * message.
 */
export async function askRecovery({ session, teller, person }: Chat): Promise<void> {
  const { recovery } = session.state;
  if (recovery === null) return;
  const { state, announce, line, question } = recovery;
  const isAsked = person.isThere && !person.isAhead;
  if (state === 'confirming') {
    teller.tell({ type: 'warning', text: announce });
    if (line !== '') teller.tell({ type: 'note', text: line });
  }
  if (!isAsked) return session.recovery.confirm(true);
  const choices = state === 'confirming' ? '[y]es, [n]o, or your next message' : 'Enter to go on';
  teller.tell({ type: 'note', text: `${question} (${choices})` });
}

/** Answers a recovery that waits with a line that is no command; true where that was an answer and no message. */
export async function answerRecovery({ session }: Chat, text: string): Promise<boolean> {
  const { recovery } = session.state;
  if (recovery === null) return false;
  const answer = recovery.state === 'recap' ? toRecap(text) : toAnswer(text);
  if (answer === null) return true;
  await session.recovery.confirm(answer.answer);
  return !answer.isMessage;
}

/** The answer that a line gives, and whether it is a message besides. */
interface TypedAnswer {
  readonly answer: RecoveryAnswer;
  readonly isMessage: boolean;
}

/** A line after "Does this match?"; null where it is empty, which is asked again. */
function toAnswer(text: string): TypedAnswer | null {
  const line = text.trim();
  if (line === '') return null;
  if (/^(?:y|yes)[.!]?$/i.test(line)) return { answer: true, isMessage: false };
  if (/^(?:n|no)[.!]?$/i.test(line)) return { answer: false, isMessage: false };
  // "No, we were at the parser" says how it was.
  return { answer: /^no?\s*[,.;:!–—-]\s/i.test(line) ? text : true, isMessage: true };
}

/** A line after "How was it?": the recap, and a message like any other; an empty one goes on without. */
function toRecap(text: string): TypedAnswer {
  const isMessage = text.trim() !== '';
  return { answer: isMessage ? text : true, isMessage };
}
