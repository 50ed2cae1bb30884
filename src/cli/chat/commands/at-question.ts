import type { Chat } from '../conversation/chat.ts';
import { failedEvent } from '../output/chat-event.ts';
import type { CommandOutcome, QuestionCommand } from '../terminal/question.ts';
import { foundCommand, helpCommand } from './slash-commands.ts';

/** Where somebody is asked; without a chat before there is a session. */
interface QuestionPlace extends Pick<Chat, 'call' | 'teller'> {
  readonly chat: Chat | null;
}

/**
 * What a line that is typed at a question asks for; null where it names no command. What only tells something is carried out, what would
 * change the session while the question is open waits for the next prompt, with a sentence that says so.
 */
export function commandAtQuestion(line: string, place: QuestionPlace): QuestionCommand | null {
  const { call, teller, chat } = place;
  const { command, rest } = foundCommand(line) ?? {};
  if (command === undefined || rest === undefined) return null;
  const carryOut = async (signal: AbortSignal): Promise<CommandOutcome> => {
    if (command.name === 'quit') return 'leave';
    if (command.name === 'help') helpCommand(place);
    else if (chat !== null && command.tells?.(rest) === true)
      await command.run(askedChat(chat, signal), rest);
    else {
      const text = `The question comes first; /${command.name} is kept for the next prompt.`;
      teller.tell({ type: 'note', text });
      return 'kept';
    }
    return 'done';
  };
  return (signal) =>
    carryOut(signal).catch((error: unknown) => {
      if (!signal.aborted) teller.tell(failedEvent(error, call));
      return 'done';
    });
}

/** The chat for a command at a question, which has the keys meanwhile and stops what is under way by `signal`. */
function askedChat(chat: Chat, signal: AbortSignal): Chat {
  return { ...chat, person: { ...chat.person, during: (work) => work(signal) } };
}
