import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { expect, test } from 'vitest';
import { trackerMachine, turnsToNudge } from '../../machines/index.ts';
import { machineEvents } from '../../src/testing/index.ts';
import { portsOf, stage } from './stage.ts';
import { reachable, walk, walks, type Search } from './walk.ts';

const answered = (port: string, output: unknown): EventObject & { output: unknown } => ({
  type: `xstate.done.actor.${port}`,
  output,
});
const rejected = (port: string): EventObject =>
  ({ type: `xstate.error.actor.${port}`, error: new Error('locked') }) as EventObject;

// Who walks needs no file: what is kept would make a state of each.
const search: Search = {
  events: machineEvents.tracker.filter(({ type }) => type !== 'tracker.edited'),
  tell: ({ value, context }: AnyMachineSnapshot) => {
    const { issue, closing } = context as { issue: string | null; closing: object | null };
    return `${String(value)} ${issue} ${JSON.stringify(closing)}`;
  },
};

/** An actor that has taken these events, and what it emitted. */
async function after(...events: EventObject[]) {
  const live = stage(trackerMachine);
  for (const event of events) await live.play(event);
  return live;
}

const working = answered('detect', { issue: 'br-1' });
const edited = (path: string): EventObject => ({ type: 'tracker.edited', path }) as EventObject;
const turn = { type: 'tracker.turn' };
const close = (issue: string) => ({ type: 'tracker.close', issue, reason: 'done' });

const claimed = (issue: string) => ({ type: 'tracker.claimed', issue });
const refusal = (issue: string, reason: string) => ({ type: 'tracker.refused', issue, reason });

test('every state can be reached', () => {
  const reached = [...reachable(trackerMachine, search)].map((told) => told.split(' ')[0]);
  expect(new Set(reached)).toEqual(new Set(Object.keys(trackerMachine.states)));
});

test('the tests try every event that the machine knows', () => {
  const ends = portsOf(trackerMachine).map((port) => `xstate.error.actor.${port}`);
  const told = machineEvents.tracker.map(({ type }) => type);
  const tried = new Set<string>([...told, 'tracker.turn', ...ends]);
  expect(tried).toEqual(new Set(trackerMachine.events));
});

test.each(walks(trackerMachine, search))('a live actor goes %s', async (_, path) => {
  await walk(trackerMachine, path);
});

test.each([
  [answered('detect', null), 'absent', null],
  [answered('detect', { issue: null }), 'idle', null],
  [working, 'working', 'br-1'],
  [rejected('detect'), 'absent', null],
] as const)('%j leads to %s', async (event, state, issue) => {
  const live = await after(event);
  expect(live.value()).toBe(state);
  expect(live.persisted()).toMatchObject({ context: { issue } });
  live.stop();
});

test('outside a project nothing is kept, and a close is refused', async () => {
  const live = await after(answered('detect', null), edited('a.ts'), turn, close('br-1'));
  expect(live.emitted).toEqual([refusal('br-1', 'No project is known yet.')]);
  expect(live.persisted()).toMatchObject({ value: 'absent', context: { files: {}, turns: 0 } });
  live.stop();
});

const commit = { type: 'tracker.committed', hash: 'a1b2c3d', subject: 'Add the guard' };

test.each([
  ['found', working],
  ['claimed', claimed('br-1')],
])(
  'what is done while the first issue is looked for counts for the one that is %s',
  async (_, event) => {
    const live = await after(edited('a.ts'), commit, edited('b.ts'), edited('a.ts'), commit, event);
    expect(live.emitted).toEqual([
      {
        type: 'tracker.write',
        issue: 'br-1',
        note: { kind: 'commit', hash: 'a1b2c3d', subject: 'Add the guard' },
      },
    ]);
    expect(live.persisted()).toMatchObject({
      value: 'working',
      context: { issue: 'br-1', files: { 'br-1': ['b.ts', 'a.ts'] }, early: [] },
    });
    live.stop();
  },
);

test.each([null, { issue: null }])('it counts for none where %j is found', async (found) => {
  const live = await after(edited('a.ts'), commit, answered('detect', found), claimed('br-2'));
  expect(live.emitted).toEqual([]);
  expect(live.persisted()).toMatchObject({ value: 'working', context: { files: {}, early: [] } });
  live.stop();
});

test('a commit is written down, and counts as a word in the tracker', async () => {
  const live = await after(working, turn, turn, commit);
  expect(live.emitted).toEqual([
    {
      type: 'tracker.write',
      issue: 'br-1',
      note: { kind: 'commit', hash: 'a1b2c3d', subject: 'Add the guard' },
    },
  ]);
  expect(live.persisted()).toMatchObject({ context: { turns: 0 } });
  live.stop();
});

test('after eight turns without a word the agent is reminded, and after eight more', async () => {
  const turns = Array.from({ length: 2 * turnsToNudge }, () => turn);
  const live = await after(working, ...turns);
  expect(live.emitted).toEqual([
    { type: 'tracker.nudge', issue: 'br-1', turns: turnsToNudge },
    { type: 'tracker.nudge', issue: 'br-1', turns: 2 * turnsToNudge },
  ]);
  live.stop();
  const noted = await after(working, ...turns.slice(0, 7), { type: 'tracker.noted' }, turn);
  expect(noted.emitted).toEqual([]);
  noted.stop();
});

test('before a compaction what was done is written down, with the files', async () => {
  const live = await after(working, edited('a.ts'), edited('b.ts'), edited('a.ts'), turn, {
    type: 'tracker.compacting',
    done: ['the guard'],
    next: 'the tests',
  } as EventObject);
  expect(live.emitted).toEqual([
    {
      type: 'tracker.write',
      issue: 'br-1',
      note: {
        kind: 'checkpoint',
        files: ['b.ts', 'a.ts'],
        turns: 1,
        done: ['the guard'],
        next: 'the tests',
      },
    },
  ]);
  live.stop();
});

test('a closed issue has its files written down; another that is closed leaves the own one alone', async () => {
  const live = await after(working, edited('a.ts'), close('br-2'), answered('close', true));
  expect(live.value()).toBe('working');
  await live.play(close('br-1'));
  await live.play(edited('late.ts'));
  await live.play(answered('close', true));
  expect(live.value()).toBe('idle');
  expect(live.emitted.filter(({ type }) => type === 'tracker.write')).toEqual([
    { type: 'tracker.write', issue: 'br-2', note: { kind: 'files', files: [] } },
    { type: 'tracker.write', issue: 'br-1', note: { kind: 'files', files: ['a.ts', 'late.ts'] } },
  ]);
  expect(live.persisted()).toMatchObject({ context: { issue: null, files: {}, turns: 0 } });
  live.stop();
});

test.each([answered('close', false), rejected('close')])(
  'an issue that stays open is told, and worked on: %j',
  async (event) => {
    const live = await after(working, edited('a.ts'), close('br-1'), event);
    expect(live.value()).toBe('working');
    expect(live.emitted).toMatchObject([{ type: 'tracker.refused', issue: 'br-1' }]);
    expect(live.persisted()).toMatchObject({ context: { files: { 'br-1': ['a.ts'] } } });
    live.stop();
  },
);

test('an issue that is claimed while one is looked for, or closed, is worked on', async () => {
  const early = await after(claimed('br-2'));
  expect(early.persisted()).toMatchObject({ value: 'working', context: { issue: 'br-2' } });
  early.stop();
  const live = await after(working, edited('a.ts'), close('br-1'), claimed('br-2'));
  await live.play(answered('close', true));
  expect(live.emitted).toMatchObject([
    { type: 'tracker.write', issue: 'br-1', note: { kind: 'files', files: ['a.ts'] } },
    { type: 'tracker.closed', issue: 'br-1' },
  ]);
  expect(live.persisted()).toMatchObject({ value: 'working', context: { issue: 'br-2' } });
  live.stop();
});

test('a close that cannot be taken is refused; the same one asked twice has one end', async () => {
  const early = await after(close('br-1'));
  expect(early.emitted).toEqual([refusal('br-1', 'The project is being looked for; ask again.')]);
  early.stop();
  const live = await after(working, close('br-1'), close('br-2'), close('br-1'));
  expect(live.emitted).toEqual([refusal('br-2', 'br-1 is being closed just now.')]);
  await live.play(answered('close', true));
  expect(live.emitted.slice(1)).toMatchObject([
    { type: 'tracker.write' },
    { type: 'tracker.closed', issue: 'br-1' },
  ]);
  live.stop();
});

test('files of another issue are kept apart, and no more than a hundred of one', async () => {
  const many = Array.from({ length: 120 }, (_, n) => edited(`f${n}.ts`));
  const live = await after(
    working,
    edited('a.ts'),
    {
      type: 'tracker.claimed',
      issue: 'br-2',
    } as EventObject,
    ...many,
  );
  const { context } = live.persisted() as { context: { files: Record<string, string[]> } };
  expect(context.files['br-1']).toEqual(['a.ts']);
  expect(context.files['br-2']).toHaveLength(100);
  expect(context.files['br-2']!.at(-1)).toBe('f119.ts');
  live.stop();
});
