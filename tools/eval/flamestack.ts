import {
  countTokens,
  isEngineError,
  openStore,
  type Assembly,
  type Goal,
  type OutMessage,
  type PopGiven,
  type Session,
  type SessionOptions,
  type Store,
  type Summarizer,
} from '../../src/index.ts';
import type { Entry, Move } from './history.ts';
import type { Beginning, Method, MethodKind, Spending } from './method.ts';
import { partsOf, toSaid, type Shown } from './said.ts';

/** Options of the engine that may depend on the budget. */
export type OptionsFor = (budget: number) => SessionOptions;

/** The engine, with its own defaults but for what is given. */
export function flamestack(
  name: string,
  options: OptionsFor = () => ({}),
  about = 'this engine, default options',
): MethodKind {
  return { name, about, begin: (beginning) => begin(beginning, options(beginning.budget)) };
}

interface Run {
  readonly store: Store;
  readonly session: Session;
  /** Places of entries by the ids that the session gave them. */
  readonly places: Map<string, number>;
  /** Frames of this session by their ids in the history. */
  readonly frames: Map<string, string>;
  readonly spent: { compressions: number; calls: number; input: number; output: number };
}

async function begin({ budget, system, title }: Beginning, given: SessionOptions): Promise<Method> {
  const spent = { compressions: 0, calls: 0, input: 0, output: 0 };
  const { summarizer } = given;
  const isOwn = summarizer === undefined || typeof summarizer === 'string';
  const store = await openStore(':memory:', { durability: 'process' });
  try {
    const session = await store.open('eval', {
      window: budget,
      reserve: 0,
      system,
      ...(title === '' ? {} : { title }),
      ...given,
      ...(isOwn ? {} : { summarizer: metered(summarizer, spent) }),
    });
    listen(session, spent, isOwn);
    const run = { store, session, places: new Map(), frames: new Map([['f0', 'f0']]), spent };
    return methodOf(run, isOwn);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function methodOf({ store, session, places, frames, spent }: Run, isOwn: boolean): Method {
  const shown = new WeakMap<OutMessage, Shown>();
  return {
    async append({ message, place }: Entry) {
      if (message === null) return;
      const { id } = await session.append(message, { at: timeOf(place) });
      places.set(id, place);
      if (!isOwn) await session.settled();
    },
    move: (move) => playMove(session, move, frames),
    async context() {
      const assembly = await assemble(session);
      if (assembly === null) return null;
      const all: Shown[] = [];
      for (const message of assembly.messages) {
        const known = shown.get(message) ?? (await toShown(message, places));
        shown.set(message, known);
        all.push(known);
      }
      return all;
    },
    async recall(query, { before, limit }) {
      const hits = await session.recall(query, { limit, time: { to: timeOf(before - 1) } });
      return hits.flatMap(({ entry, same }) =>
        [entry, ...same].flatMap((id) => places.get(id) ?? []),
      );
    },
    async *log() {
      for await (const {
        id: _id,
        frame: _frame,
        at: _at,
        tokens: _tokens,
        ...message
      } of session.log())
        yield message;
    },
    placeOf: (id) => places.get(id) ?? null,
    spending: (): Spending => spent,
    close: () => store.close(),
  };
}

/** When an entry is said here: one each second, so that time tells what came before a place. */
const timeOf = (place: number): number => Date.UTC(2026, 0, 1) + place * 1_000;

async function assemble(session: Session): Promise<Assembly | null> {
  try {
    return await session.assemble();
  } catch (error) {
    if (isEngineError(error, 'CONTEXT_OVERFLOW')) return null;
    throw error;
  }
}

async function toShown(message: OutMessage, places: ReadonlyMap<string, number>): Promise<Shown> {
  const said = await toSaid(partsOf(message));
  const place = message.entry === undefined ? null : (places.get(message.entry) ?? null);
  return { ...said, kind: message.kind, place, section: message.section };
}

/** Counts what the embedded summarizer read and wrote; a summarizer of the caller's is metered itself. */
function listen(session: Session, spent: Run['spent'], isOwn: boolean): void {
  session.on('compression.finished', () => (spent.compressions += 1));
  if (!isOwn) return;
  session.on('checkpoint.created', ({ checkpoint }) => {
    spent.calls += 1;
    spent.input += checkpoint.before;
    spent.output += checkpoint.tokens;
  });
}

function metered(summarizer: Summarizer, spent: Run['spent']): Summarizer {
  return {
    name: summarizer.name,
    async summarize(task, context) {
      spent.calls += 1;
      const { earlier, entries } = task;
      const read = earlier === '' ? 0 : await countTokens(earlier);
      spent.input += entries.reduce((sum, { tokens }) => sum + tokens, read);
      const text = await summarizer.summarize(task, context);
      spent.output += await countTokens(text);
      return text;
    },
  };
}

/** Makes a change of frame or goal in another session; `frames` has its frames by their ids in the history, and takes on new ones. */
export async function playMove(
  session: Session,
  move: Move,
  frames: Map<string, string>,
): Promise<void> {
  const mine = (frame: string): string => frames.get(frame) ?? frame;
  switch (move.type) {
    case 'frame.pushed':
      frames.set(move.frame, (await session.push(move.identity)).id);
      return;
    case 'frame.planned': {
      const parent = mine(move.parent);
      frames.set(move.frame, (await session.frames.plan({ ...move.identity, parent })).id);
      return;
    }
    case 'frame.started':
      return session.frames.start(mine(move.frame));
    case 'frame.popped':
      await session.pop(resultsOf(move, mine(move.frame)));
      return;
    case 'frame.invalidated':
      return session.frames.invalidate(mine(move.frame), move.reason);
    case 'goal.set':
      return setGoal(session, move.goal);
  }
}

/** As the frame was left in the history; the journal keeps the brief form of results that somebody supplied. */
function resultsOf(move: Extract<Move, { type: 'frame.popped' }>, frame: string): PopGiven {
  const { status, results, dropped } = move;
  const { brief, artifacts, decisions } = results;
  const isSupplied = results.by === 'host';
  return {
    frame,
    status: status === 'failed' || status === 'blocked' ? status : 'completed',
    ...(isSupplied ? { results: brief, brief } : {}),
    artifacts,
    decisions,
    drop: dropped.length > 0,
  };
}

/** A goal that a small window cannot hold is left out, as an import would. */
async function setGoal(session: Session, goal: Goal): Promise<void> {
  try {
    await session.goal.set(goal);
  } catch (error) {
    if (!isEngineError(error, 'GOAL_TOO_LARGE')) throw error;
  }
}
