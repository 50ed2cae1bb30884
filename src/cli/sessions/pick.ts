import type { SessionSummary, StoreReader } from '../../index.ts';
import { EngineError } from '../../names.ts';
import { cleanLine } from '../paper/clean.ts';
import { holds } from './session-filter.ts';

/** All sessions of a store, the one in which something was said last first. */
export async function latestFirst(store: StoreReader): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  for await (const session of store.sessions()) found.push(session);
  return found.sort((one, other) => other.said - one.said || other.updated - one.updated);
}

/** What a person picks a session by; one without a title by its id alone. */
type Named = Pick<SessionSummary, 'id' | 'title'>;

/**
 * The session that a person means: none for the latest, `@2` for the one before
 * it, an id, the beginning of only one, or words of only one title. Throws `SESSION_NOT_FOUND`.
 */
export function pickSession<T extends Named>(sessions: readonly T[], said = '@1'): T {
  const rank = /^@(\d+)$/.exec(said)?.[1];
  if (rank !== undefined) {
    const found = sessions[Number(rank) - 1];
    if (found !== undefined) return found;
    const there = sessions.length === 0 ? 'no session' : `only ${sessions.length}`;
    throw sessionNotFound(`There is no session ${said}; the store has ${there}`, said, []);
  }
  const exact = sessions.find(({ id }) => id === said);
  if (exact !== undefined) return exact;
  const begun = sessions.filter(({ id }) => id.startsWith(said));
  const titled = begun.length > 0 ? [] : sessions.filter(({ title }) => isTitled(title, said));
  const fitting = [...begun, ...titled];
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length === 0) throw sessionNotFound(`There is no session "${said}"`, said, []);
  const some = fitting.slice(0, 5);
  const names = some.map((one) =>
    titled.length === 0 ? one.id : `@${sessions.indexOf(one) + 1} ${cleanLine(one.title ?? '')}`,
  );
  const does =
    titled.length === 0 ? `begins ${fitting.length} ids` : `is in ${fitting.length} titles`;
  const more = fitting.length > some.length ? ' …' : '';
  throw sessionNotFound(
    `"${said}" ${does}: ${names.join(', ')}${more}`,
    said,
    some.map(({ id }) => id),
  );
}

/** Whether all words that were said stand in a title. */
const isTitled = (title: string | undefined, said: string): boolean =>
  title !== undefined &&
  said.trim() !== '' &&
  said
    .trim()
    .split(/\s+/)
    .every((word) => holds(title, word));

function sessionNotFound(
  message: string,
  session: string,
  candidates: readonly string[],
): EngineError {
  return new EngineError('SESSION_NOT_FOUND', message, { detail: { session, candidates } });
}
