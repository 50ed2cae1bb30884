import { fail, type EngineError } from '../../core/values/error.ts';
import { ordinal } from '../../core/values/id.ts';
import {
  isSameStep,
  type PartialStep,
  type ScriptLine,
  type ScriptStep,
} from '../../core/formats/session-script.ts';
import type { FrameNode } from '../../core/frames/tree.ts';
import type { Session } from '../session/session.ts';
import { isSaid, type OpenedFrames, type Playable } from './import-step.ts';

// A session that is exported and imported again must not double. Idempotency
// keys cannot tell, since what was appended by a host has none; the steps can: as
// long as those of the file are those that the session would export, one by one,
// they are there already. Where a step of a frame is missing (it was undone) or
// differs, it is held, and from there on messages alone are compared, in view or left. Held steps
// are played where the file goes on and the session does not, so nothing was
// played when a file is refused:
//
//   session  a1 a2 a3           a1 a2 a3            a1 a2              a1 x2
//   file     a1 push a2 a3      a1 push a2          a1 push a2 a4      a1 a2
//            nothing            nothing             push, a4           refused

/** The steps of a file beside those that its session has already. */
export interface KnownSteps {
  /** The steps to play now that `step` is read, in order; none where the session has it. Throws `IMPORT_DIVERGED`. */
  place(step: Playable): Promise<readonly Playable[]>;
  /** Whether steps are held. */
  isHolding(): boolean;
  /** Ends the comparison; resolves with the steps that were held to the end. */
  close(): Promise<readonly Playable[]>;
}

interface KnownContext {
  readonly session: Session;
  readonly opened: OpenedFrames;
  /** Whether a command of this step's key was answered before. */
  readonly isAnswered: (step: Playable) => Promise<boolean>;
}

/** Compares the steps of a file with those that the session has, and enters the frames of those that both have. */
export function newKnownSteps({ session, opened, isAnswered }: KnownContext): KnownSteps {
  const own = ownSteps(session);
  const ids = idsOf(session.frames.tree());
  let held: Playable[] = [];
  let hasParted = false;
  /** Whether a message is out of view on one side, and in view on the other. */
  let hasTurned = false;
  let isBeyondEnd = false;
  const goOn = (step: Playable): readonly Playable[] => {
    const steps = [...held, step];
    held = [];
    isBeyondEnd = true;
    return steps;
  };
  const placeParted = async (step: Playable): Promise<readonly Playable[]> => {
    hasParted = true;
    if (!isSaid(step)) {
      held.push(step);
      return [];
    }
    const next = await own.message();
    if (next === undefined && !own.hasPassedFrames() && !hasTurned) return goOn(step);
    if (next === undefined || !isSameMessage(next, step)) throw diverged(session.id, step);
    hasTurned ||= next.type !== step.type;
    own.take();
    return [];
  };
  return {
    async place(step) {
      if (isBeyondEnd) return [step];
      const next = await own.peek();
      if (next === undefined && !hasParted) return goOn(step);
      if (next !== undefined && !hasParted && isSameStep(next, toGiven(step))) {
        own.take();
        enter({ own: next, step, opened, ids });
        return [];
      }
      if (!(await isAnswered(step))) return placeParted(step);
      // This very file was imported before: playing the step again gives the frame that it made.
      if (next?.type === step.type || (next !== undefined && isSaid(next) && isSaid(step)))
        own.take();
      return [step];
    },
    isHolding: () => held.length > 0,
    async close() {
      await own.close();
      return held;
    },
  };
}

/** The steps that the session would export, one by one. */
interface OwnSteps {
  /** The next one; undefined at the end. */
  peek(): Promise<ScriptStep | undefined>;
  take(): void;
  /** The next one that adds an entry, past all others; undefined at the end. */
  message(): Promise<ScriptStep | undefined>;
  /** Whether steps of frames were passed on the way to a message. */
  hasPassedFrames(): boolean;
  close(): Promise<void>;
}

function ownSteps(session: Session): OwnSteps {
  const lines = session.export()[Symbol.asyncIterator]();
  let next: ScriptStep | undefined;
  let isOver = false;
  let hasPassed = false;
  const peek = async (): Promise<ScriptStep | undefined> => {
    while (next === undefined && !isOver) {
      const { value, done = false } = (await lines.next()) as IteratorResult<ScriptLine, undefined>;
      isOver = done;
      if (value !== undefined && value.type !== 'flamestack') next = value;
    }
    return next;
  };
  return {
    peek,
    take: () => (next = undefined),
    async message() {
      for (let step = await peek(); step !== undefined; step = await peek()) {
        if (isSaid(step)) return step;
        hasPassed ||= step.type !== 'goal';
        next = undefined;
      }
      return undefined;
    },
    hasPassedFrames: () => hasPassed,
    close: async () => void (await lines.return?.(undefined)),
  };
}

/** Whether a message of a file is that of the session, be it out of view in one of them. */
const isSameMessage = (own: ScriptStep, step: Playable): boolean =>
  isSaid(own) &&
  isSaid(step) &&
  isSameStep({ ...own, type: 'append' }, { ...step, type: 'append' });

function toGiven(step: Playable): PartialStep {
  return step.type === 'goal'
    ? { description: step.description, ...step.goal, type: 'goal' }
    : step;
}

/** The ids of the frames below the root, in the order in which an export names them. */
function idsOf(root: FrameNode): readonly string[] {
  const ids: string[] = [];
  const left = [...root.children];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    ids.push(node.id);
    left.push(...node.children);
  }
  return ids.toSorted((a, b) => ordinal(a) - ordinal(b));
}

/** Opens or closes the frames of the file as a step does that both have. */
function enter(match: {
  readonly own: ScriptStep;
  readonly step: Playable;
  readonly opened: OpenedFrames;
  readonly ids: readonly string[];
}): void {
  const { own, step, ids } = match;
  const { names, open } = match.opened;
  if (own.type === 'push' || own.type === 'plan' || own.type === 'retry') {
    const id = ids[Number(own.name.slice(1)) - 1] ?? own.name;
    if ('name' in step && step.name !== undefined) names.set(step.name, id);
    if (own.type !== 'plan') open.push(id);
  } else if (own.type === 'start') open.push(names.get(own.name) ?? own.name);
  else if (own.type === 'pop' && own.name === undefined) open.pop();
  else if (own.type === 'invalidate') {
    const at = open.indexOf(ids[Number(own.name.slice(1)) - 1] ?? own.name);
    if (at >= 0) open.splice(at);
  }
}

function diverged(session: string, { line }: Playable): EngineError {
  return fail(
    'IMPORT_DIVERGED',
    `Session "${session}" and the script go apart at line ${line}; nothing was added`,
    { session, line },
  );
}
