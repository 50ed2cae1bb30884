import { isDeepStrictEqual } from 'node:util';
import { editMessage, editedGoal, readEdit } from '../../../core/documents/page-edit.ts';
import { isPageNamed, printPage } from '../../../core/progress/page.ts';
import { pageFile, type PageEdit } from '../../../core/documents/page-mark.ts';
import { workOf } from '../../../core/progress/session-work.ts';
import { documentFile } from '../../../core/documents/document.ts';
import { messageTokens, type Count } from '../../../core/messages/token-count.ts';
import type { Message } from '../../../core/messages/message.ts';
import { isEngineError } from '../../../core/values/error.ts';
import { join } from 'node:path';
import type { RecordStore } from '../../../store/store.ts';
import { chainHash } from '../../journal/recorded-input.ts';
import { decided } from '../../live/decided.ts';
import { exactCounter } from '../../live/counting.ts';
import type { Clock } from '../../live/clock.ts';
import { inParts } from '../../live/in-parts.ts';
import type { LiveSession } from '../../live/live-session.ts';
import type { SessionWriter } from '../../live/session-access.ts';
import { takes } from '../../step/phase-rules.ts';
import { formerSeals, sealsOf } from './document-seal.ts';
import { appendDocument } from './day-file.ts';
import { acceptPage } from './page-copy.ts';
import {
  dayFiles,
  keepLostPage,
  lookAtPage,
  pageStamp,
  writePage,
  type PageFound,
} from './page-file.ts';

// What somebody changed on the page by hand is told (`page.edited`), appended as a
// person's message, and only then is the page written again. While calls wait for
// their results nothing is appended, and the page stays as it was edited. What a
// recovery took in of the page of a lost store is not taken in again.

/** Looks after the pages of live sessions. */
interface PageWatch {
  /** Looks whether somebody edited the page of a session, and takes that in. */
  look(live: LiveSession): Promise<void>;
  /** Looks, and writes the page of a session as it stands now; where the system refuses that is told. */
  update(live: LiveSession): Promise<void>;
}

/** A watch over the pages in `folder`. */
export function newPageWatch(
  folder: string,
  { store, clock }: { readonly store: RecordStore; readonly clock: Clock },
): PageWatch {
  const seen = new Map<string, string>();

  /** Writes the page of a session as it stands now, unless somebody edited it meanwhile. */
  async function rewrite(live: LiveSession): Promise<void> {
    const files = await dayFiles(folder);
    const text = await live.inTurn(async (writer) => {
      const { count } = await exactCounter(writer);
      const { state, bodies } = writer;
      return inParts(clock, (part) => {
        const work = workOf(state, bodies, { part });
        return printPage(state, work, { at: state.updated, count, files, part });
      });
    });
    const seals = await sealsOf(store, live.id);
    const { stamp, kept } = await writePage(folder, { session: live.id, text, seals });
    if (kept !== '') await tellRefused(live, 'ENOENT', kept);
    if (stamp !== null) seen.set(live.id, stamp);
  }

  async function look(live: LiveSession): Promise<void> {
    const known = seen.get(live.id);
    const stamp = await pageStamp(folder, live.id, known);
    if (known === stamp) return;
    if (known === undefined) {
      const seals = await formerSeals(store, live.id);
      const since = live.state.documents.recovered === null ? live.state.created : 0;
      const kept = await keepLostPage(folder, live.id, { since, seals });
      if (kept !== '') await tellRefused(live, 'ENOENT', kept);
    }
    const found = await lookAtPage(folder, live.id);
    if (found.is === 'unreadable') await tellRefused(live, found.reason);
    if (found.is !== 'edited') {
      seen.set(live.id, stamp);
      return;
    }
    if (!(await takeIn(live, found))) return;
    if (!takes(live.state, 'append')) await noteEdit(folder, live, found.edit);
    const seals = await sealsOf(store, live.id);
    await acceptPage(folder, { session: live.id, text: found.text, seals });
    await rewrite(live);
  }

  const reportFailure = (live: LiveSession, error: unknown): Promise<void> =>
    tellRefused(live, (error as NodeJS.ErrnoException).code ?? 'unknown').catch(() => undefined);

  return {
    look: (live) => look(live).catch((error: unknown) => reportFailure(live, error)),
    update: (live) =>
      look(live)
        .then(() => rewrite(live))
        .catch((error: unknown) => reportFailure(live, error)),
  };
}

async function tellRefused(live: LiveSession, reason: string, kept = ''): Promise<void> {
  await decided(
    live,
    async (writer) =>
      writer.step({ type: 'page', added: [], removed: [], human: false, reason, kept }),
    'engine',
  );
}

type EditedPage = Extract<PageFound, { readonly is: 'edited' }>;

/** Appends an edit as what a person says, unless calls wait for their results; says whether they are in the log. A session that is over takes the fact alone. */
async function takeIn(live: LiveSession, { edit, at }: EditedPage): Promise<boolean> {
  const { isTaken } = await decided(
    live,
    async (writer) => {
      const { count } = await exactCounter(writer);
      const { state, bodies } = writer;
      if (state.calls.some(({ closed }) => !closed))
        return { isTaken: false, durable: writer.written };
      const work = workOf(state, bodies);
      const isRecovered = state.documents.recovered !== null && at < state.created;
      if (isRecovered && work.edits.some(({ text }) => text === editMessage(edit)))
        return { isTaken: true, durable: writer.written };
      const isMachine = isPageNamed(state, work);
      return { isTaken: true, durable: sayEdit(writer, edit, { count, isMachine }) };
    },
    'engine',
  );
  return isTaken;
}

/**
 * Tells an edit of the page, changes the goal by what a person ticked and took out, and appends it as
 * theirs, all in one moment; resolves when that is durable.
 */
export function sayEdit(
  writer: SessionWriter,
  edit: PageEdit,
  { count, isMachine }: { readonly count: Count; readonly isMachine: boolean },
): Promise<void> {
  const { added, removed, changes } = edit;
  const fact = { type: 'page', added, removed, human: !isMachine, reason: '', kept: '' } as const;
  const pageStep = writer.step(fact);
  if (changes.length === 0 || !takes(writer.state, 'append')) return pageStep.durable;
  const content = editMessage(edit);
  if (!isMachine) changeGoal(writer, content);
  const origin = isMachine ? { origin: 'machine' as const } : {};
  const message: Message = { role: 'user', content, ...origin };
  const tokens = messageTokens(message, count);
  const hash = chainHash(writer.state.hash, message);
  return writer.step({ type: 'append', entries: [{ message, tokens, exact: true, hash }] }).durable;
}

/** Changes the goal as an edit says; a goal that is too long stays, and the new one stands in the words of the edit. */
export function changeGoal(writer: SessionWriter, content: string): void {
  const { goal } = writer.state;
  const edited = editedGoal(goal, readEdit(content)!);
  if (edited === null || isDeepStrictEqual(edited, goal)) return;
  try {
    writer.step({ type: 'goal', goal: edited });
  } catch (error) {
    if (!isEngineError(error, 'GOAL_TOO_LARGE')) throw error;
  }
}

/** Keeps an edit of the page of a session that is over in the file of the day. */
const noteEdit = (folder: string, { state, id }: LiveSession, edit: PageEdit): Promise<void> =>
  appendDocument(
    join(folder, documentFile(state.updated)),
    `## ${pageFile} of ${JSON.stringify(id)}, edited by hand\n\n${editMessage(edit)}\n`,
  );
