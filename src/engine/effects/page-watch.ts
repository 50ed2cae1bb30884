import { editMessage } from '../../core/documents/page-edit.ts';
import { isPageNamed, printPage } from '../../core/documents/page.ts';
import { pageFile, type PageEdit } from '../../core/documents/page-mark.ts';
import { workOf } from '../../core/documents/session-work.ts';
import { documentFile } from '../../core/documents/document.ts';
import { messageTokens } from '../../core/messages/token-count.ts';
import type { Message } from '../../core/messages/message.ts';
import { join } from 'node:path';
import { chainHash } from '../journal/recorded-input.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';
import { takes } from '../step/phase-rules.ts';
import { appendDocument } from './day-file.ts';
import { acceptPage, dayFiles, lookAtPage, pageStamp, writePage } from './page-file.ts';

// What somebody changed on the page by hand is told (`page.edited`), appended as a
// person's message, and only then is the page written again. While calls wait for
// their results nothing is appended, and the page stays as it was edited.

/** Looks after the pages of live sessions. */
interface PageWatch {
  /** Looks whether somebody edited the page of a session, and takes that in. */
  look(live: LiveSession): Promise<void>;
  /** Looks, and writes the page of a session as it stands now; where the system refuses that is told. */
  update(live: LiveSession): Promise<void>;
}

/** A watch over the pages in `folder`. */
export function newPageWatch(folder: string): PageWatch {
  const seen = new Map<string, string>();

  /** Writes the page of a session as it stands now, unless somebody edited it meanwhile. */
  async function rewrite(live: LiveSession): Promise<void> {
    const files = await dayFiles(folder);
    const text = await live.inTurn(async (writer) => {
      const { count } = await exactCounter(writer);
      const { state, bodies } = writer;
      return printPage(state, workOf(state, bodies), { at: state.updated, count, files });
    });
    const { stamp, kept } = await writePage(folder, live.id, text);
    if (kept !== '') await tellRefused(live, 'ENOENT', kept);
    if (stamp !== null) seen.set(live.id, stamp);
  }

  async function look(live: LiveSession): Promise<void> {
    const known = seen.get(live.id);
    const stamp = await pageStamp(folder, live.id, known);
    if (known === stamp) return;
    const found = await lookAtPage(folder, live.id);
    if (found.is === 'unreadable') await tellRefused(live, found.reason);
    if (found.is !== 'edited') {
      seen.set(live.id, stamp);
      return;
    }
    if (!(await takeIn(live, found.edit))) return;
    if (!takes(live.state, 'append')) await noteEdit(folder, live, found.edit);
    await acceptPage(folder, live.id, found.text);
    await rewrite(live);
  }

  const told = (live: LiveSession, error: unknown): Promise<void> =>
    tellRefused(live, (error as NodeJS.ErrnoException).code ?? 'unknown').catch(() => undefined);

  return {
    look: (live) => look(live).catch((error: unknown) => told(live, error)),
    update: (live) =>
      look(live)
        .then(() => rewrite(live))
        .catch((error: unknown) => told(live, error)),
  };
}

async function tellRefused(live: LiveSession, reason: string, kept = ''): Promise<void> {
  const { durable } = await live.inTurn((writer) =>
    writer.step({ type: 'page', added: [], removed: [], human: false, reason, kept }),
  );
  await durable;
}

/** Appends an edit as what a person says, unless calls wait for their results; says whether it did. A session that is over takes the fact alone. */
async function takeIn(live: LiveSession, edit: PageEdit): Promise<boolean> {
  const { isTaken, durable } = await live.inTurn(async (writer) => {
    const { count } = await exactCounter(writer);
    const { state, bodies } = writer;
    if (state.calls.some(({ closed }) => !closed)) return { isTaken: false, durable: undefined };
    const isMachine = isPageNamed(state, workOf(state, bodies));
    const { added, removed, changes } = edit;
    const told = writer.step({
      type: 'page',
      added,
      removed,
      human: !isMachine,
      reason: '',
      kept: '',
    });
    if (changes.length === 0 || !takes(state, 'append'))
      return { isTaken: true, durable: told.durable };
    const message: Message = {
      role: 'user',
      content: editMessage(edit),
      ...(isMachine ? { origin: 'machine' as const } : {}),
    };
    const tokens = messageTokens(message, count);
    const hash = chainHash(writer.state.hash, message);
    const entries = [{ message, tokens, exact: true, hash }];
    return { isTaken: true, durable: writer.step({ type: 'append', entries }).durable };
  });
  await durable;
  return isTaken;
}

/** Keeps an edit of the page of a session that is over in the file of the day. */
const noteEdit = (folder: string, { state, id }: LiveSession, edit: PageEdit): Promise<void> =>
  appendDocument(
    join(folder, documentFile(state.updated)),
    `## ${pageFile} of ${JSON.stringify(id)}, edited by hand\n\n${editMessage(edit)}\n`,
  );
