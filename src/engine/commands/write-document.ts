import { join } from 'node:path';
import { EngineError, fail } from '../../core/values/error.ts';
import { ordinal } from '../../core/values/id.ts';
import { textKey } from '../../store/key.ts';
import { sealDocument } from '../../core/documents/parse-document.ts';
import { knownSeals } from '../effects/documents/document-seal.ts';
import type { SessionEffects } from '../effects/effects.ts';
import type { SessionFact } from '../live/listening/listeners.ts';
import type { CommandSession } from '../live/session-access.ts';
import { runCommand } from './command.ts';

/** A document in its file. */
export interface WrittenDocument {
  /** The file of its day. */
  readonly path: string;
  /** The document, in Markdown. */
  readonly document: string;
}

/** Writes a document of where a session stands to the file of the day, once an edit of the page by hand is taken in; rejects with `DOCUMENTS_OFF`, or `DOCUMENT_FAILED` where the system refuses. */
export async function writeDocument(
  session: CommandSession,
  { effects, documents }: { effects: SessionEffects; documents: string | null },
): Promise<WrittenDocument> {
  const { id } = session;
  if (documents === null)
    throw fail('DOCUMENTS_OFF', `Session "${id}" keeps no documents`, { session: id });
  await effects.lookAtPage();
  const ends = new Map<string, SessionFact>();
  const stop = session.listen((fact) => {
    if (fact.type === 'document.written' || fact.type === 'document.failed')
      ends.set(fact.key, fact);
  });
  try {
    const { key, text } = await runCommand(session, {
      input: { type: 'document' },
      answer(facts) {
        const fact = facts.find(({ type }) => type === 'document.requested');
        return fact?.type === 'document.requested'
          ? { key: fact.key, text: fact.text }
          : { key: '', text: null };
      },
      key: undefined,
    });
    await effects.until(() => ends.has(key));
    const end = ends.get(key);
    if (end?.type === 'document.written' && text !== null) {
      const document = (await session.store.get('text', textKey(id, ordinal(text)))) as string;
      const seals = await knownSeals(session.store, id);
      return { path: join(documents, end.file), document: sealDocument(document, seals) };
    }
    const reason = end?.type === 'document.failed' ? end.reason : 'the store was closed';
    throw new EngineError('DOCUMENT_FAILED', `No document could be written: ${reason}`, {
      retryable: true,
      detail: { session: id, reason },
    });
  } finally {
    stop();
  }
}
