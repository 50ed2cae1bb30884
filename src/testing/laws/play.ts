import type { Assembly } from '../../core/assembly.ts';
import type { Message } from '../../core/message.ts';
import type { ErrorCode } from '../../core/error.ts';
import type { SessionOptions } from '../../engine/configure.ts';
import { openStore, type Store, type StoreOptions } from '../../engine/engine.ts';
import type { Session } from '../../engine/session.ts';
import { importerOf } from '../../import/formats.ts';
import { toSource } from '../../import/source.ts';
import type { Step } from '../../import/step.ts';
import type { Summarizer } from '../../llm/summarizer.ts';
import { loadTokenizer } from '../../tokenizer/tiktoken.ts';
import { laws, type Law, type Violation } from './law.ts';
import { checkLaws, reasonOf } from './laws.ts';
import { make, refusalOf, type Move } from './move.ts';
import { bytesOf } from './recount.ts';
import { hear, newWitness, type Witness } from './witness.ts';

/** A violation and where it was found. */
export interface Found extends Violation {
  /** The line of the file, or the number of the move, from 1. */
  readonly line: number;
}

/** What a play through one window came to. */
export interface Played {
  readonly name: string;
  readonly limit: number;
  /** Moments at which every law was checked. */
  readonly checked: number;
  readonly entries: number;
  readonly compressions: number;
  readonly epochs: number;
  readonly violations: Readonly<Record<Law, number>>;
  /** The first violations, most of them of different laws. */
  readonly found: readonly Found[];
}

/** How a play is checked. */
export interface PlayOptions {
  /** Tokens of the window; nothing is reserved. */
  readonly limit: number;
  /** Everything is looked at at every so many checks; 50 unless told. */
  readonly every?: number;
  /** Who summarizes; the embedded summarizer unless told. */
  readonly summarizer?: Summarizer;
  /** Clock and patience of the store. */
  readonly store?: StoreOptions;
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** Most violations of one law that are kept in words. */
const mostFound = 3;

/** A session under watch: every law is checked whenever it is asked, and what is found is counted. */
interface Watch {
  session: Session;
  readonly witness: Witness;
  check(line: number, tools?: readonly unknown[]): Promise<void>;
  /** Closes the session, opens it anew from its journal, and compares what it then shows. */
  reopen(line: number, tools?: readonly unknown[]): Promise<void>;
  blame(violation: Found): void;
  result(name: string): Played;
}

const sessionId = 'laws';

async function watch(
  store: Store,
  options: PlayOptions & { system?: string; title?: string },
): Promise<Watch> {
  const { limit, every = 50, system = '', title } = options;
  const { count } = await loadTokenizer('o200k_base');
  const given = { window: limit, reserve: 0, system };
  const witness = newWitness({ count, ...given });
  const { summarizer } = options;
  const open = async (given: SessionOptions): Promise<Session> => {
    const session = await store.open(sessionId, given);
    session.on('*', (fact) => void witness.heard.push(fact));
    return session;
  };
  const counts = Object.fromEntries(laws.map((law) => [law, 0])) as Record<Law, number>;
  const found: Found[] = [];
  let before: Assembly | null = null;
  let checked = 0;
  let compressions = 0;
  const blame = (violation: Found): void => {
    counts[violation.law] += 1;
    if (counts[violation.law] <= mostFound) found.push(violation);
  };
  const self: Watch = {
    session: await open({
      ...given,
      ...(title === undefined ? {} : { title }),
      ...(summarizer === undefined ? {} : { summarizer }),
    }),
    witness,
    blame,
    async check(line, tools = []) {
      const { heard } = witness;
      const thorough = checked % every === 0;
      const judgment = await checkLaws(before, self.session, { witness, thorough, tools });
      compressions += heard.filter(({ type }) => type === 'compression.finished').length;
      checked += 1;
      before = judgment.assembly ?? before;
      for (const violation of judgment.violations) blame({ ...violation, line });
      options.onProgress?.(checked);
    },
    async reopen(line, tools = []) {
      await self.session.settled();
      const shown = await self.session.assemble({ tools });
      await self.session.close();
      self.session = await open({});
      const again = await self.session.assemble({ tools });
      if (again.id !== shown.id || written(again) !== written(shown))
        blame({ law: 'prefix', what: 'it is another after a reopening', line });
      if (JSON.stringify(again.budget) !== JSON.stringify(shown.budget))
        blame({ law: 'fit', what: 'the budget is another after a reopening', line });
    },
    result: (name) => ({
      name,
      limit,
      checked,
      entries: witness.said.length,
      compressions,
      epochs: self.session.state.epoch,
      violations: counts,
      found,
    }),
  };
  return self;
}

const written = ({ messages }: Assembly): string =>
  messages.map((message) => `${bytesOf(message, true)}${message.tokens}`).join('\n');

/**
 * Plays a session file of any known format through a window, and checks every
 * law after each of its steps. Rejects where the file cannot be read.
 */
export async function playFile(path: string, options: PlayOptions): Promise<Played> {
  const source = await toSource(path);
  const importer = await importerOf(source, undefined, options.signal);
  const steps: Step[] = [];
  for await (const step of importer.read(source)) steps.push(step);
  const head = steps.find((step) => step.type === 'session');
  const messages = steps.flatMap((step) => (step.type === 'append' ? [step.message] : []));
  const store = await openStore(':memory:');
  try {
    const watched = await watch(store, {
      ...options,
      ...(head?.system === undefined ? {} : { system: head.system }),
      ...(head?.title === undefined ? {} : { title: head.title }),
    });
    const { witness } = watched;
    let next = 0;
    await store.import(source, {
      id: sessionId,
      format: importer.format,
      onProgress: async ({ step, line, appended }) => {
        if (step === 'append' && appended > witness.said.length) hear(witness, messages[next]!);
        if (step === 'append') next += 1;
        await watched.check(line);
      },
    });
    await finish(watched, 0);
    return watched.result(path);
  } finally {
    await store.close();
  }
}

/** Plays moves through a window, and checks every law after each. */
export async function playMoves(
  moves: readonly Move[],
  options: PlayOptions & {
    name?: string;
    system?: string;
    /** Refusals that may follow any move; those that a move names must. */
    allowed?: readonly ErrorCode[];
  },
): Promise<Played> {
  const store = await openStore(':memory:', options.store);
  try {
    const watched = await watch(store, options);
    const names = new Map<string, string>();
    let tools: readonly unknown[] = [];
    for (const [index, move] of moves.entries()) {
      const line = index + 1;
      try {
        if (move.type === 'tools') tools = offer(watched, move.tools);
        if (move.refused !== undefined || options.allowed !== undefined)
          await tryMove(watched, move, { names, line, tools, allowed: options.allowed ?? [] });
        else await takeMove(watched, move, { names, line, tools });
      } catch (error) {
        watched.blame({ law: 'no throw', what: `${move.type}: ${reasonOf(error)}`, line });
      }
      if (move.type === 'tools' && move.refused !== undefined) tools = offer(watched, []);
      await watched.check(line, tools);
    }
    await finish(watched, moves.length, tools);
    return watched.result(options.name ?? 'moves');
  } finally {
    await store.close();
  }
}

interface Moving {
  readonly names: Map<string, string>;
  readonly line: number;
  readonly tools: readonly unknown[];
}

function offer({ witness }: Watch, tools: readonly unknown[]): readonly unknown[] {
  witness.tools = tools.length === 0 ? 0 : witness.count(JSON.stringify(tools));
  return tools;
}

async function takeMove(watched: Watch, move: Move, moving: Moving): Promise<void> {
  const { witness } = watched;
  witness.asked = move.type === 'compress';
  if (move.type === 'tools') {
    await watched.session.assemble({ tools: moving.tools });
  } else if (move.type === 'reopen') {
    await watched.reopen(moving.line, witness.tools === 0 ? [] : moving.tools);
    if (move.options !== undefined) await configure(watched, move.options);
  } else if (move.type === 'answer') {
    const { id, budget } = await watched.session.assemble({ tools: moving.tools });
    const message: Message = { role: 'assistant', content: move.content };
    const usage = { inputTokens: Math.round(budget.total * move.ratio) };
    await watched.session.append(message, { assembly: id, usage });
    hear(witness, message);
  } else if (move.type === 'configure') {
    await configure(watched, move.options);
  } else {
    await make(watched.session, move, moving.names);
    if (move.type === 'append') for (const message of move.messages) hear(witness, message);
  }
}

async function configure({ session, witness }: Watch, options: Options): Promise<void> {
  await session.configure(options);
  const { window, reserve } = session.state.budget;
  Object.assign(witness, { window, reserve, system: options.system ?? witness.system });
}

type Options = NonNullable<Extract<Move, { type: 'reopen' }>['options']>;

/** A move that may or must be refused: then nothing has changed. */
async function tryMove(
  watched: Watch,
  move: Move,
  moving: Moving & { allowed: readonly ErrorCode[] },
): Promise<void> {
  const before = watched.session.state;
  const heard = watched.witness.heard.length;
  const code = await refusalOf(takeMove(watched, move, moving));
  const wanted = move.refused === undefined ? moving.allowed : [move.refused];
  const { line } = moving;
  if (code === null && move.refused !== undefined)
    watched.blame({ law: 'no throw', what: `${move.type} was not refused`, line });
  if (code === null) return;
  if (!wanted.includes(code))
    watched.blame({ law: 'no throw', what: `${move.type} was refused with ${code}`, line });
  const after = watched.session.state;
  await watched.session.append([]);
  if (watched.witness.heard.length === heard && JSON.stringify(after) !== JSON.stringify(before))
    watched.blame({ law: 'no throw', what: `${code}, and yet something changed`, line });
}

/** Everything is looked at once more, before and after the session was read from its journal. */
async function finish(watched: Watch, line: number, tools: readonly unknown[] = []): Promise<void> {
  try {
    await watched.reopen(line, tools);
  } catch (error) {
    watched.blame({ law: 'no throw', what: reasonOf(error), line });
  }
  const last = { thorough: true, tools, witness: watched.witness };
  const { violations } = await checkLaws(null, watched.session, last);
  for (const violation of violations) watched.blame({ ...violation, line });
}
