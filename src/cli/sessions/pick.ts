import { EngineError, type SessionSummary, type Store } from '../../index.ts';

/** All sessions of a store, the latest used first. */
export async function latestFirst(store: Store): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  for await (const session of store.sessions()) found.push(session);
  return found.sort((one, other) => other.updated - one.updated);
}

/**
 * The session that a person means: none for the latest, `@2` for the one before
 * it, an id, or the beginning of only one. Throws `SESSION_NOT_FOUND`.
 */
export function pickSession<T extends { readonly id: string }>(
  sessions: readonly T[],
  said = '@1',
): T {
  const rank = /^@(\d+)$/.exec(said)?.[1];
  if (rank !== undefined) {
    const found = sessions[Number(rank) - 1];
    if (found !== undefined) return found;
    const there = sessions.length === 0 ? 'no session' : `only ${sessions.length}`;
    throw sessionNotFound(`There is no session ${said}; the store has ${there}`, said, []);
  }
  const exact = sessions.find(({ id }) => id === said);
  if (exact !== undefined) return exact;
  const fitting = sessions.filter(({ id }) => id.startsWith(said));
  if (fitting.length === 1) return fitting[0]!;
  const ids = fitting.slice(0, 5).map(({ id }) => id);
  throw fitting.length === 0
    ? sessionNotFound(`There is no session "${said}"`, said, [])
    : sessionNotFound(`"${said}" begins ${fitting.length} ids: ${ids.join(', ')}`, said, ids);
}

function sessionNotFound(
  message: string,
  session: string,
  candidates: readonly string[],
): EngineError {
  return new EngineError('SESSION_NOT_FOUND', message, { detail: { session, candidates } });
}
