import { expect, test } from 'vitest';
import { lifecycles } from '../../../machines/lifecycle.ts';
import { uncalibrated } from '../../../src/core/budget/calibration.ts';
import { resolveOptions } from '../../../src/core/budget/options.ts';
import type { Checkpoint } from '../../../src/core/checkpoints/checkpoint.ts';
import { emptyChronicle, type KeptLine } from '../../../src/core/chronicle/chronicle.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import type { Results } from '../../../src/core/frames/frame.ts';
import { frameOf, toNode } from '../../../src/core/frames/tree.ts';
import type { Effect } from '../../../src/core/state/effect.ts';
import { evolve, factNames, fold } from '../../../src/core/state/evolve.ts';
import type { Fact, FactOf } from '../../../src/core/state/fact.ts';
import { noPlan, type State } from '../../../src/core/state/state.ts';
import type { FrameView, Quote } from '../../../src/core/state/view.ts';
import { checkpointId, entryId, frameId, textId } from '../../../src/core/values/id.ts';
import { checkpoints } from '../../notation/checkpoints.ts';
import { parseTree, printTree } from '../../notation/tree.ts';
import { entries, parseView, printOffloaded, printView } from '../../notation/view.ts';

// Each kind of fact on one line: what was, the fact, what is then.

const [f0, f1, f2, f3] = [frameId(0), frameId(1), frameId(2), frameId(3)];
const identity = { title: 'crud', criteria: 'it works', brief: 'works' };
const partial = {
  text: textId(7),
  tokens: 30,
  brief: 'so far',
  from: entryId(1),
  to: entryId(4),
  by: 'embedded',
};
const results: Results = {
  text: textId(8),
  tokens: 1,
  brief: 'done',
  artifacts: [],
  decisions: [],
  by: 'person',
};

const quote = (n: number, text = 'Use tabs'): Quote => ({ n, text, rank: 0, at: 0 });

const after = (state: State | null, fact: Fact): State =>
  evolve(state, fact, { at: 5, lifecycles });
const created: State = after(null, {
  type: 'session.created',
  session: 's',
  options: resolveOptions({ window: 8_000, model: 'm' }, null),
  system: 12,
  identity: { title: 'root', criteria: '', brief: '' },
});

/** A state with this tree, and a view for each frame that is open. */
function stateOf(line: string, views: Readonly<Record<string, string>> = {}): State {
  const { frames, active } = parseTree(line);
  const open = [...Array(frames.length).keys()].map(frameId).filter((id) => {
    const { status } = frameOf(frames, id);
    return status === 'in_progress' || status === 'blocked';
  });
  const shown = new Map(open.map((id) => [id, parseView(views[id] ?? '')]));
  return { ...created, frames, active, views: shown };
}

/** The state of one frame with this view. */
const viewed = (line: string): State => stateOf('root*', { f0: line });
const viewOf = (state: State, frame = f0): FrameView => state.views.get(frame)!;
const treeOf = ({ frames, active }: State): string => printTree(toNode(frames, active));

test('each fact has its place in the fold, and a session begins with nothing but its root', () => {
  expect(factNames).toHaveLength(new Set(factNames).size);
  expect(treeOf(created)).toBe('root*');
  expect(viewOf(created)).toEqual(parseView(''));
  expect(created).toMatchObject({ seq: 0, created: 5, updated: 5, phase: 'open', epoch: 0 });
  expect(created.epochView.sizes).toMatchObject({ system: 12, tools: 0 });
});

test('a record folds its facts in order, and leaves its number and its time', () => {
  const facts: Fact[] = [
    { type: 'timer.set', key: 'k', due: 9, frame: f0 },
    { type: 'timer.ended', key: 'k' },
    { type: 'session.moved', phase: 'compressing' },
  ];
  const record = { seq: 3, at: 77, facts } as unknown as Parameters<typeof fold>[1];
  expect(fold(created, record, lifecycles)).toEqual({
    ...created,
    seq: 3,
    updated: 77,
    phase: 'compressing',
  });
});

const popped = { type: 'frame.popped', results, reason: null, dropped: [], quotes: [] } as const;

test.each<[before: string, fact: Fact, then: string]>([
  [
    'root*',
    { type: 'frame.pushed', frame: f1, parent: f0, identity, partial: null },
    'root > crud*',
  ],
  ['root*', { type: 'frame.planned', frame: f1, parent: f0, identity }, 'root* > crud:planned'],
  ['root* > api:planned', { type: 'frame.started', frame: f1, partial: null }, 'root > api*'],
  ['root* > api:blocked', { type: 'frame.started', frame: f1, partial: null }, 'root > api*'],
  ['root* > api:planned', { type: 'frame.edited', frame: f1, identity }, 'root* > crud:planned'],
  ['root > api*', { ...popped, frame: f1, status: 'completed' }, 'root* > api:completed'],
  ['root > api*', { ...popped, frame: f1, status: 'blocked' }, 'root* > api:blocked'],
  ['root* > api:blocked', { ...popped, frame: f1, status: 'failed' }, 'root* > api:failed'],
  ['root*', { ...popped, frame: f0, status: 'completed' }, 'root:completed*'],
  [
    'root > api* > (jwt:planned > crud:planned, auth:completed)',
    { ...popped, frame: f1, status: 'completed', dropped: [f2] },
    'root* > (api:completed > (jwt:invalidated > crud:invalidated, auth:completed))',
  ],
  [
    'root > (auth:completed, api > (crud > jwt*, auth:failed))',
    { type: 'frame.invalidated', frame: f2, reason: 'no' },
    'root* > (auth:completed, api:invalidated > (crud:invalidated > jwt:invalidated, auth:failed))',
  ],
  [
    'root* > api:planned',
    { type: 'frame.invalidated', frame: f1, reason: 'no' },
    'root* > api:invalidated',
  ],
  [
    'root* > api:failed',
    { type: 'frame.retried', frame: f2, of: f1, partial: null },
    'root > (api:failed, api*)',
  ],
])('%s, after %j', (before, fact, then) => {
  expect(treeOf(after(stateOf(before), fact))).toBe(then);
});

test('who leaves a frame for a child sets it aside; who comes back finds it as it was', () => {
  const state = stateOf('root* > api:planned', { f0: '1u40 2a20' });
  for (const fact of [
    { type: 'frame.pushed', frame: f2, parent: f0, identity, partial },
    { type: 'frame.started', frame: f1, partial },
    { type: 'frame.retried', frame: f2, of: f1, partial },
  ] satisfies Fact[]) {
    const inside = after(state, fact);
    expect(frameOf(inside.frames, f0).partial).toEqual(partial);
    expect(inside.textCount).toBe(7);
    expect(printView(viewOf(inside, inside.active))).toBe('');
    const back = after(inside, { ...popped, frame: inside.active, status: 'failed', reason: 'no' });
    expect(frameOf(back.frames, f0).partial).toBeNull();
    expect(printView(viewOf(back))).toBe('1u40 2a20');
    expect(back.views.has(inside.active)).toBe(false);
    expect(frameOf(back.frames, inside.active)).toMatchObject({ results, reason: 'no' });
    expect(back.textCount).toBe(8);
    const dropped = after(inside, {
      type: 'frame.invalidated',
      frame: inside.active,
      reason: 'late',
    });
    expect(frameOf(dropped.frames, f0).partial).toBeNull();
    expect(frameOf(dropped.frames, inside.active).reason).toBe('late');
  }
});

test('a blocked frame keeps its view, and is entered again with it', () => {
  const state = stateOf('root > api*', { f1: '1u40 2a20' });
  const left = after(state, { ...popped, frame: f1, status: 'blocked', reason: 'waits' });
  expect(printView(viewOf(left, f1))).toBe('1u40 2a20');
  const entered = after(left, { type: 'frame.started', frame: f1, partial: null });
  expect(printView(viewOf(entered, f1))).toBe('1u40 2a20');
});

test('children that are dropped are shown no more, and a retry names the frame that failed', () => {
  const state = stateOf('root > api* > jwt:blocked');
  const closed = after(state, { ...popped, frame: f1, status: 'failed', dropped: [f2] });
  expect([...closed.views.keys()]).toEqual([f0]);
  const again = after(closed, { type: 'frame.retried', frame: f3, of: f1, partial: null });
  expect(frameOf(again.frames, f3).retryOf).toBe(f1);
});

test('what a person laid down in a closed frame binds its parent, in the order it was said', () => {
  const state = stateOf('root > api*');
  const bound = { ...viewOf(state), quotes: [quote(4, 'Use tabs')] };
  const quotes = [quote(2, 'Never force')];
  const next = after(
    { ...state, views: new Map(state.views).set(f0, bound) },
    { ...popped, frame: f1, status: 'completed', quotes },
  );
  expect(printOffloaded(viewOf(next))).toBe('2 Never force, 4 Use tabs');
});

test('a model’s text takes the place of a partial result or of results, while there are any', () => {
  const state = stateOf('root > api:completed');
  const aside = after(
    { ...state, active: f0 },
    { type: 'frame.pushed', frame: f2, parent: f0, identity, partial },
  );
  const told = { text: textId(20), brief: 'short', tokens: 9, by: 'model' };
  const described = after(aside, { type: 'frame.described', frame: f0, part: 'partial', ...told });
  expect(frameOf(described.frames, f0).partial).toEqual({
    ...partial,
    text: textId(20),
    tokens: 9,
    brief: 'short',
    by: 'model',
  });
  expect(described.textCount).toBe(20);
  const closed = after(described, { ...popped, frame: f2, status: 'completed' });
  const written = after(closed, { type: 'frame.described', frame: f2, part: 'results', ...told });
  expect(frameOf(written.frames, f2).results).toEqual({
    ...results,
    text: textId(20),
    tokens: 9,
    brief: 'short',
    by: 'model',
  });
  const late = after(closed, { type: 'frame.described', frame: f0, part: 'partial', ...told });
  expect(late.frames).toBe(closed.frames);
});

const appended = (
  word: string,
  more: Partial<FactOf<'entry.appended'>> = {},
): FactOf<'entry.appended'> => {
  const { n, unit, role, human, form, tokens, shown } = parseView(word).items[0]!;
  const item = { frame: f0, role, human, form, tokens, shown, unit };
  return {
    type: 'entry.appended',
    entry: entryId(n),
    ...item,
    exact: true,
    hash: `h${n}`,
    ...more,
  };
};

test('an appended entry stands at the end of its frame', () => {
  const next = after(viewed('1u40'), appended('2u300~60', { text: textId(5), exact: false }));
  expect(printView(viewOf(next))).toBe('1u40 2u300~60');
  expect(viewOf(next).tokens).toBe(100);
  expect(next).toMatchObject({ entryCount: 2, tokens: 300, turn: 1, textCount: 5, hash: 'h2' });
  expect(next.newest).toEqual({ n: 2, tokens: 300, shown: 60, frame: f0, text: textId(5) });
  expect(next.uncounted).toEqual([2]);
  expect(next.calibration.answered).toBe(false);
  expect(frameOf(next.frames, f0).span).toEqual([2, 2]);
  const answered = after(next, appended('3a20'));
  expect(answered).toMatchObject({ turn: 1, newest: next.newest, uncounted: [2] });
  expect(answered.calibration.answered).toBe(true);
  expect(frameOf(answered.frames, f0).span).toEqual([2, 3]);
});

test('a late result joins the log of a frame that is set aside or closed, and is shown only where it is open', () => {
  const state = stateOf('root > api*');
  const aside = {
    ...state,
    frames: after(stateOf('root*'), {
      type: 'frame.pushed',
      frame: f1,
      parent: f0,
      identity,
      partial,
    }).frames,
  };
  const late = after(aside, appended('9t5'));
  expect(frameOf(late.frames, f0).partial?.to).toBe('e9');
  expect(printView(viewOf(late))).toBe('9t5');
  const closed = stateOf('root* > api:completed');
  const logged = after(closed, appended('9t5', { frame: f1 }));
  expect(frameOf(logged.frames, f1).span).toEqual([9, 9]);
  expect(logged.views).toEqual(closed.views);
});

test('calls wait for their results; those closed without one are remembered, the newest 64', () => {
  const calls = [
    { id: 'a', name: 'read' },
    { id: 'b', name: 'bash' },
  ];
  const asked = after(viewed(''), appended('1a9', { calls }));
  expect(asked.calls.map(({ id, n, closed }) => [id, n, closed])).toEqual([
    ['a', 1, false],
    ['b', 1, false],
  ]);
  const given = after(asked, appended('2t30', { unit: 1, call: 'a' }));
  expect(given.calls.map(({ id }) => id)).toEqual(['b']);
  expect(after(given, appended('3t30', { unit: 3, call: 'b' })).calls).toBe(given.calls);
  const closing = [{ id: 'b', name: 'bash', n: 1, tokens: 6 }];
  const closed = after(given, { type: 'unit.closed', frame: f0, calls: closing });
  expect(printView(viewOf(closed))).toBe('1a9 2t30 1t6!');
  expect(closed.calls).toMatchObject([{ id: 'b', closed: true }]);
  const many = Array.from({ length: 66 }, (_, n) => ({ ...closed.calls[0]!, id: `c${n}` }));
  const more = after({ ...closed, calls: many }, appended('3a9', { calls: [calls[0]!] }));
  expect(more.calls.map(({ id }) => id)).toEqual([
    ...Array.from({ length: 64 }, (_, n) => `c${n + 2}`),
    'a',
  ]);
});

const short = { type: 'entry.shortened', frame: f0, text: textId(3), tokens: 60 } as const;

test.each<[before: string, fact: Fact, then: string]>([
  ['1u40 2a99', { type: 'entry.counted', counts: [[2, 70]] }, '1u40 2a70'],
  [
    '2t300-12 3t9!',
    {
      type: 'entry.counted',
      counts: [
        [2, 70],
        [3, 70],
      ],
    },
    '2t70-12 3t9!',
  ],
  ['1u300 2a20', { ...short, entry: entryId(1) }, '1u300~60 2a20'],
  [
    'recent 9 | 1u300 2u20 | 11a20',
    { ...short, entry: entryId(1) },
    'recent 9 | 1u300~60 2u20 | 11a20',
  ],
  ['1u300~60 2u200~50', { type: 'entry.restored', entries: entries(1) }, '1u300 2u200~50'],
  ['| 1u300~60 | 2t90~9', { type: 'entry.restored', entries: entries(1, 2) }, '| 1u300 | 2t90~9'],
  [
    '1a9 2t300 3t400~80 4u9',
    {
      type: 'entry.cleared',
      frame: f0,
      entries: [
        [2, 12],
        [3, 13],
      ],
    },
    '1a9 2t300-12 3t400-13 4u9',
  ],
  [
    'recent 9 | 1u40 3u50 | 11u60 11t5!',
    { type: 'entry.offloaded', frame: f0, entries: entries(3, 11), quotes: [] },
    'recent 9 | 1u40 | 11t5!',
  ],
  ['1u40', { ...short, frame: f3, entry: entryId(1) }, '1u40'],
])('%s, after %j', (before, fact, then) => {
  const view = viewOf(after(viewed(before), fact));
  expect(printView(view)).toBe(then);
  expect(view.tokens).toBe(view.items.reduce((sum, { shown }) => sum + shown, 0));
});

test('the newest human entry is counted, shortened and shown whole as its item is', () => {
  const said = after(viewed(''), appended('1u300', { exact: false }));
  const counted = after(said, { type: 'entry.counted', counts: [[1, 250]] });
  expect(counted).toMatchObject({
    tokens: 250,
    uncounted: [],
    newest: { tokens: 250, shown: 250 },
  });
  const shortened = after(counted, { ...short, entry: entryId(1) });
  expect(shortened).toMatchObject({ textCount: 3, newest: { shown: 60, text: textId(3) } });
  const again = after(shortened, { type: 'entry.counted', counts: [[1, 240]] });
  expect(again.newest).toMatchObject({ tokens: 240, shown: 60 });
  const whole = after(again, { type: 'entry.restored', entries: entries(1) });
  expect(whole.newest).toEqual({ n: 1, tokens: 240, shown: 240, frame: f0 });
});

test('offloaded entries leave their quotes, the 240 most telling, behind one breadcrumb', () => {
  const gone = (positions: number[], quotes: Quote[]): Fact => ({
    type: 'entry.offloaded',
    frame: f0,
    entries: entries(...positions),
    quotes,
  });
  const one = after(viewed('4u9 5u9'), gone([4], [quote(4)]));
  expect(printOffloaded(viewOf(one))).toBe('e4–e4 (1): 4 Use tabs');
  const two = after(one, gone([2, 5], [quote(2)]));
  expect(printOffloaded(viewOf(two))).toBe('e2–e5 (3): 2 Use tabs, 4 Use tabs');
  const second = { ...quote(2, 'And spaces'), rank: 1, at: 9 };
  const three = viewOf(after(two, gone([], [second])));
  expect(three.quotes.map(({ n, text }) => `${n} ${text}`)).toContain('2 And spaces');
  const more = Array.from({ length: 239 }, (_, n) => quote(n + 10));
  const { quotes } = viewOf(after({ ...two, views: new Map([[f0, three]]) }, gone([], more)));
  expect(quotes).toHaveLength(240);
  expect(quotes).toContainEqual(quote(4));
  expect(quotes).not.toContainEqual(second);
});

const lastly = (line: string): Checkpoint => {
  const all = checkpoints(line);
  return all.at(-1)!;
};
const aged = {
  type: 'checkpoint.aged',
  frame: f0,
  checkpoint: checkpointId(0),
  lines: [2] as readonly number[],
} as const;
const raised = { ...aged, type: 'checkpoint.raised', by: 'embedded' } as const;

test.each<[before: string, fact: Fact, then: string]>([
  [
    'old 600 | 1u40 | 11u30 20u9 21a60',
    { type: 'checkpoint.created', frame: f0, checkpoint: lastly('old 600, recent 1200') },
    'old 600, recent 1200 | 1u40 11u30 20u9 | 21a60',
  ],
  [
    'recent 1200, recent 900 | | 21a60',
    { ...aged, age: 'old', text: textId(9), tokens: 600 },
    'old 600, recent 900 |  | 21a60',
  ],
  [
    'old 600 | | 21a60',
    { ...raised, age: 'recent', text: textId(9), tokens: 1_200 },
    'recent 1200 |  | 21a60',
  ],
  [
    'merged 150, ancient 300, recent 1200 | | 31a60',
    {
      type: 'checkpoint.merged',
      frame: f0,
      merged: [0, 1].map(checkpointId),
      into: { ...lastly('merged 150'), id: checkpointId(5) },
    },
    'merged 150, recent 1200 |  | 31a60',
  ],
])('%s, after %j', (before, fact, then) => {
  expect(printView(viewOf(after(viewed(before), fact)))).toBe(then);
});

test('a checkpoint that ages keeps its finer versions, and drops what a model wrote meanwhile', () => {
  const rewrite = { age: 'recent', text: textId(30), tokens: 800, lines: [], by: 'model' } as const;
  const first = after(viewed('recent 1200 | |'), {
    type: 'checkpoint.rewritten',
    frame: f0,
    checkpoint: checkpointId(0),
    rewrite,
  });
  expect(viewOf(first).checkpoints[0]).toMatchObject({ tokens: 1_200, rewrite });
  const trimmed = after(first, { ...aged, age: 'recent', text: textId(31), tokens: 900, by: 'x' });
  expect(viewOf(trimmed).checkpoints[0]).toMatchObject({ by: 'x', sources: [textId(1)] });
  expect(viewOf(trimmed).checkpoints[0]).not.toHaveProperty('rewrite');
  expect(viewOf(trimmed).checkpoints[0]).not.toHaveProperty('finer');
  const breadcrumbs = { texts: [textId(40)] } as unknown as Checkpoint['breadcrumbs'] & object;
  const shorter = { ...aged, text: textId(32), tokens: 600, lines: [], breadcrumbs };
  const older = after(trimmed, { ...shorter, age: 'old' });
  expect(older.textCount).toBe(40);
  const [checkpoint] = viewOf(older).checkpoints;
  const finer = { age: 'recent', text: textId(31), tokens: 900, lines: [2], by: 'x' };
  expect(checkpoint).toMatchObject({
    age: 'old',
    by: 'x',
    lines: [],
    sources: [textId(1), textId(31)],
    finer: [finer],
    breadcrumbs,
  });
  const back = after(older, { ...raised, age: 'recent', text: textId(31), tokens: 900, by: 'x' });
  expect(viewOf(back).checkpoints[0]).toMatchObject({
    age: 'recent',
    lines: [2],
    sources: [textId(1)],
  });
  expect(viewOf(back).checkpoints[0]).not.toHaveProperty('finer');
});

test('a new checkpoint is the last one, lets a held frame go, and takes the place of what was recovered', () => {
  const said = { ...viewed('1a9 12a9'), entryCount: 12 };
  const recovered = after(said, {
    type: 'session.recovered',
    text: textId(4),
    tokens: 80,
    line: '',
    source: 'state',
  });
  expect(recovered.losses.recovered).toEqual({ text: textId(4), tokens: 80, entries: 12 });
  const held = after(recovered, { type: 'compression.skipped', frame: f0, reason: 'gone back' });
  expect(viewOf(held)).toMatchObject({ isHeld: true, stuckAt: 0 });
  const stuck = after(held, { type: 'compression.skipped', frame: f0, reason: 'not due' });
  expect(viewOf(stuck)).toMatchObject({ stuckAt: 18 });
  const fact = {
    type: 'checkpoint.created',
    frame: f0,
    checkpoint: { ...lastly('recent 900'), id: checkpointId(3) },
  } as const;
  const next = after({ ...stuck, entryCount: 13 }, fact);
  expect(next).toMatchObject({ checkpointCount: 3, losses: { recovered: null } });
  expect(viewOf(next)).toMatchObject({ stuckAt: 0 });
  expect(viewOf(next)).not.toHaveProperty('isHeld');
  expect(after(stuck, fact).losses.recovered).not.toBeNull();
  const rolled = after({ ...stuck, entryCount: 13 }, { type: 'session.rolledOver', frame: f0 });
  expect(rolled.losses.recovered).toBeNull();
  const left = after({ ...stuck, entryCount: 13 }, { ...popped, frame: f0, status: 'completed' });
  expect(left.losses.recovered).toBeNull();
});

const effect: Effect = {
  purpose: 'checkpoint',
  frame: f0,
  from: entryId(1),
  to: entryId(2),
  target: 600,
  strict: false,
  attempt: 0,
  focus: '',
};
const goal = newGoal('Ship it');
const host = { length: 2, hash: 'h', entries: 2, gone: [] };
const lost = [{ from: entryId(1), to: entryId(1) }];
const tools = { digest: 'd', tokens: 90, recall: true };
const sizes = { ...created.epochView.sizes, goal: 30 };
const plan = { ...noPlan, chronicle: { floor: 2, asOf: 1 } };
const due = { due: 99, frame: f0 };
const busy: State = {
  ...created,
  goal,
  outbox: new Map([['k', effect]]),
  timers: new Map([['k', due]]),
};
const suspected = { truncation: 'certain', numbers: {}, lost } as const;
const finished = {
  type: 'compression.finished',
  frame: f0,
  checkpoint: checkpointId(1),
  before: 9,
  after: 5,
  facts: 8,
  kept: 5,
} as const;

test.each<[fact: Fact, change: Partial<State>]>([
  [{ type: 'session.moved', phase: 'recovering' }, { phase: 'recovering' }],
  [
    { type: 'session.rolledOver', frame: f0 },
    { timeline: { ...busy.timeline, done: [{ what: 'compression', to: 0 }] } },
  ],
  [
    { type: 'goal.set', goal: newGoal('Test it') },
    {
      goal: newGoal('Test it'),
      timeline: { ...busy.timeline, done: [{ what: 'goal', to: 0 }] },
    },
  ],
  [
    { type: 'tools.changed', tools },
    { tools, epochView: { ...busy.epochView, sizes: { ...busy.epochView.sizes, tools: 90 } } },
  ],
  [
    { type: 'options.changed', options: { ...busy.options, window: 9_000 }, system: 14 },
    {
      options: { ...busy.options, window: 9_000 },
      epochView: { ...busy.epochView, sizes: { ...busy.epochView.sizes, system: 14 } },
    },
  ],
  [
    { type: 'epoch.raised', sizes, plan },
    { epoch: 1, epochView: { ...busy.epochView, goal, plan, sizes } },
  ],
  [{ type: 'assembly.sent', assembly: 'a' }, {}],
  [
    { type: 'assembly.sent', assembly: 'a', calibration: { ...uncalibrated, samples: 1 } },
    { calibration: { ...uncalibrated, samples: 1 } },
  ],
  [{ type: 'goal.updated', goal: newGoal('Test it') }, { goal: newGoal('Test it') }],
  [
    { type: 'effect.requested', key: 'l', effect },
    {
      outbox: new Map([
        ['k', effect],
        ['l', effect],
      ]),
    },
  ],
  [{ type: 'effect.ended', key: 'k' }, { outbox: new Map() }],
  [
    { type: 'timer.set', key: 'l', ...due },
    {
      timers: new Map([
        ['k', due],
        ['l', due],
      ]),
    },
  ],
  [{ type: 'timer.ended', key: 'k' }, { timers: new Map() }],
  [{ type: 'documents.changed', isKept: true }, { documents: { ...busy.documents, isKept: true } }],
  [{ type: 'compression.started', frame: f0, from: entryId(1), to: entryId(2), tokens: 9 }, {}],
  [{ type: 'compression.failed', frame: f0, attempt: 1, reason: 'busy' }, {}],
  [{ type: 'compression.refused', frame: f0, reason: 'empty' }, {}],
  [{ type: 'summary.invented', frame: f0, purpose: 'age', lines: ['Alice said so'] }, {}],
  [{ type: 'compression.cancelled', frame: f0 }, {}],
  [{ type: 'breadcrumbs.many', frame: f0, checkpoint: checkpointId(1), count: 99 }, {}],
  [{ type: 'recovery.announced', text: 'I may have lost' }, {}],
  [{ type: 'recovery.cancelled' }, {}],
  [{ type: 'snapshot.restored', snapshot: 's1' }, {}],
  [{ type: 'snapshot.failed', snapshot: 's2', by: 'person', reason: 'The disk is full' }, {}],
  [{ type: 'truncation.suspected', rule: 'count.low', ...suspected }, {}],
  [
    { type: 'truncation.suspected', rule: 'coverage.broken', ...suspected },
    { losses: { ...busy.losses, uncovered: lost } },
  ],
  [{ type: 'history.compared', relation: 'same', host }, { losses: { ...busy.losses, host } }],
  [{ type: 'history.counted', messages: 4 }, { losses: { ...busy.losses, messages: 4 } }],
])('%j changes that alone', (fact, change) => {
  expect(after(busy, fact)).toEqual({ ...busy, ...change });
});

test('a document that is to be written waits until it is, or cannot be', () => {
  const requested: Fact = {
    type: 'document.requested',
    key: 'd1',
    text: textId(6),
    at: 70,
    messages: 11,
    list: ['xBuild'],
    reason: 'asked',
  } as unknown as FactOf<'document.requested'>;
  const waiting = after(created, requested);
  expect(waiting.textCount).toBe(6);
  expect(waiting.documents).toEqual({
    ...created.documents,
    pending: [{ key: 'd1', text: textId(6), at: 70 }],
    told: {
      ...created.documents.told,
      id: `${created.session}/d1`,
      messages: 11,
      list: ['xBuild'],
    },
  });
  for (const type of ['document.written', 'document.failed'] as const) {
    const fact = { type, key: 'd1' } as unknown as Fact;
    expect(after(waiting, fact).documents.pending).toEqual([]);
  }
});

test('a compression tells who wrote the summary', () => {
  const told = (by: 'summarizer' | 'fallback', summarizer: string): number => {
    const options = { ...created.options, summarizer };
    const next = after({ ...created, options }, { ...finished, by });
    expect(next.compressions).toBe(1);
    return next.modelSummaries;
  };
  expect(told('summarizer', 'ollama')).toBe(1);
  expect(told('summarizer', 'embedded')).toBe(0);
  expect(told('fallback', 'ollama')).toBe(0);
});

test('a compression and a recovery that wait are kept with the frame and the session', () => {
  const waiting = { value: 'waiting' } as unknown as NonNullable<FrameView['compression']>;
  const moved = after(created, { type: 'compression.moved', frame: f0, state: waiting });
  expect(viewOf(moved).compression).toBe(waiting);
  const confirming = { value: 'confirming' } as unknown as NonNullable<State['losses']['recovery']>;
  const asked = after(created, { type: 'recovery.moved', state: confirming });
  expect(asked.losses.recovery).toBe(confirming);
});

const line = (id: number, frame = f0): KeptLine => ({
  id,
  frame,
  n: id,
  to: id,
  turn: 1,
  kind: 'said',
  file: '',
  tokens: 5,
  worth: 1,
  source: textId(9),
  row: 0,
  made: 0,
  names: 0,
});

test('what left the window is written into the chronicle, and leaves it with its frame', () => {
  const state = stateOf('root > api*');
  const written = (frame: typeof f0, ...lines: KeptLine[]): Fact => ({
    type: 'chronicle.written',
    frame,
    root: '/work/app',
    source: textId(9),
    lines,
    events: [],
  });
  expect(state.chronicle).toBe(emptyChronicle);
  const told = [written(f0, line(1)), written(f1, line(2, f1))].reduce(after, state);
  expect(told).toMatchObject({ textCount: 9, chronicle: { made: 2, root: '/work/app' } });
  expect(told.chronicle.lines.map(({ id }) => id)).toEqual([1, 2]);
  const closed = after(told, { ...popped, frame: f1, status: 'completed' });
  const epoch = {
    type: 'epoch.raised',
    plan: noPlan,
    sizes: state.epochView.sizes,
  } as const;
  expect(after(closed, epoch).chronicle.lines.map(({ id }) => id)).toEqual([1]);
  const all = after(after(closed, { ...popped, frame: f0, status: 'completed' }), epoch);
  expect(all.chronicle.lines.map(({ id }) => id)).toEqual([1]);
});

test('what one model taught is a guess at the next, and is there when it comes back', () => {
  const taught = { ...uncalibrated, ratio: 1.2, samples: 4, answered: true };
  const use = (state: State, model: string | null): State =>
    after(state, { type: 'options.changed', options: { ...state.options, model }, system: 0 });
  const other = use({ ...created, calibration: taught }, 'n');
  expect(other.calibration).toEqual({ ...uncalibrated, ratio: 1.2, answered: true });
  expect(use(other, 'm').calibration).toBe(taught);
  expect(use(created, null).calibration).toBe(uncalibrated);
  expect(use(use(created, null), 'm').calibration).toEqual(uncalibrated);
});

const snapshot = (id: string, by: 'person' | 'compression'): FactOf<'snapshot.created'> => ({
  type: 'snapshot.created',
  snapshot: { id, by, seq: 1, title: '', at: 0, turn: 0, entries: 0, tokens: 0, said: 0, epoch: 0 },
});

test('of the snapshots of the engine the newest 32 are listed, of a person’s all', () => {
  const made = Array.from({ length: 34 }, (_, n) => snapshot(`a${n}`, 'compression'));
  const facts: Fact[] = [
    snapshot('p', 'person'),
    ...made,
    { type: 'snapshot.deleted', snapshot: 'a9' },
  ];
  const { timeline } = facts.reduce(after, created);
  const left = timeline.snapshots.map(({ id }) => id);
  expect([left.length, left[0], left[1], left.includes('a9')]).toEqual([32, 'p', 'a2', false]);
  expect(timeline.made).toBe(35);
});

test('a decision can be taken back; a restored state has what it decided, and what was said since', () => {
  const before = { ...stateOf('root*', { f0: '1u40' }), seq: 4 };
  const pushed = after(before, { type: 'frame.pushed', frame: f1, parent: f0, identity, partial });
  expect(pushed.timeline.done).toEqual([{ what: 'push', to: 4 }]);
  const back = (
    cause: FactOf<'state.restored'>['cause'],
    from: number,
  ): FactOf<'state.restored'> => ({
    type: 'state.restored',
    cause,
    what: 'push',
    from,
    phase: 'open',
    active: f0,
    goal,
    chronicle: { made: 3, root: '', lines: [line(3)], index: emptyChronicle.index },
    newest: null,
    calls: [],
    frames: [[0, frameOf(before.frames, f0)]],
    views: [[f0, parseView('1u40')]],
    epochView: { ...before.epochView, goal: { ...goal }, frames: [], length: 1 },
    left: [],
  });
  const undone = after({ ...pushed, seq: 6 }, back('undo', 4));
  expect(undone).toMatchObject({ active: f0, phase: 'open', goal, epoch: 1 });
  expect(undone.epochView.goal).toBe(goal);
  expect(undone.chronicle.lines).toEqual([line(3)]);
  expect(undone.epochView.frames).toHaveLength(1);
  expect(frameOf(undone.frames, f0).partial).toBeNull();
  expect(undone.timeline).toMatchObject({
    done: [],
    undone: [{ what: 'push', to: 4, back: 6 }],
    turned: 6,
  });
  const redone = after({ ...undone, seq: 8 }, back('redo', 6));
  expect(redone.timeline).toMatchObject({ done: [{ what: 'push', to: 4 }], undone: [] });
  const restored = after({ ...redone, seq: 9 }, back('restore', 2));
  expect(restored.timeline.done.at(-1)).toEqual({ what: 'restore', to: 9 });
  const forked = after({ ...restored, seq: 10 }, back('fork', 9));
  expect(forked.timeline.done).toEqual([{ what: 'push', to: 4 }]);
});

test('an entry whose text is gone is shown whole, wherever it stands, and quoted no more', () => {
  const redacted = (entry: number, stray: number | null = null): Fact => ({
    type: 'entry.redacted',
    entry: entryId(entry),
    before: 300,
    tokens: 3,
    stray,
  });
  const line = 'old 600 | 1u300~60 2u40 | 3u300~60 4a300 5t300-12 4t6! 6t300~20 7m300?9';
  const view = { ...viewOf(viewed(line)), quotes: [quote(1), quote(2)] };
  const before: State = {
    ...viewed(line),
    views: new Map([
      [f0, view],
      [f1, parseView('3u300~60')],
    ]),
    tokens: 1_000,
    newest: { n: 3, tokens: 300, shown: 60, frame: f0, text: textId(3) },
  };
  const told = (fact: Fact): string => {
    const next = after(before, fact);
    expect(next.tokens).toBe(703);
    expect(viewOf(next).tokens).toBe(viewOf(next).items.reduce((sum, one) => sum + one.shown, 0));
    return printView(viewOf(next));
  };
  expect(told(redacted(1))).toBe(line.replace('1u300~60', '1u3'));
  expect(told(redacted(3))).toBe(line.replace('3u300~60', '3u3'));
  expect(told(redacted(4))).toBe(line.replace('4a300', '4a3'));
  expect(told(redacted(5))).toBe(line.replace('5t300-12', '5t3'));
  expect(told(redacted(6))).toBe(line.replace('6t300~20', '6t3'));
  expect(told(redacted(6, 12))).toBe(line.replace('6t300~20', '6t3'));
  expect(told(redacted(7, 12))).toBe(line.replace('7m300?9', '7m3?12'));
  expect(told(redacted(7))).toBe(line.replace('7m300?9', '7m3'));
  expect(viewOf(after(before, redacted(1))).quotes).toEqual([quote(2)]);
  expect(viewOf(after(before, redacted(1))).human[0]).toEqual({ n: 1, tokens: 3, shown: 3 });
  const newest = after(before, redacted(3));
  expect(newest.newest).toEqual({ n: 3, tokens: 3, shown: 3, frame: f0 });
  expect(viewOf(newest).items[0]).not.toHaveProperty('text');
  expect(printView(viewOf(newest, f1))).toBe('3u3');
  expect(after({ ...before, newest: null }, redacted(3)).newest).toBeNull();
  expect(after(before, redacted(4)).newest).toBe(before.newest);
});

test('what a person laid down in a root that closes, or in a frame whose parent is closed, binds nobody', () => {
  const quotes = [quote(2)];
  const alone = after(stateOf('root*'), { ...popped, frame: f0, status: 'failed', quotes });
  expect(alone.views.size).toBe(0);
  const below = stateOf('root > api > jwt*');
  const closed = { ...below, views: new Map([[f2, viewOf(below, f2)]]) };
  expect(after(closed, { ...popped, frame: f2, status: 'failed', quotes }).views.size).toBe(0);
  const bound = after(below, { ...popped, frame: f2, status: 'failed', quotes: [] });
  expect(viewOf(bound, f1)).toBe(viewOf(below, f1));
});

test('a model is no stranger once it has answered, nobody is none', () => {
  const answer = appended('1a20');
  const nobody = { ...created, options: { ...created.options, model: null } };
  expect(after(nobody, answer).calibration).toBe(nobody.calibration);
  const once = after(created, answer);
  expect(after(once, appended('2a20')).calibration).toBe(once.calibration);
  expect(after(created, appended('1u20')).calibration).toBe(created.calibration);
});

test('an item names its text and its call, where it has them', () => {
  const item = (more: Partial<FactOf<'entry.appended'>>) =>
    viewOf(after(viewed(''), appended('1t20', more))).items[0]!;
  expect(item({})).not.toHaveProperty('text');
  expect(item({})).not.toHaveProperty('call');
  expect(item({ call: 'c1' })).toMatchObject({ call: 'c1' });
  expect(item({ call: 'c1' })).not.toHaveProperty('text');
  expect(item({ text: textId(4) })).toMatchObject({ text: textId(4) });
  expect(item({ text: textId(4) })).not.toHaveProperty('call');
});

test('a restored epoch shows frames as they were then', () => {
  const state = { ...stateOf('root > api*', { f0: '1u40' }), seq: 4 };
  const was = { ...frameOf(state.frames, f1), title: 'once' };
  const restored = (frames: FactOf<'state.restored'>['epochView']['frames']): State =>
    after(state, {
      type: 'state.restored',
      cause: 'restore',
      what: 'push',
      from: 2,
      phase: 'open',
      active: f1,
      goal: null,
      chronicle: state.chronicle,
      newest: null,
      calls: [],
      frames: [],
      views: [],
      epochView: { ...state.epochView, frames, length: 2 },
      left: [],
    });
  expect(frameOf(restored([[1, was]]).epochView.frames, f1).title).toBe('once');
  expect(frameOf(restored([[1, was]]).frames, f1).title).toBe('api');
  expect(restored([]).epochView.frames).toEqual(state.frames);
});
