import type { SessionSummary, StoreReader } from '../../index.ts';
import type { SessionOutline } from '../../reader.ts';
import { EngineError } from '../../names.ts';
import { cleanLine } from '../paper/clean.ts';
import { number, when } from '../paper/size.ts';
import { apartTitle } from './words/apart-title.ts';
import { shortId } from './words/short-id.ts';
import { begins, holds } from './session-filter.ts';
import { titleText } from './words/title-text.ts';

/** All sessions of a store, the one in which something was said last first. */
export async function latestFirst(store: StoreReader): Promise<readonly SessionSummary[]> {
  const sessions: SessionSummary[] = [];
  for await (const session of store.sessions()) sessions.push(session);
  return inOrder(sessions);
}

/** These sessions as {@link latestFirst} has them. */
export const inOrder = <T extends Placed>(sessions: readonly T[]): readonly T[] =>
  behindParents(
    sessions.toSorted((one, other) => other.said - one.said || other.updated - one.updated),
  );

/** What puts a session in its place. */
type Placed = Omit<SessionOutline, 'summary'>;

/** Sessions in their order, sub-agents behind those that they worked for, as `ls` shows them: so `@2` is the second line. */
function behindParents<T extends Placed>(sessions: readonly T[]): readonly T[] {
  if (sessions.every(({ parent }) => parent === undefined)) return sessions;
  const ids = new Set(sessions.map(({ id }) => id));
  const isRoot = ({ id, parent }: T): boolean =>
    parent === undefined || parent === id || !ids.has(parent);
  const children = new Map<string, T[]>();
  for (const one of sessions.filter((session) => !isRoot(session))) {
    const siblings = children.get(one.parent!);
    if (siblings === undefined) children.set(one.parent!, [one]);
    else siblings.push(one);
  }
  const placed = new Set<T>();
  const place = (one: T): void => {
    if (placed.has(one)) return;
    placed.add(one);
    children.get(one.id)?.forEach(place);
  };
  sessions.filter(isRoot).forEach(place);
  // Those that name each other as parents stand last.
  sessions.forEach(place);
  return [...placed];
}

/** What a person picks a session by; one without a title by its id alone. */
type Named = Pick<SessionSummary, 'id' | 'title'> & Partial<Pick<SessionSummary, 'said'>>;

/**
 * The session that a person means: none for the latest, `@2` for the one before
 * it, an id, the beginning of only one, in capitals or not, or only one title: as it stands, a phrase of it, or words of it. Throws `SESSION_NOT_FOUND`.
 */
export function pickSession<T extends Named>(sessions: readonly T[], said = '@1'): T {
  const rank = /^@(\d+)$/.exec(said)?.[1];
  if (rank !== undefined) {
    const ranked = sessions[Number(rank) - 1];
    if (ranked !== undefined) return ranked;
    const there = sessions.length === 0 ? 'no session' : `only ${sessions.length}`;
    throw sessionNotFound(`There is no session ${said}; the store has ${there}`, said, []);
  }
  const exact =
    sessions.find(({ id }) => id === said) ??
    alone(sessions.filter(({ id }) => id.toLowerCase() === said.toLowerCase()));
  if (exact !== undefined) return exact;
  const fitting = fittingSessions(sessions, said);
  const [first, second] = fitting;
  if (first !== undefined && (second === undefined || isCloser(first, second, said))) return first;
  const isBegun = first !== undefined && begins(first.id, said);
  const short = shortId(sessions.map(({ id }) => id));
  const titles = fitting.map(titleOf);
  const label = (one: T): string => apartTitle(titleOf(one), titles);
  // What tells those apart whose titles look the same.
  const twin = (one: T): string => {
    const isAlone = !fitting.some((other) => other !== one && label(other) === label(one));
    const at = one.said === undefined ? '' : `, ${when(one.said, Date.now())}`;
    return isAlone ? '' : ` (${cleanLine(short(one.id))}${at})`;
  };
  const nameOf = (one: T): string =>
    isBegun ? one.id : `@${sessions.indexOf(one) + 1} ${label(one)}${twin(one)}`;
  if (fitting.length === 0) {
    const near = nearest(sessions, said);
    const suggestions = near.slice(0, mostTold).map(nameOf);
    throw sessionNotFound(
      `There is no session "${said}"${suggestions.length === 0 ? '' : `; near it: ${suggestions.join(', ')}`}`,
      said,
      [],
    );
  }
  const some = fitting.slice(0, mostTold);
  const names = some.map(nameOf);
  const isWord = wordsIn(said).length < 2;
  const does = isBegun
    ? `"${said}" begins ${number(fitting.length)} ids`
    : `${isWord ? `"${said}" is` : `The words of "${said}" are`} in ${number(fitting.length)} titles`;
  const moreCount = fitting.length - some.length;
  const more = moreCount > 0 ? ` and ${number(moreCount)} more` : '';
  throw sessionNotFound(
    `${does}: ${names.join(', ')}${more}`,
    said,
    fitting.slice(0, mostNear).map(({ id }) => id),
  );
}

/** Whether a chat can begin by a name: no id begins so, and it is neither a place in the list nor words of a title, which are told by the space between them. */
export const isNewName = (sessions: readonly Pick<SessionSummary, 'id'>[], said: string): boolean =>
  !/^@|\s/.test(said) && !sessions.some(({ id }) => id.startsWith(said));

/** Whether a session that is served can begin by a name: it means none that is there, and is neither a place in the list nor several words. */
export const isUnknownName = (sessions: readonly Named[], said: string): boolean =>
  !/^@|\s/.test(said) && fittingSessions(sessions, said).length === 0;

const titleOf = ({ title, id }: Named): string => titleText(title ?? id);

/** The only one of some; undefined for none and for several. */
const alone = <T>(some: readonly T[]): T | undefined => (some.length === 1 ? some[0] : undefined);

/** The sessions whose ids begin so, else those whose ids do in other capitals, or else those whose titles have all words that were said, the closest titles first. */
export function fittingSessions<T extends Named>(
  sessions: readonly T[],
  said: string,
): readonly T[] {
  const begun = sessions.filter(({ id }) => id.startsWith(said));
  if (begun.length > 0) return begun;
  const inCapitals = sessions.filter(({ id }) => begins(id, said));
  if (inCapitals.length > 0) return inCapitals;
  const titled = sessions.filter(({ title }) => isTitled(title, said));
  return closenesses.flatMap((close) => titled.filter((one) => closenessOf(one, said) === close));
}

/** How close a title is to what was said: the same, with it as a phrase, or with its words. */
const closenesses = ['same', 'phrase', 'words'] as const;

function closenessOf({ title = '' }: Named, said: string): (typeof closenesses)[number] {
  const [titlePhrase, saidPhrase] = [title, said].map((text) => ` ${wordsIn(text).join(' ')} `);
  if (titlePhrase === saidPhrase) return 'same';
  return titlePhrase!.includes(saidPhrase!) ? 'phrase' : 'words';
}

/** Whether the closest title is so much closer than the next one that it alone is meant; a single word is a phrase of many. */
function isCloser(first: Named, second: Named, said: string): boolean {
  const close = closenessOf(first, said);
  const isEnough = close === 'same' || (close === 'phrase' && wordsIn(said).length > 1);
  return isEnough && closenessOf(second, said) !== close;
}

/** Sessions that a message names, and that there are to choose from. */
const mostTold = 5;
const mostNear = 9;

/** The sessions whose titles or ids have a word near each that was said. */
export function nearest<T extends Named>(sessions: readonly T[], said: string): readonly T[] {
  const words = wordsIn(said);
  // A place in the list that is none is no word.
  if (words.length === 0 || said.startsWith('@')) return [];
  return sessions
    .filter(({ id, title }) => {
      const named = wordsIn(`${title ?? ''} ${id}`);
      return words.every((word) => named.some((one) => one.includes(word) || isNear(word, one)));
    })
    .slice(0, mostNear);
}

const wordsIn = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const sorted = (word: string): string => word.split('').sort().join('');

/** Whether two words of four letters at least differ by a slip: up to two letters left out, one that is another, or two that changed places. */
function isNear(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < 4 || long.length - short.length > 2) return false;
  if (short.length === long.length) {
    const others = short.split('').filter((letter, at) => letter !== long[at]);
    return others.length === 1 || sorted(short) === sorted(long);
  }
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
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
