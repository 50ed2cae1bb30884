import { join } from 'node:path';
import { documentFile } from '../../../core/documents/document.ts';
import type { PendingDocument } from '../../../core/state/document-schedule.ts';
import { ordinal } from '../../../core/values/id.ts';
import type { Mask } from '../../../core/text/redaction.ts';
import { textKey } from '../../../store/key.ts';
import type { RecordStore } from '../../../store/store.ts';
import type { Clock } from '../../live/clock.ts';
import type { LiveSession } from '../../live/live-session.ts';
import { sealDocument } from '../../../core/documents/parse-document.ts';
import { appendDocument } from './day-file.ts';
import { sealsOf } from './document-seal.ts';
import type { EndEffect } from '../effect-end.ts';
import { newPageWatch } from './page-watch.ts';
import { redactDocuments } from './redact-documents.ts';

/** The writer of the documents that live sessions of a store have pending, one after the other, and of their page. */
interface DocumentWriter {
  /** Begins to write what a session has pending, and looks whether somebody edited its page. */
  pump(live: LiveSession): void;
  /** Looks whether somebody edited the page of a session; resolves when that is taken in. */
  look(live: LiveSession): Promise<void>;
  /** Masks a text in the files of a session, after all that is being written. */
  redact(session: string, mask: Mask): Promise<readonly string[]>;
  /** Whether documents of a session are still to be written, and can be, or its page is being looked at. */
  isBusy(live: LiveSession): boolean;
  /** Begins no other document; resolves when none is being written any more. */
  stop(): Promise<void>;
}

/** A writer to the files of `folder`, one for each day; null writes nothing, and what is pending stays. `onOver` is called when something ended. */
export function newDocumentWriter(dependencies: {
  store: RecordStore;
  clock: Clock;
  folder: string | null;
  endEffect: EndEffect;
  onOver: () => void;
}): DocumentWriter {
  const { store, clock, folder, endEffect, onOver } = dependencies;
  const running = new Set<string>();
  let stopped = false;
  let last: Promise<unknown> = Promise.resolve();
  const pages = newPageWatch(folder ?? '', { store, clock });

  const isOff = (live: LiveSession): boolean =>
    folder === null || stopped || live.isBroken || live.isNew;

  const pendingOf = (live: LiveSession): readonly PendingDocument[] =>
    isOff(live) ? [] : live.state.documents.pending;

  /** Does `work` after all before, once at a time for each name. */
  function queue(name: string, work: () => Promise<void>): void {
    if (running.has(name)) return;
    running.add(name);
    last = last.then(work).finally(() => {
      running.delete(name);
      onOver();
    });
  }

  async function write(live: LiveSession, { key, text: id, at }: PendingDocument): Promise<void> {
    if (stopped) return;
    try {
      await live.durableState();
      const text = await store.get('text', textKey(live.id, ordinal(id)));
      const file = documentFile(at);
      if (typeof text !== 'string') throw new Error(`Text ${id} is missing`);
      await appendDocument(join(folder!, file), sealDocument(text, await sealsOf(store, live.id)));
      if (live.state.documents.pending.at(-1)?.key === key) {
        await pages.update(live);
      }
      await endEffect(live, { type: 'document.settle', key, file });
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
      await endEffect(live, { type: 'document.fail', key, reason });
    }
  }

  const look = (live: LiveSession): void =>
    queue(`${live.id} page`, () => (isOff(live) ? Promise.resolve() : pages.look(live)));

  return {
    pump(live) {
      for (const document of pendingOf(live))
        queue(`${live.id} ${document.key}`, () => write(live, document));
      if (!isOff(live) && live.state.documents.isKept) look(live);
    },
    async look(live) {
      look(live);
      await last;
    },
    redact(session, mask) {
      if (folder === null) return Promise.resolve([]);
      const work = last.then(() => redactDocuments(folder, { session, mask, store }));
      last = work.catch(() => undefined);
      return work;
    },
    isBusy: (live) =>
      pendingOf(live).length > 0 || (!isOff(live) && running.has(`${live.id} page`)),
    async stop() {
      stopped = true;
      await last;
    },
  };
}
