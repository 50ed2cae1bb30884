import type { RecoverySummary } from '../../../index.ts';
import { clean } from '../../paper/clean.ts';
import type { Chat } from './chat.ts';

/**
 * Where context was lost: says so, tells what was recovered, and asks whether it is right. Where
 * nobody is there, it is taken as it is; where nobody answers, it waits.
 */
export async function askRecovery(chat: Chat): Promise<void> {
  const { session, teller, person } = chat;
  const { recovery } = session.state;
  if (recovery === null) return;
  teller.tell({ type: 'warning', text: recovery.announce });
  if (recovery.line !== '') teller.tell({ type: 'note', text: recovery.line });
  if (!person.isThere) return session.recovery.confirm(true);
  if (recovery.state === 'confirming' && (await isRight(chat, recovery)) !== false) return;
  await askRecap(chat);
}

/** Whether the person says so; null where they do not answer. */
async function isRight(
  { session, person, call }: Chat,
  { question }: RecoverySummary,
): Promise<boolean | null> {
  const choices = call.paper().paint('[y]es/[n]o', 'gray');
  const answer = await person.choose(`${clean(question)} ${choices} `, { of: ['yes', 'no'] });
  if (answer === null) return null;
  await session.recovery.confirm(answer === 'yes');
  return answer === 'yes';
}

/** The next line is how it was; an empty one goes on without. */
async function askRecap({ session, teller, person }: Chat): Promise<void> {
  const { recovery } = session.state;
  if (recovery === null) return;
  teller.tell({ type: 'note', text: recovery.question });
  const text = await person.next();
  if (text === null) return;
  await session.recovery.confirm(text.trim() === '' ? true : text);
}
