import { type Budget, type Reliability, isEngineError } from '../../../index.ts';
import type { CommandCall } from '../../call/call.ts';
import { toFailure } from '../../call/exit.ts';

/** Where the session stands, before each prompt. */
export interface SessionStatus {
  readonly budget: Budget;
  /** Null where the size of the model is not known. */
  readonly reliability: Reliability | null;
  readonly compressions: number;
}

/** What happens in a chat, in the order it happens; with `--json` each is a line. */
export type ChatEvent =
  | {
      readonly type: 'session';
      readonly session: string;
      readonly isNew: boolean;
      readonly model: string;
      readonly server: string;
      readonly window: number;
      /** Where we were, on a line; '' for a new session. */
      readonly where: string;
      /** What was said last, by whom; nothing for a new session. */
      readonly last: readonly { readonly who: string; readonly text: string }[];
    }
  | { readonly type: 'prompt'; readonly standing: SessionStatus }
  /** What the window is parted into, where somebody asked or changed it. */
  | { readonly type: 'window'; readonly budget: Budget }
  /** A request went out. */
  | { readonly type: 'asked' }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'answered';
      readonly entry: string | null;
      /** All of it. */
      readonly text: string;
      /** Why it ended, in the server's word, or `aborted`. */
      readonly finish: string | null;
      /** By the server's count, in tokens; null where it said nothing. */
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
    }
  /** A tool is about to run; `asked` where somebody just allowed it. */
  | {
      readonly type: 'call';
      readonly name: string;
      readonly about: string;
      readonly asked: boolean;
    }
  | {
      readonly type: 'result';
      readonly name: string;
      readonly isError: boolean;
      readonly text: string;
    }
  | {
      readonly type: 'compressed';
      /** In the tokens of the server, once it has counted. */
      readonly before: number;
      readonly after: number;
      readonly by: 'embedded' | 'model' | 'fallback';
      /** Why the model did not write it; null where it did, was not to, or nobody said. */
      readonly reason: string | null;
    }
  /** A message of the person is sent shorter than it is in the log; sizes in tokens. */
  | {
      readonly type: 'shortened';
      readonly entry: string;
      readonly tokens: number;
      readonly sent: number;
    }
  /** Worth knowing, on a line. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  /** What a command answers, in lines that are laid out already. */
  | { readonly type: 'lines'; readonly lines: readonly string[] }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly advice: string;
    }
  | { readonly type: 'left'; readonly session: string; readonly resume: string };

/** Shows the events of a chat. */
export interface Teller {
  tell(event: ChatEvent): void;
}

/** What to do about an error in a chat, where that is a command of the chat. */
const chatAdvice: ReadonlyMap<string, string> = new Map([
  ['CONTEXT_OVERFLOW', 'A larger window would hold it: /window <tokens>.'],
  ['FRAME_NOT_FOUND', '/status lists them.'],
  ['REDO_EMPTY', 'Take one back first: /undo. An older state: /snapshot ls'],
  ['SNAPSHOT_NOT_FOUND', '/snapshot ls lists them.'],
  ['UNDO_EMPTY', 'An older state: /snapshot ls'],
]);

/** An error as a chat tells it: what, and what to do. */
export function failedEvent(
  error: unknown,
  call: CommandCall,
): Extract<ChatEvent, { type: 'error' }> {
  const { code, message, advice: usual } = toFailure(error, call);
  const advice = chatAdvice.get(code) ?? usual;
  const isOfModel = isEngineError(error) && code.startsWith('MODEL_');
  const again = isOfModel ? ['What you said is kept; /retry asks again.'] : [];
  const lines = [advice, ...again].filter((line) => line !== '');
  return { type: 'error', code, message, advice: lines.join('\n') };
}
