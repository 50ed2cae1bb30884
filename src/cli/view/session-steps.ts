import type { Budget, Fact, LogEntry, Session, SessionSummary, Store } from '../../index.ts';
import {
  parts,
  type Head,
  type News,
  type Step,
  type StreamItem,
} from '../../viewer/page/session/model/wire.ts';
import { countedBudget } from '../../reader.ts';
import type { CommandCall } from '../call/call.ts';
import { messageText } from '../render/message.ts';
import { isOfFile } from '../sessions/words/file-time.ts';
import { openToRead } from '../sessions/store/open-store.ts';
import { folderName } from '../sessions/words/folder-name.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { isWritten, nextStamp, storeStamp } from '../sessions/store/store-stamp.ts';
import { newTeller, newsOf, shortenedNews, type Teller } from './fact-news.ts';

/** Characters of an entry that its news has. */
const shownText = 160;

/** How long it counts as written after news of it, in milliseconds: who follows an agent has the store open only while something is taken in. */
const liveFor = 10_000;

/**
 * A session as its page draws it: whose it is, then its steps as they are stored, then those that come,
 * whoever has the store open. Rejects on abort.
 */
export async function* sessionSteps(
  call: CommandCall,
  id: string,
  options: {
    readonly live: boolean;
    readonly signal: AbortSignal;
    /** Another window that the page may ask for, in tokens. */
    readonly other?: number | undefined;
  },
): AsyncGenerator<StreamItem> {
  const { live, signal, other } = options;
  let teller: Teller | null = null;
  let written: boolean | null = null;
  let liveUntil: number | null = null;
  let stamp = live ? await storeStamp(call) : null;
  for (let last = 0; ;) {
    const most: number = liveUntil === null ? Infinity : liveUntil - performance.now();
    if (last > 0) stamp = await nextStamp(call, stamp, { signal, most });
    await using store = await openToRead(call);
    await using session = await store.open(id);
    const { seq } = session.state;
    if (last === 0) {
      const head = await headOf(store, session, live);
      teller = newTeller(head);
      yield { ...head, ...(other !== undefined && { other }) };
    }
    if (seq > last && teller !== null) yield* stepsAfter(store, session, { last, teller, signal });
    if (!live) return;
    const before: boolean | null = written;
    if (last > 0 && seq > last) liveUntil = performance.now() + liveFor;
    if (liveUntil !== null && performance.now() >= liveUntil) liveUntil = null;
    written = liveUntil !== null || (await isWritten(call, id));
    // A line without news: the page is up to date.
    if (seq > last || written !== before) yield { seq, written };
    last = seq;
  }
}

/** The same of what is stored, in a store that is open. */
export async function* storedSteps(
  store: Store,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<Head | Step> {
  const head = await headOf(store, session, false);
  yield head;
  yield* stepsAfter(store, session, { last: 0, teller: newTeller(head), signal });
}

async function headOf(store: Store, { id, state }: Session, live: boolean): Promise<Head> {
  const listed = pickSession(await latestFirst(store), id);
  const { title = id, window, began, model } = listed;
  const place = placeText(listed);
  const dates = isOfFile(listed) ? { isOfFile: true } : {};
  const by = model === undefined ? {} : { model };
  return { session: id, title, place, ...by, window, began, ...dates, last: state.seq, live };
}

/** Where a session is at home: its project, by the name of the folder, its branch, its agent. */
export const placeText = ({ folder, branch, agent }: SessionSummary): string =>
  [folder === undefined ? undefined : folderName(folder), branch, agent]
    .filter((word) => word !== undefined)
    .join(' · ');

async function* stepsAfter(
  store: Store,
  session: Session,
  options: { readonly last: number; readonly teller: Teller; readonly signal: AbortSignal },
): AsyncGenerator<Step> {
  const { last, teller, signal } = options;
  let log: AsyncIterator<LogEntry> | null = null;
  for await (const step of store.replay(session.id, { from: last + 1, signal })) {
    const news: News[] = [];
    for (const fact of step.facts) {
      if (fact.type === 'entry.appended') {
        log ??= logFrom(session, fact.entry, signal);
        const entry = await entryNamed(log, fact.entry);
        teller.said = entry?.at ?? teller.said;
        news.push(entryNews(fact, entry, teller.said));
      } else news.push(...newsOf(fact, { step, teller }));
    }
    news.push(...shortenedNews(step.facts));
    const { state } = step;
    const budget = countedBudget(state.budget);
    const scale = budget === state.budget ? null : budget.total / state.budget.total;
    teller.total = budget.total;
    teller.scale = scale;
    yield {
      seq: step.seq,
      frame: state.active,
      at: teller.said,
      written: step.at,
      turn: state.turn,
      epoch: state.epoch,
      said: state.tokens,
      sizes: parts.map((name) => budget[name]),
      limit: budget.limit,
      due: dueAt(budget),
      ...(scale !== null && { scale }),
      news,
    };
  }
}

/** The size of the prompt at which a compression is due. */
const dueAt = ({ total, human, working, threshold }: Budget): number =>
  total - human - working + threshold;

/** The log from an entry on; what cannot be read is left out. */
function logFrom(session: Session, entry: string, signal: AbortSignal): AsyncIterator<LogEntry> {
  const after = entry === 'e1' ? {} : { after: `e${Number(entry.slice(1)) - 1}` };
  return session.log({ ...after, signal, onLost: () => undefined })[Symbol.asyncIterator]();
}

/** The next entry of a log, which is that of this id unless it was lost. */
async function entryNamed(log: AsyncIterator<LogEntry>, id: string): Promise<LogEntry | null> {
  for (;;) {
    const { done = false, value } = await log.next();
    if (done) return null;
    const entry = value as LogEntry;
    if (entry.id === id) return entry;
    if (Number(entry.id.slice(1)) > Number(id.slice(1))) return null;
  }
}

function entryNews(
  { entry, frame, role, human, tokens }: Extract<Fact, { type: 'entry.appended' }>,
  logged: LogEntry | null,
  at: number,
): News {
  const text = logged === null ? '' : messageText(logged).slice(0, 4 * shownText);
  const said = text.replace(/\s+/g, ' ').trim();
  const line = said.length > shownText ? `${said.slice(0, shownText - 1)}…` : said;
  return { type: 'entry', entry, frame, role, human, at, tokens, text: line };
}
