import { untilAborted } from '../../llm/until-aborted.ts';
import type { SessionTool, ToolAnswer, ToolsOptions } from '../session/session-tool.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import { takes } from '../step/phase-rules.ts';
import type { UnansweredCall } from '../../core/state/state.ts';
import { afterResults, mustWait, waitsForResults } from './after-results.ts';
import { readArguments } from './tool-arguments.ts';
import { updateGoal } from './tool-goal.ts';
import { recallContext } from './recall-context.ts';
import { recallText } from './tool-recall.ts';
import { refusal } from './tool-refusal.ts';
import { toolSpecs, type ToolArguments, type ToolName } from './tool-specs.ts';
import { activePath, framesIn, nameOf, pathLine, statusText } from './tool-status.ts';

/** Least window in which all of them, with what is said of them, take less than a tenth of a prompt, in tokens. */
const roomyWindow = 16_000;

/** The tools that are worth their room in a window of so many tokens: all, or `recall` alone. */
export const fittingTools = (window: number): 'all' | 'recall' =>
  window >= roomyWindow ? 'all' : 'recall';

/** What the tools work with beside the session. */
interface ToolContext extends ToolsOptions {
  /** What the session counts with. */
  readonly counter: () => Promise<Tokenizer>;
  /** Calls of the session that have no result. */
  readonly calls: () => readonly UnansweredCall[];
}

/** The tools by which a model works in frames, reads the log and keeps the goal. */
export function sessionTools(
  session: Session,
  wanted: 'fitting' | 'all',
  context: ToolContext,
): readonly SessionTool[] {
  const isAll = wanted === 'all' || fittingTools(session.state.budget.window) === 'all';
  return toolSpecs
    .filter(({ name }) => isAll || name === 'recall')
    .map((spec) => ({
      ...spec,
      execute: (value, { signal } = {}) => execute(session, { spec, context, value, signal }),
    }));
}

/** A call of a tool, as it came. */
interface GivenCall {
  readonly spec: (typeof toolSpecs)[number];
  readonly context: ToolContext;
  readonly value: unknown;
  readonly signal: AbortSignal | undefined;
}

async function execute(session: Session, call: GivenCall): Promise<ToolAnswer> {
  const { spec, context, value, signal } = call;
  signal?.throwIfAborted();
  const read = readArguments(spec, value);
  if ('wrong' in read) return answer(read.wrong, true);
  const actions = actionsOn(session, context);
  const act = (): Promise<string> => actions[spec.name](read.values as never, signal);
  if (context.atOnce !== true && mustWait(spec.name, session.state, context.calls())) {
    afterResults(session, context.calls, () => actLater(session, spec.name, act));
    return answer(waitsForResults);
  }
  const done = inTurn(session, async () => {
    signal?.throwIfAborted();
    return act();
  });
  try {
    return answer(await untilAborted(done, signal));
  } catch (error) {
    signal?.throwIfAborted();
    return answer(refusal(session, error), true);
  }
}

/** An answer, which is its text where a text is wanted. */
const answer = (text: string, isError = false): ToolAnswer =>
  Object.defineProperty({ text, isError }, 'toString', { value: () => text });

/** Does what waited for results; a refusal is told to the model as machine text, since its result is in the log. */
async function actLater(session: Session, name: string, act: () => Promise<string>): Promise<void> {
  try {
    await inTurn(session, act).catch((error: unknown) => {
      const content = `[${name} was not done] ${refusal(session, error)}`;
      return session.append({ role: 'user', content, origin: 'machine' });
    });
  } catch {
    // The session is closed or damaged, and whoever works with it is told so.
  }
}

/** The last call of each session: parallel calls of one answer are carried out one by one. */
const lastCalls = new WeakMap<Session, Promise<unknown>>();

function inTurn(session: Session, action: () => Promise<string>): Promise<string> {
  const done = (lastCalls.get(session) ?? Promise.resolve()).then(action);
  const settled = done.catch(() => undefined);
  lastCalls.set(session, settled);
  return done;
}

/** What each tool does; the text that it resolves with is for the model. */
type ToolActions = {
  readonly [Name in ToolName]: (
    values: ToolArguments<Name>,
    signal: AbortSignal | undefined,
  ) => Promise<string>;
};

function actionsOn(session: Session, { answer: most, counter }: ToolContext): ToolActions {
  const { frames } = session;
  const here = (): string => `Path: ${pathLine(activePath(session))}`;
  const name = (id: string): string => {
    const found = framesIn(session).find(({ node }) => node.id === id);
    return found === undefined ? id : nameOf(found.node);
  };
  return {
    async frame_push(frame) {
      await session.push(frame);
      return `Entered. ${here()}`;
    },
    frame_pop: (outcome) => pop(session, outcome),
    async frame_plan(frame) {
      const { id } = await frames.plan(frame);
      return `Planned ${name(id)}.`;
    },
    async frame_start({ frame }) {
      await frames.start(frame);
      return `Entered. ${here()}`;
    },
    async frame_edit({ frame, ...identity }) {
      await frames.edit(frame, identity);
      return `Changed ${name(frame)}.`;
    },
    async frame_invalidate({ frame, reason }) {
      await frames.invalidate(frame, reason);
      return `Invalidated ${name(frame)}. ${here()}`;
    },
    async frame_retry({ frame }) {
      await frames.retry(frame);
      return `Entered a new attempt at ${name(frame)}. ${here()}`;
    },
    frame_status: async () => statusText(session),
    async recall({ query }, signal) {
      const { count } = await counter();
      return recallText(recallContext(session, { count, signal, answer: most }), query);
    },
    goal_update: (update) => updateGoal(session, update),
  };
}

/** Most planned frames that are named after a pop. */
const mostNext = 5;

/** Leaves a frame. The root is the session itself: ending that is for a person or the host. */
async function pop(session: Session, outcome: ToolArguments<'frame_pop'>): Promise<string> {
  const path = activePath(session);
  const [root] = path;
  const { frame = path.at(-1)!.id } = outcome;
  if (frame === root!.id && path.length === 1 && takes(session.state, 'pop'))
    return `You are in ${nameOf(root!)}, the root, which stays open. When all is done, say so, and complete the goal with goal_update.`;
  await session.pop({ ...outcome, frame });
  const left = framesIn(session).find(({ node }) => node.id === frame)!.node;
  const now = activePath(session);
  const planned = now.at(-1)!.children.filter(({ status }) => status === 'planned');
  const next = planned.slice(0, mostNext).map(nameOf).join(', ');
  const then = next === '' ? '' : ` Planned next: ${next}.`;
  return `Left ${nameOf(left)} as ${left.status}. Path: ${pathLine(now)}.${then}`;
}
