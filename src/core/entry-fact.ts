import type { EntryId, FrameId, TextId } from './id.ts';
import type { Message } from './message.ts';
import type { Form, Quote } from './view.ts';

/** What becomes of entries and their units. */
export type EntryFact =
  | {
      readonly type: 'entry.appended';
      readonly entry: EntryId;
      readonly frame: FrameId;
      readonly role: Message['role'];
      readonly human: boolean;
      readonly form: Form;
      readonly tokens: number;
      readonly shown: number;
      readonly exact: boolean;
      readonly hash: string;
      /** Position of the first entry of its unit. */
      readonly unit: number;
      /** The shortened message, for form `short`. */
      readonly text?: TextId;
      /** The calls it makes. */
      readonly calls?: readonly { readonly id: string; readonly name: string }[];
      /** The call it answers. */
      readonly call?: string;
    }
  | {
      readonly type: 'entry.counted';
      readonly counts: readonly (readonly [n: number, tokens: number])[];
    }
  | { readonly type: 'unit.closed'; readonly frame: FrameId; readonly calls: readonly ClosedCall[] }
  | {
      readonly type: 'entry.shortened';
      readonly frame: FrameId;
      readonly entry: EntryId;
      readonly text: TextId;
      readonly tokens: number;
    }
  /** Human entries that are no longer above what one may take stand whole again. */
  | { readonly type: 'entry.restored'; readonly entries: readonly EntryId[] }
  | {
      readonly type: 'entry.cleared';
      readonly frame: FrameId;
      readonly entries: readonly (readonly [n: number, tokens: number])[];
    }
  | {
      readonly type: 'entry.offloaded';
      readonly frame: FrameId;
      readonly entries: readonly EntryId[];
      readonly quotes: readonly Quote[];
    };

/** A call that got no result and never will. */
export interface ClosedCall {
  readonly id: string;
  readonly name: string;
  /** Position of the entry with the call. */
  readonly n: number;
  /** Tokens of the message that stands for the result. */
  readonly tokens: number;
}
