import { foldDocuments, withoutReferences } from '../../core/documents/fold-documents.ts';
import { editsIn } from '../../core/documents/parse-document.ts';
import {
  printDocument,
  printMarkdown,
  printQuote,
  type CheckpointDocument,
} from '../../core/documents/document.ts';
import { fail } from '../../core/values/error.ts';
import { sessionFromDocument } from '../../core/documents/session-from-document.ts';
import type { Message } from '../../core/messages/message.ts';
import { shortenedHint } from '../../core/breadcrumbs/extract-breadcrumbs.ts';
import { toIncoming } from './append-command.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession } from '../live/session-access.ts';
import { editMessage } from '../../core/documents/page-edit.ts';
import { lookAtPage } from '../effects/page-file.ts';
import { readDocuments } from '../effects/read-documents.ts';
import { takes } from '../step/phase-rules.ts';

/**
 * Recovers from the documents of a folder, or of one file: by the newest of this session, or of any
 * where it has none. A session in which nothing was said takes the document in as its first entry,
 * so that what it says can be found. Rejects with `RECOVERY_EMPTY` where there is no document.
 */
export async function recoverFrom(session: CommandSession, from: string): Promise<void> {
  const document = await toldIn(from, session.id);
  if (document === undefined)
    throw fail('RECOVERY_EMPTY', `There is no checkpoint document in "${from}"`, { from });
  const found = await lookAtPage(from, document.session);
  const page = found.is === 'edited' && document.id !== '' ? editMessage(found.edit) : '';
  const { goal, ...rest } = sessionFromDocument(document);
  const input = { type: 'recover', ...rest, ...(goal === null ? {} : { goal }) } as const;
  const { durable } = await session.enqueue(async (writer) => {
    await exactCounter(writer);
    const isSilent = writer.state.entries === 0 && takes(writer.state, 'append');
    const messages = isSilent ? [asMessage(document, page)] : [];
    const { entries, count } = await toIncoming(writer, messages, undefined);
    // Both steps in one moment are one write.
    const carried = isSilent ? { document: printDocument(withoutReferences(document)) } : {};
    const step = writer.step({ ...input, ...carried });
    return isSilent ? writer.step({ type: 'append', entries }, { count }) : step;
  });
  await durable;
}

/** A document as an entry, without references into the log that is gone; what somebody edited by hand stands behind it. */
function asMessage(document: CheckpointDocument, page: string): Message {
  const { id, edited } = document;
  const text = id === '' && edited !== '' ? [words.text, printQuote(edited)] : partsOf(document);
  const edits = page === '' ? [] : [words.page, printQuote(page)];
  return { role: 'user', origin: 'machine', content: [...text, ...edits].join('\n\n') };
}

function partsOf(document: CheckpointDocument): readonly string[] {
  const breadcrumbs = document.breadcrumbs
    .filter(({ reference, hint }) => !/^e\d+(?:–e\d+)?$/.test(reference) && hint !== shortenedHint)
    .map((breadcrumb) => ({ ...breadcrumb, entries: [] }));
  const { added, removed } = editsIn(document);
  return [
    words.document,
    printMarkdown({ ...document, breadcrumbs }),
    ...(document.edited === '' ? [] : [words.edited]),
    ...(added.length === 0 ? [] : ['Added:', printQuote(added.join('\n'))]),
    ...(removed.length === 0 ? [] : ['Taken out:', printQuote(removed.join('\n'))]),
  ];
}

const words = {
  document:
    'Recovered from this checkpoint document. The log that it was drawn from is gone: ids like e12 in it lead nowhere.',
  edited:
    'Somebody edited the document by hand since. Goal and frames are as they were before that.',
  page: 'Somebody edited the page by hand since:',
  text: 'There is no checkpoint document, only this text, which somebody wrote by hand:',
} as const;

/** What all documents of this session tell, or those of the session that wrote last; else a text written by hand. */
async function toldIn(from: string, session: string): Promise<CheckpointDocument | undefined> {
  const found: CheckpointDocument[] = [];
  for await (const document of readDocuments(from)) found.push(document);
  const written = found.filter(({ id }) => id !== '');
  const isKnown = written.some((document) => document.session === session);
  const owner = isKnown ? session : written[0]?.session;
  const own = written.filter((document) => document.session === owner);
  return foldDocuments(own.toReversed()) ?? found[0];
}
