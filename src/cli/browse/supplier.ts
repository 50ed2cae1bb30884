import { setImmediate as breathe } from 'node:timers/promises';
import type { Session } from '../../index.ts';
import type { Head, Step, WholeEntry } from '../../viewer/page/session/model/wire.ts';
import type { Viewer } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { toFailure } from '../call/exit.ts';
import { latestFirst } from '../sessions/pick.ts';
import { startPage } from '../sessions/serve-page.ts';
import { storeStamp } from '../sessions/store/store-stamp.ts';
import { readStore } from '../sessions/with-session.ts';
import {
  changeAt,
  entriesBehind,
  entriesNaming,
  entriesOfFrame,
  entriesWith,
  sourcesOf,
} from '../view/session-answers.ts';
import { sessionSteps } from '../view/session-steps.ts';
import { sessionPage } from '../view/view.ts';
import {
  changeWanted,
  isWide,
  stepAt,
  withNews,
  type Browsing,
  type OpenSession,
  type Question,
} from './browsing.ts';
import { readMoment, type Moment } from './moment.ts';
import { sessionReader } from './session-reader.ts';

// What the browser lacks is read here, beside whoever writes: the steps of the session that is open, the moment at
// the playhead once it rests, entries that are asked for, the list while it is shown. Keys are heard meanwhile.

/** How long the playhead rests before its moment is read, in milliseconds. */
const rest = 80;

/** How often the list is read anew while it is shown, in milliseconds, and how much longer than it took. */
const listEvery = 2_000;
const listShare = 20;

/** Longest time that what was told is taken in without a look at the keys, in milliseconds. */
const mostAtOnce = 12;

/** Moments that are kept, the newest ones. */
const mostMoments = 40;

/** Reads what a browser needs. */
export interface Supplier {
  /** Reads what is not there yet. */
  need(browsing: Browsing): void;
  close(): Promise<void>;
}

/** Tells the browser what was read, as a change of it. */
type Change = (next: (browsing: Browsing) => Browsing) => void;

/** A supplier of one browser. */
export function supplier(call: CommandCall, change: Change): Supplier {
  const list = listReads(call, change);
  let session: ReturnType<typeof sessionReads> | null = null;
  let id: string | null = null;
  const ending: Promise<void>[] = [];
  return {
    need(browsing) {
      const { open } = browsing;
      list.need(open === null);
      if ((open?.id ?? null) !== id) {
        if (session !== null) ending.push(session.close());
        id = open?.id ?? null;
        session = id === null ? null : sessionReads(call, id, change);
      }
      if (open !== null) session?.need(browsing, open);
    },
    async close() {
      list.need(false);
      await Promise.all([...ending, session?.close()]);
    },
  };
}

/** Reads the list of sessions again and again while it is shown: the first one is there, and one that is come back to is read at once. */
function listReads(call: CommandCall, change: Change): { need(isShown: boolean): void } {
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  let wait = listEvery;
  let stamp: string | null = null;
  const read = async (): Promise<void> => {
    const begun = performance.now();
    const now = await storeStamp(call);
    if (!isShown) return;
    if (now !== null && now === stamp) {
      timer = setTimeout(() => void read(), listEvery);
      return;
    }
    stamp = now;
    const listing = await readStore(call, latestFirst).catch((error: unknown) =>
      toFailure(error, call),
    );
    if ('message' in listing) stamp = null;
    const took = performance.now() - begun;
    if (!isShown) return;
    timer = setTimeout(() => void read(), Math.max(listEvery, took * listShare));
    change((browsing) => {
      if ('message' in listing) return { ...browsing, notice: listing.message };
      const isSame = JSON.stringify(browsing.list.sessions) === JSON.stringify(listing);
      return isSame ? browsing : { ...browsing, list: { ...browsing.list, sessions: listing } };
    });
  };
  return {
    need(isNeeded) {
      if (isNeeded === isShown) return;
      isShown = isNeeded;
      clearTimeout(timer);
      if (!isNeeded) wait = 0;
      else timer = setTimeout(() => void read(), wait);
    },
  };
}

/** Reads one session: its steps at once, and what is asked of it. */
function sessionReads(call: CommandCall, id: string, change: Change) {
  const gone = new AbortController();
  const reader = sessionReader(call, id);
  const moments = new Map<number, Moment>();
  let page: Viewer | null = null;
  let timer: NodeJS.Timeout | undefined;
  let moment: number | null = null;
  let changed: number | null = null;
  let question: Question | null = null;
  let isServing = false;

  const tell: Change = (next) => {
    if (!gone.signal.aborted) change(next);
  };
  /** Changes the session as long as it is the one that is open. */
  const inOpen = (next: (open: OpenSession) => OpenSession): void =>
    tell((browsing) =>
      browsing.open?.id === id ? { ...browsing, open: next(browsing.open) } : browsing,
    );
  const say = (error: unknown): void =>
    tell((browsing) => ({ ...browsing, notice: toFailure(error, call).message }));

  const readMomentAt = (seq: number): void => {
    moment = seq;
    const cached = moments.get(seq);
    clearTimeout(timer);
    const read = async (): Promise<void> => {
      const fetched = cached ?? (await reader.read(seq, (session) => readMoment(session, seq)));
      if (moments.size >= mostMoments) moments.delete(moments.keys().next().value!);
      moments.set(seq, fetched);
      if (moment === seq) inOpen((open) => ({ ...open, moment: fetched }));
    };
    timer = setTimeout(() => void read().catch(say), cached === undefined ? rest : 0);
  };
  const readChange = (seq: number): void => {
    changed = seq;
    reader
      .read(seq, (session) => changeAt(session, seq))
      .then((difference) => {
        if (changed === seq) inOpen((open) => ({ ...open, change: difference }));
      }, say);
  };
  const answer = (newQuestion: Question, seq: number): void => {
    question = newQuestion;
    const give = (entries: readonly WholeEntry[]): void =>
      tell((browsing) => answered(browsing, newQuestion, entries));
    reader
      .read(seq, (session) => answerTo(session, newQuestion))
      .then(give, (error) => {
        give([]);
        say(error);
      });
  };
  const serve = (): void => {
    if (isServing) return;
    isServing = true;
    startPage(call, id, sessionPage(call, { live: true })).then((viewer) => {
      page = viewer;
      if (gone.signal.aborted) return void viewer.close();
      inPage(viewer);
    }, say);
  };
  const inPage = ({ link }: Viewer): void =>
    change((browsing) => ({
      ...browsing,
      over: browsing.over.map((one) => (one.type === 'page' ? { ...one, link } : one)),
    }));

  const follow = async (): Promise<void> => {
    const steps = sessionSteps(call, id, { live: true, signal: gone.signal });
    for await (const news of inTurns(steps)) inOpen((open) => withNews(open, news));
  };
  follow().catch((error: unknown) =>
    inOpen((open) => ({ ...open, trouble: toFailure(error, call).message })),
  );
  return {
    need(browsing: Browsing, open: OpenSession): void {
      const seq = stepAt(open)?.seq ?? null;
      if (seq !== null && seq !== moment && open.isRead) readMomentAt(seq);
      const pane = isWide(browsing) ? open.beside : open.pane;
      const wanted = pane === 'lost' ? changeWanted(open) : null;
      if (wanted !== null && wanted !== changed) readChange(wanted);
      const top = browsing.over.at(-1);
      if (top?.type === 'reading' && top.entries === null && top.question !== question)
        answer(top.question, open.history.steps.at(-1)?.seq ?? 0);
      if (top?.type === 'page' && top.link === null) {
        if (page === null) serve();
        else inPage(page);
      }
    },
    async close(): Promise<void> {
      gone.abort();
      clearTimeout(timer);
      await Promise.all([reader.close(), page?.close()]);
    },
  };
}

/** What is told of a session. */
type SessionNews = Head | Step | { readonly seq: number };

/** What is told of a session, many at once, with a look at the keys between; rejects where that does. */
async function* inTurns(news: AsyncIterable<SessionNews>): AsyncGenerator<readonly SessionNews[]> {
  let waiting: SessionNews[] = [];
  let begun = performance.now();
  for await (const one of news) {
    waiting.push(one);
    const isTime = performance.now() - begun > mostAtOnce;
    if (!isTime && 'sizes' in one) continue;
    yield waiting;
    waiting = [];
    if (isTime) await breathe();
    begun = performance.now();
  }
}

/** What a session says to a question. */
async function answerTo(session: Session, question: Question): Promise<readonly WholeEntry[]> {
  switch (question.of) {
    case 'entries': {
      const byId = new Map<string, WholeEntry>();
      for (const ref of question.refs)
        for (const entry of await entriesBehind(session, ref)) byId.set(entry.id, entry);
      return [...byId.values()];
    }
    case 'frame':
      return entriesOfFrame(session, question.frame);
    case 'words':
      return entriesWith(session, question.words);
    case 'name':
      return entriesNaming(session, question);
    case 'sources':
      return sourcesOf(session, question);
  }
}

/** The browser with the entries that a question asked for. */
function answered(
  browsing: Browsing,
  question: Question,
  entries: readonly WholeEntry[],
): Browsing {
  const over = browsing.over.map((one) =>
    one.type === 'reading' && one.question === question ? { ...one, entries } : one,
  );
  return { ...browsing, over };
}
