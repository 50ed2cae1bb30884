import type { OutMessage } from '../../core/assembly/assembly.ts';
import type { Budget } from '../../core/budget/budget.ts';
import type { SessionFact } from '../../engine/live/listening/listeners.ts';
import type { LawContext } from './law.ts';
import { limitOf } from './witness.ts';

/** Ages in order, and what a checkpoint of each may be long: tokens, or a share of the limit if that is less. */
const ages: Readonly<Record<string, { rank: number; tokens: number; share: number }>> = {
  recent: { rank: 0, tokens: 1_200, share: 0.1 },
  old: { rank: 1, tokens: 600, share: 0.05 },
  ancient: { rank: 2, tokens: 300, share: 0.025 },
  merged: { rank: 3, tokens: 150, share: 0.0125 },
};

/**
 * **Checkpoints**: at most four in a frame and 2,250 tokens together, the oldest first;
 * each within the length of its age when it is made or ages; none ever grows
 * or grows younger.
 */
export function* checkpointFaults({ state, witness }: LawContext): Iterable<string> {
  const frames = new Map<string, { count: number; tokens: number; last: number }>();
  for (const { id, frame, age, tokens, from, to } of state.checkpoints) {
    const known = ages[age];
    if (known === undefined) yield `${id} has the age ${age}`;
    const seen = witness.checkpoints.get(id);
    const limit = witness.written.get(id) ?? limitOf(witness);
    const most = Math.max(1, Math.min(known?.tokens ?? 0, Math.floor((known?.share ?? 0) * limit)));
    if (seen?.age !== age && tokens > most)
      yield `${id} is ${age} and has ${tokens} tokens; ${most} are allowed`;
    if (seen !== undefined && tokens > seen.tokens)
      yield `${id} grew from ${seen.tokens} to ${tokens} tokens`;
    if (seen !== undefined && known !== undefined && known.rank < ages[seen.age]!.rank)
      yield `${id} grew younger: ${seen.age} became ${age}`;
    witness.checkpoints.set(id, { tokens, age });
    const of = frames.get(frame) ?? { count: 0, tokens: 0, last: 0 };
    if (Number(from.slice(1)) <= of.last) yield `${id} begins at ${from}, behind e${of.last}`;
    frames.set(frame, {
      count: of.count + 1,
      tokens: of.tokens + tokens,
      last: Number(to.slice(1)),
    });
  }
  for (const [frame, { count, tokens }] of frames) {
    if (count > 4) yield `${frame} has ${count} checkpoints`;
    if (tokens > 2_250) yield `${frame} has checkpoints of ${tokens} tokens together`;
  }
}

type Finished = Extract<SessionFact, { type: 'compression.finished' }>;

/** Facts after which a compression may be due again. */
const reasons: ReadonlySet<string> = new Set([
  'entry.appended',
  'entry.counted',
  'options.changed',
  'assembly.sent',
  'tools.changed',
  'frame.pushed',
  'frame.popped',
  'frame.started',
  'frame.retried',
  'frame.invalidated',
  'goal.set',
  'state.restored',
  'machine.restarted',
  // A summary that was being written may tell of it, and is asked for again.
  'entry.redacted',
]);

/** Facts that change what is shown at the next epoch, and may make it larger. */
const deferred: ReadonlySet<string> = new Set([
  'frame.planned',
  'frame.edited',
  'frame.described',
  'goal.updated',
]);

/**
 * **Compression**: the step that commits one leaves human and working text of
 * the active frame at nine tenths of the trigger or below, so that there is room
 * for what comes next, in any window at any trigger. Only where nothing but the
 * newest unit remains, and is as short as it can be made, may what people said
 * take more than that: their words are not cut for it. It need not where
 * something came while it was summarized. The
 * assembly becomes smaller by it, or no larger if its frame is set aside, but
 * for goal and tree that waited for a new epoch; and none follows another for
 * the same reason: between two of a frame something came that made the window
 * fuller or smaller, the first had not sufficed to make it fit, or somebody
 * asked for it.
 */
export function* compressionFaults(seen: LawContext): Iterable<string> {
  const { witness } = seen;
  const alone = new Set<SessionFact>();
  for (const fact of witness.heard) {
    if (reasons.has(fact.type)) for (const one of witness.compressions.values()) one.anew = true;
    if (fact.type === 'compression.started') {
      const last = witness.compressions.get(fact.frame);
      if (last !== undefined && !last.anew && !last.overLimit && !witness.asked)
        yield `the compression of ${fact.frame} over ${fact.from} to ${fact.to} began for no new reason`;
      witness.compressions.set(fact.frame, { anew: false, overLimit: false });
    }
    if (fact.type === 'epoch.raised') witness.deferred = false;
    if (deferred.has(fact.type)) witness.deferred = true;
    if (fact.type === 'checkpoint.created') witness.grown = witness.deferred;
    if (fact.type !== 'compression.finished') continue;
    const done = witness.compressions.get(fact.frame)!;
    done.overLimit = fact.after > limitOf(witness);
    if (!done.anew) alone.add(fact);
    const isShown = fact.frame === seen.stepped.active;
    const isSmaller = fact.after < fact.before || (fact.after === fact.before && !isShown);
    if (!isSmaller && !(witness.grown && isAtRest(seen.state)))
      yield `${fact.checkpoint} took the assembly from ${fact.before} to ${fact.after} tokens`;
  }
  for (const state of new Set([seen.stepped, seen.state])) yield* restFaults(seen, state, alone);
}

function* restFaults(
  seen: LawContext,
  state: LawContext['state'],
  alone: ReadonlySet<SessionFact>,
): Iterable<string> {
  const done = seen.witness.heard.findLast(
    (fact): fact is Finished => fact.type === 'compression.finished' && fact.seq === state.seq,
  );
  if (done === undefined || done.frame !== state.active) return;
  if (!alone.has(done) || isAtRest(state)) return;
  if (needsItsRoom(seen, state.budget)) return;
  const { human, working, threshold } = state.budget;
  yield `${done.checkpoint} left ${human} + ${working} tokens with the trigger at ${threshold}`;
}

/** Share of the trigger that may be taken right after a compression. */
const mostTaken = 0.9;

/** The threshold is told in whole tokens. */
const isAtRest = ({ budget }: LawContext['state']): boolean =>
  budget.human + budget.working <= mostTaken * (budget.threshold + 1);

/** Tokens of a message that nothing makes shorter, and of each call in it beside its name: its arguments become a marker. */
const least = { message: 40, call: 24 } as const;

const leastTokens = (message: OutMessage): number =>
  least.message + least.call * ('toolCalls' in message ? (message.toolCalls?.length ?? 0) : 0);

/**
 * Whether nothing but one unit remains, and words of people with it at its shortest are above what may be taken. They
 * are judged as they stood then: an assembly that does not fit yet shows less of them.
 */
function needsItsRoom({ assembly, witness }: LawContext, budget: Budget): boolean {
  const working = assembly.messages.filter(({ section }) => section === 'working');
  if (working.filter(({ role }) => role !== 'tool').length > 1) return false;
  const isSaid = ({ entry }: OutMessage): boolean =>
    entry !== undefined && (witness.said[Number(entry.slice(1)) - 1]?.human ?? false);
  const taken = working.reduce(
    (sum, message) => sum + (isSaid(message) ? message.tokens : leastTokens(message)),
    budget.human,
  );
  return taken > mostTaken * budget.threshold;
}
