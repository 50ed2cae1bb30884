import type { ChatModel, Session } from '../../../index.ts';
import type { CommandCall } from '../../call/call.ts';
import type { Server } from '../model/server.ts';
import type { Teller } from '../output/chat-event.ts';
import type { Person } from '../terminal/person.ts';
import type { Consent, ChatTool } from '../tools/chat-tool.ts';
import type { OwnTools, OwnWanted } from '../tools/own-tools.ts';

/** The parts of a chat. */
export interface Chat {
  readonly call: CommandCall;
  readonly session: Session;
  readonly server: Server;
  readonly person: Person;
  readonly teller: Teller;
  /** Tools by name; empty while the model can call none. */
  readonly tools: ReadonlyMap<string, ChatTool>;
  /** Which tools of the session are asked for. */
  readonly own: OwnWanted;
  readonly consent: Consent;
  /** Tools that the person always allows, by name. */
  readonly always: Set<string>;
  /** State that `/model` and the server change. */
  readonly now: {
    model: ChatModel;
    /** Whether the model is told of tools. */
    hasTools: boolean;
    /** What the system prompt says of the session's tools. */
    own: OwnTools;
    /** Whether the window was compared with the server's. */
    isWindowChecked: boolean;
    /** Whether the person knows that the server sends counts that are none. */
    isUsageTold: boolean;
  };
  readonly summarizer: 'model' | 'embedded';
  /** Whether the model thinks first; as the server does unless told. */
  readonly think: boolean | undefined;
}

/** The outcome of a message or command. */
export type TakenMessage = 'done' | 'failed' | 'leave';
