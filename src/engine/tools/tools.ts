import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import type { Session } from '../session/session.ts';
import type { SessionTool } from '../session/session-tool.ts';
import { readArguments } from './tool-arguments.ts';
import { updateGoal } from './tool-goal.ts';
import { recallText, type RecallContext, searchText } from './tool-recall.ts';
import { refusal } from './tool-refusal.ts';
import { toolSpecs, type ToolArguments, type ToolName } from './tool-specs.ts';
import { statusText, activePath, framesIn, nameOf, pathLine } from './tool-status.ts';
import { takes } from '../step/phase-rules.ts';
import { untilAborted } from '../../llm/until-aborted.ts';

/** What a session counts with, once it is loaded. */
type LoadTokenizer = () => Promise<Tokenizer>;

/** What carries each call out. */
type Acts = {
  readonly [Name in ToolName]: (
    given: ToolArguments<Name>,
    signal: AbortSignal | undefined,
  ) => Promise<string>;
};

/** Most planned frames that are named after a pop. */
const mostNext = 5;

/** The last call of each session: parallel calls of one answer are carried out one by one. */
const last = new WeakMap<Session, Promise<unknown>>();

/** The tools by which a model works in frames, reads the log and keeps the goal; `counter` gives what the session counts with. */
export function sessionTools(session: Session, counter: LoadTokenizer): readonly SessionTool[] {
  const acts = actsOn(session, counter);
  return toolSpecs.map((spec) => ({
    ...spec,
    async execute(value, { signal } = {}) {
      signal?.throwIfAborted();
      const read = readArguments(spec, value);
      if ('wrong' in read) return read.wrong;
      const done = inTurn(session, async () => {
        signal?.throwIfAborted();
        return acts[spec.name](read.given as never, signal);
      });
      try {
        return await untilAborted(done, signal);
      } catch (error) {
        signal?.throwIfAborted();
        return refusal(session, error);
      }
    },
  }));
}

function inTurn(session: Session, act: () => Promise<string>): Promise<string> {
  const done = (last.get(session) ?? Promise.resolve()).then(act);
  last.set(
    session,
    done.catch(() => undefined),
  );
  return done;
}

function actsOn(session: Session, counter: LoadTokenizer): Acts {
  const { frames } = session;
  const here = (): string => `Path: ${pathLine(activePath(session))}`;
  const named = (id: string): string => {
    const found = framesIn(session).find(({ node }) => node.id === id);
    return found === undefined ? id : nameOf(found.node);
  };
  return {
    async frame_push(given) {
      await session.push(given);
      return `Entered. ${here()}`;
    },
    frame_pop: (given) => pop(session, given),
    async frame_plan(given) {
      const { id } = await frames.plan(given);
      return `Planned ${named(id)}.`;
    },
    async frame_start({ frame }) {
      await frames.start(frame);
      return `Entered. ${here()}`;
    },
    async frame_edit({ frame, ...identity }) {
      await frames.edit(frame, identity);
      return `Changed ${named(frame)}.`;
    },
    async frame_invalidate({ frame, reason }) {
      await frames.invalidate(frame, reason);
      return `Invalidated ${named(frame)}. ${here()}`;
    },
    async frame_retry({ frame }) {
      await frames.retry(frame);
      return `Entered a new attempt at ${named(frame)}. ${here()}`;
    },
    frame_status: async () => statusText(session),
    async recall(given, signal) {
      const { count } = await counter();
      return lookUp({ session, count }, given, signal);
    },
    goal_update: (given) => updateGoal(session, given),
  };
}

/** Reads entries by id, or finds some. */
async function lookUp(
  reading: RecallContext,
  { query, entry, ...range }: ToolArguments<'recall'>,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (entry !== undefined) return recallText(reading, { ...range, entry }, signal);
  if (query !== undefined) return searchText(reading, query, signal);
  return 'Give words to look for as "query", or the id of an entry as "entry".';
}

/** Leaves a frame. The root is the session itself: ending that is for a person or the host. */
async function pop(session: Session, given: ToolArguments<'frame_pop'>): Promise<string> {
  const path = activePath(session);
  const [root] = path;
  const { frame = path.at(-1)!.id } = given;
  if (frame === root!.id && path.length === 1 && takes(session.state, 'pop'))
    return `You are in ${nameOf(root!)}, the root, which stays open. When all is done, say so, and complete the goal with goal_update.`;
  await session.pop({ ...given, frame });
  const left = framesIn(session).find(({ node }) => node.id === frame)!.node;
  const now = activePath(session);
  const planned = now.at(-1)!.children.filter(({ status }) => status === 'planned');
  const next = planned.slice(0, mostNext).map(nameOf).join(', ');
  const then = next === '' ? '' : ` Planned next: ${next}.`;
  return `Left ${nameOf(left)} as ${left.status}. Path: ${pathLine(now)}.${then}`;
}
