import {
  EngineError,
  isEngineError,
  type Session,
  type SessionFact,
  type Store,
} from '../../index.ts';
import {
  documentsPlace,
  quote,
  storeArgument,
  storeFolder,
  type CommandCall,
} from '../call/call.ts';
import { confirmed } from '../call/confirmed.ts';
import { exits } from '../call/exit.ts';
import { toldWindow, usualWindow } from '../command-line/window.ts';
import { clean, cleanLine } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
import { wrap } from '../paper/width.ts';
import { pageNews, type PageFact } from '../render/page-news.ts';
import { standingLines } from '../render/standing.ts';
import { openWaiting } from '../sessions/store/open-store.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { listedTitle } from '../sessions/words/frame-titles.ts';
import { readSession, readStore } from '../sessions/with-session.ts';
import { editedIn, idsIn, nameIn, unreadDocuments } from './documents-told.ts';
import { isBelieved, recoverTrusted } from './trust-documents.ts';

/** Options of `recover` alone. */
export interface RecoverOptions {
  /** A folder of checkpoint documents, or one of its files. */
  readonly from?: string | undefined;
  readonly window?: number | undefined;
  /** Show where it stands, and do nothing. */
  readonly dryRun?: boolean | undefined;
  /** Take what was recovered for right. */
  readonly yes?: boolean | undefined;
}

/** Rebuilds where a session stood, from the store or from its documents; gives the exit code. */
export async function recover(
  said: string | undefined,
  options: RecoverOptions,
  call: CommandCall,
): Promise<number> {
  if (options.dryRun === true) return preview(said, options, call);
  const standing = await askStanding(said, options, call);
  const target = standing && (await findTarget(standing.id, options, call));
  if (target === null) return refusedExit(call);
  try {
    return await recoverTarget(target, options, call);
  } catch (error) {
    if (!isEngineError(error, 'DOCUMENT_UNTRUSTED')) throw error;
    if (options.yes !== true && !(await isBelieved(error, call))) return refusedExit(call);
  }
  // Others could write while somebody was asked.
  const store = await openWaiting(storeFolder(call), call, { create: false });
  const session = await store.open(target.session.id);
  return recoverTarget({ ...target, store, session, trust: true }, options, call);
}

/** Recovers a session, from documents only where they are believed, and closes its store; throws `DOCUMENT_UNTRUSTED` where they are not known. */
async function recoverTarget(
  { store, session, from, trust = false, others = [] }: RecoverTarget,
  { yes }: RecoverOptions,
  call: CommandCall,
): Promise<number> {
  try {
    let recoveredFact: RecoveredFact | null = null;
    const page: PageFact[] = [];
    session.on('session.recovered', (fact) => (recoveredFact = fact));
    session.on('page.edited', (fact) => page.push(fact));
    // What waits for an answer was read when there was more to read.
    if (from !== undefined) await session.recover({ from, trust });
    else if (session.state.recovery === null) await session.recover();
    if (yes === true && session.state.recovery !== null) await session.recovery.confirm();
    const edited = from === undefined ? '' : await editedIn(from, session.id);
    report(session, { recoveredFact, from, others, edited }, call);
    call.note(...page.map(pageNews));
    return exits.done;
  } finally {
    await store.close();
  }
}

/** Shows where a session stands, and asks whoever sits at the terminal, while others may write; the session, or null for no. Where nobody sits there, or documents have to be read, it is not asked. */
async function askStanding(
  said: string | undefined,
  { yes, from }: RecoverOptions,
  call: CommandCall,
): Promise<{ readonly id: string | undefined } | null> {
  const isAtTerminal = !call.json && call.io.stdin.isTTY === true;
  if (yes === true || from !== undefined || !isAtTerminal) return { id: said };
  const standing = await readStore(call, async (store) => {
    const id = await idIn(store, said);
    await using session = await store.open(id);
    const isAsked = session.state.recovery !== null;
    const isUnread = (await unreadDocuments(session, call)) !== undefined;
    if (isAsked || isUnread) return { id, lines: null };
    return { id, lines: standingLines(session, await listedTitle(store, id), call.paper()) };
  }).catch((error: unknown) => {
    if (isEngineError(error, 'SESSION_NOT_FOUND') || isEngineError(error, 'STORE_NOT_FOUND'))
      return { id: said, lines: null };
    throw error;
  });
  if (standing.lines === null) return standing;
  call.note(...standing.lines);
  const question = 'Begin the next prompt with that?';
  const isWanted = await confirmed(question, { what: 'Recovering', isForGood: false, call });
  return isWanted ? standing : null;
}

/** The session of a store that a person means. What is lost may be called as another one is titled, so no title counts. */
async function idIn(store: Store, said: string | undefined): Promise<string> {
  const sessions = await latestFirst(store);
  return pickSession(
    sessions.map(({ id }) => ({ id })),
    said,
  ).id;
}

/** Shows what a recovery would put before the model: from the store, or as read from documents into memory. */
async function preview(
  said: string | undefined,
  { from, ...options }: RecoverOptions,
  call: CommandCall,
): Promise<number> {
  const window = options.window ?? toldWindow(call.io.env) ?? usualWindow;
  const show = (session: Session, source: string, title: string | undefined): number => {
    const { id, state } = session;
    if (call.json)
      call.emit('flamestack.recover/1', {
        id,
        turn: state.turn,
        entries: state.entries,
        dry: true,
        source,
        line: session.recovery.preview(),
        goal: state.goal,
        active: state.active,
        next: state.next,
      });
    else call.print(...standingLines(session, title, call.paper()));
    call.note(`Read from the ${source}. Nothing was done.`);
    return exits.done;
  };
  try {
    if (from === undefined)
      return await readSession(call, said, async (session, { title }) =>
        show(session, 'store', title),
      );
  } catch (error) {
    if (!isEngineError(error, 'STORE_NOT_FOUND')) throw error;
  }
  const documents = from ?? documentsPlace(call);
  if (documents === false)
    throw new EngineError('RECOVERY_EMPTY', 'Documents are off here', { detail: {} });
  await using trial = await openWaiting(':memory:', call);
  const id = nameIn(await idsIn(documents), said, from !== undefined);
  const session = await trial.open(id, { window });
  await session.recover({ from: documents, trust: true });
  return show(session, 'documents', await listedTitle(trial, id));
}

function refusedExit(call: CommandCall): number {
  if (call.io.signal.aborted) return call.io.signal.reason as number;
  call.note('Nothing was recovered.');
  return exits.done;
}

interface RecoverTarget {
  readonly store: Store;
  readonly session: Session;
  /** The documents to read; undefined where the store knows. */
  readonly from: string | undefined;
  /** Whether a person believes them. */
  readonly trust?: boolean;
  /** Other sessions that the documents tell of, the newest first, where nobody named one. */
  readonly others?: readonly string[];
}

/** The session in the store; where store or session are gone, a new one and the documents to read. Beside others only one that documents tell of, or whose documents are named, is begun anew: any other name is mistyped. */
async function findTarget(
  said: string | undefined,
  { from, window, yes = false }: RecoverOptions,
  call: CommandCall,
): Promise<RecoverTarget | null> {
  const sized = window === undefined ? {} : { window };
  let store: Store | null = null;
  let beside = 0;
  try {
    store = await openWaiting(storeFolder(call), call, { create: false });
    beside = (await latestFirst(store)).length;
    const id = await idIn(store, said);
    const session = await store.open(id, sized);
    return { store, session, from: from ?? (await unreadDocuments(session, call)) };
  } catch (error) {
    await store?.close();
    const documents = from ?? documentsPlace(call);
    const isMissing = isEngineError(error, 'SESSION_NOT_FOUND');
    const isGone = isMissing || isEngineError(error, 'STORE_NOT_FOUND');
    if (!isGone || documents === false || said?.startsWith('@') === true) throw error;
    const ids = await idsIn(documents);
    const isAmbiguous = isMissing && (error.detail.candidates ?? []).length > 0;
    const isUntold = beside > 0 && ids.length === 0 && from === undefined;
    if ((isAmbiguous && !ids.includes(said ?? '')) || isUntold) throw error;
    const id = nameIn(ids, said, from !== undefined);
    const others = said === undefined ? ids.filter((one) => one !== id) : [];
    const rebuildOptions = {
      documents,
      window: window ?? toldWindow(call.io.env) ?? usualWindow,
      yes,
    };
    const target = await rebuildFrom(id, rebuildOptions, call);
    return target && { ...target, others };
  }
}

/** A new session for what the documents tell; none is left behind where they tell nothing, or nobody believes them. */
async function rebuildFrom(
  id: string,
  options: { readonly documents: string; readonly window: number; readonly yes: boolean },
  call: CommandCall,
): Promise<RecoverTarget | null> {
  const { documents, window, yes } = options;
  const trial = await openWaiting(':memory:', call);
  try {
    const session = await trial.open(id, { window });
    if (!(await recoverTrusted(session, documents, { yes, call }))) return null;
  } finally {
    await trial.close();
  }
  const store = await openWaiting(storeFolder(call), call);
  const session = await store.open(id, { window, recovery: 'confirm' });
  return { store, session, from: documents, trust: true };
}

type RecoveredFact = Extract<SessionFact, { type: 'session.recovered' }>;

function report(
  session: Session,
  {
    recoveredFact: fact,
    from,
    others,
    edited,
  }: Required<Pick<RecoverTarget, 'others'>> &
    Pick<RecoverTarget, 'from'> & {
      readonly recoveredFact: RecoveredFact | null;
      readonly edited: string;
    },
  call: CommandCall,
): void {
  const { id, state } = session;
  const waiting = state.recovery;
  const line = fact?.line ?? waiting?.line ?? '';
  const source = line === '' ? null : from === undefined ? 'state' : 'documents';
  if (call.json) {
    const { turn, entries, goal } = state;
    call.emit('flamestack.recover/1', { id, turn, entries, line, source, waiting, goal, others });
    return;
  }
  const summary = line === '' ? 'There is nothing to recover yet.' : cleanLine(line);
  const note = (...lines: readonly string[]): void =>
    call.note(...lines.flatMap((one) => flow(one, call.io.stderr, 2)));
  call.print(...wrap(summary, call.paper().longest));
  const named = `${quote(cleanLine(id))}${storeArgument(call)}`;
  if (waiting === null) note(`The next prompt begins with it: flamestack show ${named}`);
  else
    note(
      `${clean(waiting.question)} Answer in: flamestack chat ${named}`,
      `Or say yes: flamestack recover ${named} --yes`,
    );
  if (edited !== '')
    note('Somebody wrote in the file, which changes no goal and no frame:', clean(edited));
  if (others.length > 0) {
    const idList = others.slice(0, 5).map(cleanLine).join(', ');
    const more = others.length > 5 ? ` and ${others.length - 5} more` : '';
    note(`The documents tell of ${idList}${more}, too: name one to recover it.`);
  }
}
