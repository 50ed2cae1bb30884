import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { rangeLabel } from '../values/span.ts';
import { fail } from '../values/error.ts';
import { type FrameId, entryId } from '../values/id.ts';
import type { State } from '../state/state.ts';
import type { Bodies } from '../messages/bodies.ts';
import { readBreadcrumbs, mergeBreadcrumbs, type Breadcrumb } from '../breadcrumbs/breadcrumb.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { path } from '../frames/tree.ts';
import type { FrameView } from '../state/view.ts';

/** A checkpoint, and the frame that it belongs to. */
export interface FrameCheckpoint {
  readonly frame: FrameId;
  readonly checkpoint: Checkpoint;
}

/** The checkpoint `id` of an open frame; undefined where no open frame has it. */
export function checkpointInView({ views }: State, id: string): FrameCheckpoint | undefined {
  for (const [frame, { checkpoints }] of views) {
    const checkpoint = checkpoints.find((one) => one.id === id);
    if (checkpoint !== undefined) return { frame, checkpoint };
  }
  return undefined;
}

/** The checkpoint `id` of an open frame; throws `CHECKPOINT_NOT_FOUND`. */
export function checkpointAt(state: State, id: string): FrameCheckpoint {
  const checkpoint = checkpointInView(state, id);
  if (checkpoint !== undefined) return checkpoint;
  throw fail('CHECKPOINT_NOT_FOUND', `There is no checkpoint "${id}" in an open frame`, {
    checkpoint: id,
  });
}

/** The breadcrumbs of all checkpoints on the path to the active frame, and of offloaded human entries. */
export function breadcrumbsOf(state: State, bodies: Bodies): readonly Breadcrumb[] {
  const lists = path(state.frames, state.active).flatMap(({ id }) => {
    const view = state.views.get(id);
    if (view === undefined) return [];
    const checkpoints = view.checkpoints.map(({ breadcrumbs }) =>
      readBreadcrumbs(breadcrumbs, (text) => bodies.text(text)),
    );
    return [...checkpoints, offloadedBreadcrumbs(view)];
  });
  return mergeBreadcrumbs(lists, Number.POSITIVE_INFINITY);
}

/** Longest quoted directive, in UTF-16 units. */
const longest = 240;

function offloadedBreadcrumbs({ offloaded, quotes }: FrameView): readonly Breadcrumb[] {
  if (offloaded === null) return [];
  const { from, to, entries } = offloaded;
  const range: Breadcrumb = {
    type: 'action',
    reference: rangeLabel(offloaded),
    hint: `${entries} ${entries === 1 ? 'message' : 'messages'} of people, out of view`,
    entries: from === to ? [from] : [from, to],
  };
  const directives = quotes.map(({ n, text }): Breadcrumb => ({
    type: 'decision',
    reference: entryId(n),
    hint: clip(oneLine(text), longest),
    entries: [entryId(n)],
  }));
  return [range, ...directives];
}
