import { breadcrumbsOf, checkpointAt } from '../../core/assembly/in-view.ts';
import { readBreadcrumbs } from '../../core/breadcrumbs/breadcrumb.ts';
import { documentOf } from '../../core/progress/build-document.ts';
import { printDocument } from '../../core/documents/document.ts';
import { checkArgument, objectOf, signal, text } from '../../core/values/validation.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import { assemble } from '../commands/assemble-command.ts';
import { checkId } from '../commands/command-arguments.ts';
import { noAnswer } from '../commands/command.ts';
import { writeDocument } from '../commands/write-document.ts';
import type { CommandSession } from '../live/session-access.ts';
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
