import type {
  Assembly,
  Difference,
  Hit,
  LogEntry,
  OutMessage,
  Session,
  View,
} from '../../index.ts';
import type {
  Change,
  Compared,
  FoundEntry,
  Lacking,
  ListedSession,
  MachineMove,
  Prompt,
  WholeEntry,
} from '../../viewer/page/session/model/wire.ts';
import { mostTold } from '../../viewer/page/session/model/wire.ts';
import { entityChanges } from '../../reader.ts';
import type { CommandCall } from '../call/call.ts';
import { clean } from '../paper/clean.ts';
import { wholeText } from '../render/message.ts';
import { toldHits, toldHitsIn } from '../render/told-hits.ts';
import { isOfFile } from '../sessions/words/file-time.ts';
import { latestFirst } from '../sessions/pick.ts';
import { withReader } from '../sessions/store/with-reader.ts';
import { promptOf, shownText } from './prompt-answer.ts';
import { placeText } from './session-steps.ts';

// What the page of a session asks for beside its steps. What is asked comes from a link's query, so it is
// checked where it is read, by the session itself.

/** Most that a search finds in one place. */
const mostFound = { limit: mostTold.hits, tokens: mostTold.hits * 200 } as const;

/** The prompt as it was after a step. */
export async function promptAt(session: Session, seq: number): Promise<Prompt> {
  return promptOf(seq, await session.at({ seq }));
}

/** What a model sees after a step that it did not before, and the other way round. */
export async function changeAt(session: Session, seq: number): Promise<Change> {
  return changeBetween(
    session,
    [await session.at({ seq: seq - 1 }), await session.at({ seq })],
    seq,
  );
}

/** What a model sees at a step and would not have seen at one in another window, and the other way round, that one first. */
export async function changeFrom(
  there: Session,
  session: Session,
  { seq, other }: { readonly seq: number; readonly other: number },
): Promise<Change> {
  return changeBetween(session, [await there.at({ seq: other }), await session.at({ seq })], seq);
}

/** What the prompts of two sessions hold that the other does not, each after a step of its own. */
export async function compareSessions(
  [own, second]: readonly [Session, Session],
  { seq, other }: { readonly seq: number; readonly other: number },
): Promise<Compared> {
  const [one, two] = [await own.at({ seq }), await second.at({ seq: other })];
  const [lost, gained] = [await own.diff(one, two), await second.diff(two, one)];
  const said = [entriesIn(await one.assemble()), entriesIn(await two.assemble())] as const;
  const only = (side: 0 | 1): readonly string[] => {
    const there = new Set(said[1 - side]!.values());
    return [...said[side]].flatMap(([entry, text]) => (there.has(text) ? [] : [entry]));
  };
  const onlyEntries = [only(0), only(1)] as const;
  return {
    seq,
    other,
    names: lost.facts.kept.length,
    onlyNames: [byKind(lost.facts.lost), byKind(gained.facts.lost)],
    entries: said[0].size - onlyEntries[0].length,
    onlyEntries,
  };
}

/** The entries that stand in an assembly word for word, each with who said it and what. */
const entriesIn = ({ messages }: Assembly): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap((one) =>
      one.kind === 'entry' && one.entry !== undefined
        ? [[one.entry, `${one.role} ${shownText(one)}`] as const]
        : [],
    ),
  );

/** The sessions of a store, the one in which something was said last first. */
export async function listedSessions(call: CommandCall): Promise<readonly ListedSession[]> {
  const all = await withReader(call, latestFirst);
  return all.map((one) => {
    const { id, title = id, said, turns, tokens, parent = null } = one;
    const place = placeText(one);
    return { id, title, place, said, isOfFile: isOfFile(one), turns, tokens, parent };
  });
}

/** What a model sees of a session that it did not before, or the other way round. */
export async function changeBetween(
  session: Session,
  views: readonly [before: View, after: View],
  seq: number,
): Promise<Change> {
  const { tokens, sections, entries, facts } = await session.diff(...views);
  const [before, after] = [await views[0].assemble(), await views[1].assemble()];
  const entryCount = views[0].state.entries;
  const idsOf = (isOne: (change: EntryChange) => boolean): readonly string[] =>
    entries.filter(isOne).map(({ entry }) => entry);
  return {
    seq,
    tokens,
    sections,
    left: idsOf(({ after: is }) => is === null),
    came: idsOf(
      ({ before: was, after: is }) => was === null || (was === 'shortened' && is === 'entry'),
    ),
    shortened: idsOf((one) => isShortened(one, entryCount)),
    short: [
      idsOf(({ before: was }) => was === 'shortened'),
      idsOf(({ after: is }) => is === 'shortened'),
    ],
    kept: facts.kept.length,
    gained: facts.gained.length,
    stayed: byKind(facts.kept),
    lost: byKind(facts.lost),
    lines: newLines(before, after),
    gone: newLines(after, before),
  };
}

type EntryChange = Difference['entries'][number];

/** Whether an entry stands shorter than before, or came so as the last of those that are said. */
const isShortened = ({ entry, before, after, tokens }: EntryChange, entryCount: number): boolean =>
  after === 'shortened' &&
  (before === null ? positionOf(entry) > entryCount : before === 'entry' || tokens[1] < tokens[0]);

/** Names by their kind. */
function byKind(lost: Difference['facts']['lost']): Change['lost'] {
  const kinds = [...new Set(lost.map(({ kind }) => kind))];
  return kinds.map((kind) => ({
    kind,
    names: lost.filter((one) => one.kind === kind).map(({ name }) => name),
  }));
}

/** The entries behind an id or a range, as many as are told at once. */
export async function entriesBehind(session: Session, ref: string): Promise<readonly WholeEntry[]> {
  return (await session.expand(ref, { limit: mostTold.entries })).map(toWholeEntry);
}

/** The entries of a frame, the first ones. */
export async function entriesOfFrame(
  session: Session,
  frame: string,
): Promise<readonly WholeEntry[]> {
  const entries: WholeEntry[] = [];
  for await (const entry of session.log({
    frame,
    limit: mostTold.entries,
    onLost: () => undefined,
  }))
    entries.push(toWholeEntry(entry));
  return entries;
}

/** What was said of some words, the best first. */
export async function entriesWith(session: Session, words: string): Promise<readonly WholeEntry[]> {
  return (await toldHitsIn(session, await session.recall(words, mostFound), words)).map(toFound);
}

/** The same of all sessions of the store: first of one of them, then of the others, by session. */
export async function entriesInStore(
  call: CommandCall,
  session: Session,
  words: string,
): Promise<readonly FoundEntry[]> {
  const others = await withReader(call, async (reader) => {
    const all = (await latestFirst(reader)).filter(({ id }) => id !== session.id);
    if (all.length === 0) return [];
    const ids = all.map(({ id }) => id);
    const hits = await reader.recall(words, { ...mostFound, session: ids });
    const storeHits = await toldHits(hits, words, (hit) => reader.entry(hit.session, hit.entry));
    return all.flatMap((one): readonly FoundEntry[] => {
      const { id, title = id } = one;
      const of = { id, title, place: placeText(one) };
      const here = storeHits.filter((hit) => hit.session === id);
      return here.map((hit) => ({ ...toFound(hit), session: of }));
    });
  });
  return [...(await entriesWith(session, words)), ...others];
}

/** Where a line comes from that names no entry, the likeliest first, of what was said before a step. */
export async function sourcesOf(
  session: Session,
  { text, seq }: { readonly text: string; readonly seq: number },
): Promise<readonly WholeEntry[]> {
  const { entries } = (await session.at({ seq })).state;
  const candidates = await session.trace({ text }, { limit: mostTold.hits, tokens: 5_000 });
  const hits = candidates.filter(({ entry }) => positionOf(entry) <= entries).slice(0, 5);
  return (await toldHitsIn(session, hits, text)).map(toFound);
}

/** Where a name was said that a compression took away: in the entries that left first, then before them. */
export async function entriesNaming(
  session: Session,
  { name, seq }: { readonly name: string; readonly seq: number },
): Promise<readonly WholeEntry[]> {
  const { left, shortened } = await changeAt(session, seq);
  const gone = new Set([...left, ...shortened]);
  const matches: WholeEntry[] = [];
  const others: WholeEntry[] = [];
  const before = `e${(await session.at({ seq })).state.entries + 1}`;
  for await (const entry of session.log({ before, reverse: true, onLost: () => undefined })) {
    if (matches.length >= mostTold.hits) break;
    const whole = toWholeEntry(entry);
    if (!whole.text.includes(name)) continue;
    if (gone.has(entry.id)) matches.push(whole);
    else if (others.length < mostTold.hits) others.push(whole);
  }
  return [...matches, ...others].slice(0, mostTold.hits);
}

/** The names in the entries that a prompt does not hold word for word: how many it has, and those that it has nowhere. */
export async function lackingAt(session: Session, seq: number): Promise<Lacking> {
  const view = await session.at({ seq });
  const gaps = view.missing().map(({ from, to }) => [positionOf(from), positionOf(to)] as const);
  const messages: OutMessage[] = [];
  const before = `e${view.state.entries + 1}`;
  for await (const entry of session.log({ before, reverse: true, onLost: () => undefined })) {
    const at = positionOf(entry.id);
    while (gaps.length > 0 && gaps.at(-1)![0] > at) gaps.pop();
    if (gaps.length > 0 && gaps.at(-1)![1] >= at)
      messages.push({ ...entry, kind: 'entry', section: 'working' });
  }
  const { kept, lost } = entityChanges({ messages }, await view.assemble());
  return { kept: kept.length, lost: byKind(lost) };
}

/** Where the machines stood before a step, and where they went in it; of frames only those at work. */
export async function movesAt(session: Session, seq: number): Promise<readonly MachineMove[]> {
  const moves: MachineMove[] = [];
  for await (const inspection of session.inspect({ after: seq - 1, to: seq, live: false })) {
    const { seq: at, actor, machine, event, from, value, status } = inspection;
    if (at === seq || machine !== 'frame' || (status === 'active' && value !== 'planned'))
      moves.push({ seq: at, actor, machine, event, from, value, status });
  }
  return moves;
}

const positionOf = (id: string): number => Number(/\d+/.exec(id)?.[0] ?? 0);

const toFound = ({ entry: id, frame, role, at, text }: Hit): WholeEntry => ({
  id,
  frame,
  role,
  at,
  text: clean(text),
});

const toWholeEntry = (entry: LogEntry): WholeEntry => {
  const { id, frame, role, at } = entry;
  return { id, frame, role, at, text: wholeText(entry) };
};

/** Lines of made sections that one assembly has and another had not, neither there nor as an entry by itself. */
function newLines(before: Assembly, after: Assembly): Change['lines'] {
  const linesIn = (messages: Assembly['messages']) =>
    messages
      .filter(({ role }) => role !== 'system')
      .flatMap((one) =>
        shownText(one)
          .split('\n')
          .filter((text) => text.trim() !== '')
          .map((text) => ({ section: one.section as string, text })),
      );
  const were = new Set(linesIn(before.messages).map(({ text }) => words(text)));
  return linesIn(after.messages.filter(({ kind }) => kind === 'made')).filter(
    ({ text }) => !were.has(words(text)),
  );
}

/** A line without the id of the entry that it quotes whole. */
const words = (line: string): string => line.trim().replace(/^\[e\d+(?:, [a-z ]+)?\] /, '');
