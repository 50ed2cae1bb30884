import type { Fact } from './fact.ts';

// Within an epoch each assembly is a prefix of the next; that is what keeps a
// server's prompt cache warm. Only the facts listed here may change what was
// already assembled. Whatever else changes the state (a plan, an edit, a goal
// marker, a partial result that a model wrote) waits for the next epoch.

/** The closed list of facts that raise the epoch. */
const raising: ReadonlySet<Fact['type']> = new Set([
  'checkpoint.created',
  'checkpoint.aged',
  'checkpoint.merged',
  'checkpoint.raised',
  'entry.shortened',
  'entry.restored',
  'entry.cleared',
  'entry.offloaded',
  'entry.redacted',
  'frame.pushed',
  'frame.started',
  'frame.popped',
  'frame.invalidated',
  'frame.retried',
  'goal.set',
  'session.rolledOver',
  'state.restored',
  'session.recovered',
  'options.changed',
  'tools.changed',
]);

/** Whether a fact begins a new epoch. */
export const beginsEpoch = ({ type }: Fact): boolean => raising.has(type);
