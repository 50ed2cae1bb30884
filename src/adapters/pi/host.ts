// What an extension has of pi, as far as it is used here. It is the same from 0.73 to 1.5 and under both names
// of its package, so nothing of pi is imported.

/** A piece of a message of pi; its fields go by its type. */
export interface PiBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A message of pi: `user`, `assistant`, `toolResult`, and what only pi knows. */
export interface PiMessage {
  readonly role: string;
  readonly content?: string | readonly PiBlock[];
  readonly timestamp?: number;
  readonly [field: string]: unknown;
}

/** An entry of a session file of pi. */
export interface PiEntry {
  readonly type: string;
  readonly id: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** What pi says of the model in use. */
interface PiModel {
  readonly contextWindow: number;
}

/** The session of pi, to read. */
interface PiSessionManager {
  getSessionId(): string;
  /** Undefined for a session that is kept nowhere. */
  getSessionFile(): string | undefined;
  /** From the first entry to the last one of the branch in use. */
  getBranch(): readonly PiEntry[];
}

/** What pi gives a handler beside its event. */
export interface PiContext {
  readonly cwd: string;
  readonly ui: {
    notify(text: string, type?: 'info' | 'warning' | 'error'): void;
    setStatus(key: string, text: string | undefined): void;
  };
  readonly sessionManager: PiSessionManager;
  readonly model: PiModel | undefined;
  readonly signal?: AbortSignal | undefined;
  getContextUsage(): { readonly percent: number | null } | undefined;
  getSystemPrompt(): string;
}

/** A tool as pi takes it, and as it tells of it. */
export interface PiToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** What a tool answers. */
export interface PiToolAnswer {
  readonly content: { type: 'text'; text: string }[];
  readonly details: unknown;
}

export interface PiTool extends PiToolSpec {
  readonly label: string;
  readonly promptSnippet?: string;
  execute(
    id: string,
    given: unknown,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: PiContext,
  ): Promise<PiToolAnswer>;
}

/** What a person calls with a slash. */
export interface PiCommand {
  readonly description: string;
  handler(given: string, context: PiContext): Promise<void>;
}

/** A message of an extension; a model is told it in the user role. */
export interface PiNote {
  readonly customType: string;
  readonly content: string;
  readonly display: boolean;
  readonly details?: unknown;
}

/** When a message of an extension comes to the model. */
interface PiDelivery {
  readonly triggerTurn?: boolean;
  readonly deliverAs?: 'steer' | 'followUp' | 'nextTurn';
}

/** An event, by the fields that handlers here read. */
export interface PiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What an extension is given. Handlers, tools and commands are typed where they are made: their types differ between versions of pi. */
export interface PiHost {
  on(event: string, handler: never): unknown;
  registerTool(tool: never): void;
  registerCommand(name: string, command: never): void;
  sendMessage(note: PiNote, delivery?: PiDelivery): void;
  getActiveTools(): string[];
  getAllTools(): readonly PiToolSpec[];
  setActiveTools(names: string[]): void;
}
