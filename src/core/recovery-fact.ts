import type { EntryId, TextId } from './id.ts';
import type { HostList, RecoverySource, RecoveryState, Suspicion } from './recovery.ts';

/** What becomes of a suspicion that something was dropped, of a comparison and of a recovery. */
export type RecoveryFact =
  /** Part of what we believed present was dropped, or may have been; `assembly` is the one that was sent, where it is known. */
  | (Suspicion & { readonly type: 'truncation.suspected'; readonly assembly?: string })
  /** A host's own list was compared with the log. */
  | {
      readonly type: 'history.compared';
      readonly relation: 'same' | 'append' | 'cut' | 'fork';
      readonly host: HostList;
      /** Where the host took another way. */
      readonly forkedAt?: EntryId;
    }
  /** How many messages a host said it has. */
  | { readonly type: 'history.counted'; readonly messages: number }
  /** What is said at the start of a recovery. */
  | { readonly type: 'recovery.announced'; readonly text: string }
  | { readonly type: 'recovery.moved'; readonly state: RecoveryState | null }
  | { readonly type: 'recovery.cancelled' }
  /** The work goes on with what was recovered, which the next epoch shows. */
  | {
      readonly type: 'session.recovered';
      readonly text: TextId;
      readonly tokens: number;
      /** What is said of it. */
      readonly line: string;
      readonly source: RecoverySource | 'recap';
    };
