import { playMove } from '../../eval/flamestack.ts';
import type { Entry, Step } from '../../eval/history.ts';
import {
  openStore,
  type Assembly,
  type Message,
  type Session,
  type Store,
  type Summarizer,
} from '../../../src/index.ts';
import type { Subject } from './subject.ts';

/** A session that is played from a history. */
export interface Run extends AsyncDisposable {
  readonly store: Store;
  readonly session: Session;
  readonly frames: Map<string, string>;
  /** What a host would hand over; null while it appends. */
  list: Message[] | null;
}

/** Who writes summaries, and where the store is. */
export interface RunOptions {
  readonly summarizer?: Summarizer;
  readonly location?: string;
}

/** Begins a run, or goes on with the one that is in the store. */
export async function beginRun(
  { history, window }: Subject,
  { summarizer, location = ':memory:' }: RunOptions = {},
): Promise<Run> {
  const store = await openStore(location, {
    durability: 'process',
    ...(summarizer === undefined ? {} : { summarizers: [summarizer] }),
  });
  const [first] = history.entries;
  const session = await store.open('s', {
    window,
    recovery: 'confirm',
    ...(first?.role === 'system' ? { system: first.content } : {}),
    ...(history.title === '' ? {} : { title: history.title }),
    ...(summarizer === undefined ? {} : { summarizer }),
  });
  return {
    store,
    session,
    frames: new Map([['f0', 'f0']]),
    list: null,
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** Whether a step asks a model. */
export function isAnswer(step: Step): step is Extract<Step, { type: 'entry' }> {
  return step.type === 'entry' && step.entry.role === 'assistant' && step.entry.place > 0;
}

/** Plays one step: a change, or an entry, with what a server would count for the prompt of an answer. */
export async function play(run: Run, step: Step, counted?: Counted): Promise<void> {
  if (step.type === 'move') await playMove(run.session, step.move, run.frames);
  else await appendEntry(run, step.entry, counted);
  await run.session.settled();
}

interface Counted {
  readonly assembly: Assembly;
  readonly tokens: number;
}

async function appendEntry(
  { session, list }: Run,
  { message }: Entry,
  counted?: Counted,
): Promise<void> {
  if (message === null) return;
  if (counted !== undefined)
    await session.report({ assembly: counted.assembly.id, usage: { inputTokens: counted.tokens } });
  if (list === null) await session.append(message);
  else await session.sync((list.push(message), list));
}

/** What a server counts for a whole prompt: a little more than we, and a template. */
export function wholeCount({ budget, messages }: Assembly): number {
  return Math.round(1.03 * budget.total) + messages.length + 12;
}

/** What it counts where its window has room for half of that: system prompt and newest messages. */
export function cutCount(assembly: Assembly): number {
  const { messages } = assembly;
  const system = messages.filter(({ role }) => role === 'system');
  const sum = (list: Assembly['messages']): number =>
    list.reduce((total, { tokens }) => total + tokens, 0);
  let kept = messages.slice(-1);
  for (const message of messages.slice(system.length, -1).toReversed()) {
    if (sum(system) + sum(kept) + message.tokens > assembly.budget.total / 2) break;
    kept = [message, ...kept];
  }
  return Math.round(1.03 * (sum(system) + sum(kept))) + system.length + kept.length + 12;
}
