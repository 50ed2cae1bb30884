import type { EventObject } from 'xstate';
import { isEngineError } from '../../core/values/error.ts';
import { machineRows } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { newRetries } from '../effects/retries.ts';
import { newTimers } from '../effects/timers.ts';
import type { Clock } from '../live/clock.ts';
import { newQueue } from '../live/command-queue.ts';
import { decided } from '../live/decided.ts';
import { newListeners, type Listener } from '../live/listening/listeners.ts';
import {
  decideMachine,
  goesOn,
  machineFailed,
  type DecidedMachine,
  type MachineStep,
} from './decide-machine.ts';
import { errorOf } from './kept-json.ts';
import type { MachineInput, PortFailure, RestingMachine } from './machine-record.ts';
import { batchOf, loadMachine, readSteps, sentBefore } from './machine-rows.ts';
import { newPortRuns, type PortBody } from './port-runs.ts';
import { ended, machineChanged, machineDeleted } from './refusals.ts';

// A machine while somebody runs it, as a session is run: one input at a time is decided and written, and only
// what is written is told, asked of ports and waited for. Where somebody else wrote meanwhile, where the
// machine rests is read again, and the input is decided anew.

/** What a live machine needs. */
export interface LiveMachineOptions {
  readonly of: DecidedMachine;
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly ports: Readonly<Record<string, PortBody>>;
  readonly maxQueued: number;
}

/** Who is told how a machine ended. */
interface MachineEnd {
  /** With its output. */
  resolve(output: unknown): void;
  /** Where it failed, broke or was closed before. */
  reject(error: unknown): void;
}

/** One machine in memory. */
export class LiveMachine {
  readonly id: string;
  readonly rows: string;
  readonly #options: LiveMachineOptions;
  readonly #queue;
  readonly #ports;
  readonly #timers;
  readonly #retries;
  readonly #listeners = newListeners<EventObject>();
  readonly #subscribers = newListeners<RestingMachine>();
  readonly #watchers = new Set<() => void>();
  readonly #ends = new Set<MachineEnd>();
  #state: RestingMachine | null = null;
  #broken: unknown = null;
  #owner = {};
  /** The newest step that listeners were told of. */
  #notifiedSeq = 0;

  constructor(id: string, options: LiveMachineOptions) {
    this.id = id;
    this.rows = machineRows(id);
    this.#options = options;
    const { clock, ports, maxQueued } = options;
    this.#queue = newQueue<LiveMachine>(this, maxQueued, 'machine');
    this.#ports = newPortRuns(ports, (end) => void this.#takeIn(end, () => this.#owes(end)));
    this.#timers = newTimers<LiveMachine>({
      clock,
      fire: (_, { key: timer, due }) =>
        void this.#takeIn({ type: 'fire', timer }, () => this.state.timers.get(timer)?.due === due),
    });
    this.#retries = newRetries(clock);
  }

  /** Where it rests after the last step that is written. */
  get state(): RestingMachine {
    return this.#state!;
  }

  get isNew(): boolean {
    return this.#state === null;
  }

  /** Whether it takes no more steps: a write failed for good, a step could not be decided, or it was closed. */
  get isBroken(): boolean {
    return this.#broken !== null && !this.#isBehind;
  }

  /** Whether the state here may not be so, and reading it again tells. */
  get #isBehind(): boolean {
    return isEngineError(this.#broken) && this.#broken.retryable;
  }

  enqueue<T>(work: (writer: LiveMachine) => T | Promise<T>): Promise<T> {
    return this.#queue.call(async (writer) => work(await writer.#onTruth()));
  }

  inTurn<T>(work: (writer: LiveMachine) => T | Promise<T>): Promise<T> {
    return this.#queue.inTurn(async (writer) => work(await writer.#onTruth()));
  }

  listen(listener: Listener<EventObject>): () => void {
    return this.#listeners.add(listener);
  }

  /** Calls `listener` with where it rests after each step, once what the step emitted is told; returns the function that ends that. */
  subscribe(listener: Listener<RestingMachine>): () => void {
    return this.#subscribers.add(listener);
  }

  /** Tells how it ended, if it has, and else when it does; returns the function that ends that. */
  whenOver(end: MachineEnd): () => void {
    this.#ends.add(end);
    this.#tellEnd(end);
    return () => this.#ends.delete(end);
  }

  /** Reads where it rests; then `begin` may begin it, or begin it anew. */
  async open(begin: (writer: LiveMachine) => MachineInput | null): Promise<void> {
    await this.inTurn(() => this.#read());
    await decided(
      this,
      async (writer) => {
        const input = begin(writer);
        if (input !== null) await writer.step(input);
        return written;
      },
      'engine',
    );
    this.#notifiedSeq = this.state.seq;
    this.#pump();
  }

  /** Takes an event in, once for each key; resolves with the number of its step when that is written. */
  async send(event: EventObject, key: string | undefined): Promise<number> {
    const { seq } = await decided(this, async (writer) => {
      const { store } = this.#options;
      const known = key === undefined ? undefined : await sentBefore(store, this.rows, key);
      if (known !== undefined) return { seq: known, ...written };
      if (writer.state.snapshot.status !== 'active') throw ended(writer.state, this.id);
      const input = { type: 'event', event, ...(key !== undefined && { key }) } as const;
      return { seq: await writer.step(input), ...written };
    });
    return seq;
  }

  /** Decides a step and writes it; for work in its turn. */
  async step(input: MachineInput): Promise<number> {
    if (this.#broken !== null) throw this.#broken;
    const { of, store, clock } = this.#options;
    const before = this.#state;
    const at = Math.max(clock.now(), before?.updated ?? 0);
    const step = decideMachine(of, before, { input, at });
    const { created, seq } = step.after;
    const expect = { session: this.rows, seq: seq - 1, born: created, owner: this.#owner };
    try {
      await store.commit(batchOf(this.rows, before, step), { expect });
    } catch (error) {
      this.#broken ??= error;
      this.#pump();
      throw error;
    }
    this.#adopt(step);
    return seq;
  }

  /** Resolves when nothing is asked of a port and no timer runs; rejects where it broke or was closed, and with what `check` throws. */
  async settled(check: () => void): Promise<void> {
    for (;;) {
      await this.inTurn(() => undefined);
      check();
      if (this.isBroken) throw this.#broken;
      const { ports, timers } = this.state;
      if (ports.size + timers.size === 0) return;
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#watchers.delete(look);
          resolve();
        };
        this.#watchers.add(look);
      });
    }
  }

  /** Lets all who wait look again. */
  wake(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Deletes all that is kept of it, after what is under way. */
  async erase(): Promise<void> {
    await this.inTurn(async () => {
      this.#breakOff(machineDeleted(this.id));
      await this.#options.store.erase(this.rows);
    });
  }

  /** Takes what was sent before, then no more steps, for this reason; resolves when none is under way. */
  async end(reason: unknown): Promise<void> {
    await this.#queue.inTurn(() => undefined);
    this.#breakOff(reason);
    this.#ports.stop();
    this.#timers.stop();
    this.#retries.stop();
    await this.#queue.inTurn(() => undefined);
  }

  /** Takes in what a port or a timer brought, if the machine still waits for it. */
  async #takeIn(input: MachineInput, isWaitedFor: () => boolean): Promise<void> {
    const isOver = (): boolean => this.isBroken || (!this.#isBehind && !isWaitedFor());
    try {
      await this.#retries.until(isOver, async () => {
        await decided(
          this,
          async (writer) => {
            if (!isOver()) await writer.step(input);
            return written;
          },
          'engine',
        );
      });
    } catch (error) {
      // Asked again it would be the same: it stays owed until somebody opens the machine anew.
      this.#breakOff(error);
    }
  }

  #owes({ port, asked }: { readonly port: string; readonly asked: number }): boolean {
    return this.state.ports.get(port)?.asked === asked;
  }

  /** Itself, with the state as the store has it. */
  async #onTruth(): Promise<LiveMachine> {
    if (!this.#isBehind) return this;
    const [notifiedBefore, before] = [this.#notifiedSeq, this.#state];
    await this.#read();
    const { of } = this.#options;
    const state = this.#state;
    if (before !== null && state?.created !== before.created) {
      this.#state = before;
      this.#breakOff(machineDeleted(this.id));
    } else if (state !== null && !goesOn(of, state))
      this.#breakOff(machineChanged(of, this.id, state));
    if (this.#broken !== null) throw this.#broken;
    for await (const { seq, emitted = [] } of readSteps(
      this.#options.store,
      this.rows,
      notifiedBefore,
    )) {
      this.#notifiedSeq = seq;
      this.#listeners.notify(emitted);
    }
    if (this.#notifiedSeq > notifiedBefore) this.#subscribers.notify([this.state]);
    this.#pump();
    return this;
  }

  async #read(): Promise<void> {
    this.#state = await loadMachine(this.#options.store, this.rows);
    this.#owner = {};
    // It may have been closed meanwhile.
    if (this.#isBehind) this.#broken = null;
  }

  #adopt({ record, after }: MachineStep): void {
    this.#state = after;
    this.#notifiedSeq = record.seq;
    this.#listeners.notify(record.emitted ?? []);
    this.#subscribers.notify([after]);
    this.#pump();
  }

  #breakOff(reason: unknown): void {
    if (this.isBroken) return;
    this.#broken = reason;
    this.#pump();
  }

  /** Asks ports and sets timers as the state says, and tells who waits for the end. */
  #pump(): void {
    if (this.#state === null) return;
    if (!this.#isBehind) {
      this.#ports.pump(this);
      this.#timers.pump(this);
    }
    for (const end of this.#ends) this.#tellEnd(end);
    this.wake();
  }

  #tellEnd(end: MachineEnd): void {
    const { status, output, error } = this.state.snapshot;
    if (status === 'done') end.resolve(output);
    else if (status === 'error')
      end.reject(machineFailed(this.state.machine, errorOf(error as PortFailure)));
    else if (this.isBroken) end.reject(this.#broken);
  }
}

/** What a piece of work decided is written by its end. */
const written = { durable: Promise.resolve() };
