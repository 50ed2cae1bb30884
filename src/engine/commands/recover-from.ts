import { foldDocuments, withoutReferences } from '../../core/documents/fold-documents.ts';
import { editsIn } from '../../core/documents/parse-document.ts';
import {
  printDocument,
  printMarkdown,
  printQuote,
  type CheckpointDocument,
} from '../../core/documents/document.ts';
import { fail } from '../../core/values/error.ts';
import { sessionFromDocument } from '../../core/progress/session-from-document.ts';
import type { Message } from '../../core/messages/message.ts';
import { shortenedHint } from '../../core/breadcrumbs/extract-breadcrumbs.ts';
import { toIncoming } from './append-command.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession } from '../live/session-access.ts';
import { editMessage, readEdit, withEdit } from '../../core/documents/page-edit.ts';
import { claimPage, lookAtPage } from '../effects/page-file.ts';
import { sayEdit } from '../effects/page-watch.ts';
import { readDocuments } from '../effects/read-documents.ts';
import { takes } from '../step/phase-rules.ts';

/**
 * Recovers from the documents of a folder, or of one file: by the newest of this session, or of any
 * where it has none, and by its page, where somebody edited that since or it is all there is. A session
 * in which nothing was said takes the document in as its first entry, so that what it says can be found,
 * and an edit as the words of a person. Rejects with `RECOVERY_EMPTY` where there is no document.
 */
export async function recoverFrom(session: CommandSession, from: string): Promise<void> {
  const told = await toldIn(from, session.id);
  if (told === undefined)
    throw fail('RECOVERY_EMPTY', `There is no checkpoint document and no page in "${from}"`, {
      from,
    });
  const page = await lookAtPage(from, told.session);
  const edit = page.is === 'edited' ? page.edit : null;
  const meaning = edit === null ? null : readEdit(editMessage(edit));
  const document = meaning === null ? told : withEdit(told, meaning);
  const { goal, ...rest } = sessionFromDocument(document);
  const input = { type: 'recover', ...rest, ...(goal === null ? {} : { goal }) } as const;
  const { isTaken } = await decided(session, async (writer) => {
    const { count } = await exactCounter(writer);
    const isSilent = writer.state.entries === 0 && takes(writer.state, 'append');
    if (!isSilent) return { isTaken: false, durable: writer.step(input).durable };
    const { entries } = await toIncoming(writer, [asMessage(document)], undefined);
    // All steps in one moment are one write.
    writer.step({ ...input, document: printDocument(withoutReferences(document)) });
    const step = writer.step({ type: 'append', entries }, { count });
    const said = edit === null ? step.durable : sayEdit(writer, edit, { count, isMachine: false });
    return { isTaken: true, durable: said };
  });
  const isOnly = document.id === '' && page.is === 'missing';
  if (isTaken && isOnly && document.session === session.id)
    await claimPage(from, session.id).catch(() => undefined);
}

/** A document as an entry, without references into the log that is gone. */
function asMessage(document: CheckpointDocument): Message {
  const { id, edited, session } = document;
  const only = session === '' ? words.text : words.page;
  const text = id === '' && edited !== '' ? [only, printQuote(edited)] : partsOf(document);
  return { role: 'user', origin: 'machine', content: text.join('\n\n') };
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
  page: 'There is no checkpoint document, only this page on where the work stood. The log is gone: ids like e12 in it lead nowhere.',
  text: 'There is no checkpoint document, only this text, which somebody wrote by hand:',
} as const;

/** What all documents of this session tell, or those of the session that wrote last, or its page; else a text written by hand. */
async function toldIn(from: string, session: string): Promise<CheckpointDocument | undefined> {
  const found: CheckpointDocument[] = [];
  for await (const document of readDocuments(from)) found.push(document);
  const isKnown = found.some((document) => document.session === session);
  const owner = isKnown ? session : found.find((document) => document.session !== '')?.session;
  const own = found.filter((document) => document.session === owner);
  return foldDocuments(own.toReversed()) ?? found[0];
}
