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

/** What stands in the agent's list and in no file: what others put before the first message, and behind it. */
export function guests(
  live: readonly PiMessage[],
  written: readonly PiMessage[],
): { readonly before: readonly PiMessage[]; readonly after: readonly PiMessage[] } {
  const keys = new Set(written.map(keyOf));
  const isGuest = (message: PiMessage): boolean =>
    !derived.has(message.role) && !keys.has(keyOf(message));
  const first = live.findIndex((message) => keys.has(keyOf(message)));
  return {
    before: live.slice(0, Math.max(first, 0)).filter(isGuest),
    after: live.slice(Math.max(first, 0)).filter(isGuest),
  };
}

/** What pi makes of messages that are written. */
const derived = new Set(['compactionSummary', 'branchSummary']);
