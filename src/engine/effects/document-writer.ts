import { join } from 'node:path';
import { documentFile } from '../../core/documents/document.ts';
import type { PendingDocument } from '../../core/state/document-schedule.ts';
import { ordinal } from '../../core/values/id.ts';
import { textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { LiveSession } from '../live/live-session.ts';
import { appendDocument } from './day-file.ts';
import type { EndEffect } from './effect-end.ts';

/** The writer of the documents that live sessions of a store have pending, one after the other. */
interface DocumentWriter {
  /** Begins to write what a session has pending. */
  pump(live: LiveSession): void;
  /** Whether documents of a session are still to be written, and can be. */
  isBusy(live: LiveSession): boolean;
  /** Begins no other document; resolves when none is being written any more. */
  stop(): Promise<void>;
}

/** A writer to the files of `folder`, one for each day; null writes nothing, and what is pending stays. */
export function newDocumentWriter(dependencies: {
  store: RecordStore;
  folder: string | null;
  endEffect: EndEffect;
}): DocumentWriter {
  const { store, folder, endEffect } = dependencies;
  const running = new Set<string>();
  let stopped = false;
  let last: Promise<unknown> = Promise.resolve();

  function pendingOf(live: LiveSession): readonly PendingDocument[] {
    const isIdle = folder === null || stopped || live.isBroken || live.isNew;
    return isIdle ? [] : live.state.diary.pending;
  }

  async function write(live: LiveSession, { key, text: id, at }: PendingDocument): Promise<void> {
    if (stopped) return;
    try {
      await live.written;
      const text = await store.get('text', textKey(live.id, ordinal(id)));
      const file = documentFile(at);
      if (typeof text !== 'string') throw new Error(`Text ${id} is missing`);
      await appendDocument(join(folder!, file), text);
      await endEffect(live, { type: 'document.settle', key, file });
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
      await endEffect(live, { type: 'document.fail', key, reason });
    }
  }

  return {
    pump(live) {
      for (const document of pendingOf(live)) {
        const name = `${live.id} ${document.key}`;
        if (running.has(name)) continue;
        running.add(name);
        last = last.then(() => write(live, document)).finally(() => running.delete(name));
      }
    },
    isBusy: (live) => pendingOf(live).length > 0,
    async stop() {
      stopped = true;
      await last;
    },
  };
}
