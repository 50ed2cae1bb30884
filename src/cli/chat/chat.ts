import type { ChatModel, Session, ToolSpec } from '../../index.ts';
import type { Call } from '../call.ts';
import type { Teller } from './event.ts';
import type { Own, OwnWanted } from './own-tools.ts';
import type { Person } from './person.ts';
import type { Server } from './server.ts';

/** Arguments of a call. */
export type Given = Readonly<Record<string, unknown>>;

/** What a person is asked before a tool does something. */
export interface Ask {
  /** What `always` allows from then on, in words. */
  readonly right: string;
  /** What is about to be done, without a question mark. */
  readonly question: string;
  /** Lines that show it. */
  readonly preview?: readonly string[];
}

/** Whether something may be done: nobody need be asked, somebody was and allowed it, or it may not. */
export type Consent = (ask: Ask) => Promise<'free' | 'asked' | 'refused'>;

/** A tool that a model may call here. */
export interface ChatTool extends ToolSpec {
  /** Whether it is one of the session's: frames, goal, recall. */
  readonly isOwn: boolean;
  /** What a call does, on a line for a person; throws where an argument is missing. */
  about(given: Given): string;
  /** Null where it only concerns the session itself; rejects where nobody need be asked because it cannot be. */
  ask(given: Given): Promise<Ask | null>;
  /** Rejects where it cannot be done. */
  run(given: Given, signal: AbortSignal): Promise<string>;
}

/** What a chat is held with. */
export interface Chat {
  readonly call: Call;
  readonly session: Session;
  readonly server: Server;
  readonly person: Person;
  readonly teller: Teller;
  /** Tools by name; empty while the model can call none. */
  readonly tools: ReadonlyMap<string, ChatTool>;
  /** Which tools of the session are asked for. */
  readonly own: OwnWanted;
  readonly consent: Consent;
  /** What `/model` and what a server says may change. */
  readonly now: {
    model: ChatModel;
    /** Whether the model is told of tools. */
    hasTools: boolean;
    /** What the system prompt says of the session's tools. */
    own: Own;
    /** Whether the window was compared with the server's. */
    isWindowChecked: boolean;
  };
  readonly summarizer: 'model' | 'embedded';
  /** Whether the model thinks first; as the server does unless told. */
  readonly think: boolean | undefined;
}

/** What taking a message or a command led to. */
export type Taken = 'done' | 'failed' | 'leave';
