import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TrackerEmitted, TrackerNote } from '../../../machines/index.ts';
import { beadsIn } from '../beads/beads.ts';
import { checkpointText } from '../beads/checkpoint-text.ts';
import { outboxOf } from '../beads/outbox.ts';
import { followIssues } from '../beads/tracker.ts';
import type { PiContext } from './host.ts';

/** Longest that a compaction waits for its checkpoint, in milliseconds; what is not written by then is written later. */
const checkpointPatience = 3_000;

/** A project whose issues are followed. */
export type FollowedProject = ReturnType<typeof followProject>;

/** The tracker of a folder, with the comments on their way to it. */
export function followProject(context: PiContext, hear: (event: TrackerEmitted) => void) {
  const { cwd, ui } = context;
  const beads = beadsIn(cwd);
  const own = process.env['PI_CODING_AGENT_DIR'] ?? join(homedir(), '.pi', 'agent');
  const outbox = outboxOf({
    folder: join(own, 'flamestack-outbox'),
    project: cwd,
    beads,
    onRefused: (issue, text, reason) =>
      ui.notify(`A comment on ${issue} was refused: ${reason} It said: ${text}`, 'warning'),
  });
  let writing: Promise<void> = Promise.resolve();
  return {
    cwd,
    beads,
    outbox,
    tracker: followIssues(beads, hear),
    /** Puts a note on its way. */
    write(issue: string, note: TrackerNote): void {
      const text = noteText(note);
      if (text === '') return;
      const written = outbox.write(issue, text, checkpointPatience);
      writing = writing.then(() => written);
    },
    /** Waits for what is on its way. */
    written: () => writing,
  };
}

/** A note as the text of a comment; '' for one that says nothing. */
function noteText(note: TrackerNote): string {
  switch (note.kind) {
    case 'commit':
      return `commit: ${note.hash} ${note.subject}`;
    case 'files':
      return note.files.length === 0 ? '' : `Files modified: ${note.files.join(', ')}`;
    case 'checkpoint':
      return checkpointText(note);
  }
}
