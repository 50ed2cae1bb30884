import { documentsFolder, storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { ignoreAdvice, newIgnore } from '../sessions/store/git-ignore.ts';
import { clean, cleanLine } from '../paper/clean.ts';
import { pageNews, type PageFact } from '../render/page-news.ts';
import { openWaiting } from '../sessions/store/open-store.ts';
import { latestFirst } from '../sessions/pick.ts';
import { chooseSession } from '../sessions/choose-session.ts';

/** Writes where a session stands to the file of the day, and prints both; gives the exit code. */
export async function checkpoint(said: string | undefined, call: CommandCall): Promise<number> {
  const documents = documentsFolder(call);
  const ignore = documents === false ? null : newIgnore(documents);
  const store = await openWaiting(storeFolder(call), call, { create: false, documents });
  try {
    const { id } = await chooseSession(await latestFirst(store), said, call);
    await using session = await store.open(id);
    const page: PageFact[] = [];
    session.on('page.edited', (fact) => page.push(fact));
    session.on('page.refused', (fact) => page.push(fact));
    const { path, document } = await session.writeDocument();
    await session.settled();
    if (call.json) call.emit('flamestack.checkpoint/1', { id, path, document, page });
    else call.print(cleanLine(path), '', clean(shownText(document, call)).trimEnd());
    call.note(...page.map(pageNews), ...(ignore === null ? [] : [ignoreAdvice(ignore)]));
    return exits.done;
  } finally {
    await store.close();
  }
}

/** A document as it is printed: at a terminal without the line by which it is read back, which Markdown hides. */
const shownText = (document: string, { io }: CommandCall): string =>
  io.stdout.isTTY === true ? document.replace(/^<!-- flamestack .*-->\n?/gm, '') : document;
