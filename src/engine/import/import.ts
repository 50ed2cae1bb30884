import type { FrameStatus } from '../../core/frames/frame.ts';
import { isHuman } from '../../core/messages/message.ts';
import { fail, isEngineError, type EngineError } from '../../core/values/error.ts';
import { importerOf } from '../../import/formats.ts';
import { toSource, type SourceInput } from '../../import/source/source.ts';
import type { Source, Step } from '../../import/source/step.ts';
import type { SessionOptions } from '../commands/configure.ts';
import type { Session } from '../session/session.ts';
import { freshOptions, type ImportOptions, type ImportResult } from './import-options.ts';
import { commandKey, isSaid, play, type OpenedFrames, type Playable } from './import-step.ts';
import { newFileOrder, type FileOrder } from './late.ts';
import { newKnownSteps, type KnownSteps } from './known-steps.ts';
import { stepsOfOwn, type StandingSession } from './own-file.ts';
import { newPipeline, type Pipeline } from './pipeline.ts';
import { reenter } from './reenter.ts';
import { unreadStep } from './unread.ts';

/** What an import needs of a store. */
export interface ImportTarget {
  /** Opens a session; `fresh` are options of a new one only. */
  readonly open: (id: string, options: SessionOptions, fresh: SessionOptions) => Promise<Session>;
  /** Calls that may wait in a session. */
  readonly maxQueued: number;
  /** Leaves the newest entries for another branch; does nothing where they are left, or are not the newest. */
  readonly abandon: (session: string, run: readonly [first: string, last: string]) => Promise<void>;
  /** The answer to a command of this key; undefined where there was none. */
  readonly answered: (session: string, key: string) => Promise<unknown>;
  /** The session of this id; null where there is none, or nothing in it. */
  readonly standing: (session: string) => Promise<StandingSession | null>;
  /** The status of a frame of a session. */
  readonly statusOf: (session: string, frame: string) => Promise<FrameStatus>;
}

/** The window of a session that is imported without one, in tokens. */
const importWindow = 32_768;

/** Formats that one program alone writes. */
const agents: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'copilot-cli',
  'gemini-cli',
  'opencode',
  'pi',
  'swe-agent',
]);

/** How many steps may be under way before the import waits for the disk; fewer where fewer may wait. */
const mostAhead = 256;

/** Plays a session file into a store, step by step, as it happened. */
export async function importSession(
  target: ImportTarget,
  input: SourceInput,
  options: ImportOptions,
): Promise<ImportResult> {
  const { format, signal } = options;
  const source = await toSource(input);
  const importer = await importerOf(source, format, signal);
  const run = new ImportRun(target, { source, format: importer.format }, options);
  const steps = importer.read(source, {
    ...(signal === undefined ? {} : { signal }),
    onBytes: (done) => (run.bytes = done),
  });
  try {
    for await (const step of run.ofOwn(steps)) await run.take(step);
    return await run.finish();
  } finally {
    await run.close();
  }
}

/**
 * One import: steps are played one after the other, messages without waiting for each to be durable.
 * What closes the root is held until the end, since nothing can follow it.
 */
class ImportRun {
  /** Bytes read so far. */
  bytes = 0;
  readonly #target: ImportTarget;
  readonly #file: { readonly source: Source; readonly format: string };
  readonly #options: ImportOptions;
  readonly #given: SessionOptions;
  readonly #pipeline: Pipeline;
  readonly #skipped: { line: number; reason: string }[] = [];
  readonly #opened: OpenedFrames = { names: new Map(), open: [], leaving: null };
  #head: Extract<Step, { type: 'session' }> | null = null;
  #subagents = 0;
  #session: Session | null = null;
  /** Entries of the session before the import. */
  #before = 0;
  #order: FileOrder = newFileOrder(0);
  /** The key of what was last read of an answer beyond what was read before. */
  #rest = '';
  /** The steps of the session beside those of the file; for a file that was exported only. */
  #known: KnownSteps | null = null;
  #rootPop: Extract<Step, { type: 'pop' }> | null = null;
  /** When what was played last was said: then was what has no date, and before the first date when the file was written. */
  #said: number | undefined;
  /** Whether the last steps are on a branch that was left. */
  #isLeaving = false;

  constructor(
    target: ImportTarget,
    file: { readonly source: Source; readonly format: string },
    options: ImportOptions,
  ) {
    const { id: _, format: __, signal: ___, onProgress, ...sessionOptions } = options;
    const { maxQueued } = target;
    this.#target = target;
    this.#file = file;
    this.#said = file.source.modified;
    this.#options = options;
    this.#given = sessionOptions;
    this.#pipeline = newPipeline(onProgress === undefined ? Math.min(mostAhead, maxQueued) : 1);
  }

  /** The steps, where the session that stands is that of the file; a script tells by itself where it is another's. */
  ofOwn(steps: AsyncIterable<Step>): AsyncIterable<Step> {
    if (this.#file.format === 'flamestack') return steps;
    return stepsOfOwn(steps, {
      ...this.#file,
      standing: (own) => this.#target.standing(this.#options.id ?? own),
      isTaken: (id, step) => this.#isAnswered(step, id),
    });
  }

  /** Takes the next step of the file. */
  async take(step: Step): Promise<void> {
    if (step.type === 'session') {
      this.#head = step;
      this.#subagents = step.subagents ?? 0;
      return;
    }
    if (step.type === 'skip') return this.#skip(step);
    await this.#open();
    if (!isSaid(step)) await this.#pipeline.done();
    if (this.#rootPop !== null)
      this.#skipped.push({ line: this.#rootPop.line, reason: 'closes the root, and more follows' });
    const isOutermost = this.#opened.open.length === 0 && this.#known?.isHolding() !== true;
    this.#rootPop = step.type === 'pop' && step.name === undefined && isOutermost ? step : null;
    if (this.#rootPop === null) await this.#play(step);
  }

  /** Ends the import; throws `IMPORT_EMPTY` where nothing could be read. */
  async finish(): Promise<ImportResult> {
    const { source, format } = this.#file;
    const skipped = this.#skipped;
    if (this.#rootPop !== null) await this.#play(this.#rootPop);
    if (this.#isLeaving) await this.#leave();
    // A session in which nothing was said yet has a first line and no step.
    if (format === 'flamestack' && skipped.length === 0) await this.#open();
    await this.#pipeline.done();
    for (const { line } of (await this.#known?.close()) ?? [])
      skipped.push({ line, reason: 'the session went on without it' });
    if (this.#session === null) throw nothingRead(source, format, skipped);
    await this.#session.settled();
    const { id, entries } = this.#session.state;
    const subagents = this.#subagents === 0 ? {} : { subagents: this.#subagents };
    const late = this.#order.late();
    const disordered = late.length === 0 ? {} : { late };
    return { id, format, appended: entries - this.#before, skipped, ...disordered, ...subagents };
  }

  /** Waits for what is under way, however it goes, and closes the session. */
  async close(): Promise<void> {
    await this.#pipeline.over();
    await this.#known?.close();
    await this.#session?.close();
  }

  async #skip({ line, reason, opens }: Extract<Step, { type: 'skip' }>): Promise<void> {
    this.#skipped.push({ line, reason });
    if (opens !== true) return;
    await this.#pipeline.done();
    this.#opened.open.push(null);
  }

  /** Opens the session, once its first step is there. */
  async #open(): Promise<void> {
    const head = this.#head;
    if (head === null) return;
    const { open } = this.#target;
    const agent = agents.has(this.#file.format) ? { agent: this.#file.format } : {};
    const fresh = { window: importWindow, ...agent, ...freshOptions(head, this.#given) };
    const session = await open(this.#options.id ?? head.id, this.#given, fresh);
    this.#session = session;
    this.#before = session.state.entries;
    this.#order = newFileOrder(this.#before);
    if (this.#file.format === 'flamestack')
      this.#known = newKnownSteps({ session, opened: this.#opened, isAnswered: this.#isAnswered });
    await this.#tell(head.type, 0);
    this.#head = null;
  }

  /** Plays a step, or what of the file is to be played now that this step is read. */
  async #play(step: Playable): Promise<void> {
    for (const one of (await this.#known?.place(step)) ?? (await this.#unread(step)))
      await this.#begin(one);
    await this.#tell(step.type, step.line);
  }

  /** The step; of an answer whose first lines were read before, what it says beyond them. */
  async #unread(step: Playable): Promise<readonly Playable[]> {
    if (step.type !== 'append' || step.isJoined !== true) return [step];
    const session = this.#session!;
    const left = await unreadStep(step, async (one) => {
      const ids = await this.#target.answered(session.id, commandKey(one));
      if (!Array.isArray(ids)) return undefined;
      this.#placed(one)(String(ids[0]));
      return session.entry(String(ids[0])).catch((error: unknown) => {
        // Of an entry that is lost nobody can tell how much it said.
        if (isEngineError(error, 'RECORD_DAMAGED')) return one.message;
        throw error;
      });
    });
    if (left === null) return [];
    if (left.key !== step.key) this.#rest = left.key;
    return [left];
  }

  readonly #isAnswered = async (step: Playable, id = this.#session!.id): Promise<boolean> =>
    (await this.#target.answered(id, commandKey(step))) !== undefined;

  /** Goes on with a frame that was blocked; resolves with why a step has no place there, null where it has. */
  async #reenter(step: Playable): Promise<string | null> {
    const session = this.#session!;
    if (this.#known !== null || this.#opened.open.length === 0) return null;
    return reenter(step, {
      session,
      opened: this.#opened,
      statusOf: (frame) => this.#target.statusOf(session.id, frame),
      isAnswered: this.#isAnswered,
    });
  }

  /** The place of a step in the order of the file. */
  #placed(step: Playable): (entry: string) => void {
    const isSpoken = isSaid(step) && (step.message.role === 'assistant' || isHuman(step.message));
    return this.#order.place({ line: step.line, isSpoken, isRest: step.key === this.#rest });
  }

  async #begin(step: Playable): Promise<void> {
    if (step.type === 'left') this.#isLeaving = true;
    else if (this.#isLeaving) await this.#leave();
    else if (step.type !== 'append') await this.#pipeline.done();
    const { at = this.#said } = step;
    this.#said = at;
    const reason = await this.#reenter(step);
    if (reason !== null) {
      this.#skipped.push({ line: step.line, reason });
      return;
    }
    const dated = at === undefined ? step : { ...step, at };
    const placed = this.#placed(step);
    const played = play(this.#session!, dated, this.#opened).then(({ refused, entry }) => {
      if (refused !== null) this.#skipped.push({ line: step.line, reason: refused });
      if (entry !== undefined) placed(entry);
    });
    await this.#pipeline.add(played);
    if (!isSaid(step)) await this.#pipeline.done();
  }

  /** Leaves the entries that were appended as a branch that was left. */
  async #leave(): Promise<void> {
    await this.#pipeline.done();
    const { leaving } = this.#opened;
    if (leaving !== null) await this.#target.abandon(this.#session!.id, leaving);
    this.#opened.leaving = null;
    this.#isLeaving = false;
  }

  async #tell(step: Step['type'], line: number): Promise<void> {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const session = this.#session!;
    const appended = session.state.entries - this.#before;
    const { size } = this.#file.source;
    await onProgress({ session, step, line, appended, bytes: this.bytes, size });
  }
}

/** The refusal of a file in which nothing could be read. */
function nothingRead(
  { name }: Source,
  format: string,
  skipped: ImportResult['skipped'],
): EngineError {
  return fail('IMPORT_EMPTY', `Nothing in ${name} could be read as ${format}`, {
    source: name,
    format,
    skipped: skipped.length,
  });
}
