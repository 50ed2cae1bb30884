import { fail } from '../../core/values/error.ts';
import type { Frame, Identity } from '../../core/frames/frame.ts';
import type { FrameId } from '../../core/values/id.ts';
import { childrenLeft, frameOf } from '../../core/frames/tree.ts';
import { briefOf } from './frame-digest.ts';
import type { Draft } from '../step/draft.ts';
import { takes } from '../step/phase-rules.ts';

// Rules of the tree beyond the frame machine's table. Each is checked before any
// fact, and its error names the frame and its status.

/** Longest title of a frame, in tokens. */
export const longestTitle = 30;

/** The identity, with a brief made from the criteria where it has none; throws `FRAME_TITLE_TOO_LONG`. */
export function checkIdentity(draft: Draft, identity: Identity): Identity {
  const tokens = draft.count(identity.title);
  if (identity.title.trim() === '' || tokens > longestTitle)
    throw fail(
      'FRAME_TITLE_TOO_LONG',
      `A frame's title has 1 to ${longestTitle} tokens; "${identity.title.slice(0, 60)}" has ${tokens}`,
      { title: identity.title.slice(0, 200), tokens, most: longestTitle },
    );
  return {
    ...identity,
    brief: identity.brief === '' ? briefOf(draft, identity.criteria) : identity.brief,
  };
}

/** Refuses a child of a closed frame; throws `FRAME_CLOSED`. */
export function refuseChildren({ id, title, status }: Frame): never {
  throw fail('FRAME_CLOSED', `Frame "${title}" (${id}) is ${status} and takes no children`, {
    frame: id,
    status,
  });
}

/** Refuses to enter a frame in a session that takes none below its active one; throws `FRAME_CLOSED`. */
export function checkEntering({ state }: Draft, command: 'push' | 'start' | 'retry'): void {
  if (!takes(state, command)) refuseChildren(frameOf(state.frames, state.active));
}

/** Refuses a frame that is no child of the active one; throws `FRAME_STATUS`. */
export function checkChildOfActive(draft: Draft, frame: Frame): void {
  const { active } = draft.state;
  if (frame.parent === active) return;
  throw fail(
    'FRAME_STATUS',
    `Frame "${frame.title}" (${frame.id}) is no child of the active frame ${active}`,
    { frame: frame.id, active },
  );
}

/** Refuses to pop a frame that is neither active nor blocked; throws `FRAME_STATUS`. */
export function refusePop(frame: Frame): never {
  throw fail('FRAME_STATUS', `Frame "${frame.title}" (${frame.id}) is neither active nor blocked`, {
    frame: frame.id,
    status: frame.status,
  });
}

/** Most frames that an error names. */
const mostNamed = 8;

function namesOf(frames: readonly Frame[]): string {
  const named = frames
    .slice(0, mostNamed)
    .map(({ id, title, status }) => `${title} (${id}, ${status})`);
  const rest = frames.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The open children that are dropped when a frame is closed; throws `FRAME_CHILDREN_LEFT` unless `drop`. */
export function childrenToDrop(draft: Draft, frame: Frame, drop: boolean): readonly FrameId[] {
  const left = childrenLeft(draft.state.frames, frame);
  if (left.length > 0 && !drop)
    throw fail(
      'FRAME_CHILDREN_LEFT',
      `Frame "${frame.title}" (${frame.id}) has open work left, to be done, invalidated or dropped with it (drop: true): ${namesOf(left)}`,
      {
        frame: frame.id,
        children: left.map(({ id, title, status }) => ({ id, title, status })),
      },
    );
  return left.map(({ id }) => id);
}
