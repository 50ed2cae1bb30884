import { basename, join } from 'node:path';
import { pageFile, type PageEdit } from '../../core/documents/page-mark.ts';
import { foldDocuments, withoutReferences } from '../../core/documents/fold-documents.ts';
import { editsIn } from '../../core/documents/parse-document.ts';
import {
  documentFile,
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
import { knownSeals, sealsOf } from '../effects/documents/document-seal.ts';
import { adoptPage } from '../effects/documents/page-copy.ts';
import { claimPage, isPageKnown, lookAtPage } from '../effects/documents/page-file.ts';
import { sayEdit } from '../effects/documents/page-watch.ts';
import { findDocumentsIn, type DocumentInFile } from '../effects/documents/read-documents.ts';
import { takes } from '../step/phase-rules.ts';

/** What a session recovers from. */
export interface RecoverOptions {
  /** A folder of checkpoint documents, or one of its files; the session itself unless told. */
  readonly from?: string;
  /** Whether documents are believed that this store did not write as they stand there; true unless told: who names a folder answers for it. */
  readonly trust?: boolean;
}

/**
 * Recovers from the documents of a folder, or of one file: by the newest of this session, or of any
 * where it has none, and by its page, where somebody edited that since or it is all there is. A session
 * in which nothing was said takes the document in as its first entry, so that what it says can be found,
 * and an edit as the words of a person. Rejects with `RECOVERY_EMPTY` where there is no document, and with
 * `DOCUMENT_UNTRUSTED` where the store cannot tell that it wrote them and they are not to be trusted.
 */
export async function recoverFrom(
  session: CommandSession,
  from: string,
  { trust }: { readonly trust: boolean },
): Promise<void> {
  const found = await documentsOf(from, session.id);
  if (found === undefined)
    throw fail('RECOVERY_EMPTY', `There is no checkpoint document and no page in "${from}"`, {
      from,
    });
  const { checkpoint } = found;
  const page = await lookAtPage(from, checkpoint.session);
  const edit = page.is === 'edited' ? page.edit : null;
  const meaning = edit === null ? null : readEdit(editMessage(edit));
  const document = meaning === null ? checkpoint : withEdit(checkpoint, meaning);
  const doubted = await doubtedFiles(session, from, { found, isEdited: edit !== null });
  if (doubted.length > 0 && !trust) throw untrusted(document, { from, files: doubted, edit });
  const { goal, ...rest } = sessionFromDocument(document);
  const input = { type: 'recover', ...rest, ...(goal === null ? {} : { goal }) } as const;
  const { isTaken } = await decided(session, async (writer) => {
    const { count } = await exactCounter(writer);
    const isSilent = writer.state.entryCount === 0 && takes(writer.state, 'append');
    if (!isSilent) return { isTaken: false, durable: writer.step(input).durable };
    const { entries } = await toIncoming(writer, [asMessage(document)], undefined);
    // All steps in one moment are one write.
    writer.step({ ...input, document: printDocument(withoutReferences(document)) });
    const step = writer.step({ type: 'append', entries }, { count });
    const said = edit === null ? step.durable : sayEdit(writer, edit, { count, isMachine: false });
    return { isTaken: true, durable: said };
  });
  if (!isTaken || document.session !== session.id) return;
  const own = { session: session.id, seals: await sealsOf(session.store, session.id) };
  const isOnly = document.id === '' && page.is === 'missing';
  await (isOnly ? claimPage(from, own) : adoptPage(from, own)).catch(() => undefined);
}

/** The files of documents of which the store cannot tell that it wrote them as they stand there, for this session. */
async function doubtedFiles(
  { id, store }: CommandSession,
  from: string,
  { found, isEdited }: { readonly found: FolderDocuments; readonly isEdited: boolean },
): Promise<readonly string[]> {
  const { checkpoint, documents } = found;
  const seals = await knownSeals(store, id);
  const known = new Set<string>();
  let newest = 0;
  const isProven = ({ document, content, seal, path }: DocumentInFile): boolean => {
    const { id: name, at, session } = document;
    const isNext = !known.has(name) && at >= newest;
    known.add(name);
    newest = at;
    const isOwn = session === id && seals.holds(content, seal);
    return isOwn && isNext && basename(path) === documentFile(at);
  };
  const doubted = documents.filter((one) => !isProven(one)).map(({ path }) => path);
  const isPage = documents.length === 1 && checkpoint.id === '';
  if (isPage && checkpoint.session === id && (await isPageKnown(from, { session: id, seals })))
    return [];
  return [...new Set([...doubted, ...(isEdited ? [join(from, pageFile)] : [])])];
}

function untrusted(
  document: CheckpointDocument,
  {
    from,
    files,
    edit,
  }: { readonly from: string; readonly files: readonly string[]; readonly edit: PageEdit | null },
): Error {
  const { session, goal, decisions, next, edited } = document;
  const message = `This store did not write ${files.map((file) => `"${file}"`).join(', ')} as it stands there`;
  return fail('DOCUMENT_UNTRUSTED', message, {
    from,
    files,
    session,
    goal,
    decisions: decisions.map(({ text }) => text),
    next,
    edited: [edited, ...(edit === null ? [] : [editMessage(edit)])].filter(Boolean).join('\n\n'),
  });
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

/** What documents tell together, and which they are, oldest first. */
interface FolderDocuments {
  readonly checkpoint: CheckpointDocument;
  readonly documents: readonly DocumentInFile[];
}

/** What all documents of this session tell, or those of the session that wrote last, or its page; else a text written by hand. */
async function documentsOf(from: string, session: string): Promise<FolderDocuments | undefined> {
  const found: DocumentInFile[] = [];
  for await (const one of findDocumentsIn(from)) found.push(one);
  const sessionOf = (one: DocumentInFile): string => one.document.session;
  const isKnown = found.some((one) => sessionOf(one) === session);
  const owner = isKnown ? session : found.map(sessionOf).find((one) => one !== '');
  const own = found.filter((one) => sessionOf(one) === owner).toReversed();
  const checkpoint = foldDocuments(own.map(({ document }) => document));
  if (checkpoint !== undefined) return { checkpoint, documents: own };
  const [first] = found;
  return first && { checkpoint: first.document, documents: [first] };
}
