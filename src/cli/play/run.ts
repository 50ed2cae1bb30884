import { basename } from 'node:path';
import type { ImportOptions, Store } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { piped, pipedFile } from '../call/piped.ts';
import { toldWindow, usualWindow } from '../command-line/window.ts';
import { clean, cleanLine } from '../paper/clean.ts';
import { number } from '../paper/size.ts';
import { exists } from '../sessions/store/exists.ts';
import { withMadeStore } from '../sessions/store/made-store.ts';
import { listedTitle, titledTree } from '../sessions/words/frame-titles.ts';
import { windowsOf } from '../sessions/window-change.ts';
import { endingLines } from './ending.ts';
import { placesOf } from './entry-places.ts';
import { hasSessionOf } from './known-session.ts';
import { steered, unsteered, type Deck, type Move } from './deck.ts';
import { lookBack } from './look-back.ts';
import { atOnce, paced, pleasantSpeed, stepsIn } from './pace.ts';
import { play, type PlayResult, type PlayStep } from './player.ts';
import { screen } from './screen.ts';
import { summaryDocument, type PlayEnding } from './summary.ts';

/** Options of `run` alone. */
export interface RunOptions {
  readonly window?: number | undefined;
  readonly format?: string | undefined;
  /** Steps per second. */
  readonly speed?: number | undefined;
  readonly fast?: boolean | undefined;
  readonly tour?: boolean | undefined;
}

/** One run of one file. */
interface FileRun {
  readonly file: string;
  /** The file, or what was piped in. */
  readonly source: string | Uint8Array;
  readonly options: RunOptions;
  readonly call: CommandCall;
  readonly store: Store;
  /** Windows of the sessions of the store before the run, where another one was asked for. */
  readonly windows: ReadonlyMap<string, number>;
}

/** Plays a session file through a window and shows what happens; gives the exit code. */
export async function run(file: string, options: RunOptions, call: CommandCall): Promise<number> {
  const { signal } = call.io;
  const begun = performance.now();
  try {
    const source = file === piped ? await pipedFile(call.io) : file;
    const isThere = source !== file || (await exists(file));
    const kept = call.store !== undefined && isThere ? call.store : ':memory:';
    return await withMadeStore({ location: kept }, call, async (store) => {
      const isAsked = options.window !== undefined && call.store !== undefined;
      const windows = isAsked ? await windowsOf(store) : new Map<string, number>();
      const one: FileRun = { file, source, options, call, store, windows };
      const played = await playFile(one);
      return endPlay(played, one, begun);
    });
  } catch (error) {
    if (signal.aborted) return signal.reason as number;
    throw error;
  }
}

async function playFile(one: FileRun): Promise<FilePlay> {
  const { file, source, options, call, store } = one;
  const settings = await importOptions(one);
  const deck = await deckOf(one);
  const head = headOf(one, settings.window);
  const display = screen({ call, pace: deck, head, tour: options.tour === true });
  const { glyphs } = call.paper();
  const leave = new AbortController();
  const signal = AbortSignal.any([settings.signal, leave.signal]);

  /** Shows a step, and again whatever the keys ask for before the next one. */
  const onBeat = async (beat: PlayStep): Promise<void> => {
    let shownBeat: PlayStep = { ...beat, ...hintOf(deck), isAtRest: deck.isPaused };
    const show = (step: PlayStep, place: string): Promise<void> =>
      display.onBeat({ ...step, ...hintOf(deck, place) });
    for (;;) {
      await display.onBeat(shownBeat);
      const pressed = await deck.move();
      const isBack = backMoves.has(pressed) && beat.state.seq > 1;
      const move = isBack ? await lookBack(beat, pressed, { store, deck, show }) : pressed;
      if (move === 'last') deck.rush();
      if (move === 'quit' || move === 'interrupt') {
        leave.abort(move === 'quit' ? exits.done : exits.interrupted);
        throw leave.signal.reason;
      }
      if (move === 'next' || move === 'far-next' || move === 'last') return;
      shownBeat = { ...beat, ...hintOf(deck), moments: [], isNew: false, isAtRest: true };
    }
  };

  try {
    const given = { store, file, source, options: { ...settings, signal } };
    const played = await play({ ...given, glyphs, onBeat });
    return { ...played, left: leave.signal.aborted ? (leave.signal.reason as number) : null };
  } finally {
    display.end();
    deck.close();
  }
}

/** Moves to steps that were played already. */
const backMoves: ReadonlySet<Move> = new Set(['back', 'far-back', 'first']);

/** The line below a play that is steered; `place` is that of a step that was played before. */
function hintOf(deck: Deck, place = ''): Pick<PlayStep, 'hint'> {
  if (deck.speed === '') return {};
  const paused = place === '' ? 'paused' : `paused at ${place}`;
  const hint = [
    ...(deck.isPaused ? [paused] : place === '' ? [] : [place]),
    deck.speed,
    deck.isPaused ? 'space goes on' : 'space pauses',
    'arrows step',
    'End plays the rest',
    '+ - speed',
    'q quits',
  ];
  return { hint };
}

/** What came of a play, and the exit code of who left it early. */
type FilePlay = PlayResult & { readonly left: number | null };

/** What is played through which window, and where it goes. */
function headOf({ file, call }: FileRun, window: number | undefined): string {
  const where =
    call.store === undefined
      ? 'in memory: nothing is kept (--store <folder> keeps it)'
      : `into the store ${clean(call.store)}`;
  const through = window === undefined ? 'its window' : `a window of ${number(window)} tokens`;
  const how = call.paper().isLive ? ' Ctrl-C stops.' : '';
  const what = file === piped ? 'what is piped in' : cleanLine(basename(file));
  return `Playing ${what} through ${through}, ${where}.${how}`;
}

/** A session that the store has already keeps its window unless one was named. */
async function importOptions(one: FileRun): Promise<ImportOptions & { signal: AbortSignal }> {
  const { source, options, call, store } = one;
  const { format, window } = options;
  const common = { signal: call.io.signal, ...(format === undefined ? {} : { format }) };
  if (window !== undefined) return { ...common, window };
  const isKnown = call.store !== undefined && (await hasSessionOf(store, source, common));
  return isKnown ? common : { ...common, window: toldWindow(call.io.env) ?? usualWindow };
}

/** Keys and a pleasant speed where somebody watches; at once elsewhere. */
async function deckOf({ source, options, call }: FileRun): Promise<Deck> {
  const { io } = call;
  const isWatched = call.paper().isLive && !call.json && !call.quiet;
  const isSlow = isWatched && options.fast !== true;
  const speed = options.speed ?? (isSlow ? pleasantSpeed(await stepsIn(source)) : null);
  if (isWatched && io.stdin.isTTY === true) return steered(io, speed);
  return unsteered(speed === null ? atOnce : paced(speed, io.signal));
}

/** Says how it went. */
async function endPlay(played: FilePlay, one: FileRun, begun: number): Promise<number> {
  const { call, file, store, options } = one;
  const { tally, result, id } = played;
  const exitCode = played.left ?? (call.io.signal.reason as number);
  if (id === null) return result === null ? exitCode : exits.done;
  await using session = await store.open(id);
  const title = await listedTitle(store, id);
  const ending: PlayEnding = {
    state: session.state,
    tree: titledTree(session.frames.tree(), { id, ...(title !== undefined && { title }) }),
    tally,
    places: await placesOf(session),
    windowBefore: one.windows.get(id) ?? null,
    format: result?.format ?? null,
    skipped: result?.skipped ?? [],
    interrupted: result === null,
    ms: performance.now() - begun,
  };
  if (call.json) {
    const about = { type: 'summary', file, store: call.store ?? null };
    call.emit('flamestack.run/1', { ...about, ...summaryDocument(ending) });
  } else {
    call.print(...endingLines(ending, { file, call, tour: options.tour === true }));
  }
  if (result === null) return exitCode;
  if (isNothing(ending)) return exits.failed;
  return isProved(ending) ? exits.done : exits.check;
}

/** Whether the file had lines, none of which could be read. */
function isNothing({ state, skipped }: PlayEnding): boolean {
  return state.entries === 0 && skipped.length > 0;
}

/** Whether every prompt fit and every entry could be read back. */
function isProved({ tally, places, state }: PlayEnding): boolean {
  const isWhole = places === null || places.logged === state.entries;
  return tally.over + tally.refused === 0 && isWhole;
}
