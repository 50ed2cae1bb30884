// What a plugin has of OpenCode, as far as it is used here (`@opencode-ai/plugin` 1.18.33, whose types bring 50 MB).

/** A piece of a message; its fields go by its type. A call and its result are one. */
export interface OpenCodePart {
  readonly type: string;
  readonly id?: string;
  readonly [field: string]: unknown;
}

/** What OpenCode knows of a message. */
export interface OpenCodeInfo {
  readonly id: string;
  readonly sessionID: string;
  readonly role: string;
  readonly [field: string]: unknown;
}

export interface OpenCodeMessage {
  readonly info: OpenCodeInfo;
  readonly parts: readonly OpenCodePart[];
}

/** What the server of OpenCode answers; without `data` it refused. */
interface Answered {
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The server of OpenCode, in its own process. */
export interface OpenCodeClient {
  readonly session: {
    get(asked: { path: { id: string } }): Promise<Answered>;
    messages(asked: { path: { id: string } }): Promise<Answered>;
  };
  readonly tool: {
    list(asked: { query: { provider: string; model: string } }): Promise<Answered>;
  };
  readonly config: { providers(): Promise<Answered> };
  readonly app: {
    log(asked: { body: { service: string; level: 'warn'; message: string } }): Promise<unknown>;
  };
  readonly tui: {
    showToast(asked: { body: { message: string; variant: 'warning' } }): Promise<unknown>;
  };
}

/** What a plugin is given. */
export interface OpenCodeInput {
  readonly client: OpenCodeClient;
  /** The folder that OpenCode works in. */
  readonly directory: string;
}

/** An event of OpenCode. */
export interface OpenCodeEvent {
  readonly type: string;
  readonly properties: unknown;
}

/** What a tool is told beside its arguments. */
export interface OpenCodeCall {
  readonly sessionID: string;
  /** The answer in which it is called. */
  readonly messageID: string;
  readonly abort: AbortSignal;
}

export interface OpenCodeTool {
  readonly description: string;
  /** JSON schemas by argument; OpenCode takes all of them for required. */
  readonly args: Readonly<Record<string, unknown>>;
  execute(given: unknown, call: OpenCodeCall): Promise<string>;
}

/** What a plugin hooks into: each changes `output` in place. */
export interface OpenCodeHooks {
  readonly config: (config: unknown) => Promise<void>;
  readonly event: (input: { event: OpenCodeEvent }) => Promise<void>;
  readonly 'experimental.chat.messages.transform': (
    input: object,
    output: { messages: OpenCodeMessage[] },
  ) => Promise<void>;
  readonly 'experimental.chat.system.transform': (
    input: { sessionID?: string },
    output: { system: string[] },
  ) => Promise<void>;
  readonly 'experimental.session.compacting': (
    input: { sessionID: string },
    output: { context: string[] },
  ) => Promise<void>;
  readonly 'tool.definition': (
    input: { toolID: string },
    output: { jsonSchema?: unknown },
  ) => Promise<void>;
  readonly tool: Readonly<Record<string, OpenCodeTool>>;
  readonly dispose: () => Promise<void>;
}

/** A plugin, with the options that stand beside its name in a configuration. */
export type OpenCodePlugin = (input: OpenCodeInput, options?: unknown) => Promise<OpenCodeHooks>;
