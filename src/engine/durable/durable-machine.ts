import type {
  AnyStateMachine,
  ContextFrom,
  EmittedFrom,
  EventFromLogic,
  InputFrom,
  MachineImplementationsFrom,
  OutputFrom,
  StateValue,
  StateValueFrom,
} from 'xstate';
import type { StoreHost } from '../../store/store.ts';
import type { Clock } from '../live/clock.ts';
import type { Store } from '../open/open-store.ts';
import type { MachineRecord, MachineStatus } from './machine-record.ts';
import type { PortCall } from './port-runs.ts';
import type { DurableDifference } from './replay-machine.ts';

/** The actors of a machine, by the names that it has for them. */
type Actors<Machine extends AnyStateMachine> = NonNullable<
  MachineImplementationsFrom<Machine>['actors']
>;

/** Bodies for the ports of a machine, by the names of its actors: each is called at least once, and its result counts once. */
export type DurablePorts<Machine extends AnyStateMachine> = {
  readonly [Name in keyof Actors<Machine>]-?: (
    input: InputFrom<NonNullable<Actors<Machine>[Name]>>,
    call: PortCall,
  ) =>
    | OutputFrom<NonNullable<Actors<Machine>[Name]>>
    | PromiseLike<OutputFrom<NonNullable<Actors<Machine>[Name]>>>;
};

/** Where and how a machine is run. */
export interface DurableOptions<Machine extends AnyStateMachine> {
  /** A place as `openStore` takes it, shared by all machines that name it; or an open store, beside its sessions. */
  readonly host: string | StoreHost | Store;
  /** Its name there: 1 to 64 letters, digits, dots, underscores or dashes. */
  readonly id: string;
  /** Of one that is open already, those with which it was opened go on. */
  readonly ports: DurablePorts<Machine>;
  /** What it begins with; of one that has begun it is not looked at. */
  readonly input?: InputFrom<Machine>;
  /** Time, for tests; this machine's unless told. */
  readonly clock?: Clock;
  /** Calls that may wait before `BUSY`; 10,000 unless told. */
  readonly maxQueued?: number;
  /** Gives what the machine begins anew with where another version of it rests in the store; that is refused unless told. */
  readonly restart?: (stored: StoredMachine) => InputFrom<Machine>;
}

/** Where another version of a machine rests. */
export interface StoredMachine {
  readonly machine: string;
  readonly version: string | null;
  readonly value: StateValue;
  readonly context: unknown;
}

/** Where a durable machine rests. */
export interface DurableState<Machine extends AnyStateMachine> {
  /** Its newest step. */
  readonly seq: number;
  readonly value: StateValueFrom<Machine>;
  readonly context: ContextFrom<Machine>;
  readonly status: MachineStatus;
  readonly output?: OutputFrom<Machine>;
  readonly error?: unknown;
  /** Calls of ports that owe an answer. */
  readonly asked: readonly string[];
  /** The timer that is due next, in milliseconds since 1970; null where none is set. */
  readonly due: number | null;
}

/** A step of a machine's past. */
export type DurableStep = MachineRecord;

/** A step that was decided again. */
export interface DurableReplayStep<Machine extends AnyStateMachine> extends DurableStep {
  /** Where the machine rests then; null where it would not come to that any more. */
  readonly state: DurableState<Machine> | null;
  /** The first thing that is not as it is stored; null where all of it is the same. */
  readonly difference: DurableDifference | null;
}

/** A machine that outlives its process; in one process the same id at the same host is the same machine, however many handles are open. */
export interface DurableMachine<Machine extends AnyStateMachine> extends AsyncDisposable {
  readonly id: string;
  /** Where it rests after the newest step that is durable. */
  readonly state: DurableState<Machine>;
  /** Resolves with the machine's output; rejects with `MACHINE_FAILED`, with why it takes no more steps, or when it is closed. */
  readonly done: Promise<OutputFrom<Machine>>;
  /** Takes an event in; resolves with its step when that is durable. A `key` that was used answers with the step of then. Rejects with `MACHINE_ENDED`, `MACHINE_FAILED`, `MACHINE_UNSUPPORTED`, `BUSY`, `CONFLICT`. */
  send(
    event: EventFromLogic<Machine>,
    options?: { readonly key?: string },
  ): Promise<{ seq: number }>;
  /** Calls `listener` with each event of a type, or any for `*`, that the machine emits from now on, once durable; returns the function that ends that. A listener that throws surfaces as uncaught, as of a session. */
  on<Type extends EmittedFrom<Machine>['type'] | '*'>(
    type: Type,
    listener: (
      emitted: Type extends '*'
        ? EmittedFrom<Machine>
        : Extract<EmittedFrom<Machine>, { readonly type: Type }>,
    ) => void,
  ): () => void;
  /** Calls `listener` with the new `state` after each step from now on, once it is durable and what it emitted is told; of steps that another process took, with the newest. Returns the function that ends that. */
  subscribe(listener: (state: DurableState<Machine>) => void): () => void;
  /** Resolves when no port owes an answer and no timer runs. An aborted `signal` ends the wait, and nothing else. */
  settled(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Its steps after `after`, oldest first. */
  history(options?: { readonly after?: number }): AsyncIterable<DurableStep>;
  /** Decides its steps again and compares; the last one is the first that differs. What another version decided is left out. */
  replay(): AsyncIterable<DurableReplayStep<Machine>>;
  /** Deletes the machine: its rows, and their bytes as far as they can be reached; closes the handle. */
  delete(): Promise<void>;
  /** Gives the handle and its host back; the last one aborts what ports do, which is asked again when the machine is next opened. */
  close(): Promise<void>;
}
