import { keyOf } from './from-pi.ts';
import type { PiBlock, PiEntry, PiMessage } from './host.ts';

// pi writes a message a moment after its agent has it, and leaves out of the agent's list what it compacted. So the
// log is kept by what is written, and what another extension put into the list for this request stands around it.

/** The messages of the branch in use, all of them, whatever pi compacted. */
export function writtenMessages(branch: readonly PiEntry[]): readonly PiMessage[] {
  return branch.flatMap((entry): readonly PiMessage[] => {
    const timestamp = Date.parse(entry.timestamp);
    switch (entry.type) {
      case 'message':
        return [entry['message'] as PiMessage];
      case 'custom_message': {
        const { customType, display } = entry;
        const content = entry['content'] as string | readonly PiBlock[];
        return [{ role: 'custom', customType, content, display, timestamp }];
      }
      case 'branch_summary':
        return [{ role: 'branchSummary', summary: entry['summary'], timestamp }];
      default:
        return [];
    }
  });
}

/** Whether all that the agent has is written. */
export function isWritten(live: readonly PiMessage[], written: readonly PiMessage[]): boolean {
  const last = live.at(-1);
  return last === undefined || written.findLast((one) => keyOf(one) === keyOf(last)) !== undefined;
}

/** What other extensions made of the agent's list for one request. */
export interface Guests {
  /** What they put before the first message of pi, and behind it. */
  readonly before: readonly PiMessage[];
  readonly after: readonly PiMessage[];
  /** What they changed, by the keys of the messages as they are written. */
  readonly changed: ReadonlyMap<string, PiMessage>;
}

/** What stands in the agent's list and in no file, or there otherwise. */
export function guests(live: readonly PiMessage[], written: readonly PiMessage[]): Guests {
  const keys = new Set(written.map(keyOf));
  const places = new Map(written.map((message) => [placeOf(message), keyOf(message)]));
  const isKnown = (message: PiMessage): boolean =>
    keys.has(keyOf(message)) || places.has(placeOf(message)) || derived.has(message.role);
  const changed = new Map(
    live.flatMap((message) => {
      const key = places.get(placeOf(message));
      return key === undefined || keys.has(keyOf(message)) ? [] : [[key, message] as const];
    }),
  );
  const first = Math.max(live.findIndex(isKnown), 0);
  return {
    before: live.slice(0, first).filter((message) => !isKnown(message)),
    after: live.slice(first).filter((message) => !isKnown(message)),
    changed,
  };
}

/** What stays the same of a message whose text another extension changes. */
const placeOf = ({ role, timestamp = 0, ...rest }: PiMessage): string =>
  `${role} ${typeof rest['toolCallId'] === 'string' ? rest['toolCallId'] : timestamp}`;

/** What pi makes of messages that are written. */
const derived = new Set(['compactionSummary', 'branchSummary']);
