import type { SessionSummary } from '../../index.ts';
import { durableMachines, type SessionOutline, type StoreReader } from '../../reader.ts';
import { quote, storeArgument, storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { many, number } from '../paper/size.ts';
import { filled, tableOf, type Column, type FilledColumn } from '../paper/table.ts';
import { cut } from '../paper/width.ts';
import { fileTime, isOfFile, saidText } from '../sessions/words/file-time.ts';
import { folderName } from '../sessions/words/folder-name.ts';
import { inOrder } from '../sessions/pick.ts';
import { isOutlineMeant, type SessionFilter } from '../sessions/session-filter.ts';
import { titleText } from '../sessions/words/title-text.ts';
import { shortId } from '../sessions/words/short-id.ts';
import { withReader } from '../sessions/store/with-reader.ts';

/** Options of `ls` alone. */
export interface ListOptions extends SessionFilter {
  readonly limit?: number | undefined;
}

/** A session as it stands in the list. */
export interface Listed<T = SessionSummary> {
  readonly session: T;
  /** Its place among all of the store: 1 for `@1`. */
  readonly rank: number;
  /** How many sessions it is a sub-agent below. */
  readonly depth: number;
}

/** Lists the sessions of the store, the latest first; gives the exit code. */
export async function ls(options: ListOptions, call: CommandCall): Promise<number> {
  const { all, machines } = await withReader(call, async (store) => ({
    all: inOrder(await store.list()),
    machines: await machineIds(store),
  }));
  const { limit = all.length, ...filter } = options;
  const matching = listedOf(all, (one) => isOutlineMeant(one, filter));
  const listed = matching.slice(0, limit);
  const store = storeFolder(call);
  if (call.json) {
    const sessions = listed.map(({ session }) => session.summary());
    call.emit('flamestack.ls/1', { store, sessions, machines: machines.length });
  } else if (all.length === 0) {
    call.print(
      `The store ${cleanLine(store)} holds no session yet.`,
      `Make one: flamestack import <your session file>${storeArgument(call)}`,
    );
  } else if (listed.length === 0) {
    call.note(`None of ${many(all.length, 'session')} matches.`, ...agentsText(all, options));
  } else {
    const paper = call.paper();
    const noted: Noted = { damaged: [], hasFileTimes: false };
    const [head, ...lines] = listLines(toldOf(listed, noted), all, paper);
    // As one text: no function takes as many arguments as a store may have sessions.
    call.print([paper.paint(head!, 'gray'), ...lines].join('\n'));
    if (listed.length < matching.length)
      call.note(
        `${number(listed.length)} of ${many(matching.length, 'session')}; more with --limit.`,
      );
    else if (listed.length < all.length)
      call.note(`${number(listed.length)} of ${many(all.length, 'session')}.`);
    if (noted.hasFileTimes) call.note(fileTime);
    call.note(...noted.damaged.flatMap((session) => damageText(session, call)));
  }
  if (machines.length > 0 && !call.json) call.note(machinesText(machines));
  return listed.length === 0 && all.length > 0 ? exits.nothing : exits.done;
}

/** What is said below a list. */
interface Noted {
  readonly damaged: SessionSummary[];
  hasFileTimes: boolean;
}

/** What is told of listed sessions, each when its line is made: to keep thousands of summaries takes longer than to make them. */
function* toldOf(listed: readonly Listed<SessionOutline>[], noted: Noted): Generator<Listed, void> {
  for (const { session: outline, rank, depth } of listed) {
    const session = outline.summary();
    if (session.damage !== undefined) noted.damaged.push(session);
    if (isOfFile(session)) noted.hasFileTimes = true;
    yield { session, rank, depth };
  }
}

/** Which agents there are, where the one that was asked for is none of them. */
function agentsText(all: readonly SessionOutline[], { agent }: ListOptions): readonly string[] {
  if (agent === undefined || all.some((one) => isOutlineMeant(one, { agent }))) return [];
  const agents = [...new Set(all.flatMap((one) => one.summary().agent ?? []))]
    .sort()
    .map(cleanLine);
  return agents.length === 0 ? [] : [`Their agents: ${agents.join(', ')}`];
}

/** The durable machines that lie beside the sessions of a store. */
async function machineIds(store: StoreReader): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of durableMachines(store)) ids.push(id);
  return ids;
}

/** Durable machines that are named. */
const mostMachines = 5;

function machinesText(ids: readonly string[]): string {
  const firstIds = ids.slice(0, mostMachines).map(cleanLine).join(', ');
  const more = ids.length > mostMachines ? ` and ${number(ids.length - mostMachines)} more` : '';
  return `It holds ${number(ids.length)} durable ${ids.length === 1 ? 'machine' : 'machines'}, too: ${firstIds}${more}.`;
}

/** The sessions of a store that are meant, in their order, each with its sub-agents behind it. */
export function listedOf<T extends Placed>(
  all: readonly T[],
  isMeant: (session: T) => boolean,
): readonly Listed<T>[] {
  const ranked = all.map((session, at) => ({ session, rank: at + 1, depth: 0 }));
  return underParents(ranked.filter(({ session }) => isMeant(session)));
}

/** What puts a session under another. */
interface Placed {
  readonly id: string;
  readonly parent?: string | undefined;
}

function underParents<T extends Placed>(meant: readonly Listed<T>[]): readonly Listed<T>[] {
  if (meant.every(({ session }) => session.parent === undefined)) return meant;
  const byId = new Map(meant.map((one) => [one.session.id, one]));
  const parentOf = ({ session }: Listed<T>): string | undefined =>
    session.parent !== session.id && byId.has(session.parent ?? '') ? session.parent : undefined;
  const children = new Map<string | undefined, Listed<T>[]>();
  for (const one of meant) {
    const siblings = children.get(parentOf(one));
    if (siblings === undefined) children.set(parentOf(one), [one]);
    else siblings.push(one);
  }
  const placed = new Set<string>();
  const listed: Listed<T>[] = [];
  const place = (one: Listed<T>, depth: number): void => {
    if (placed.has(one.session.id)) return;
    placed.add(one.session.id);
    listed.push({ ...one, depth });
    for (const child of children.get(one.session.id) ?? []) place(child, depth + 1);
  };
  for (const one of children.get(undefined) ?? []) place(one, 0);
  // Those that name each other as parents stand last.
  for (const one of meant) place(one, 0);
  return listed;
}

/** What is wrong with a session, and how to see what is left of it. */
function damageText({ id, damage }: SessionSummary, call: CommandCall): readonly string[] {
  if (damage === undefined) return [];
  const name = cleanLine(id);
  const verify = `flamestack verify ${quote(name)}${storeArgument(call)}`;
  return [`${name} is damaged: ${cleanLine(damage)}`, `  What is left of it: ${verify}`];
}

/** A column, and what it says of a session. */
interface ListColumn extends Column {
  /** Columns of a higher number are left out first where it is narrow; those without one stay. */
  readonly drops?: number;
  readonly cell: (listed: Listed) => string;
}

/** From so many cells on the branch is shown, cut to as many. */
const roomForBranch = 100;

/** Cells that a branch and a folder take at most: fewer, so that what the context costs stands beside them, from so many cells on. */
const longestName = { usual: 12, wide: 20, from: 140 } as const;

/** Cells that a title has at least before columns are left out. */
const leastTitle = 24;

function columnsFor(all: readonly Placed[], paper: Paper): readonly ListColumn[] {
  const name = Number.isFinite(paper.longest)
    ? shortId(all.map(({ id }) => id))
    : (id: string) => id;
  const count = remembered((value?: number) => (value === undefined ? '' : number(value)));
  const most = paper.longest < longestName.from ? longestName.usual : longestName.wide;
  const shortened = (name: string): string => cut(cleanLine(name), most, paper.glyphs.more);
  const project = remembered((folder: string = '') =>
    Number.isFinite(paper.longest) ? shortened(folderName(folder)) : cleanLine(folderName(folder)),
  );
  const branch = remembered((name: string = '') => shortened(name));
  const agent = remembered((name: string = '') => cleanLine(name));
  const now = Date.now();
  return [
    { title: '', align: 'right', cell: ({ rank }) => `@${rank}` },
    { title: 'session', gives: true, cell: (one) => titleCell(one, paper) },
    {
      title: 'project',
      drops: 3,
      cell: ({ session }) => project(session.folder),
    },
    {
      title: 'branch',
      drops: paper.longest < roomForBranch ? 7 : 0.5,
      cell: ({ session }) => branch(session.branch),
    },
    { title: 'agent', drops: 4, cell: ({ session }) => agent(session.agent) },
    {
      title: 'last said',
      align: 'right',
      cell: ({ session }) => saidText(session, now),
    },
    { title: 'turns', align: 'right', drops: 1, cell: ({ session }) => count(session.turns) },
    { title: 'tokens', align: 'right', drops: 2, cell: ({ session }) => count(session.tokens) },
    { title: 'prompt', align: 'right', drops: 5, cell: ({ session }) => count(session.context) },
    { title: 'window', align: 'right', drops: 6, cell: ({ session }) => count(session.window) },
    {
      title: 'to write',
      align: 'right',
      drops: 8,
      cell: ({ session }) => count(session.pending || undefined),
    },
    { title: 'id', cell: ({ session }) => cleanLine(name(session.id)) },
  ];
}

/** The same function, which does its work once for each value: thousands of sessions share a few folders and windows. */
function remembered<T>(make: (value?: T) => string): (value: T | undefined) => string {
  const cache = new Map<T | undefined, string>();
  return (value) => {
    const cached = cache.get(value);
    if (cached !== undefined) return cached;
    const text = make(value);
    cache.set(value, text);
    return text;
  };
}

function titleCell({ session, depth }: Listed, { glyphs }: Paper): string {
  const { title, damage } = session;
  const label = damage === undefined ? titleText(title ?? '') || '(nothing asked yet)' : 'damaged';
  return depth === 0 ? label : `${'  '.repeat(depth - 1)}${glyphs.end}${label}`;
}

/** Cells that a column takes at least. */
const leastOf = ({ gives, width }: FilledColumn): number =>
  gives === true ? Math.min(width, leastTitle) : width;

/** The list under its titles; columns that say nothing are left out, and then those for which there is no room. */
export function listLines(
  listed: Iterable<Listed>,
  all: readonly Placed[],
  paper: Paper,
): readonly string[] {
  const columns = columnsFor(all, paper).map((column) => ({ column, cells: [] as string[] }));
  for (const one of listed) {
    const isDamaged = one.session.damage !== undefined;
    for (const { column, cells } of columns)
      cells.push(column.drops !== undefined && isDamaged ? '' : column.cell(one));
  }
  const visibleColumns = columns
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ column, cells }) => filled(column, cells));
  const order = visibleColumns.flatMap(({ drops }) => drops ?? []).sort((a, b) => b - a);
  const fitting = (dropped: number): typeof visibleColumns =>
    visibleColumns.filter(({ drops }) => (drops ?? 0) < dropped);
  const fits = (some: typeof visibleColumns): boolean =>
    some.reduce((sum, column) => sum + leastOf(column) + 2, -2) <= paper.longest;
  const limit = [Number.POSITIVE_INFINITY, ...order].find((dropped) => fits(fitting(dropped))) ?? 1;
  return tableOf(fitting(limit), paper);
}
