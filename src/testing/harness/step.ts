import type { Goal } from '../../core/frames/goal.ts';
import type { ErrorCode } from '../../core/values/error.ts';
import type { SessionOptions } from '../../engine/commands/configure.ts';
import type { PopGiven } from '../../engine/commands/command.ts';
import type { ReportGiven } from '../../engine/commands/report.ts';
import type { SessionFact } from '../../engine/live/listening/listeners.ts';
import type { Store } from '../../engine/open/open-store.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Violation } from '../laws/law.ts';
import type { Move } from '../laws/move.ts';
import type { ScriptedSummarizer } from '../scripted-summarizer.ts';
import type { SimulatedClock } from '../simulated-clock.ts';
import type { Expectation } from './expectation.ts';

// A script says what happens to a session, step by step, as plain values: one that stands in a file and one that is
// written in code are the same. A step has one name of those below, and what it is called with.

/** What is said, and how much of it. */
export interface SaidGiven {
  readonly text?: string;
  /** Made-up prose of some so many tokens after the text. */
  readonly tokens?: number;
  /** Idempotency key: the same key twice is said once. */
  readonly key?: string;
}

/** A call of a tool, by its name alone or with arguments. */
export type CallGiven =
  | string
  | {
      readonly name: string;
      readonly id?: string;
      readonly arguments?: Readonly<Record<string, unknown>>;
    };

/** Each step by its name, with what it is called with; a text stands for the field that matters most. */
export interface StepArguments {
  /** A person says something, or a machine in the user role. */
  readonly user: string | (SaidGiven & { readonly origin?: 'person' | 'machine' });
  /** The model answers; `counted` is what its server says that the prompt had, in tokens. */
  readonly assistant:
    | string
    | (SaidGiven & {
        readonly calls?: readonly CallGiven[];
        readonly thinking?: string;
        readonly finish?: string;
        readonly counted?: number;
      });
  /** A tool gives its result: to the call with this id, or to the oldest open one. */
  readonly tool:
    | string
    | (SaidGiven & { readonly call?: string; readonly name?: string; readonly error?: boolean });
  /** Enters a new frame; later steps call it by its title, or as `as` says. */
  readonly push: string | FrameStepGiven;
  readonly plan: string | (FrameStepGiven & { readonly parent?: string });
  readonly start: string | { readonly frame: string };
  /** Leaves the active frame, completed unless told. */
  readonly pop: string | (Omit<PopGiven, 'status'> & Partial<Pick<PopGiven, 'status'>>) | null;
  readonly invalidate: string | { readonly frame: string; readonly reason?: string };
  readonly retry: string | { readonly frame: string; readonly as?: string };
  readonly goal: string | (Partial<Goal> & Pick<Goal, 'description'>);
  /** Assembles as before a request, from now on with these tools. */
  readonly assemble: { readonly tools?: readonly unknown[] } | null;
  readonly compress: string | { readonly focus?: string } | null;
  readonly undo: null;
  readonly redo: null;
  readonly snapshot: null;
  /** Goes back to a snapshot, the last one unless so many before it are told. */
  readonly restore: number | { readonly back?: number } | null;
  readonly configure: SessionOptions;
  readonly recover: string | { readonly from?: string; readonly trust?: boolean } | null;
  /** Answers a recovery that asks. */
  readonly confirm: boolean | string;
  /** The server cuts the prompt to so many tokens, where it has more, and the model asks what it was doing, unless `text` is its answer. */
  readonly cut: number | { readonly to: number; readonly text?: string };
  /** What a server said of a prompt that brought no answer; `error` is its message. */
  readonly report: Omit<ReportGiven, 'error'> & { readonly error?: string };
  /** Answers the call of the summarizer that waits longest, where the script holds it. */
  readonly answer: string | { readonly text: string };
  /** Fails it. */
  readonly refuse: string | { readonly reason: string };
  /** Lets time pass: milliseconds, or `5s`, `2m`, `1h`. */
  readonly wait: number | string;
  /** Lets time pass until nothing is pending. */
  readonly settle: null;
  /** The process dies now; another one opens the store. */
  readonly kill: null;
  /** Closes the store and opens it again. */
  readonly reopen: SessionOptions | null;
  /** Takes steps several times; `{n}` in their texts is the number of the round, from 1. */
  readonly repeat: { readonly times: number; readonly steps: readonly ScriptStep[] };
  /** What must hold now. */
  readonly expect: Expectation;
}

interface FrameStepGiven {
  readonly title: string;
  readonly criteria?: string;
  readonly brief?: string;
  readonly as?: string;
}

/** The name of a step. */
export type StepName = keyof StepArguments;

/** What may go with any step. */
export interface StepModifiers {
  /** The refusal that must follow. */
  readonly refused?: ErrorCode;
  /** The process dies before, within or after the write of this step, and another one opens the store. */
  readonly crash?: 'before' | 'in' | 'after';
  /** The disk refuses the write of this step, and with it all that follow until `reopen`. */
  readonly fault?: 'disk full' | 'input/output error';
  /** Which write of the step it is that a crash or a fault meets; the first unless told. */
  readonly write?: number;
}

/** One step of a script: `{ user: 'Hello' }`, or a function where values do not say it. */
export type ScriptStep =
  | {
      readonly [Name in StepName]: { readonly [Only in Name]: StepArguments[Name] } & StepModifiers;
    }[StepName]
  | ((harness: Harness) => unknown);

/** What a scripted summarizer does with a call, in a file. */
export type AnswerGiven =
  | { readonly say: string; readonly after?: number | string }
  | { readonly fail: string; readonly after?: number | string }
  | 'hold'
  | 'honest';

/** How a session under test begins. */
export interface HarnessOptions {
  /** Options of the session; a window of 8,192 tokens unless told. */
  readonly session?: Omit<SessionOptions, 'summarizer'>;
  /** What a model does that writes summaries, call by call, the last for ever; the embedded summarizer unless told. */
  readonly summarizer?: readonly AnswerGiven[];
  /** Whether every law is checked after each step; false unless told. */
  readonly laws?: boolean;
  /** Where the files of golden traces are; the current folder unless told. */
  readonly folder?: string;
  /** Whether the files of golden traces are written instead of compared; as `FLAMESTACK_UPDATE=1` says unless told. */
  readonly update?: boolean;
}

/** How a script is run. */
export interface RunOptions extends Pick<HarnessOptions, 'folder' | 'update'> {
  /** Whether the result's `recorded` is written back into the script; unless told, texts are recorded in files only. */
  readonly inPlace?: boolean;
}

/** A script: a session, what happens to it, and what must hold. */
export interface Script extends Pick<HarnessOptions, 'session' | 'summarizer' | 'laws'> {
  /** Its name. */
  readonly test: string;
  readonly steps: readonly ScriptStep[];
}

/** A session under test, and the hand that does things to it. */
export interface Harness extends AsyncDisposable {
  /** The session; after a crash or a reopening another one. */
  readonly session: Session;
  readonly store: Store;
  readonly clock: SimulatedClock;
  /** Null where the embedded summarizer writes. */
  readonly summarizer: ScriptedSummarizer | null;
  /** All facts so far. */
  readonly facts: readonly SessionFact[];
  /** Takes steps; rejects with what is not as expected. */
  run(...steps: readonly ScriptStep[]): Promise<void>;
  /** Rejects where something is not so. */
  expect(wanted: Expectation): Promise<void>;
  /** Carries out a generated command; answers with the code of its refusal, or null. */
  do(command: Command): Promise<ErrorCode | null>;
  /** The laws of the engine that are broken now. */
  laws(): Promise<readonly Violation[]>;
  /** The facts as a golden trace, a line each. */
  trace(): string;
  /** Closes the store and removes its files. */
  close(): Promise<void>;
}

/** Something done to a session, as a plain value: what the arbitraries make. */
export type Command = Move;
