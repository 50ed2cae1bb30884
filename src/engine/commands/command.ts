import type { Fact } from '../../core/state/fact.ts';
import type { Input } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession } from '../live/session-access.ts';
import type { HistoryInput } from '../time-travel/read-past.ts';

/** The input of a command that is checked, and needs exact counts. */
type CommandInput = Exclude<Input, { type: 'restore' }> | HistoryInput;

/** Reads what a command answers from its facts and the state before them. */
export type ReadAnswer<T> = (facts: readonly Fact[], before: State) => T;

/** Runs a command on the session of a handle; rejects where the handle is closed. */
export type RunCommand = <T>(
  input: CommandInput,
  answer: ReadAnswer<T>,
  options?: CommandOptions,
) => Promise<T>;

/** What may go with any command. */
export interface CommandOptions {
  /** Idempotency key: a command that is repeated with the same key is done once, and answers the same. */
  readonly key?: string;
}

/** Runs a command, once per key; resolves with its answer when it is durable. */
export async function runCommand<T>(
  session: CommandSession,
  request: { input: CommandInput; answer: ReadAnswer<T>; key: string | undefined },
): Promise<T> {
  const { answer } = request;
  const input = JSON.parse(JSON.stringify(request.input)) as CommandInput;
  const key = request.key === undefined ? undefined : `${nameOf(input)} ${request.key}`;
  const { value } = await decided(session, async (writer) => {
    if (key !== undefined) {
      const before = await writer.answered(key);
      if (before !== undefined) return { value: before as T, durable: writer.written };
    }
    await exactCounter(writer);
    const { state } = writer;
    const keys = (facts: readonly Fact[]) => [[key!, answer(facts, state) ?? null] as const];
    const options = key === undefined ? {} : { keys };
    const { facts, durable } =
      input.type === 'restore' || input.type === 'raise'
        ? await writer.stepWithHistory(input, options)
        : await writer.stepInParts(input, options);
    return { value: answer(facts, state), durable };
  });
  return value;
}

/** The name by which keys of a command are kept; each way back has its own. */
const nameOf = (input: CommandInput): string =>
  input.type === 'restore' ? input.cause : input.type;

/** The answer of a command that makes or leaves a frame. */
export const frameAnswer: ReadAnswer<{ id: string }> = (facts) => {
  const types = ['frame.pushed', 'frame.planned', 'frame.popped', 'frame.retried'];
  const fact = facts.find(({ type }) => types.includes(type)) as { frame: string } | undefined;
  return { id: fact?.frame ?? '' };
};

/** The answer of a command that tells nothing. */
export const noAnswer: ReadAnswer<void> = () => undefined;

/** What a frame is for, as a caller says it. */
export interface FrameGiven {
  /** Two to five words, at most 30 tokens. */
  readonly title: string;
  /** What defines done, in verifiable terms. */
  readonly criteria?: string;
  /** The dense form of the criteria; made from them unless told. */
  readonly brief?: string;
}

/** How a frame is left. */
export interface PopGiven {
  /** A blocked frame to close as failed; the active one unless told. */
  readonly frame?: string;
  readonly status: 'completed' | 'failed' | 'blocked';
  /** What was accomplished; made of lines of the frame's log unless told. */
  readonly results?: string;
  /** The dense form of the results; made from them unless told. */
  readonly brief?: string;
  /** Files made or changed; told from the frame's log unless given. */
  readonly artifacts?: readonly string[];
  /** Told from the frame's log unless given. */
  readonly decisions?: readonly string[];
  /** Whether planned and blocked children may be dropped; false unless told. */
  readonly drop?: boolean;
}
