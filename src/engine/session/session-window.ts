import { breadcrumbsOf, checkpointAt } from '../../core/assembly/in-view.ts';
import { readBreadcrumbs } from '../../core/breadcrumbs/breadcrumb.ts';
import { documentOf } from '../../core/documents/build-document.ts';
import { printDocument } from '../../core/documents/document.ts';
import { checkArgument, objectOf, signal, text } from '../../core/values/validation.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import { assemble } from '../commands/assemble-command.ts';
import { checkId } from '../commands/command-check.ts';
import { noAnswer } from '../commands/command.ts';
import { archiveOf, rewindAnswer, toSnapshots } from '../commands/rewind-command.ts';
import { takenSteps } from '../commands/undo-list.ts';
import { writeDocument } from '../commands/write-document.ts';
import type { CommandSession, SessionReader } from '../live/session-access.ts';
import { differenceOf, viewAt } from '../time-travel/view-at.ts';
import type { HandleContext } from './handle-context.ts';
import type { Session } from './session.ts';

const compressOptions = objectOf<{ focus?: string; signal?: AbortSignal }>({ focus: text, signal });

/** What a session shows in its window, and what stands for the rest. */
export function toWindow(
  session: CommandSession,
  context: HandleContext,
): Pick<Session, 'assemble' | 'compress' | 'document' | 'writeDocument' | 'breadcrumbs'> {
  const { effects, clock, check, command } = context;
  return {
    async assemble(options = {}) {
      check();
      return assemble(session, options, context);
    },
    async compress(options = {}) {
      check();
      checkArgument('options', options, compressOptions);
      const { focus = '', signal } = options;
      signal?.throwIfAborted();
      await untilAborted(command({ type: 'compress', focus }, noAnswer), signal);
      await untilAborted(effects.settled(), signal);
    },
    async document() {
      check();
      const { state, bodies } = session;
      const id = `${session.id}/${state.seq}`;
      return printDocument(documentOf(state, bodies, { id, at: clock.now(), reason: 'command' }));
    },
    async writeDocument() {
      check();
      return writeDocument(session, context);
    },
    breadcrumbs(id) {
      check();
      const { state, bodies } = session;
      if (id === undefined) return breadcrumbsOf(state, bodies);
      checkId('checkpoint', id);
      const { breadcrumbs } = checkpointAt(state, id).checkpoint;
      return readBreadcrumbs(breadcrumbs, (text) => bodies.text(text));
    },
  };
}

/** What a session was, and the ways back to it. */
export function toPast(
  session: SessionReader,
  context: HandleContext,
): Pick<Session, 'at' | 'diff' | 'raise' | 'snapshots' | 'undo' | 'redo' | 'steps'> {
  const { check, command } = context;
  return {
    async at(moment) {
      check();
      return viewAt(await archiveOf(session), moment);
    },
    async diff(before, after) {
      check();
      return differenceOf(await archiveOf(session), before, after);
    },
    async raise(checkpoint) {
      check();
      checkId('checkpoint', checkpoint);
      return command({ type: 'raise', checkpoint }, (facts) => {
        const { age, tokens } = facts.find((fact) => fact.type === 'checkpoint.raised')!;
        return { age, tokens };
      });
    },
    snapshots: toSnapshots(session, context),
    async undo(options) {
      check();
      return command({ type: 'restore', cause: 'undo', snapshot: null }, rewindAnswer, options);
    },
    async redo(options) {
      check();
      return command({ type: 'restore', cause: 'redo', snapshot: null }, rewindAnswer, options);
    },
    async steps() {
      check();
      return takenSteps(session);
    },
  };
}
