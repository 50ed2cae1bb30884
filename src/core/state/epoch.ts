import type { Fact } from './fact.ts';

// Within an epoch each assembly is a prefix of the next; that is what keeps a
// server's prompt cache warm. Only the facts listed here may change what was
// already assembled. Whatever else changes the state (a plan, an edit, a goal
// marker, a partial result that a model wrote) waits for the next epoch.

/** The closed list of facts that raise the epoch. */
const raising = {
  'checkpoint.created': true,
  'checkpoint.aged': true,
  'checkpoint.merged': true,
  'checkpoint.raised': true,
  'entry.shortened': true,
  'entry.restored': true,
  'entry.cleared': true,
  'entry.offloaded': true,
  'entry.redacted': true,
  'frame.pushed': true,
  'frame.started': true,
  'frame.popped': true,
  'frame.invalidated': true,
  'frame.retried': true,
  'goal.set': true,
  'session.rolledOver': true,
  'state.restored': true,
  'session.recovered': true,
  'options.changed': true,
  'tools.changed': true,
} as const satisfies Partial<Record<Fact['type'], true>> as Partial<Record<Fact['type'], true>>;

/** Whether a fact begins a new epoch. */
export function beginsEpoch(fact: Fact): boolean {
  return raising[fact.type] ?? false;
}
