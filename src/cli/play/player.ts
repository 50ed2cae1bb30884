import { basename } from 'node:path';
import {
  isEngineError,
  type Assembly,
  type ImportOptions,
  type ImportProgress,
  type ImportResult,
  type Session,
  type SessionFact,
  type Store,
} from '../../index.ts';
import type { Glyphs } from '../paper/glyph.ts';
import { listedTitle, titledTree } from '../sessions/words/frame-titles.ts';
import { narrator, type Narrator } from './news/narrator.ts';
import type { NewsMoment } from './news/narrator-state.ts';
import type { NewsLine } from './news/news-line.ts';
import { playCounter, type PlayCounts } from './play-counts.ts';

/** The outcome of one step of a play. */
export interface PlayStep extends NewsMoment {
  /** Whether the step was new to the session. */
  readonly isNew: boolean;
  readonly moments: readonly NewsLine[];
  /** The prompt after the step; null where the engine refused to make one. */
  assemble(): Promise<Assembly | null>;
  /** How much of it is played, 0 to 1, where that is known. */
  readonly done: number | undefined;
  /** What stands below all others, part by part, where there is something to say. */
  readonly hint?: readonly string[];
  /** Whether it is shown at once, however soon after the last one. */
  readonly isAtRest?: boolean;
}

/** The result of a play. */
export interface PlayResult {
  readonly tally: PlayCounts;
  /** Null where it was stopped before its end. */
  readonly result: ImportResult | null;
  /** The session; null where it was stopped before the first step. */
  readonly id: string | null;
}

/** Options of a play. */
export interface PlayOptions {
  readonly store: Store;
  readonly file: string;
  /** The file, or its content. */
  readonly source: string | Uint8Array;
  readonly options: ImportOptions & { readonly signal: AbortSignal };
  readonly glyphs: Glyphs;
  /** Called after each step; the play waits. */
  readonly onBeat: (beat: PlayStep) => Promise<void>;
}

/** Imports a file step by step, and after each one assembles what the model would see. */
export async function play({
  store,
  file,
  source,
  options,
  glyphs,
  onBeat,
}: PlayOptions): Promise<PlayResult> {
  const counting = playCounter();
  const heard: SessionFact[] = [];
  let tell: Narrator = () => [];
  let id: string | null = null;
  let title: string | undefined;
  let seq = 0;

  function attend(session: Session): void {
    ({
      id,
      state: { seq },
    } = session);
    session.on('*', (fact) => heard.push(fact));
    tell = narrator({ state: session.state, tree: () => session.frames.tree() }, glyphs);
  }

  async function onProgress(progress: ImportProgress): Promise<void> {
    const { session } = progress;
    if (progress.step === 'session') return attend(session);
    const moments: NewsLine[] = [];
    const listen = (): void => {
      for (const fact of heard.splice(0)) {
        counting.addFact(fact);
        moments.push(...tell(fact, session));
      }
    };
    listen();
    const assembly = await tryAssemble(session);
    if (assembly === null) counting.addRefusal();
    else counting.addPrompt(assembly);
    listen();
    const isNew = session.state.seq !== seq;
    seq = session.state.seq;
    const { state } = session;
    if (state.turn > 0) title ??= await listedTitle(store, session.id);
    const named = { id: session.id, title: title ?? basename(file) };
    await onBeat({
      state,
      tree: () => titledTree(session.frames.tree(), named),
      isNew,
      moments,
      assemble: async () => assembly,
      done: shareOf(progress),
    });
  }

  try {
    const result = await store.import(source, { ...options, onProgress });
    return { tally: counting.tally, result, id: result.id };
  } catch (error) {
    if (!options.signal.aborted) throw error;
    return { tally: counting.tally, result: null, id };
  }
}

function shareOf({ bytes, size }: ImportProgress): number | undefined {
  return size === undefined || size === 0 ? undefined : Math.min(1, bytes / size);
}

/** The prompt, or null where nothing in it can shrink any more. */
async function tryAssemble(session: Session): Promise<Assembly | null> {
  try {
    return await session.assemble();
  } catch (error) {
    if (isEngineError(error, 'CONTEXT_OVERFLOW')) return null;
    throw error;
  }
}
