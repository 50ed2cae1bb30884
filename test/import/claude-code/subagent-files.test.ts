import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { claudeCode } from '../../../src/import/claude-code/claude-code.ts';
import { fileSource } from '../../../src/import/source/source.ts';
import type { Step } from '../../../src/import/source/step.ts';
import { openStore } from '../../../src/index.ts';
import { jsonl, keysOf, told } from '../told.ts';
import { linesOf, text } from './lines.ts';
import { newFolder } from '../../store/folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await newFolder();
});

const { user, model } = linesOf({ sessionId: 's1' });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: string) => [{ type: 'tool_result', tool_use_id: id, content }];
const of = (agentId: string, sessionId = 's1') => ({ isSidechain: true, agentId, sessionId });

/** The lines of a subagent that was asked `prompt` and answers `report`. */
const agent = (
  id: string,
  ...[prompt, report, session]: readonly [prompt: string, report: string, session?: string]
) =>
  jsonl(
    user(`${id}1`, prompt, of(id, session)),
    model(`${id}2 < ${id}1`, [`${id}m`, call(`${id}c`, 'Read', {})], of(id, session)),
    user(`${id}3 < ${id}2`, result(`${id}c`, 'seen'), of(id, session)),
    model(`${id}4 < ${id}3`, [`${id}n`, text(report)], of(id, session)),
  );

const parent = jsonl(
  user('a', 'go'),
  model('b < a', [
    'm1',
    text('two looks'),
    call('t1', 'Task', { description: 'Look left', prompt: 'Left?' }),
  ]),
  model('c < b', ['m1', call('t2', 'Agent', { description: 'Look right', prompt: 'Right?' })]),
  user('r1 < b', result('t1', 'wall')),
  user('r2 < c', result('t2', 'door')),
  model('d < r2', ['m2', text('it is right')]),
);

const frame = (
  id: string,
  ...[title, prompt, report]: readonly [title: string, prompt: string, report: string]
): readonly string[] => [
  `push ${title}: ${prompt}`,
  `machine: ${prompt}`,
  `assistant: Read(${id}c)`,
  `result ${id}c: seen`,
  `assistant: ${report}`,
  `pop completed: ${report}`,
];

const whole = [
  'person: go',
  'assistant: two looks Task(t1) Agent(t2)',
  ...frame('x', 'Look left', 'Left?', 'wall'),
  ...frame('y', 'Look right', 'Right?', 'door'),
  'result t1: wall',
  'result t2: door',
  'assistant: it is right',
];

async function put(path: string, content: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

async function read(file: string): Promise<{ shown: readonly string[]; steps: readonly Step[] }> {
  const steps: Step[] = [];
  for await (const step of claudeCode.read(await fileSource(file, 64))) steps.push(step);
  const shown = await told({ ...claudeCode, read: () => each(steps) }, '');
  return { shown, steps };
}

async function* each(steps: readonly Step[]): AsyncIterable<Step> {
  yield* steps;
}

test.each([
  ['in the folder of the session', 's1/subagents/'],
  ['beside the session', ''],
])('files of subagents %s are frames where they were called', async (_, inner) => {
  const file = await put('s1.jsonl', parent);
  await put(`${inner}agent-x.jsonl`, agent('x', 'Left?', 'wall'));
  await put(`${inner}agent-y.jsonl`, agent('y', 'Right?', 'door'));
  const { shown, steps } = await read(file);
  expect(shown).toEqual(whole);
  expect(steps[0]).toEqual({ type: 'session', id: 's1', subagents: 2 });
  expect(new Set(keysOf(steps)).size).toBe(keysOf(steps).length);
});

const endless = 'no end in the file: at work when it was written, or broken off';

test('a subagent at work is a blocked frame, and has its end when the call is answered', async () => {
  const lines = parent.trimEnd().split('\n');
  const begun = (upTo: number) => `${lines.slice(0, upTo).join('\n')}\n`;
  const file = await put('s1.jsonl', begun(3));
  await put('s1/subagents/agent-y.jsonl', agent('y', 'Right?', 'door'));
  const left = agent('x', 'Left?', 'wall');
  await put('s1/subagents/agent-x.jsonl', `${left.split('\n').slice(0, 3).join('\n')}\n`);
  const [x, y] = [
    frame('x', 'Look left', 'Left?', 'wall'),
    frame('y', 'Look right', 'Right?', 'door'),
  ];
  const shown = async () => (await read(file)).shown;
  const called = ['person: go', 'assistant: two looks Task(t1) Agent(t2)'];
  const blocked = [...x.slice(0, 4), `pop blocked: ${endless}`];
  expect(await shown()).toEqual([...called, ...blocked, ...y.slice(0, 5), 'pop blocked: door']);
  // The answer of the other comes first.
  await put('s1.jsonl', `${begun(3)}${lines[4]}\n`);
  expect(await shown()).toEqual([...called, ...blocked, ...y, 'result t2: door']);
  await put('s1/subagents/agent-x.jsonl', left);
  const told = [...x.slice(0, 5), 'pop blocked: wall'];
  expect(await shown()).toEqual([...called, ...told, ...y, 'result t2: door']);
  await put('s1.jsonl', parent);
  expect(await shown()).toEqual(whole);
});

test('a subagent that was at work when its host was killed is blocked where the session goes on', async () => {
  const later = user('e < b', 'Go on');
  const file = await put(
    's1.jsonl',
    `${parent.split('\n').slice(0, 2).join('\n')}\n${jsonl(later)}`,
  );
  await put(
    's1/subagents/agent-x.jsonl',
    `${agent('x', 'Left?', 'wall').split('\n').slice(0, 3).join('\n')}\n`,
  );
  const { shown } = await read(file);
  expect(shown.slice(-2)).toEqual([`pop blocked: ${endless}`, 'person: Go on']);
});

test('a file is of the session that it names, whatever that of its own is called', async () => {
  const file = await put('renamed.jsonl', parent);
  await put('agent-x.jsonl', agent('x', 'Left?', 'wall'));
  await put('agent-y.jsonl', agent('y', 'Right?', 'door', 'another'));
  await put('agent-z.jsonl', 'no json');
  const { shown, steps } = await read(file);
  expect(shown).toEqual(
    whole.filter((step) => !frame('y', 'Look right', 'Right?', 'door').includes(step)),
  );
  expect(steps[0]).toMatchObject({ subagents: 1 });
});

test('the result of a call names its subagent, where two have the same prompt', async () => {
  const same = { description: 'Look', prompt: 'Look.' };
  const file = await put(
    's1.jsonl',
    jsonl(
      model('b', ['m1', call('t1', 'Task', same)]),
      model('c < b', ['m1', call('t2', 'Task', same)]),
      user('r1 < b', result('t1', 'one'), { toolUseResult: { agentId: 'y' } }),
      user('r2 < c', result('t2', 'two'), { toolUseResult: { agentId: 'x' } }),
    ),
  );
  await put('agent-x.jsonl', agent('x', 'Look.', 'two'));
  await put('agent-y.jsonl', agent('y', 'Look.', 'one'));
  const { shown } = await read(file);
  expect(shown.filter((step) => step.startsWith('pop'))).toEqual([
    'pop completed: one',
    'pop completed: two',
  ]);
});

test('a subagent’s subagent is a frame in its frame', async () => {
  const file = await put('s1.jsonl', parent);
  const outer = jsonl(
    user('x1', 'Left?', of('x')),
    model('x2 < x1', ['xm', call('xt', 'Task', { prompt: 'Deeper?' })], of('x')),
    user('x3 < x2', result('xt', 'rock'), of('x')),
    model('x4 < x3', ['xn', text('wall')], of('x')),
  );
  await put('s1/subagents/agent-x.jsonl', outer);
  await put('s1/subagents/agent-w.jsonl', agent('w', 'Deeper?', 'rock'));
  const { shown } = await read(file);
  expect(shown.slice(2, 14)).toEqual([
    'push Look left: Left?',
    'machine: Left?',
    'assistant: Task(xt)',
    ...frame('w', 'Deeper?', 'Deeper?', 'rock'),
    'result xt: rock',
    'assistant: wall',
    'pop completed: wall',
  ]);
});

test('what cannot be read or was never called is a skip that names its file', async () => {
  const file = await put('s1.jsonl', parent);
  const broken = `${agent('x', 'Left?', 'wall')}\n{"uuid":`;
  await put('s1/subagents/agent-x.jsonl', broken);
  await put('s1/subagents/agent-y.jsonl', agent('y', 'Who asked?', 'nobody'));
  await put('s1/subagents/agent-acompact-z.jsonl', agent('acompact-z', 'Summarize.', 'summary'));
  await put('s1/subagents/agent-x.meta.json', '{}');
  await mkdir(join(folder, 's1/subagents/agent-folder.jsonl'));
  const { shown } = await read(file);
  expect(shown.filter((step) => step.startsWith('skip')).toSorted()).toEqual([
    `skip 0: "${join(folder, 's1/subagents/agent-folder.jsonl')}" is a directory`,
    'skip 1: agent-acompact-z.jsonl: of a compaction, which takes nothing away',
    'skip 1: agent-y.jsonl: no call in the session is answered by its 4 lines',
    'skip 5: agent-x.jsonl: not JSON',
  ]);
  expect(shown.filter((step) => step.startsWith('push'))).toEqual(['push Look left: Left?']);
});

test('no link is followed to the files of subagents, and a pipe is not waited for', async () => {
  await put('elsewhere/agent-x.jsonl', agent('x', 'Left?', 'wall'));
  const foreign = join(folder, 'elsewhere/agent-x.jsonl');
  const file = await put('p/s1.jsonl', parent);
  await mkdir(join(folder, 'p/s1/subagents'), { recursive: true });
  await symlink(foreign, join(folder, 'p/agent-x.jsonl'));
  await symlink(foreign, join(folder, 'p/s1/subagents/agent-x.jsonl'));
  const pipe = join(folder, 'p/s1/subagents/agent-pipe.jsonl');
  execFileSync('mkfifo', [pipe, join(folder, 'p/agent-pipe.jsonl')]);
  const { shown } = await read(file);
  expect(shown.filter((step) => /^(?:skip|push)/.test(step))).toEqual([
    `skip 0: "${pipe}" is no regular file`,
  ]);
  const other = await put('q/s1.jsonl', parent);
  await mkdir(join(folder, 'q/s1'));
  await symlink(dirname(foreign), join(folder, 'q/s1/subagents'));
  const linked = await read(other);
  expect(linked.shown.filter((step) => /^(?:skip|push)/.test(step))).toEqual([]);
});

test('a subagent that calls itself, and one of a branch that was left, end nothing', async () => {
  const left = jsonl(
    user('a', 'go'),
    user('b < a', 'wrong'),
    model('c < b', ['m1', call('t1', 'Task', { prompt: 'Left?' })]),
    user('d < a', 'right'),
  );
  const file = await put('s1.jsonl', left);
  const again = [call('yt', 'Task', { prompt: 'Again?' })];
  await put('agent-x.jsonl', agent('x', 'Left?', 'wall'));
  await put(
    'agent-y.jsonl',
    jsonl(user('y1', 'Again?', of('y')), model('y2 < y1', ['ym', ...again], of('y'))),
  );
  const { shown } = await read(file);
  expect(shown).toEqual([
    'person: go',
    'skip 2: abandoned branch of 2 messages',
    'skip 3: abandoned branch of 4 messages',
    'person: right',
    'skip 1: agent-y.jsonl: no call in the session is answered by its 2 lines',
  ]);
});

test('the file of a subagent alone is a session of its own, as it was', async () => {
  await put('s1.jsonl', parent);
  await put('agent-y.jsonl', agent('y', 'Right?', 'door'));
  const { steps } = await read(await put('agent-x.jsonl', agent('x', 'Left?', 'wall')));
  expect(steps[0]).toEqual({ type: 'session', id: 'agent-x', parent: 's1' });
  expect(steps.filter(({ type }) => type === 'push')).toHaveLength(1);
});

test('a store takes them in once, and gives the report of each as the results of its frame', async () => {
  const file = await put('s1.jsonl', parent);
  await put('s1/subagents/agent-x.jsonl', agent('x', 'Left?', 'wall'));
  await put('s1/subagents/agent-y.jsonl', agent('y', 'Right?', 'door'));
  const store = await openStore(':memory:');
  expect(await store.import(file)).toEqual({
    id: 's1',
    format: 'claude-code',
    appended: 13,
    skipped: [],
    subagents: 2,
  });
  const session = await store.open('s1');
  expect(session.frames.tree().children).toMatchObject([
    { title: 'Look left', status: 'completed', results: 'wall' },
    { title: 'Look right', status: 'completed', results: 'door' },
  ]);
  expect(await store.import(file)).toMatchObject({ appended: 0 });
});

test('a frame without an end goes on where it was when its file has grown, and ends as it tells', async () => {
  const launched = { description: 'Look left', prompt: 'Left?', run_in_background: true };
  const begun = jsonl(
    user('a', 'go'),
    model('b < a', ['m1', call('t1', 'Task', launched)]),
    user('r1 < b', result('t1', 'launched'), { toolUseResult: { agentId: 'x' } }),
    model('d < r1', ['m2', text('meanwhile')]),
  );
  const lines = jsonl(
    user('x1', 'Left?', of('x')),
    model('x2 < x1', ['xm', call('xt', 'Task', { prompt: 'Deeper?' })], of('x')),
    user('x3 < x2', result('xt', 'rock'), of('x')),
    model('x4 < x3', ['xn', text('wall')], of('x')),
  ).split('\n');
  const inner = agent('w', 'Deeper?', 'rock').split('\n');
  const put3 = async (main: string, outerTo: number, innerTo: number) => {
    await put('s1/subagents/agent-x.jsonl', `${lines.slice(0, outerTo).join('\n')}\n`);
    await put('s1/subagents/agent-w.jsonl', `${inner.slice(0, innerTo).join('\n')}\n`);
    return put('s1.jsonl', main);
  };
  const store = await openStore(':memory:');
  const seen = async (file: string) => {
    const { appended, skipped } = await store.import(file);
    const session = await store.open('s1');
    const [x] = session.frames.tree().children;
    expect(session.state.active).toBe('f0');
    return [appended, skipped.length, x?.status, x?.children[0]?.status, x?.reason];
  };
  expect(await seen(await put3(begun, 2, 2))).toEqual([8, 0, 'blocked', 'blocked', endless]);
  expect(await seen(join(folder, 's1.jsonl'))).toEqual([0, 0, 'blocked', 'blocked', endless]);
  const file = await put3(`${begun}\n${jsonl(user('e < d', 'on'))}`, 2, 3);
  expect(await seen(file)).toEqual([2, 0, 'blocked', 'blocked', endless]);
  await put3(`${begun}\n${jsonl(user('e < d', 'on'))}`, 4, 4);
  expect(await seen(file)).toEqual([3, 0, 'completed', 'completed', null]);
  expect(await seen(file)).toEqual([0, 0, 'completed', 'completed', null]);
  const session = await store.open('s1');
  const frames: string[] = [];
  for await (const entry of session.log()) frames.push(entry.frame);
  expect(frames.join(' ')).toBe('f0 f0 f1 f1 f2 f2 f0 f0 f2 f0 f2 f1 f1');
});

test('a frame without an end is dropped with the one that called it, and nothing of it closes another', async () => {
  const outer = jsonl(
    user('x1', 'Left?', of('x')),
    model('x2 < x1', ['xm', call('xt', 'Task', { prompt: 'Deeper?' })], of('x')),
    user('x3 < x2', result('xt', 'launched'), of('x')),
    model('x4 < x3', ['xn', text('wall')], of('x')),
  );
  const file = await put('s1.jsonl', parent);
  await put('s1/subagents/agent-x.jsonl', outer);
  const inner = agent('w', 'Deeper?', 'rock');
  await put('s1/subagents/agent-w.jsonl', `${inner.split('\n').slice(0, 2).join('\n')}\n`);
  const store = await openStore(':memory:');
  expect(await store.import(file)).toMatchObject({ skipped: [] });
  const session = await store.open('s1');
  const statuses = () =>
    session.frames
      .tree()
      .children.flatMap(({ status, children }) => [
        status,
        ...children.map((child) => child.status),
      ]);
  expect(statuses()).toEqual(['completed', 'invalidated']);
  await put('s1/subagents/agent-w.jsonl', inner);
  expect((await store.import(file)).skipped).toEqual([
    { line: expect.any(Number), reason: 'the frame that it closes is closed' },
  ]);
  expect(session.frames.tree().status).toBe('in_progress');
});

test('what is of a blocked frame waits while the session is in another frame', async () => {
  const file = await put('s1.jsonl', parent);
  await put('s1/subagents/agent-y.jsonl', agent('y', 'Right?', 'door'));
  const lines = agent('x', 'Left?', 'wall').split('\n');
  await put('s1/subagents/agent-x.jsonl', `${lines.slice(0, 2).join('\n')}\n`);
  const store = await openStore(':memory:');
  await store.import(file);
  const session = await store.open('s1');
  await session.push({ title: 'Mine', criteria: 'done' });
  await put('s1/subagents/agent-x.jsonl', lines.join('\n'));
  const { appended, skipped } = await store.import(file);
  expect(appended).toBe(0);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['Frame "Look left" (f1) is no child of the active frame f3']),
  );
  expect(session.state.active).toBe('f3');
  await session.pop({ status: 'completed', results: 'done' });
  expect(await store.import(file)).toMatchObject({ appended: 2, skipped: [] });
  expect(session.frames.tree().children[0]).toMatchObject({ status: 'completed', results: 'wall' });
});
