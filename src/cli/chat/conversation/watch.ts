import type { Session, SessionFact } from '../../../index.ts';
import type { ChatEvent } from '../output/chat-event.ts';
import { pageNews } from '../../render/page-news.ts';
import { sessionStatus } from '../output/status-line.ts';
import type { Chat } from './chat.ts';

/** Tells what the session does by itself, once it is done; ends by calling what it returns. */
export function watch({ session, teller, person, summarizer }: Chat): () => void {
  const tell = (event: ChatEvent): void =>
    person.interject((isWriting) => {
      teller.tell(event);
      if (isWriting) teller.tell({ type: 'prompt', standing: sessionStatus(session) });
    });
  let reason: string | null = null;
  /** What was told of documents last. */
  let refused: string | null = null;
  /** Messages of which is told that they are sent shorter: how much shorter may change with each turn. */
  const shorter = new Set<string>();
  const tellShorter = (entry: string, tokens: number, sent: number): void => {
    if (shorter.has(entry)) return;
    shorter.add(entry);
    tell({ type: 'shortened', entry, tokens, sent });
  };
  const failed = (fact: { readonly reason: string }): void => {
    ({ reason } = fact);
  };
  const offs = [
    session.on('compression.started', () => {
      reason = null;
    }),
    session.on('compression.failed', failed),
    session.on('compression.refused', failed),
    session.on('compression.finished', ({ before, after, by }) => {
      const isFallback = by === 'fallback' && summarizer === 'model';
      const author = isFallback ? by : summarizer;
      const { counted, total } = session.state.budget;
      const [was, is] = [before, after].map((tokens) => Math.round((tokens * counted) / total));
      tell({
        type: 'compressed',
        before: was!,
        after: is!,
        by: author,
        reason: isFallback ? reason : null,
      });
    }),
    session.on('document.failed', (fact) => {
      if (refused === fact.reason || !isOfSystem(fact.reason)) return;
      refused = fact.reason;
      tell({ type: 'warning', text: `No checkpoint document could be written: ${fact.reason}` });
    }),
    session.on('page.edited', (fact) => tell({ type: 'warning', text: pageNews(fact) })),
    session.on('page.refused', (fact) => tell({ type: 'warning', text: pageNews(fact) })),
    session.on('document.written', () => {
      refused = null;
    }),
    session.on('entry.appended', ({ entry, human, form, tokens, shown }) => {
      if (human && form === 'short') tellShorter(entry, tokens, shown);
    }),
    session.on('entry.shortened', (fact) => {
      void tokensOfHuman(session, fact).then((tokens) => {
        if (tokens !== null) tellShorter(fact.entry, tokens, fact.tokens);
      });
    }),
  ];
  return () => offs.forEach((off) => off());
}

/** Whether the system said why, not whoever turned documents off. */
const isOfSystem = (reason: string): boolean => /^[A-Z]+$/.test(reason);

/** What the entry that was shortened cost whole, in tokens; null where no person wrote it. */
async function tokensOfHuman(
  session: Session,
  { entry: id }: Extract<SessionFact, { type: 'entry.shortened' }>,
): Promise<number | null> {
  const entry = await session.entry(id).catch(() => null);
  if (entry?.role !== 'user' || entry.origin === 'machine') return null;
  return entry.tokens;
}
