import type { ChatModel, Session, Store, ToolSpec } from '../../index.ts';
import type { Call } from '../call.ts';
import type { Teller } from './event.ts';
import type { Person } from './person.ts';
import type { Server } from './server.ts';

/** A tool that a model may call here. */
export interface ChatTool extends ToolSpec {
  /** Whether it only concerns the session itself, so that nobody need be asked. */
  readonly isOwn: boolean;
  /** What a call does, on a line for a person. */
  about(given: Readonly<Record<string, unknown>>): string;
  /** Rejects where it cannot be done. */
  run(given: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string>;
}

/** What a chat is held with. */
export interface Chat {
  readonly call: Call;
  readonly store: Store;
  readonly session: Session;
  readonly server: Server;
  readonly person: Person;
  readonly teller: Teller;
  /** Tools by name; empty while the model can call none. */
  readonly tools: ReadonlyMap<string, ChatTool>;
  /** What `/model` and what a server says may change. */
  readonly now: {
    model: ChatModel;
    /** Whether the model is told of tools. */
    hasTools: boolean;
    /** Whether the window was compared with the server's. */
    isWindowChecked: boolean;
  };
  /** What the system prompt says of frames and tools; '' without them. */
  readonly instructions: string;
  readonly summarizer: 'model' | 'embedded';
  /** Whether the model thinks first; as the server does unless told. */
  readonly think: boolean | undefined;
}

/** What taking a message or a command led to. */
export type Taken = 'done' | 'failed' | 'leave';
