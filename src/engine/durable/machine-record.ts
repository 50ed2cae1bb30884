import type { EventObject, StateValue } from 'xstate';

/** Why a port failed, as it is kept. */
export interface PortFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
}

/** What came in, of which a step was decided. */
export type MachineInput =
  /** It began; with `restart` anew, in another version. `run` was drawn for it: another machine may have had its id before. */
  | { readonly type: 'start' | 'restart'; readonly run: string; readonly input?: unknown }
  /** Somebody sent an event, under an idempotency key where one is told. */
  | { readonly type: 'event'; readonly event: EventObject; readonly key?: string }
  /** A port that the step `asked` had asked is done. */
  | {
      readonly type: 'done';
      readonly port: string;
      readonly asked: number;
      readonly output?: unknown;
    }
  | {
      readonly type: 'error';
      readonly port: string;
      readonly asked: number;
      readonly error: PortFailure;
    }
  /** A timer was due. */
  | { readonly type: 'fire'; readonly timer: string };

/** One step of a machine, as its journal has it. */
export interface MachineRecord {
  /** Its number, from 1. */
  readonly seq: number;
  /** When it was decided, in milliseconds since 1970. */
  readonly at: number;
  readonly input: MachineInput;
  /** The state that it led to. */
  readonly value: StateValue;
  readonly status: MachineStatus;
  /** Events that it emitted. */
  readonly emitted?: readonly EventObject[];
  /** Calls of ports that it asked for. */
  readonly asked?: readonly string[];
  /** Timers that it set, and when they are due. */
  readonly timers?: readonly (readonly [timer: string, due: number])[];
  /** A digest of all else that it led to: context, output, error, history. */
  readonly digest: string;
}

/** Whether a machine goes on. */
export type MachineStatus = 'active' | 'done' | 'error';

/** A call of a port that owes an answer. */
export interface OwedPort {
  /** Its name in the machine. */
  readonly src: string;
  readonly input?: unknown;
  /** The step that asked. */
  readonly asked: number;
}

/** A timer that was set. */
export interface OwedTimer {
  /** Milliseconds since 1970. */
  readonly due: number;
  readonly event: EventObject;
}

/** A snapshot as XState persists it, and as JSON gives it back. */
export interface PersistedSnapshot {
  readonly status: MachineStatus;
  readonly value: StateValue;
  readonly context: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly historyValue?: unknown;
  readonly children?: unknown;
}

/** Where a machine rests, and what it waits for. */
export interface RestingMachine {
  /** Its newest step. */
  readonly seq: number;
  /** What was drawn when it began. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  readonly machine: string;
  readonly version: string | null;
  readonly snapshot: PersistedSnapshot;
  readonly ports: ReadonlyMap<string, OwedPort>;
  readonly timers: ReadonlyMap<string, OwedTimer>;
}

/** When the first of these timers is due; null where there is none. */
export function nextDue(timers: RestingMachine['timers']): number | null {
  const dues = [...timers.values()].map(({ due }) => due);
  return dues.length === 0 ? null : Math.min(...dues);
}
