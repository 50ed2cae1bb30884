import type { Calibration } from './calibration.ts';
import { showEntry } from './evolve-view.ts';
import type { Fact } from './fact.ts';
import type { Frame } from './frame.ts';
import { ordinal, type EntryId } from './id.ts';
import { extendRuns } from './run.ts';
import type { Call, State } from './state.ts';
import { change as changeFrames, frameOf } from './tree.ts';

/** How many closed calls are remembered, so that a late result finds its frame. */
const mostClosedCalls = 64;

/** Takes an entry in. Every field by name: this runs at each append, and a spread with a dozen changes takes three times as long. */
export function appendEntry(state: State, fact: Extract<Fact, { type: 'entry.appended' }>): State {
  const n = ordinal(fact.entry);
  const frame = frameOf(state.frames, fact.frame);
  const span = [frame.span?.[0] ?? n, n] as const;
  const changed = { ...frame, span, partial: extend(frame, fact.entry) };
  return {
    session: state.session,
    created: state.created,
    updated: state.updated,
    seq: state.seq,
    phase: state.phase,
    options: state.options,
    tools: state.tools,
    epoch: state.epoch,
    turn: state.turn + (fact.human ? 1 : 0),
    entries: n,
    tokens: state.tokens + fact.tokens,
    texts: state.texts,
    checkpoints: state.checkpoints,
    compressions: state.compressions,
    facts: state.facts,
    hash: fact.hash,
    frames: changeFrames(state.frames, [changed]),
    runs: extendRuns(state.runs, n, fact.frame),
    active: state.active,
    views: showEntry(state.views, fact),
    calls: nextCalls(state.calls, fact),
    newest: fact.human ? newestOf(fact) : state.newest,
    goal: state.goal,
    ledger: state.ledger,
    shown: state.shown,
    outbox: state.outbox,
    timers: state.timers,
    uncounted: fact.exact ? state.uncounted : [...state.uncounted, n],
    calibration: fact.role === 'assistant' ? afterAnswer(state) : state.calibration,
    shelf: state.shelf,
    diary: state.diary,
    timeline: state.timeline,
    watch: state.watch,
  };
}

/** A model that has answered once is not the stranger that it was. */
function afterAnswer({ calibration, options }: State): Calibration {
  if (calibration.answered || options.model === null) return calibration;
  return { ...calibration, answered: true };
}

function newestOf(fact: Extract<Fact, { type: 'entry.appended' }>): State['newest'] {
  const { entry, tokens, shown, frame, text } = fact;
  const newest = { n: ordinal(entry), tokens, shown, frame };
  return text === undefined ? newest : { ...newest, text };
}

/** A partial result stands for what joins its frame later, too. */
function extend({ partial }: Frame, entry: EntryId): Frame['partial'] {
  return partial === null ? null : { ...partial, to: entry };
}

function nextCalls(
  calls: readonly Call[],
  fact: Extract<Fact, { type: 'entry.appended' }>,
): readonly Call[] {
  if (fact.calls !== undefined) {
    const made = fact.calls.map((call) => ({
      ...call,
      frame: fact.frame,
      n: ordinal(fact.entry),
      closed: false,
    }));
    const closed = calls.filter((call) => call.closed);
    const surplus = new Set(closed.slice(0, Math.max(0, closed.length - mostClosedCalls)));
    return [...calls.filter((call) => !surplus.has(call)), ...made];
  }
  if (fact.call === undefined) return calls;
  const answered = calls.findIndex((call) => call.id === fact.call && call.n === fact.unit);
  return answered < 0 ? calls : calls.toSpliced(answered, 1);
}
