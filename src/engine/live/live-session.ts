import type { Assembly } from '../../core/assembly/assembly.ts';
import { byteBound, type Count } from '../../core/messages/token-count.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { fail, isEngineError, type EngineError } from '../../core/values/error.ts';
import { idempotencyKey, journalKey, sessionKey } from '../../store/key.ts';
import type { Change, RecordStore } from '../../store/store.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import { decide, type Decision } from '../decide/decide.ts';
import { mustRestart } from '../decide/restart.ts';
import { maySchedule } from '../decide/schedule-document.ts';
import { newBodies, referencesOf, type BodyCache } from '../journal/body-cache.ts';
import { load, readJournal, type LoadedSession } from '../journal/load.ts';
import { headerAfter, type SessionHeader } from '../journal/sessions/session-header.ts';
import { newCopies, type StateCopies } from '../journal/state-copies.ts';
import { assemblyOf, type AssemblyCache } from '../step/assembly-cache.ts';
import type { DecideContext } from '../step/draft.ts';
import type { TracedStep } from '../inspect/inspection.ts';
import { tracedSteps } from '../time-travel/inspect-again.ts';
import { readHistory, type HistoryInput } from '../time-travel/read-past.ts';
import {
  batchOf,
  copyAfter,
  failuresOf,
  recordOf,
  type KeyedAnswers,
  type StepOptions,
} from './batch.ts';
import { cachedCount } from './cached-count.ts';
import { exactCounter } from './counting.ts';
import type { Clock } from './clock.ts';
import { newQueue, type Queue } from './command-queue.ts';
import { inParts } from './in-parts.ts';
import { newListeners, type Listener, type SessionFact } from './listening/listeners.ts';
import { restOf } from './note-rest.ts';
import { newSentAssemblies } from './sent-assemblies.ts';
import type { CommandSession, Inspector, SessionWriter, StepResult } from './session-access.ts';

// One session while somebody uses it or its effects run. Steps are decided one
// at a time, in the order they were asked for, on the state in memory; their
// batches are written behind them, in the same order, and whoever asked is
// answered when the batch is durable. Facts are told and effects are run only
// then, too.
//
// Where somebody else wrote to the session meanwhile, or nobody knows whether a
// write was done, the state here is not so: it is read again before the next
// piece of work, and a caller's work that was refused for it decides again.
// Where a write failed for good, the state goes back to what is known to be in
// the store, and calls are refused.

/** What a live session needs from its store. */
export interface LiveDependencies {
  readonly store: RecordStore;
  readonly clock: Clock;
  /** The tokenizer of a name; undefined while it is not loaded. */
  readonly tokenizer: (name: string) => Tokenizer | undefined;
  readonly load: (name: string) => Promise<Tokenizer>;
  readonly maxQueued: number;
  /** Whether the store keeps checkpoint documents. */
  readonly documents: boolean;
  /** Called when a step is durable, and when its write failed. */
  readonly onWritten: (live: LiveSession) => void;
  /** Called with the moves of each step that is durable; null where nobody is told. */
  readonly onStep: ((step: TracedStep) => void) | null;
}

/** One session in memory. */
export class LiveSession implements SessionWriter, CommandSession {
  readonly id: string;
  readonly store: RecordStore;
  sent = newSentAssemblies();
  checkedEpoch = -1;
  /** Handles that are open. */
  handles = 0;
  /** Imports under way, during which no checkpoint documents are written. */
  imports = 0;
  readonly #dependencies: LiveDependencies;
  readonly #queue: Queue<SessionWriter>;
  #state: State | null;
  /** The newest state that is in the store. */
  #durable: State | null;
  #bodies: BodyCache;
  #header: SessionHeader | null;
  #copies: StateCopies;
  #sinceCopy: number;
  #assemblyCache: AssemblyCache = {};
  readonly #listeners = newListeners();
  readonly #inspectors = new Set<Inspector>();
  readonly #unwrittenKeys = new Map<string, unknown>();
  #writing = 0;
  #written: Promise<void> = Promise.resolve();
  #broken: unknown = null;
  /** Who decides on the state as it was read. */
  #owner = {};
  /** The newest record that listeners were told of. */
  #notifiedSeq: number;

  constructor(id: string, loaded: LoadedSession | null, dependencies: LiveDependencies) {
    this.id = id;
    this.store = dependencies.store;
    this.#dependencies = dependencies;
    this.#queue = newQueue<SessionWriter>(this, dependencies.maxQueued);
    this.#state = this.#durable = loaded?.state ?? null;
    this.#header = loaded?.header ?? null;
    this.#bodies = loaded?.bodies ?? newBodies();
    this.#copies = loaded?.copies ?? newCopies();
    this.#sinceCopy = loaded?.sinceCopy ?? 0;
    this.#notifiedSeq = loaded?.state.seq ?? 0;
  }

  get state(): State {
    return this.#state!;
  }

  /** Throws where a write failed for good: what the state refers to may be gone from here. */
  get bodies(): BodyCache {
    if (this.isBroken) throw this.#broken;
    return this.#bodies;
  }

  get isNew(): boolean {
    return this.#state === null;
  }

  get written(): Promise<void> {
    return this.#written;
  }

  async durableState(): Promise<State> {
    const { state } = this;
    try {
      await this.#written;
      return state;
    } catch (error) {
      if (!this.isBehind) throw error;
      await this.inTurn(() => undefined);
      return this.durableState();
    }
  }

  /** Whether nothing waits, is being decided or is on its way to the store. */
  get isIdle(): boolean {
    return this.#queue.isEmpty && this.#writing === 0;
  }

  /** Whether it takes no more steps: a write failed for good, so that nobody knows what is on disk, or it was retired. */
  get isBroken(): boolean {
    return this.#broken !== null && !this.isBehind;
  }

  /** Whether the state here may not be so, and reading it again tells. */
  get isBehind(): boolean {
    return isEngineError(this.#broken) && this.#broken.retryable;
  }

  /** Takes no more steps: another object may stand for the session from now on. */
  retire(): void {
    if (!this.isBroken) this.#broken = sessionClosed(this.id);
  }

  enqueue<T>(work: (writer: SessionWriter) => T | Promise<T>): Promise<T> {
    return this.#queue.call((writer) => {
      if (this.isBroken) throw this.#broken;
      return this.#onTruth(work, writer);
    });
  }

  inTurn<T>(work: (writer: SessionWriter) => T | Promise<T>): Promise<T> {
    return this.#queue.inTurn((writer) => this.#onTruth(work, writer));
  }

  /** Notes where it rests, for lists; does nothing while work is under way. Gives whether it has come further. */
  async noteRest(): Promise<boolean> {
    const { store, state } = this;
    const canNote = (): boolean =>
      !this.isBroken && this.isIdle && store.refusal === undefined && this.#state === state;
    if (!canNote() || this.#header?.rest?.seq === state.seq) return false;
    const rest = await restOf(store, state);
    if (this.#header === null || !canNote()) return false;
    // Known here before it is written: a step that comes meanwhile takes it away again.
    const value = (this.#header = { ...this.#header, rest });
    const { session, created: born } = state;
    const change = { type: 'put', kind: 'session', key: sessionKey(session), value } as const;
    await store.commit([change], { of: { session, born } });
    return true;
  }

  reload(): Promise<void> {
    return this.#readAgain();
  }

  goOnFrom({ state, bodies }: { readonly state: State; readonly bodies: BodyCache }): void {
    this.#state = this.#durable = state;
    this.#bodies = bodies;
    this.#assemblyCache = {};
    this.sent = newSentAssemblies();
  }

  async lookForOthers(): Promise<void> {
    if (this.isNew || this.#broken !== null) return;
    const next = await this.store.get('journal', journalKey(this.id, this.state.seq + 1));
    if (next !== undefined) await this.#readAgain();
  }

  /** Does `work` on the state as the store has it. */
  #onTruth<T>(
    work: (writer: SessionWriter) => T | Promise<T>,
    writer: SessionWriter,
  ): T | Promise<T> {
    return this.isBehind ? this.#readAgain().then(() => work(writer)) : work(writer);
  }

  /** Takes no more steps, for this reason: what it owes can neither be taken in nor given up. */
  breakOff(reason: unknown): void {
    if (this.isBroken) return;
    this.#broken = reason;
    this.#written = Promise.reject(reason);
    this.#written.catch(() => undefined);
    this.#dependencies.onWritten(this);
  }

  /** Begins work again that rests where the machines of this version do not go on; before any other work. */
  async restart(): Promise<void> {
    if (this.isNew || this.store.refusal !== undefined || !mustRestart(this.state)) return;
    await exactCounter(this);
    await this.stepInParts({ type: 'restart' });
  }

  /** Reads the state anew, and tells what others did since. */
  async #readAgain(): Promise<void> {
    await this.#written.catch(() => undefined);
    const loaded = await load(this.store, this.id);
    if (this.#notifiedSeq > 0 && loaded?.state.created !== this.state.created) {
      this.#broken = sessionDeleted(this.id);
      throw this.#broken;
    }
    this.#state = this.#durable = loaded?.state ?? null;
    this.#header = loaded?.header ?? null;
    this.#bodies = loaded?.bodies ?? newBodies();
    this.#copies = loaded?.copies ?? newCopies();
    this.#sinceCopy = loaded?.sinceCopy ?? 0;
    this.#assemblyCache = {};
    this.checkedEpoch = -1;
    this.#unwrittenKeys.clear();
    this.#written = Promise.resolve();
    this.#owner = {};
    this.#broken = null;
    const after = this.#notifiedSeq;
    for await (const record of readJournal(this.store, this.id, after)) this.#tell(record);
    if (this.#isInspected)
      for await (const step of tracedSteps(this.store, this.id, { after, text: true }))
        this.#show(step, step.moves);
    await this.restart();
    if (loaded !== null) this.#dependencies.onWritten(this);
  }

  #tell(record: JournalRecord): void {
    this.#notifiedSeq = record.seq;
    this.#listeners.notify(factsOf(record));
  }

  get #isInspected(): boolean {
    return this.#dependencies.onStep !== null || this.#inspectors.size > 0;
  }

  /** Tells inspectors of the moves of a step; null where it was decided before anybody was to be told. */
  #show({ seq, at }: Pick<JournalRecord, 'seq' | 'at'>, moves: Decision['trace']): void {
    const step = moves && { session: this.id, seq, at, moves };
    if (step !== null) this.#dependencies.onStep?.(step);
    for (const inspector of this.#inspectors) inspector(step);
  }

  counter(name = this.state.options.tokenizer): Promise<Tokenizer> {
    const { tokenizer, load } = this.#dependencies;
    const loaded = tokenizer(name);
    return loaded === undefined ? load(name) : Promise.resolve(loaded);
  }

  get loadedCounter(): Tokenizer | undefined {
    return this.#dependencies.tokenizer(this.state.options.tokenizer);
  }

  listen(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  inspect(inspector: Inspector): () => void {
    this.#inspectors.add(inspector);
    return () => this.#inspectors.delete(inspector);
  }

  assembly(): Assembly {
    const assembly = assemblyOf(this.state, this.#bodies, this.#assemblyCache);
    this.sent.put(assembly);
    return assembly;
  }

  async answered(key: string): Promise<unknown> {
    if (this.#unwrittenKeys.has(key)) return this.#unwrittenKeys.get(key);
    return this.store.get('key', idempotencyKey(this.id, key));
  }

  async stepWithHistory(input: HistoryInput, options: StepOptions = {}): Promise<StepResult> {
    await this.#written;
    const step = { state: this.state, input, bodies: this.#bodies };
    return this.stepInParts(await readHistory(this.store, step), options);
  }

  step(input: Input, options: StepOptions = {}): StepResult {
    const context = this.#contextOf(input, options);
    const decision = decide(this.#state, input, context);
    return this.#take(decision, { input, options, at: context.at });
  }

  async stepInParts(input: Input, options: StepOptions = {}): Promise<StepResult> {
    const context = this.#contextOf(input, options);
    const { clock } = this.#dependencies;
    const decision = await inParts(clock, (part) =>
      decide(this.#state, input, { ...context, part }),
    );
    if (this.#broken !== null) throw this.#broken;
    return this.#take(decision, { input, options, at: context.at });
  }

  /** What a step that begins now is decided with. */
  #contextOf(input: Input, options: StepOptions): DecideContext {
    if (this.#broken !== null) throw this.#broken;
    if (this.store.refusal !== undefined && !isDerived(input)) throw this.store.refusal;
    this.#noteDocuments(input);
    const at = Math.max(this.#dependencies.clock.now(), this.#state?.updated ?? 0);
    const count = options.count ?? this.#countFor(input);
    return { count, bodies: this.#bodies, at, isTraced: this.#isInspected };
  }

  /** Takes a decision over into the state, and begins to write it. */
  #take(
    decision: Decision,
    { input, options, at }: { input: Input; options: StepOptions; at: number },
  ): StepResult {
    const { facts, texts, trace } = decision;
    const before = this.#state;
    const keys = options.keys?.(facts) ?? [];
    if (before !== null && facts.length === 0 && keys.length === 0)
      return { facts, durable: this.#written };
    const state: State = { ...decision.state, seq: (before?.seq ?? 0) + 1, updated: at };
    const record = recordOf(state, input, facts);
    const copy = this.#copyDue(state, facts);
    const header = headerAfter(this.#header, { before, state, input, at: options.at ?? at });
    const changed = header === this.#header ? null : header;
    this.#header = header;
    const batch = batchOf({ state, record, texts, input, options, keys, header: changed, copy });
    this.#adopt(state, input, decision);
    return { facts, durable: this.#commit(batch, { record, state, moves: trace }, keys) };
  }

  /** Records whether the store keeps documents, where that changed, before a step that may make one due. */
  #noteDocuments({ type }: Input): void {
    if (this.store.refusal !== undefined) return;
    const isKept = this.#dependencies.documents && this.imports === 0;
    if (!maySchedule(type) || this.#state === null || this.#state.documents.isKept === isKept)
      return;
    this.step({ type: 'documents', isKept });
  }

  /** The count of the session's tokenizer; the byte bound while that is not loaded. */
  #countFor(input: Input): Count {
    const options = this.#state?.options ?? (input.type === 'create' ? input.options : undefined);
    const tokenizer = this.#dependencies.tokenizer(options?.tokenizer ?? '');
    return tokenizer === undefined ? byteBound : cachedCount(tokenizer);
  }

  /** The rows of a full copy of the state, where enough facts followed the last one. */
  #copyDue(state: State, facts: readonly Fact[]): readonly Change[] {
    this.#sinceCopy += facts.length;
    if (this.#sinceCopy < copyAfter) return [];
    this.#sinceCopy = 0;
    return this.#copies.next(state);
  }

  /** Puts `state` in place of the last one, and its new bodies to the others. */
  #adopt(state: State, input: Input, { facts, texts }: Decision): void {
    if (input.type === 'append')
      input.entries.forEach(({ message }, index) =>
        this.#bodies.putMessage(this.state.entryCount + 1 + index, message),
      );
    for (const [id, text] of texts) this.#bodies.putText(id, text);
    this.#state = state;
    if (facts.some(({ type }) => type === 'epoch.raised')) this.#bodies.keep(referencesOf(state));
  }

  #commit(
    changes: Change[],
    { record, state, moves }: { record: JournalRecord; state: State; moves: Decision['trace'] },
    keys: KeyedAnswers,
  ): Promise<void> {
    for (const [key, answer] of keys) this.#unwrittenKeys.set(key, answer);
    this.#writing += 1;
    const { id: session, store } = this;
    const expect = { session, seq: record.seq - 1, born: state.created, owner: this.#owner };
    const durable = store.commit(changes, { expect }).then(
      () => {
        this.#writing -= 1;
        this.#durable = state;
        if (this.isBroken) this.#state = state;
        for (const [key] of keys) this.#unwrittenKeys.delete(key);
        this.#tell(record);
        this.#show(record, moves);
        this.#dependencies.onWritten(this);
      },
      (error: unknown) => {
        this.#writing -= 1;
        this.#broken = error;
        // One whose creation failed has nothing to go back to; nobody is given it.
        if (this.isBroken) this.#state = this.#durable ?? this.#state;
        if (!isEngineError(error, 'CONFLICT'))
          this.#listeners.notify(factsOf(failuresOf(record, error)));
        this.#dependencies.onWritten(this);
        throw error;
      },
    );
    this.#written = durable;
    durable.catch(() => undefined);
    return durable;
  }
}

/** The facts of a record, with its place; none is made before somebody asks for it. */
function* factsOf({ facts, seq, at }: JournalRecord): Iterable<SessionFact> {
  for (const fact of facts) yield { ...fact, seq, at };
}

/** Whether an input says nothing that was not known: counts, and what an assembly leaves out. */
const isDerived = ({ type }: Input): boolean => type === 'count' || type === 'uncovered';

/** The refusal of a session that is not there any more, though another may have its name. */
function sessionDeleted(id: string): EngineError {
  return fail('SESSION_NOT_FOUND', `Session "${id}" was deleted elsewhere`, { session: id });
}

/** The refusal of a call on a closed handle. */
export function sessionClosed(id: string): EngineError {
  return fail('SESSION_CLOSED', `This handle of session "${id}" is closed`, { session: id });
}
