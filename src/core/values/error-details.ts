/** The session that was asked. */
interface OfSession {
  readonly session: string;
}

/** The machine that was asked. */
interface OfMachine {
  readonly machine: string;
}

/** The store that was asked. */
interface OfStore {
  readonly location: string;
}

/** The server and the model that were asked. */
interface OfModel {
  readonly server: string;
  readonly model: string;
}

/** A frame, and its status where that is the reason. */
interface OfFrame {
  readonly frame: string;
  readonly status?: string;
}

/** What a chat adds where its window is too small. */
interface ChatRoom {
  /** The least window that would do, in tokens; null for none. */
  readonly needs?: number | null;
  /** Whether tools of the session take room. */
  readonly frames?: boolean;
}

/** A source to import, by name. */
interface OfSource {
  readonly source: string;
}

/** What the errors of a code tell: the values and limits that the message speaks of. */
export interface ErrorDetails {
  readonly BUSY: {
    readonly session?: string;
    readonly machine?: string;
    readonly queued?: number;
    readonly most?: number;
    readonly handles?: number;
    /** Milliseconds. */
    readonly timeout?: number;
  };
  readonly CHECKPOINT_FINEST: { readonly checkpoint: string; readonly age: string };
  readonly CHECKPOINT_NOT_FOUND: { readonly checkpoint: string; readonly session?: string };
  /** In tokens. */
  readonly CHECKPOINT_NO_ROOM: {
    readonly checkpoint: string;
    readonly tokens: number;
    readonly room: number;
  };
  readonly CONFLICT: OfSession & { readonly seq: number };
  /** In tokens. */
  readonly CONTEXT_OVERFLOW: ChatRoom & {
    readonly limit: number;
    readonly total: number;
    readonly parts: Readonly<Record<string, number>>;
    readonly cause?: string;
  };
  readonly DOCUMENTS_OFF: OfSession;
  readonly DOCUMENT_FAILED: {
    readonly session?: string;
    readonly path?: string;
    /** The system's own code. */
    readonly reason: string;
  };
  readonly DOCUMENT_UNTRUSTED: {
    readonly from: string;
    readonly files: readonly string[];
    readonly session: string | null;
    readonly goal: string | null;
    readonly decisions: readonly string[];
    readonly next: string;
    readonly edited: string;
  };
  readonly ENTRY_NOT_FOUND: { readonly entry: string; readonly session?: string };
  readonly FRAME_CHILDREN_LEFT: {
    readonly frame: string;
    readonly children: readonly {
      readonly id: string;
      readonly title: string;
      readonly status: string;
    }[];
  };
  readonly FRAME_CLOSED: Required<OfFrame>;
  readonly FRAME_FROZEN: Required<OfFrame>;
  readonly FRAME_NOT_FOUND: { readonly frame: string; readonly session?: string };
  readonly FRAME_STATUS: OfFrame & { readonly event?: string; readonly active?: string };
  /** In tokens. */
  readonly FRAME_TITLE_TOO_LONG: {
    readonly title: string;
    readonly tokens: number;
    readonly most: number;
  };
  readonly GOAL_MISSING: OfSession;
  /** In tokens. */
  readonly GOAL_TOO_LARGE: { readonly tokens: number; readonly most: number };
  readonly IMPORT_DIVERGED: OfSession & { readonly line: number };
  readonly IMPORT_EMPTY: OfSource & { readonly format?: string; readonly skipped?: number };
  readonly IMPORT_FORMAT_UNKNOWN: {
    readonly source?: string;
    readonly format?: string;
    readonly formats: readonly string[];
  };
  readonly IMPORT_MISMATCH: OfSource & {
    readonly format: string;
    readonly session: string;
    readonly title: string;
    readonly agent?: string;
    readonly entries: number;
  };
  readonly IMPORT_SOURCE_UNREADABLE: OfSource & { readonly reason: string };
  readonly MACHINE_CHANGED: OfMachine & {
    readonly state: unknown;
    readonly version: unknown;
    readonly given: unknown;
  };
  readonly MACHINE_CLOSED: OfMachine;
  readonly MACHINE_ENDED: OfMachine & { readonly status: string };
  readonly MACHINE_FAILED: OfMachine & { readonly reason: string };
  readonly MACHINE_UNSUPPORTED: OfMachine & {
    readonly state?: string | undefined;
    readonly name?: string | undefined;
    readonly path?: string | undefined;
  };
  readonly MESSAGE_INVALID: { readonly field: string; readonly known?: readonly string[] };
  /** `retryAfter` in milliseconds. */
  readonly MODEL_BUSY: OfModel & { readonly retryAfter?: number };
  /** `status` is that of HTTP, null without one; `cause` is what the server said. */
  readonly MODEL_FAILED: OfModel & { readonly status: number | null; readonly cause: string };
  readonly MODEL_INTERRUPTED: OfModel;
  readonly MODEL_NOT_FOUND: OfModel & {
    readonly api?: string;
    readonly known?: readonly string[];
    /** Whether a person would not have it loaded. */
    readonly declined?: boolean;
  };
  /** In tokens, by the server's own count; null where it gave none. */
  readonly MODEL_OVERFLOW: OfModel & {
    readonly tokens: number | null;
    readonly window: number | null;
  };
  readonly MODEL_REFUSED: OfModel & { readonly status: number };
  readonly MODEL_UNREACHABLE: OfModel & { readonly api: string };
  readonly MODEL_UNSUPPORTED: OfModel & { readonly ability: string };
  /** With the moment that was asked for. */
  readonly MOMENT_NOT_FOUND: OfSession;
  readonly OPTION_INVALID: {
    /** The option or argument. */
    readonly option: string;
    readonly value?: unknown;
    readonly known?: readonly string[];
    readonly location?: string;
    /** Where in an expression, from 1. */
    readonly at?: number;
    /** A file of somebody else, where a store was to be. */
    readonly stranger?: string;
    /** Where a link leads that has no business there; null for nowhere. */
    readonly target?: string | null;
    /** The user, by number, whose place it is. */
    readonly owner?: number;
  };
  readonly RECORD_DAMAGED: {
    readonly kind?: string;
    readonly key?: string;
    readonly session?: string;
    readonly record?: string;
    /** The first and the last. */
    readonly missing?: readonly [string, string];
    readonly after?: number;
    readonly entry?: string;
    readonly noted?: number;
    readonly frame?: string;
    readonly status?: string;
  };
  readonly RECOVERY_EMPTY: { readonly from?: string };
  readonly RECOVERY_NOT_ASKED: OfSession;
  readonly SEQUENCE_GAP: OfSession & { readonly after: number; readonly found: number };
  readonly REDO_EMPTY: OfSession;
  readonly SESSION_CLOSED: OfSession;
  readonly SESSION_COMPLETED: OfSession;
  readonly SESSION_ID_INVALID: OfSession;
  readonly SESSION_NOT_FOUND: {
    readonly session: string | null;
    readonly candidates?: readonly string[];
  };
  readonly SNAPSHOT_NOT_FOUND: OfSession & { readonly snapshot: string };
  readonly STORE_CLOSED: OfStore;
  readonly STORE_DAMAGED: OfStore & { readonly file?: string };
  readonly STORE_IN_USE: OfStore & {
    /** The owner. */
    readonly pid?: number;
    readonly command?: string;
    readonly session?: string;
    readonly openAs?: string;
  };
  readonly STORE_NOT_FOUND: OfStore;
  readonly STORE_READ_ONLY: OfStore;
  readonly STORE_TOO_NEW: {
    readonly location?: string;
    readonly kind?: string;
    readonly key?: string;
    readonly format: number;
    readonly newest: number;
  };
  readonly STORE_UNAVAILABLE: OfStore & {
    /** The server's own code. */
    readonly reason?: string;
    /** `unknown` where the connection ended while a commit was on its way. */
    readonly isWritten?: 'unknown';
  };
  readonly SUMMARIZER_MISSING: { readonly summarizer: string; readonly known: readonly string[] };
  /** In tokens. */
  readonly SYSTEM_TOO_LARGE: ChatRoom & {
    readonly system: number;
    readonly limit: number;
    readonly least: number;
  };
  readonly TOKENIZER_MISMATCH: { readonly tokenizer: string; readonly given: string };
  readonly TOKENIZER_UNKNOWN: { readonly tokenizer: string; readonly known: readonly string[] };
  readonly UNDO_EMPTY: OfSession;
  readonly WINDOW_REQUIRED: { readonly option: string };
  /** In tokens. */
  readonly WINDOW_TOO_SMALL: ChatRoom & { readonly window: number; readonly least: number };
}
