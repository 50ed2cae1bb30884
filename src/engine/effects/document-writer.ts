import { join } from 'node:path';
import type { PendingDocument, DocumentEnd } from '../../core/state/document-schedule.ts';
import { documentFile } from '../../core/documents/document.ts';
import { ordinal } from '../../core/values/id.ts';
import { textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { appendDocument } from './day-file.ts';
import type { LiveSession } from '../live/live-session.ts';

// Puts documents that were decided on into the file of their day, one after the
// other.

/** What writes the documents of all live sessions of a store. */
export interface DocumentWriter {
  /** Writes what a session has pending. */
  pump(live: LiveSession): void;
  /** Whether a session has documents that are being written. */
  isBusy(live: LiveSession): boolean;
  /** Begins no other; resolves when none is being written any more. */
  stop(): Promise<void>;
}

/** A writer into `folder`; null writes nothing, and what is pending stays. */
export function runPages(around: {
  store: RecordStore;
  folder: string | null;
  /** Tells the session how it went, in its turn. */
  tell: (live: LiveSession, input: DocumentEnd) => Promise<void>;
}): DocumentWriter {
  const { store, folder, tell } = around;
  const running = new Set<string>();
  let stopped = false;
  let last: Promise<unknown> = Promise.resolve();

  const nameOf = (live: LiveSession, { key }: PendingDocument): string => `${live.id} ${key}`;

  function pump(live: LiveSession): void {
    if (folder === null || stopped || live.isBroken || live.isNew) return;
    for (const page of live.state.diary.pending) {
      const name = nameOf(live, page);
      if (running.has(name)) continue;
      running.add(name);
      last = last.then(() => run(live, page, folder)).finally(() => running.delete(name));
    }
  }

  async function run(live: LiveSession, page: PendingDocument, into: string): Promise<void> {
    const { key } = page;
    if (stopped) return;
    try {
      await live.written;
      const text = await store.get('text', textKey(live.id, ordinal(page.text)));
      const file = documentFile(page.at);
      if (typeof text !== 'string') throw new Error(`Text ${page.text} is missing`);
      await appendDocument(join(into, file), text);
      await tell(live, { type: 'document.settle', key, file });
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
      await tell(live, { type: 'document.fail', key, reason });
    }
  }

  return {
    pump,
    isBusy: (live) =>
      folder !== null && !stopped && !live.isBroken && !live.isNew
        ? live.state.diary.pending.length > 0
        : false,
    async stop() {
      stopped = true;
      await last;
    },
  };
}
