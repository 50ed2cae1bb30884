import { whereaboutsOf } from '../../core/budget/options.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Results } from '../../core/frames/frame.ts';
import { frameId, ordinal, toEntryId, type FrameId } from '../../core/values/id.ts';
import type { ScriptLine, ScriptStep, StepOf } from '../../core/formats/session-script.ts';
import { leftAt } from '../../core/state/timeline.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { ownBranchesIn } from '../../core/host-history/branches.ts';
import { readJournal, readText } from '../journal/load.ts';
import type { SessionReader } from '../live/session-access.ts';
import { readLog } from '../journal/read-log.ts';
import type { OnLost } from '../journal/whole-rows.ts';
import {
  newStepCursor,
  type PositionedFact,
  type StepCursor,
} from '../time-travel/script-cursor.ts';

// A session as a script that an import plays: messages, frames and goals in the
// order in which they came. What was taken back is not in it; what was said in a
// frame that was taken back stands where the work went on. What was said on a
// branch that was left is marked so, and stays in the log alone.

/** Everything of a session that an import can rebuild, first the line that says what it is. */
export async function* exportLines(
  session: SessionReader,
  {
    signal,
    onLost,
  }: { readonly signal?: AbortSignal | undefined; readonly onLost?: OnLost | undefined },
): AsyncGenerator<ScriptLine> {
  const state = await session.durableState();
  const { store } = session;
  const { system, window, reserve, markers, model, provider } = state.options;
  yield {
    type: 'flamestack',
    version: 1,
    id: state.session,
    title: frameOf(state.frames, frameId(0)).title,
    ...(system === '' ? {} : { system }),
    window,
    reserve,
    ...(markers ? {} : { markers: false as const }),
    ...(model === null ? {} : { model }),
    ...(provider === null ? {} : { provider }),
    ...whereaboutsOf(state.options),
    compressions: state.compressions,
    tokens: state.tokens,
  };
  const steps = await stepsOf({ state, store }, signal);
  const toLine = newLineMaker({ state, store }, steps);
  const branches = ownBranchesIn(state);
  const isLeft = (n: number): boolean => leftAt(branches, n) !== undefined;
  let next = 0;
  const linesUpTo = async function* (entries: number): AsyncGenerator<ScriptLine> {
    for (; next < steps.length && steps[next]!.after <= entries; next += 1) {
      const line = await toLine(steps[next]!.fact);
      if (line !== null) yield line;
    }
  };
  const all = { before: state.entryCount + 1, last: state.entryCount, signal, onLost };
  for await (const entry of readLog(store, state.session, all)) {
    const { id, frame: _, tokens: __, at, ...message } = entry;
    const n = ordinal(toEntryId(id));
    yield* linesUpTo(n - 1);
    yield { type: isLeft(n) ? 'left' : 'append', message, at };
  }
  yield* linesUpTo(Number.POSITIVE_INFINITY);
}

/** The facts that become lines of a script beside the messages. */
const scripted = [
  'goal.set',
  'frame.pushed',
  'frame.planned',
  'frame.started',
  'frame.edited',
  'frame.retried',
  'frame.popped',
  'frame.invalidated',
] as const;

type ScriptedFact = Extract<Fact, { readonly type: (typeof scripted)[number] }>;

const isScripted = (fact: Fact): fact is ScriptedFact =>
  (scripted as readonly string[]).includes(fact.type);

async function stepsOf(
  { state, store }: Pick<SessionReader, 'state' | 'store'>,
  signal: AbortSignal | undefined,
): Promise<readonly PositionedFact<ScriptedFact>[]> {
  const { session, seq } = state;
  const script = newStepCursor<ScriptedFact>();
  let entries = 0;
  for await (const record of readJournal(store, session, 0)) {
    if (record.seq > seq) break;
    signal?.throwIfAborted();
    for (const fact of record.facts) {
      if (fact.type === 'entry.appended') entries += 1;
      else if (fact.type === 'state.restored') goBack(script, fact.from, entries);
      else if (isScripted(fact)) script.add({ fact, after: entries });
    }
    script.end(record.seq);
  }
  return script.steps();
}

/**
 * Goes back to a record with so many messages said by now. Where that completes the session again,
 * what was said meanwhile comes before its end: a completed session takes nothing.
 */
function goBack(script: StepCursor<ScriptedFact>, seq: number, entries: number): void {
  const before = script.last();
  script.goBack(seq);
  const last = script.last();
  if (last === before || last?.fact.type !== 'frame.popped') return;
  if (last.fact.frame === frameId(0)) script.moveLast(entries);
}

/** A function that makes lines of facts, in their order; it names frames in the order in which they came, `f1` first. */
function newLineMaker(
  { state, store }: Pick<SessionReader, 'state' | 'store'>,
  steps: readonly PositionedFact<ScriptedFact>[],
): (fact: ScriptedFact) => Promise<ScriptStep | null> {
  const last = new Map(
    steps.flatMap(({ fact }) => (fact.type === 'frame.popped' ? [[fact.frame, fact]] : [])),
  );
  const root = frameId(0);
  const names = new Map<FrameId, string>([[root, root]]);
  const parents = new Map<FrameId, FrameId>();
  let active: FrameId = root;
  const nameOf = (frame: FrameId): string => names.get(frame) ?? frame;
  const begin = (frame: FrameId, parent: FrameId): string => {
    names.set(frame, frameId(names.size));
    parents.set(frame, parent);
    return nameOf(frame);
  };
  const leave = (frame: FrameId): void => {
    for (let at: FrameId | undefined = active; at !== undefined; at = parents.get(at))
      if (at === frame) active = parents.get(frame) ?? root;
  };
  return async (fact) => {
    switch (fact.type) {
      case 'goal.set':
        return { ...fact.goal, type: 'goal' };
      case 'frame.pushed': {
        active = fact.frame;
        return { type: 'push', name: begin(fact.frame, fact.parent), ...fact.identity };
      }
      case 'frame.planned': {
        const parent = nameOf(fact.parent);
        return { type: 'plan', name: begin(fact.frame, fact.parent), parent, ...fact.identity };
      }
      case 'frame.started':
        active = fact.frame;
        return { type: 'start', name: nameOf(fact.frame) };
      case 'frame.edited':
        // What a recovery called the root stands in the header.
        if (fact.frame === root) return null;
        return { type: 'edit', name: nameOf(fact.frame), ...fact.identity };
      case 'frame.retried': {
        const name = begin(fact.frame, active);
        active = fact.frame;
        return { type: 'retry', name, of: nameOf(fact.of) };
      }
      case 'frame.popped': {
        const isActive = fact.frame === active;
        if (isActive) leave(fact.frame);
        const name = isActive && fact.frame !== root ? {} : { name: nameOf(fact.frame) };
        // A model may have written the results of the last pop anew since.
        const now =
          last.get(fact.frame) === fact ? frameOf(state.frames, fact.frame).results : null;
        const results = now ?? fact.results;
        const text = await readText({ state, store }, results.text);
        return { ...popped(fact, results), ...name, results: text };
      }
      case 'frame.invalidated':
        leave(fact.frame);
        return { type: 'invalidate', name: nameOf(fact.frame), reason: fact.reason };
    }
  };
}

function popped(
  { status, dropped }: Extract<ScriptedFact, { readonly type: 'frame.popped' }>,
  { brief, artifacts, decisions, harvested = [] }: Results,
): Omit<StepOf<'pop'>, 'results'> {
  return {
    type: 'pop',
    status: status as 'completed' | 'failed' | 'blocked',
    brief,
    ...(!harvested.includes('artifacts') && { artifacts }),
    ...(!harvested.includes('decisions') && { decisions }),
    drop: dropped.length > 0,
  };
}
