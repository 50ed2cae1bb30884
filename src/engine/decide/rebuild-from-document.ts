import * as frames from './frames.ts';
import { rootTitle } from '../../core/frames/frame.ts';
import { frameId } from '../../core/values/id.ts';
import type { InputOf } from '../../core/state/input.ts';
import { frameOf } from '../../core/frames/tree.ts';
import type { Draft } from '../step/draft.ts';
import { longestTitle } from './frame-rules.ts';
import type { RecoveredFrame } from '../../core/truncation/recovery.ts';

/** Takes title, goal and frames from a document into a session that lacks them, and the rest for its own documents; what it has, it keeps. */
export function rebuild(draft: Draft, input: InputOf<'recover'>): void {
  const { goal, frames: open = [], title = '', document } = input;
  const isNew = draft.state.entryCount === 0 && draft.state.frames.length === 1;
  if (goal !== undefined && draft.state.goal === null) draft.record({ type: 'goal.set', goal });
  if (!isNew) return;
  if (document !== undefined)
    draft.record({ type: 'document.recovered', text: draft.write(document) });
  const root = frameOf(draft.state.frames, frameId(0));
  if (title !== '' && root.title === draft.state.session) {
    const identity = { title: rootTitle(title), criteria: '', brief: '' };
    draft.record({ type: 'frame.edited', frame: root.id, identity });
  }
  for (const frame of open) rebuildFrame(draft, frame);
}

function rebuildFrame(draft: Draft, { title, criteria, status, reason }: RecoveredFrame): void {
  const identity = { title: titleFor(draft, title), criteria, brief: '' };
  if (status === 'planned') return frames.plan(draft, { type: 'plan', identity, parent: null });
  frames.push(draft, { type: 'push', identity });
  if (status === 'in_progress') return;
  frames.pop(draft, {
    type: 'pop',
    frame: null,
    status,
    results: reason,
    brief: status === 'blocked' ? reason : null,
    artifacts: [],
    decisions: [],
    drop: false,
  });
}

/** A title that a frame may have: shortened where a person edited it beyond the limit. */
function titleFor(draft: Draft, title: string): string {
  const isFit = title.trim() !== '' && draft.count(title) <= longestTitle;
  return isFit ? title : rootTitle(title);
}
