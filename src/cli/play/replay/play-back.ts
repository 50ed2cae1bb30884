import type { ReplayStep } from '../../../index.ts';
import type { CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { cleanLine } from '../../paper/clean.ts';
import { number } from '../../paper/size.ts';
import { playedLines } from '../ending.ts';
import { listedTitle, titledTree } from '../../sessions/words/frame-titles.ts';
import { saidBy } from '../../sessions/words/said-by.ts';
import { narrator } from '../news/narrator.ts';
import { atOnce, paced, pleasantSpeed } from '../pace.ts';
import { playCounter } from '../play-counts.ts';
import type { PlayStep } from '../player.ts';
import { screen } from '../screen.ts';
import { summaryDocument, type PlayEnding } from '../summary.ts';
import { steered, unsteered, type Deck, type Move } from '../deck.ts';
import { schema, type Reel, type ReplayCommandOptions } from './reel.ts';
import { openTape } from './tape.ts';

/** Plays steps as `run` plays a file; gives the exit code. */
export async function playBack(reel: Reel, options: ReplayCommandOptions): Promise<number> {
  const { call, first, last } = reel;
  const begun = performance.now();
  const deck = deckOf(reel, options);
  const display = call.json ? null : screen({ call, pace: deck, head: headOf(reel), tour: false });
  const title = await listedTitle(reel.store, reel.id);
  await using session = display === null ? null : await reel.store.open(reel.id);
  const tape = openTape((from) => reel.steps(from), first);
  const counting = playCounter();
  const tell = narrator(await stepBefore(reel), call.paper().glyphs);
  let furthest = first - 1;
  let now: ReplayStep | null = null;
  let move: Move = 'next';

  /** What is new in a step, the first time it is come to. */
  const newsOf = (step: ReplayStep): PlayStep['moments'] => {
    if (step.seq <= furthest) return [];
    furthest = step.seq;
    for (const fact of step.facts) counting.addFact(fact);
    return step.facts.flatMap((fact) => tell(fact, step));
  };
  let passed: PlayStep['moments'] = [];

  /** The next step that is shown; those on the way to one further off are told with it. */
  const reach = async (): Promise<ReplayStep | null> => {
    const at = now?.seq ?? first - 1;
    const far = Math.max(10, Math.round((last - first + 1) / 20));
    if (move === 'stay') return now;
    if (move === 'back') return tape.back();
    if (move === 'first') return tape.to(first);
    if (move === 'far-back') return tape.to(Math.max(first, at - far));
    const goal = move === 'next' ? at + 1 : move === 'last' ? last : Math.min(last, at + far);
    let step = await tape.next();
    while (step !== null && step.seq < goal) {
      passed = [...passed, ...newsOf(step)];
      step = await tape.next();
    }
    return step;
  };

  const show = async (step: ReplayStep): Promise<void> => {
    const moments = [...passed, ...newsOf(step)];
    passed = [];
    if (display === null) call.emit(schema, stepDocument(reel, step));
    const said = session === null ? step.at : await saidBy(session, step);
    await display?.onBeat(beatOf(step, { reel, title, said, moments, deck, move }));
    if (display === null) await deck.step(0);
  };

  try {
    while (move !== 'quit' && move !== 'interrupt') {
      const to = await reach();
      if (to === null && move === 'next' && !deck.isPaused) break;
      now = to ?? now;
      if (now !== null) await show(now);
      move = await deck.move();
    }
  } catch (error) {
    if (!call.io.signal.aborted) throw error;
  } finally {
    display?.end();
    deck.close();
  }
  if (now !== null) {
    const ending = endingOf(now, {
      tally: counting.tally,
      interrupted: furthest < last,
      ms: performance.now() - begun,
    });
    const about = { type: 'summary', session: reel.id, first, last };
    if (call.json) call.emit(schema, { ...about, ...summaryDocument(ending) });
    else call.print(...playedLines(ending, call));
  }
  if (call.io.signal.aborted) return call.io.signal.reason as number;
  return move === 'interrupt' ? exits.interrupted : exits.done;
}

/** Keys and a pleasant speed where somebody watches; at once elsewhere. */
function deckOf({ call, first, last }: Reel, { speed, fast }: ReplayCommandOptions): Deck {
  const { io } = call;
  const isWatched = call.paper().isLive && !call.json && !call.quiet;
  const isSlow = isWatched && fast !== true;
  const wanted = speed ?? (isSlow ? pleasantSpeed(last - first + 1) : null);
  if (isWatched && io.stdin.isTTY === true) return steered(io, wanted);
  return unsteered(wanted === null ? atOnce : paced(wanted, io.signal));
}

/** The step before the first one, of which later ones tell; null for none. */
async function stepBefore({ store, id, first }: Reel): Promise<ReplayStep | null> {
  if (first === 1) return null;
  for await (const step of store.replay(id, { from: first - 1, to: first - 1 })) return step;
  return null;
}

function headOf({ id, first, last, call }: Reel): string {
  const stretch =
    first === last ? `step ${number(first)}` : `steps ${number(first)} to ${number(last)}`;
  const keys = isSteered(call)
    ? ' Space pauses, the arrow keys step (Page Up and Down, Home and End further), + and - change its speed, q quits.'
    : '';
  return `Replaying ${cleanLine(id)}, ${stretch}, as it is stored: nothing is written.${keys}`;
}

const isSteered = ({ io, paper }: CommandCall): boolean =>
  paper().isLive && io.stdin.isTTY === true;

function beatOf(
  step: ReplayStep,
  context: {
    reel: Reel;
    title: string | undefined;
    /** When what was newest then was said. */
    said: number;
    moments: PlayStep['moments'];
    deck: Deck;
    move: Move;
  },
): PlayStep {
  const { reel, title, said, moments, deck, move } = context;
  const { id, first, last, call } = reel;
  const keys = isSteered(call) ? [deck.speed, 'space, arrows, + -, q'] : [];
  const place = `${deck.isPaused ? 'paused at ' : ''}step ${number(step.seq)} of ${number(last)}`;
  const time = new Date(said).toISOString().slice(0, 16).replace('T', ' ');
  return {
    state: step.state,
    tree: () => titledTree(step.tree(), { id, ...(title !== undefined && { title }) }),
    isNew: move !== 'stay',
    moments,
    assemble: () => step.assemble(),
    done: (step.seq - first + 1) / (last - first + 1),
    hint: [place, ...keys, time],
    isAtRest: deck.isPaused || move !== 'next' || step.seq === last,
  };
}

/** A step for scripts. */
function stepDocument({ id }: Reel, { seq, at, input, facts, state }: ReplayStep): object {
  const { turn, entries, tokens, epoch, phase, active, compressions, budget } = state;
  const { total, limit } = budget;
  const short = { turn, entries, tokens, epoch, phase, active, compressions, total, limit };
  return { type: 'step', session: id, seq, at, input, facts, state: short };
}

function endingOf(
  { state, tree }: ReplayStep,
  outcome: Pick<PlayEnding, 'tally' | 'interrupted' | 'ms'>,
): PlayEnding {
  const untold = { places: null, windowBefore: null, format: null, skipped: [] };
  return { state, tree: tree(), ...untold, ...outcome };
}
