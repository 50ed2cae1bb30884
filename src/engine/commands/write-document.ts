import { join } from 'node:path';
import { EngineError, fail } from '../../core/values/error.ts';
import { ordinal } from '../../core/values/id.ts';
import { textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { runCommand } from './command.ts';
import type { Effects } from '../effects/effects.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { SessionFact } from '../live/listeners.ts';

/** A document that stands in its file. */
export interface WrittenDocument {
  /** The file of its day. */
  readonly path: string;
  /** The document, in Markdown. */
  readonly document: string;
}

/** Writes where a session stands now to the file of the day; rejects with `DOCUMENTS_OFF`, or `DOCUMENT_FAILED` where the system refuses. */
export async function writeDocument(
  live: LiveSession,
  context: {
    readonly effects: Effects;
    readonly documents: string | null;
    readonly store: RecordStore;
  },
): Promise<WrittenDocument> {
  const { effects, documents, store } = context;
  if (documents === null)
    throw fail('DOCUMENTS_OFF', `Session "${live.id}" keeps no documents`, { session: live.id });
  const ends = new Map<string, SessionFact>();
  const stop = live.listen((fact) => {
    if (fact.type === 'document.written' || fact.type === 'document.failed')
      ends.set(fact.key, fact);
  });
  try {
    const { key, text } = await runCommand(live, {
      input: { type: 'document' },
      answer(facts) {
        const fact = facts.find(({ type }) => type === 'document.requested');
        return fact?.type === 'document.requested'
          ? { key: fact.key, text: fact.text }
          : { key: '', text: null };
      },
      key: undefined,
    });
    await effects.until(live, () => ends.has(key));
    const end = ends.get(key);
    if (end?.type === 'document.written' && text !== null) {
      const document = await store.get('text', textKey(live.id, ordinal(text)));
      return { path: join(documents, end.file), document: document as string };
    }
    const reason = end?.type === 'document.failed' ? end.reason : 'the store was closed';
    throw new EngineError('DOCUMENT_FAILED', `No document could be written: ${reason}`, {
      retryable: true,
      detail: { session: live.id, reason },
    });
  } finally {
    stop();
  }
}
