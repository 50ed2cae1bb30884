import { assemblyOf, type AssemblyCache } from '../step/assembly-cache.ts';
import { fail, type EngineError } from '../../core/values/error.ts';
import type { Assembly } from '../../core/assembly/assembly.ts';
import { readBreadcrumbs, type Breadcrumb } from '../../core/breadcrumbs/breadcrumb.ts';
import type { Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { documentOf } from '../../core/documents/build-document.ts';
import type { CheckpointDocument } from '../../core/documents/document.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { byteBound } from '../../core/messages/token-count.ts';
import { entryKey, idempotencyKey } from '../../store/key.ts';
import type { Change, RecordStore } from '../../store/store.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import { batchOf, copyAfter, type KeyedAnswers, type StepOptions } from './batch.ts';
import { newBodies, referencesOf, type BodyCache } from '../journal/body-cache.ts';
import type { Clock } from './clock.ts';
import { newCopies, type StateCopies } from '../journal/state-copies.ts';
import { decide, type Decision } from '../decide/decide.ts';
import { maySchedule } from '../decide/schedule-document.ts';
import { newAssemblies, type SentAssembly } from './sent-assemblies.ts';
import { newListeners, type Listener } from './listeners.ts';
import type { EntryRow, LoadedSession } from '../journal/load.ts';
import { measure } from '../step/measure.ts';
import { newQueue, type Queue } from './command-queue.ts';
import { toRecorded } from '../journal/recorded-input.ts';
import { rememberedCount } from './cached-count.ts';
import { readHistory, type HistoryInput } from '../time-travel/read-past.ts';
import type { Tools } from '../../core/messages/tool-spec.ts';
import { breadcrumbsOf } from '../../core/assembly/in-view.ts';

// One session while somebody uses it or its effects run. Steps are decided one
// at a time, in the order they were asked for, on the state in memory; their
// batches are written behind them, in the same order, and whoever asked is
// answered when the batch is durable. Facts are told and effects are run only
// then, too.

/** What a live session needs from its store. */
export interface LiveDependencies {
  readonly store: RecordStore;
  readonly clock: Clock;
  /** The loaded tokenizer, if it is loaded. */
  readonly tokenizer: (name: string) => Tokenizer | undefined;
  readonly load: (name: string) => Promise<Tokenizer>;
  readonly maxQueued: number;
  /** Whether the store keeps checkpoint documents. */
  readonly documents: boolean;
  /** Called when a step is durable, and when its write failed. */
  readonly onWritten: (live: LiveSession) => void;
}

/** What a step wrote. */
export interface WrittenStep {
  readonly decision: Decision;
  readonly seq: number;
  readonly durable: Promise<void>;
}

/** One session in memory. */
export class LiveSession {
  readonly id: string;
  /** Handles that are open. */
  handles = 0;
  /** Calls that take in what happened elsewhere, of which no checkpoint documents are written. */
  imports = 0;
  /** The epoch whose assembly was last looked at for entries that it leaves out. */
  checkedEpoch = -1;
  #state: State | null;
  #bodies: BodyCache;
  #sinceCopy: number;
  readonly #copies: StateCopies;
  readonly #around: LiveDependencies;
  readonly #queue: Queue;
  #writing = 0;
  #written: Promise<void> = Promise.resolve();
  #broken: unknown = null;
  readonly #keys = new Map<string, unknown>();
  readonly #listeners = newListeners();
  readonly #cache: AssemblyCache = {};
  readonly #given = newAssemblies();

  constructor(id: string, loaded: LoadedSession | null, around: LiveDependencies) {
    this.id = id;
    this.#state = loaded?.state ?? null;
    this.#bodies = loaded?.bodies ?? newBodies();
    this.#sinceCopy = loaded?.sinceCopy ?? 0;
    this.#copies = loaded?.copies ?? newCopies();
    this.#around = around;
    this.#queue = newQueue(id, around.maxQueued);
  }

  /** The state after the last decided step. */
  get state(): State {
    return this.#state!;
  }

  get isNew(): boolean {
    return this.#state === null;
  }

  /** Whether nothing waits, is being decided or is on its way to the store. */
  get isIdle(): boolean {
    return this.#queue.isEmpty && this.#writing === 0;
  }

  /** Takes no step any more: another object may stand for the session from now on. */
  retire(): void {
    this.#broken ??= sessionClosed(this.id);
  }

  /** Resolves when everything decided so far is durable. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Whether it takes no steps any more: a write failed, so nobody knows what is on disk, or it was retired. */
  get isBroken(): boolean {
    return this.#broken !== null;
  }

  /** Runs a call's `work` after everything asked for before it; `BUSY` where too many wait. */
  enqueue<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#queue.call(work);
  }

  /** Runs the engine's own `work` after everything asked for before it, however much waits. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#queue.inTurn(work);
  }

  /** What an idempotency key was answered with; undefined for a new one. */
  async answered(key: string): Promise<unknown> {
    if (this.#keys.has(key)) return this.#keys.get(key);
    return this.#around.store.get('key', idempotencyKey(this.id, key));
  }

  /** Rows of entries by position, as they are on disk. */
  async rows(positions: readonly number[]): Promise<(readonly [n: number, row: EntryRow])[]> {
    await this.#written;
    const keys = positions.map((n) => entryKey(this.id, n));
    const rows = await this.#around.store.getMany('entry', keys);
    return positions.flatMap((n, index) =>
      rows[index] === undefined ? [] : [[n, rows[index] as EntryRow] as const],
    );
  }

  /** The tokenizer of the session, loading it where that is still to do. */
  counter(name = this.state.options.tokenizer): Promise<Tokenizer> {
    const loaded = this.#around.tokenizer(name);
    return loaded === undefined ? this.#around.load(name) : Promise.resolve(loaded);
  }

  /** The tokenizer if it is loaded. */
  get loadedCounter(): Tokenizer | undefined {
    return this.#around.tokenizer(this.state.options.tokenizer);
  }

  /** Decides and writes a step that needs more than the state refers to, once that is read. Runs in turn only. */
  async stepWithHistory(input: HistoryInput, options: StepOptions = {}): Promise<WrittenStep> {
    await this.#written;
    const { store } = this.#around;
    const given = { state: this.state, input, bodies: this.#bodies };
    return this.step(await readHistory(store, given), options);
  }

  /** Decides and writes one step; one without facts is not written. Runs in turn only. */
  step(input: Input, options: StepOptions = {}): WrittenStep {
    if (this.#broken !== null) throw this.#broken;
    this.#turnDiary(input);
    const before = this.#state;
    const at = Math.max(this.#around.clock.now(), before?.updated ?? 0);
    const name =
      before?.options.tokenizer ?? (input.type === 'create' ? input.options.tokenizer : '');
    const tokenizer = this.#around.tokenizer(name);
    const count =
      options.count ?? (tokenizer === undefined ? byteBound : rememberedCount(tokenizer));
    const decision = decide(before, input, { count, bodies: this.#bodies, at });
    if (input.type === 'append')
      input.entries.forEach(({ message }, index) =>
        this.#bodies.putMessage(before!.entries + 1 + index, message),
      );
    const keys = options.keys?.(decision.facts) ?? [];
    if (before !== null && decision.facts.length === 0 && keys.length === 0)
      return { decision, seq: before.seq, durable: this.#written };
    const seq = (before?.seq ?? 0) + 1;
    const state: State = { ...decision.state, seq, updated: at };
    const record: JournalRecord = {
      seq,
      at,
      input: toRecorded(input),
      facts: decision.facts,
      turn: state.turn,
      tokens: state.tokens,
    };
    for (const [id, text] of decision.texts) this.#bodies.putText(id, text);
    this.#sinceCopy += record.facts.length;
    const isDue = this.#sinceCopy >= copyAfter;
    if (isDue) this.#sinceCopy = 0;
    const copy = isDue ? this.#copies.next(state) : [];
    const batch = batchOf({ before, state, record, decision, input, options, keys, copy });
    this.#adopt(state, decision.facts);
    const durable = this.#commit(batch, record, keys);
    return { decision: { ...decision, state }, seq, durable };
  }

  /** Before a step that may make a document due: whether any are written is as the store has it now. */
  #turnDiary({ type }: Input): void {
    const isKept = this.#around.documents && this.imports === 0;
    if (!maySchedule(type) || this.#state === null || this.#state.diary.isKept === isKept) return;
    this.step({ type: 'documents', isKept });
  }

  /** Where the session stands, as a document; it is written nowhere. */
  document(at: number): CheckpointDocument {
    const id = `${this.id}/${this.state.seq}`;
    return documentOf(this.state, this.#bodies, { id, at, reason: 'command' });
  }

  /** Where to look for what left the window of the frames on the path; or of one checkpoint. */
  breadcrumbs(checkpoint?: Checkpoint): readonly Breadcrumb[] {
    if (checkpoint === undefined) return breadcrumbsOf(this.state, this.#bodies);
    return readBreadcrumbs(checkpoint.breadcrumbs, (id) => this.#bodies.text(id));
  }

  /** Hears every fact once it is durable. */
  listen(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  /** The assembly of the state as it is, for the tools it knows. */
  assembly(): Assembly {
    const assembly = assemblyOf(this.state, this.#bodies, this.#cache);
    this.#given.put(assembly);
    return assembly;
  }

  /** What one of the assemblies given out lately held, the last one unless told; undefined where it is forgotten. */
  counted(id?: string): SentAssembly | undefined {
    return this.#given.find(id);
  }

  /** Whether an assembly with these tools would stay within the limit. */
  fitsWith(tools: Tools): boolean {
    const { total, limit } = measure(this.state);
    return total - this.state.tools.tokens + tools.tokens <= limit;
  }

  /** Whether assembling with these tools changes nothing. */
  isReady(tools: Tools): boolean {
    const { total, limit } = measure(this.state);
    return this.state.tools.digest === tools.digest && total <= limit;
  }

  #adopt(state: State, facts: readonly Fact[]): void {
    this.#state = state;
    if (facts.some(({ type }) => type === 'epoch.raised')) this.#bodies.keep(referencesOf(state));
  }

  #commit(changes: Change[], record: JournalRecord, keys: KeyedAnswers): Promise<void> {
    for (const [key, answer] of keys) this.#keys.set(key, answer);
    this.#writing += 1;
    const durable = this.#around.store.commit(changes).then(
      () => {
        this.#writing -= 1;
        for (const [key] of keys) this.#keys.delete(key);
        this.#publish(record);
      },
      (error: unknown) => {
        this.#writing -= 1;
        this.#broken = error;
        this.#around.onWritten(this);
        throw error;
      },
    );
    this.#written = durable;
    durable.catch(() => undefined);
    return durable;
  }

  #publish(record: JournalRecord): void {
    this.#listeners.tell(record);
    this.#around.onWritten(this);
  }
}

/** The refusal of a call on a closed handle. */
export function sessionClosed(id: string): EngineError {
  return fail('SESSION_CLOSED', `This handle of session "${id}" is closed`, { session: id });
}
