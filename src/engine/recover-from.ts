import { printDocument, type CheckpointDocument } from '../core/document.ts';
import { fail } from '../core/error.ts';
import { sessionOfDocument } from '../core/recovered-document.ts';
import type { Message } from '../core/message.ts';
import { shortenedHint } from '../core/trail.ts';
import { toIncoming } from './append-step.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';
import { readDocuments } from './memory-folder.ts';

/**
 * Recovers from the documents of a folder, or of one file: by the newest of this session, or of any
 * where it has none. A session in which nothing was said takes the document in as its first entry,
 * so that what it says can be found. Rejects with `RECOVERY_EMPTY` where there is no document.
 */
export async function recoverFrom(live: Live, from: string): Promise<void> {
  const document = await newestIn(from, live.id);
  if (document === undefined)
    throw fail('RECOVERY_EMPTY', `There is no checkpoint document in "${from}"`, { from });
  const { goal, ...rest } = sessionOfDocument(document);
  const input = { type: 'recover', ...rest, ...(goal === null ? {} : { goal }) } as const;
  const { durable } = await live.enqueue(async () => {
    await exact(live);
    const isSilent = live.state.entries === 0 && live.state.phase !== 'completed';
    const messages = isSilent ? [told(document)] : [];
    const { entries, count } = await toIncoming(live, messages, undefined);
    // Both steps in one moment are one write.
    const step = live.step(input);
    return isSilent ? live.step({ type: 'append', entries }, { count }) : step;
  });
  await durable;
}

/** A document as an entry: what it points to in a log that is gone, it does not point to any more, nor names what is only to be found there. */
function told(document: CheckpointDocument): Message {
  const breadcrumbs = document.breadcrumbs
    .filter(({ reference, hint }) => !/^e\d+(?:–e\d+)?$/.test(reference) && hint !== shortenedHint)
    .map((crumb) => ({ ...crumb, entries: [] }));
  const content = `${heading}\n\n${printDocument({ ...document, breadcrumbs })}`;
  return { role: 'user', origin: 'machine', content };
}

const heading =
  'Recovered from this checkpoint document. The log that it was drawn from is gone: ids like e12 in it lead nowhere.';

async function newestIn(from: string, session: string): Promise<CheckpointDocument | undefined> {
  let any: CheckpointDocument | undefined;
  for await (const document of readDocuments(from)) {
    if (document.session === session) return document;
    any ??= document;
  }
  return any;
}
