import { checkArgument, objectOf, signal, text } from '../../core/values/validation.ts';
import { checkpointAt } from '../../core/assembly/in-view.ts';
import { printDocument } from '../../core/documents/document.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import type { RecordStore } from '../../store/store.ts';
import { assembleNow, checkAssemble } from '../commands/assemble-command.ts';
import type { Clock } from '../live/clock.ts';
import { done, type RunCommand } from '../commands/command.ts';
import { checkId } from '../commands/command-check.ts';
import type { Effects } from '../effects/effects.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { Session } from './session.ts';
import { writeDocument } from '../commands/write-document.ts';
import { differenceOf, viewAt } from '../time-travel/view-at.ts';
import { goBack, toSnapshots, raiseStep } from '../commands/rewind-command.ts';
import { takenSteps } from '../commands/undo-list.ts';

const compressOptions = objectOf<{ focus?: string; signal?: AbortSignal }>({ focus: text, signal });

/** What a session shows in its window, and what stands for the rest, as a handle gives it. */
export function toWindow(
  live: LiveSession,
  around: {
    readonly store: RecordStore;
    readonly effects: Effects;
    readonly timeout: number;
    readonly clock: Clock;
    /** Where checkpoint documents go; null for nowhere. */
    readonly documents: string | null;
    readonly check: () => void;
    readonly command: RunCommand;
  },
): Pick<Session, 'assemble' | 'compress' | 'document' | 'writeDocument' | 'breadcrumbs'> {
  const { effects, clock, check, command } = around;
  return {
    async assemble(options = {}) {
      check();
      checkAssemble(options);
      const { tools = [], signal } = options;
      signal?.throwIfAborted();
      return assembleNow(live, { ...around, tools, signal });
    },
    async compress(options = {}) {
      check();
      checkArgument('options', options, compressOptions);
      const { focus = '', signal } = options;
      signal?.throwIfAborted();
      await untilAborted(command({ type: 'compress', focus }, done), signal);
      await untilAborted(effects.settled(live), signal);
    },
    async document() {
      check();
      return printDocument(live.document(clock.now()));
    },
    async writeDocument() {
      check();
      return writeDocument(live, around);
    },
    breadcrumbs(checkpoint) {
      check();
      if (checkpoint !== undefined) checkId('checkpoint', checkpoint);
      return live.breadcrumbs(
        checkpoint === undefined ? undefined : checkpointAt(live.state, checkpoint).checkpoint,
      );
    },
  };
}

/** What a session was, and the ways back to it, as a handle shows them. */
export function toPast(
  live: LiveSession,
  around: { readonly store: RecordStore; readonly check: () => void; readonly command: RunCommand },
): Pick<Session, 'at' | 'diff' | 'raise' | 'snapshots' | 'undo' | 'redo' | 'steps'> {
  const { store, check } = around;
  return {
    async at(moment) {
      check();
      await live.written;
      return viewAt({ store, session: live.id, last: live.state.seq }, moment);
    },
    async diff(before, after) {
      check();
      await live.written;
      return differenceOf({ store, session: live.id, last: live.state.seq }, before, after);
    },
    async raise(checkpoint) {
      check();
      return raiseStep(live, checkpoint);
    },
    snapshots: toSnapshots(live, around),
    async undo(options) {
      check();
      return goBack(live, { type: 'restore', cause: 'undo', snapshot: null }, options);
    },
    async redo(options) {
      check();
      return goBack(live, { type: 'restore', cause: 'redo', snapshot: null }, options);
    },
    async steps() {
      check();
      return takenSteps(live, store);
    },
  };
}
