import {
  EngineError,
  isEngineError,
  readDocuments,
  type CheckpointDocument,
  type Session,
} from '../../index.ts';
import { documentsPlace, type CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { pickSession } from '../sessions/pick.ts';

// What checkpoint documents tell of the sessions that wrote them.

/** Id of a session that is rebuilt from documents without one. */
const namelessSession = 'recovered';

/** The documents of a session that was begun anew from them, where that stopped before they were taken in. */
export async function unreadDocuments(
  { id, state }: Session,
  call: CommandCall,
): Promise<string | undefined> {
  const documents = documentsPlace(call);
  if (documents === false || state.entries > 0 || state.goal === null) return undefined;
  for await (const { session } of readDocuments(documents)) if (session === id) return documents;
  return undefined;
}

/** The sessions that documents tell of, the newest first. */
export async function idsIn(documents: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for await (const { session } of readDocuments(documents)) if (session !== '') ids.add(session);
  return [...ids];
}

/** The session that a person means among those that documents tell of. One that there is not is mistyped, unless they name the documents, too. */
export function nameIn(ids: readonly string[], said: string | undefined, isNamed: boolean): string {
  if (ids.length === 0) return said ?? namelessSession;
  try {
    return pickSession(
      ids.map((id) => ({ id })),
      said,
    ).id;
  } catch (error) {
    if (isNamed && said !== undefined) return said;
    if (said === undefined || !isEngineError(error, 'SESSION_NOT_FOUND')) throw error;
    const idList = ids.slice(0, 5).map(cleanLine).join(', ');
    throw new EngineError(error.code, `${error.message}; the documents tell of ${idList}`, {
      detail: error.detail,
    });
  }
}

/** Text that a person wrote into the newest document of a session, or into any where it has none. */
export async function editedIn(documents: string, id: string): Promise<string> {
  const all: CheckpointDocument[] = [];
  for await (const document of readDocuments(documents)) all.push(document);
  const own = all.find(({ session }) => session === id);
  const source = own ?? all.find((one) => one.id !== '') ?? all[0];
  const isPage = source?.id === '' && source.session !== '';
  return isPage ? '' : (source?.edited ?? '');
}
