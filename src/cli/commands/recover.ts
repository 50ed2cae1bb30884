import { isEngineError, type Session, type SessionFact, type Store } from '../../index.ts';
import { documentsFolder, quote, storeArgument, storeFolder, type Call } from '../call.ts';
import { exits } from '../exit.ts';
import { latestFirst, pick } from '../pick.ts';
import { clean, cleanLine } from '../render/clean.ts';
import { openPatiently } from '../store.ts';
import { usualWindow } from '../window.ts';

/** Options of `recover` alone. */
export interface RecoverOptions {
  /** A folder of checkpoint documents, or one of its files. */
  readonly from?: string | undefined;
  readonly window?: number | undefined;
  /** Take what was recovered for right. */
  readonly yes?: boolean | undefined;
}

/** What a session is called that is rebuilt from documents and has no other name. */
const nameless = 'recovered';

/** Rebuilds where a session stood, from the store or from its documents; gives the exit code. */
export async function recover(
  said: string | undefined,
  options: RecoverOptions,
  call: Call,
): Promise<number> {
  const { store, session, from } = await found(said, options, call);
  try {
    let told: Recovered | null = null;
    session.on('session.recovered', (fact) => (told = fact));
    const isAsked = options.yes === true && session.state.recovery !== null;
    if (!isAsked) await session.recover(from === undefined ? {} : { from });
    if (options.yes === true && session.state.recovery !== null) await session.recovery.confirm();
    report(session, { told, from }, call);
    return exits.done;
  } finally {
    await store.close();
  }
}

interface Found {
  readonly store: Store;
  readonly session: Session;
  /** The documents to read; undefined where the store knows. */
  readonly from: string | undefined;
}

/** The session in the store; where store or session are gone, a new one and the documents to read. Among others a name that there is not is mistyped, unless documents are named. */
async function found(
  said: string | undefined,
  { from, window }: RecoverOptions,
  call: Call,
): Promise<Found> {
  const { signal } = call.io;
  const sized = window === undefined ? {} : { window };
  let store: Store | null = null;
  let others = 0;
  try {
    store = await openPatiently(storeFolder(call), { create: false, signal });
    const sessions = await latestFirst(store);
    others = sessions.length;
    const { id } = pick(sessions, said);
    return { store, session: await store.open(id, sized), from };
  } catch (error) {
    await store?.close();
    const documents = from ?? documentsFolder(call);
    const isMissing = isEngineError(error, 'SESSION_NOT_FOUND');
    const isMistyped = isMissing && others > 0 && from === undefined;
    const isGone = isEngineError(error, 'STORE_NOT_FOUND') || (isMissing && !isMistyped);
    if (!isGone || documents === false || said?.startsWith('@') === true) throw error;
    return rebuilt(said ?? nameless, { documents, window: window ?? usualWindow }, call);
  }
}

/** A new session for what the documents tell; none is left behind where they tell nothing. */
async function rebuilt(
  id: string,
  { documents, window }: { readonly documents: string; readonly window: number },
  call: Call,
): Promise<Found> {
  const trial = await openPatiently(':memory:', { signal: call.io.signal });
  try {
    await (await trial.open(id, { window })).recover({ from: documents });
  } finally {
    await trial.close();
  }
  const store = await openPatiently(storeFolder(call), { signal: call.io.signal });
  const session = await store.open(id, { window, recovery: 'confirm' });
  return { store, session, from: documents };
}

type Recovered = Extract<SessionFact, { type: 'session.recovered' }>;

function report(
  session: Session,
  { told, from }: { readonly told: Recovered | null; readonly from: string | undefined },
  call: Call,
): void {
  const { id, state } = session;
  const waiting = state.recovery;
  const line = told?.line ?? waiting?.line ?? '';
  const source = line === '' ? null : from === undefined ? 'state' : 'documents';
  if (call.json) {
    call.emit('flamestack.recover/1', { id, line, source, waiting, goal: state.goal });
    return;
  }
  call.print(line === '' ? 'There is nothing to recover yet.' : clean(line));
  const named = `${quote(cleanLine(id))}${storeArgument(call)}`;
  if (waiting === null) call.note(`The next prompt begins with it: flamestack show ${named}`);
  else
    call.note(
      `${clean(waiting.question)} Answer in: flamestack chat ${named}`,
      `Or say yes: flamestack recover ${named} --yes`,
    );
}
