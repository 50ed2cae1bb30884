import type { Fact } from '../core/fact.ts';
import type { Frame } from '../core/frame.ts';
import type { Goal } from '../core/goal.ts';
import { frameId, ordinal, type FrameId } from '../core/id.ts';
import type { Message } from '../core/message.ts';
import type { State } from '../core/state.ts';
import { frameOf } from '../core/tree.ts';
import { textKey } from '../store/key.ts';
import type { Store } from '../store/store.ts';
import { readJournal } from './load.ts';
import type { Live } from './live.ts';
import { readLog } from './log.ts';
import { newScript, type ScriptStep } from './script-step.ts';

// A session as a script that an import plays: messages, frames and goals in the
// order in which they came. What was taken back is not in it; what was said in
// a frame that was taken back stands where the work went on.

/** A line of an exported session. */
export type ScriptLine =
  | {
      readonly type: 'flamestack';
      readonly version: 1;
      readonly id: string;
      readonly title: string;
      /** Left out where there is none. */
      readonly system?: string;
      /** In tokens, and so is `reserve`. */
      readonly window: number;
      readonly reserve: number;
      /** Left out unless markers in what the model says change nothing. */
      readonly markers?: false;
    }
  | { readonly type: 'append'; readonly message: Message; readonly at: number }
  | ({ readonly type: 'goal' } & Goal)
  | (Identified & { readonly type: 'push' })
  | (Identified & { readonly type: 'plan'; readonly parent: string })
  | (Identified & { readonly type: 'edit' })
  | { readonly type: 'start'; readonly name: string }
  | { readonly type: 'retry'; readonly name: string; readonly of: string }
  | {
      readonly type: 'pop';
      /** The root, or a blocked one that was closed; left out for the active one. */
      readonly name?: string;
      readonly status: 'completed' | 'failed' | 'blocked';
      readonly results: string;
      readonly brief: string;
      readonly artifacts: readonly string[];
      readonly decisions: readonly string[];
      readonly drop: boolean;
    }
  | { readonly type: 'invalidate'; readonly name: string; readonly reason: string };

interface Identified {
  readonly name: string;
  readonly title: string;
  readonly criteria: string;
  readonly brief: string;
}

/** Everything of a session that an import can rebuild, first the line that says what it is. */
export async function* exportLines(
  live: Live,
  store: Store,
  signal: AbortSignal | undefined,
): AsyncGenerator<ScriptLine> {
  await live.written;
  const { state } = live;
  const { system, window, reserve, markers } = state.options;
  yield {
    type: 'flamestack',
    version: 1,
    id: state.session,
    title: frameOf(state.frames, frameId(0)).title,
    ...(system === '' ? {} : { system }),
    window,
    reserve,
    ...(markers ? {} : { markers: false as const }),
  };
  const steps = await stepsOf(live, store, signal);
  const toLine = liner(state, store);
  let next = 0;
  const linesUpTo = async function* (entries: number): AsyncGenerator<ScriptLine> {
    for (; next < steps.length && steps[next]!.after <= entries; next += 1) {
      const line = await toLine(steps[next]!.fact);
      if (line !== null) yield line;
    }
  };
  for await (const entry of readLog(store, state.session, { before: state.entries + 1, signal })) {
    const { id, frame: _, tokens: __, at, ...message } = entry;
    yield* linesUpTo(Number(id.slice(1)) - 1);
    yield { type: 'append', message, at };
  }
  yield* linesUpTo(Number.POSITIVE_INFINITY);
}

type Stepped = ScriptStep<Stepping>;

/** The facts of a script beside its messages. */
type Stepping = Extract<
  Fact,
  {
    readonly type:
      | 'goal.set'
      | 'frame.pushed'
      | 'frame.planned'
      | 'frame.started'
      | 'frame.edited'
      | 'frame.retried'
      | 'frame.popped'
      | 'frame.invalidated';
  }
>;

const stepping: ReadonlySet<string> = new Set<Stepping['type']>([
  'goal.set',
  'frame.pushed',
  'frame.planned',
  'frame.started',
  'frame.edited',
  'frame.retried',
  'frame.popped',
  'frame.invalidated',
]);

async function stepsOf(
  live: Live,
  store: Store,
  signal: AbortSignal | undefined,
): Promise<readonly Stepped[]> {
  const { session, seq } = live.state;
  const script = newScript<Stepping>();
  let entries = 0;
  for await (const record of readJournal(store, session, 0)) {
    if (record.seq > seq) break;
    signal?.throwIfAborted();
    for (const fact of record.facts) {
      if (fact.type === 'entry.appended') entries += 1;
      else if (fact.type === 'state.restored') script.goBack(fact.from);
      else if (stepping.has(fact.type)) script.add({ fact: fact as Stepping, after: entries });
    }
    script.end(record.seq);
  }
  return script.steps();
}

/** Makes lines of facts, in their order: frames have names by the order in which they came, `f1` first. */
function liner(state: State, store: Store): (fact: Stepping) => Promise<ScriptLine | null> {
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
        return popLine(fact, { name, state, store });
      }
      case 'frame.invalidated':
        leave(fact.frame);
        return { type: 'invalidate', name: nameOf(fact.frame), reason: fact.reason };
    }
  };
}

async function popLine(
  fact: Extract<Stepping, { readonly type: 'frame.popped' }>,
  given: {
    readonly name: { readonly name?: string };
    readonly state: State;
    readonly store: Store;
  },
): Promise<ScriptLine> {
  const { name, state, store } = given;
  const { results: now, status: is }: Frame = frameOf(state.frames, fact.frame);
  // A model may have written the results anew since.
  const results = is === fact.status && now !== null ? now : fact.results;
  const text = await store.get('text', textKey(state.session, ordinal(results.text)));
  return {
    type: 'pop',
    ...name,
    status: fact.status as 'completed' | 'failed' | 'blocked',
    results: text as string,
    brief: results.brief,
    artifacts: results.artifacts,
    decisions: results.decisions,
    drop: fact.dropped.length > 0,
  };
}
