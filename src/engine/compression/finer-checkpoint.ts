import { ages, targetOf } from '../../core/checkpoints/aging.ts';
import { checkpointAt } from '../../core/assembly/in-view.ts';
import type { Checkpoint, Rewrite } from '../../core/checkpoints/checkpoint.ts';
import { fail } from '../../core/values/error.ts';
import { wholeIn } from '../../core/state/limit.ts';
import { readLines } from '../../core/chronicle/chronicle.ts';
import { fitLines, printLines } from '../../core/lines/line.ts';
import { ordinal, type FrameId } from '../../core/values/id.ts';
import type { Draft } from '../step/draft.ts';
import { fits, isDue, measure } from '../step/measure.ts';
import { beginEpoch } from './begin-epoch.ts';
import { endRewrite } from './model-rewrites.ts';

/**
 * Shows the version that a checkpoint had before it was last shortened; for a
 * merged one, the texts it was made of. Throws `CHECKPOINT_NOT_FOUND`,
 * `CHECKPOINT_FINEST`, and `CHECKPOINT_NO_ROOM` where a compression would be due
 * at once or the checkpoints of its frame would be longer than they may be.
 */
export function showFinerCheckpoint(draft: Draft, id: string): void {
  const { frame, checkpoint } = checkpointAt(draft.state, id);
  const finer = finerVersion(draft, frame, checkpoint);
  const limit = wholeIn(draft.state);
  const { checkpoints } = draft.state.views.get(frame)!;
  const others = checkpoints.filter((one) => one !== checkpoint);
  const most = ages.reduce((sum, age) => sum + targetOf(age, { limit, factor: 1 }), 0);
  const room = Math.min(
    targetOf(finer.age, { limit, factor: 1 }),
    most - others.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  if (finer.tokens > room) throw noRoom(id, finer.tokens, room);
  endRewrite(draft, checkpoint.id);
  draft.record({ type: 'checkpoint.raised', frame, checkpoint: checkpoint.id, ...finer });
  beginEpoch(draft, 1);
  if (fits(draft.state) && !isDue(draft.state)) return;
  const { threshold, human, working } = measure(draft.state);
  const over = Math.max(1, human + working - threshold + 1);
  throw noRoom(id, finer.tokens, Math.max(0, finer.tokens - over));
}

function finerVersion(draft: Draft, frame: FrameId, checkpoint: Checkpoint): Rewrite {
  const { id, age, sources, finer = [], by } = checkpoint;
  const last = finer.at(-1);
  if (last !== undefined) return last;
  if (age !== 'merged' || sources.length < 2)
    throw fail('CHECKPOINT_FINEST', `Checkpoint "${id}" is ${age} and has no finer version`, {
      checkpoint: id,
      age,
    });
  const target = targetOf('ancient', { limit: wholeIn(draft.state), factor: 1 });
  const [from, to] = [ordinal(checkpoint.from), ordinal(checkpoint.to)];
  const own = draft.state.chronicle.lines.filter(
    (line) => line.frame === frame && line.n >= from && line.n <= to,
  );
  const kept = fitLines(own, target);
  const text = printLines(readLines(kept, (source) => draft.bodies.text(source)));
  const lines = kept.map((line) => line.id);
  return { age: 'ancient', text: draft.write(text), tokens: draft.count(text), lines, by };
}

function noRoom(id: string, tokens: number, room: number): Error {
  return fail(
    'CHECKPOINT_NO_ROOM',
    `The finer version of checkpoint "${id}" has ${tokens} tokens; there is room for ${Math.max(0, room)}`,
    { checkpoint: id, tokens, room: Math.max(0, room) },
  );
}
