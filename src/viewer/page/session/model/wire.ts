import type { Move } from '../../move.ts';

// What the page of a session is sent, each as a line of JSON.

/** The parts of a prompt, in their order; a step has a number of tokens for each. */
export const parts = [
  'system',
  'tools',
  'human',
  'chronicle',
  'goal',
  'frames',
  'checkpoints',
  'working',
] as const;

/** Most entries of a range or a frame, and most hits of a search, that are told at once. */
export const mostTold = { entries: 200, hits: 25 } as const;

/** What the page is told: whose session it is, its steps, and that these are all so far. */
export type StreamItem = Head | Step | UpToDate;

/** All that is there was told, up to a step. */
export interface UpToDate {
  readonly seq: number;
  /** Whether another process has the session open to write it, or wrote to it a moment ago. */
  readonly written: boolean;
}

/** First of all: whose session it is. */
export interface Head {
  readonly session: string;
  readonly title: string;
  readonly place: string;
  /** The model that answered last; left out where nobody said. */
  readonly model?: string;
  /** In tokens. */
  readonly window: number;
  readonly began: number;
  /** Whether its messages have no dates of their own: then they have that of the file that it came from. */
  readonly isOfFile?: boolean;
  /** The newest step when the first is told, by its `seq`. */
  readonly last: number;
  /** Whether what comes is told, too. */
  readonly live: boolean;
  /** Another window in which it can be seen beside its own, in tokens. */
  readonly other?: number;
  /** How many key-like strings are masked in a file, null where they stand in it as they were said; left out where it is served. */
  readonly masked?: number | null;
}

/** A step of the session, and what the prompt would have held after it. */
export interface Step {
  /** Its record in the journal, from 1. */
  readonly seq: number;
  /** The active frame. */
  readonly frame: string;
  /** When it was said, or decided; milliseconds since 1970. */
  readonly at: number;
  /** When it was written to the journal; later than `at` where the session was imported. */
  readonly written: number;
  readonly turn: number;
  /** Within one epoch each prompt begins with the one before, sign for sign. */
  readonly epoch: number;
  /** Tokens of all that was said so far. */
  readonly said: number;
  /** Tokens of each of `parts`. */
  readonly sizes: readonly number[];
  readonly limit: number;
  /** Size of the prompt at which a compression is due. */
  readonly due: number;
  /** Tokens of the server for one of ours, once it has counted: then those of the prompt are its. */
  readonly scale?: number;
  readonly news: readonly News[];
}

/** What happened in a step. */
export type News =
  | EntryNews
  | FrameNews
  | CompressionNews
  /** All frames as they are after going back. */
  | { readonly type: 'tree'; readonly what: string; readonly frames: readonly FrameNews[] }
  /** What a server counted of what was sent, in tokens. */
  | {
      readonly type: 'counted';
      readonly sent: number;
      readonly counted: number;
      /** The same in our tokens, by what was learned of the server's. */
      readonly ours: number;
      /** Of those it counted, what a cache served, and tokens of the answer; each left out where it did not say. */
      readonly cached?: number;
      readonly answered?: number;
    }
  | CutNews
  | ShortenedNews
  | SnapshotNews
  /** It was deleted. */
  | { readonly type: 'snapshot gone'; readonly snapshot: string }
  /** What became of a recovery, in the words that a person was told. */
  | {
      readonly type: 'recovery';
      readonly stage: 'announced' | 'asked' | 'cancelled' | 'recovered';
      readonly text: string;
    }
  /** Words for a person: a goal, a document. */
  | {
      readonly type: 'word';
      readonly word: string;
      readonly text: string;
      readonly isBad: boolean;
    };

/** An entry came. */
export interface EntryNews {
  readonly type: 'entry';
  readonly entry: string;
  readonly frame: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly human: boolean;
  /** When it was said; milliseconds since 1970. */
  readonly at: number;
  readonly tokens: number;
  /** Its first words. */
  readonly text: string;
}

/** A frame came, or went on to another status. */
export interface FrameNews {
  readonly type: 'frame';
  readonly frame: string;
  readonly parent: string | null;
  readonly title: string;
  readonly status: string;
}

/** A compression ended. */
export interface CompressionNews {
  readonly type: 'compressed';
  readonly frame: string;
  readonly checkpoint: string;
  /** The entries that it stands for. */
  readonly from: string;
  readonly to: string;
  /** Tokens of the prompt; before, with what came in the step, whole. */
  readonly before: number;
  readonly after: number;
  /** Names found in the entries, and those that the prompt holds after it. */
  readonly names: number;
  readonly kept: number;
  readonly by: string;
  /** What had been there before the step, and was shortened in it before the prompt was told; left out for nothing. */
  readonly shortened?: Omit<ShortenedNews, 'type'>;
}

/** Entries were shortened or cleared, or words of people put behind a breadcrumb, in a step without a compression. */
export interface ShortenedNews {
  readonly type: 'shortened';
  /** By their ids, in order. */
  readonly entries: readonly string[];
  /** How many entries were put behind a breadcrumb. */
  readonly hidden: number;
}

/** A snapshot was made. */
export interface SnapshotNews {
  readonly type: 'snapshot';
  readonly snapshot: string;
  /** The step after which the session was as it holds it. */
  readonly seq: number;
  readonly title: string;
  readonly by: 'person' | 'compression' | 'threshold';
}

/** Part of a prompt was dropped, or may have been. */
export interface CutNews {
  readonly type: 'cut';
  /** By what it was noticed. */
  readonly rule: string;
  readonly isCertain: boolean;
  /** Entries that were dropped, where known. */
  readonly lost: readonly string[];
}

/** The prompt at a moment. */
export interface Prompt {
  readonly seq: number;
  readonly messages: readonly PromptMessage[];
  /** Titles from the root to the active frame. */
  readonly path: readonly string[];
  /** Entries that were not in it word for word, and by what they were told. */
  readonly missing: readonly {
    readonly how: string;
    readonly entries: number;
    readonly refs: readonly string[];
  }[];
  /** Names in what was compressed, and those that the prompt held. */
  readonly names: number;
  readonly kept: number;
}

/** A message of a prompt. */
export interface PromptMessage {
  readonly section: string;
  readonly role: string;
  readonly kind: 'entry' | 'shortened' | 'made';
  readonly entry: string | null;
  readonly tokens: number;
  readonly text: string;
}

/** Names of a kind: paths, numbers. */
export interface NamesOfKind {
  readonly kind: string;
  readonly names: readonly string[];
}

/** What entries that a prompt does not hold word for word name: how much of it the prompt has, and what it has nowhere, the newest first. */
export interface Lacking {
  readonly kept: number;
  readonly lost: readonly NamesOfKind[];
}

/** A line of a section that Flamestack made. */
export type MadeLine = Readonly<Record<'section' | 'text', string>>;

/** What a compression changed of what the model saw. */
export interface Change {
  readonly seq: number;
  readonly tokens: readonly [before: number, after: number];
  readonly sections: readonly {
    readonly section: string;
    readonly before: number;
    readonly after: number;
  }[];
  /** Ids of entries that left, in order; of those that came, or stand whole again; of those that stand shorter, or came so. */
  readonly left: readonly string[];
  readonly came: readonly string[];
  readonly shortened: readonly string[];
  /** Those of them that stood shortened before, and those that do now. */
  readonly short: readonly [before: readonly string[], after: readonly string[]];
  readonly kept: number;
  readonly gained: number;
  /** Names that stayed, and those that went. */
  readonly stayed: readonly NamesOfKind[];
  readonly lost: readonly NamesOfKind[];
  /** Lines of what Flamestack made that the prompt had not before, and those that it has no more. */
  readonly lines: readonly MadeLine[];
  readonly gone: readonly MadeLine[];
}

/** What the prompts of two sessions hold, each at a step of its own. */
export interface Compared {
  readonly seq: number;
  readonly other: number;
  /** Names in both prompts. */
  readonly names: number;
  /** Names in one of them alone. */
  readonly onlyNames: readonly [own: Change['lost'], other: Change['lost']];
  /** Entries that say the same, word for word, in both prompts; and those that only one has. */
  readonly entries: number;
  readonly onlyEntries: readonly [own: readonly string[], other: readonly string[]];
}

/** A session that may be put beside that of the page. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly place: string;
  /** When it was last spoken in, in milliseconds since 1970. */
  readonly said: number;
  /** Whether only the file that it came from has a date. */
  readonly isOfFile: boolean;
  readonly turns: number;
  /** Tokens of all that was said. */
  readonly tokens: number;
  /** The session that it works for; null for none. */
  readonly parent: string | null;
}

/** A machine of the session at a step: where it stood before it, or where it went in it. */
export type MachineMove = Pick<
  Move,
  'seq' | 'actor' | 'machine' | 'event' | 'from' | 'value' | 'status'
>;

/** An entry that was found, in another session where one is named. */
export interface FoundEntry extends WholeEntry {
  readonly session?: Pick<ListedSession, 'id' | 'title' | 'place'>;
}

/** An entry, whole. */
export interface WholeEntry {
  readonly id: string;
  readonly frame: string;
  readonly role: string;
  readonly at: number;
  readonly text: string;
}
