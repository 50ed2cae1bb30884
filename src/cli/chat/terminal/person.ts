import type { Choices } from './question.ts';

/** The author of messages: somebody at a terminal, or a script. */
export interface Person {
  /** Whether somebody sits there who can be asked back. */
  readonly isThere: boolean;
  /** Whether something typed ahead waits for its prompt, and so answers no question. */
  readonly isAhead: boolean;
  /** Whether they left by a command at a question: no other is asked then. */
  readonly hasQuit: boolean;
  /** Whether there may be a message: false for a script without any. */
  isReady(): Promise<boolean>;
  /** The next message or command; null when they leave. */
  next(): Promise<string | null>;
  /** How many messages of a script are there and were not asked for; none of somebody who is there. */
  left(): number;
  /** Asks for a line that is one of the choices; null where nobody answers, or they would rather not. */
  choose<Choice extends string>(question: string, choices: Choices<Choice>): Promise<Choice | null>;
  /** Runs work that they can stop. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Shows something that came by itself, without harm to a line that is being written, if one is. */
  interject(show: (isWriting: boolean) => void): void;
  /** Gives the terminal back. */
  close(): void;
}
