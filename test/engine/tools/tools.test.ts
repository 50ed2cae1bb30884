import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  toolSpecs,
  frameInstructions,
  recallInstructions,
} from '../../../src/engine/tools/tool-specs.ts';
import { countTokens, openStore, type FrameNode, type Session } from '../../../src/index.ts';
import { frameNamed, treeOf } from '../../notation/tree.ts';
import { draws } from '../../draws.ts';

type Call = (name: string, given?: unknown) => Promise<string>;

/** A session in memory, and a way to call its tools. */
async function opened(window = 8_000): Promise<{ session: Session; call: Call }> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window, title: 'Build' });
  const tools = session.tools('all');
  const call: Call = async (name, given = {}) =>
    (await tools.find((tool) => tool.name === name)!.execute(given)).text;
  return { session, call };
}

const auth = { title: 'Auth', criteria: 'Login works' };
const api = { title: 'API', criteria: 'CRUD works' };

// What a model is told before it calls anything.

test('all ten tools cost less than 1,200 tokens, the instructions 250 to 350', async () => {
  const { session } = await opened();
  const tools = session.tools('all');
  expect(tools.map(({ name }) => name)).toEqual([
    'frame_push',
    'frame_pop',
    'frame_plan',
    'frame_start',
    'frame_edit',
    'frame_invalidate',
    'frame_retry',
    'frame_status',
    'recall',
    'goal_update',
  ]);
  expect(await countTokens(JSON.stringify(tools))).toBeLessThan(1_200);
  const cost = await countTokens(frameInstructions);
  expect(cost).toBeGreaterThan(250);
  expect(cost).toBeLessThan(350);
});

test('recall alone costs a seventh of all tools, with what is said of it', async () => {
  const { session } = await opened();
  const recall = session.tools('all').filter(({ name }) => name === 'recall');
  expect(recallInstructions).toContain('with recall');
  const cost = async (text: string): Promise<number> => countTokens(text);
  const alone = (await cost(JSON.stringify(recall))) + (await cost(recallInstructions));
  const all = (await cost(JSON.stringify(session.tools('all')))) + (await cost(frameInstructions));
  expect(alone).toBeLessThan(180);
  expect(all / alone).toBeGreaterThan(7);
});

test('the instructions make frames the task list, and say when to push', () => {
  expect(frameInstructions).toContain('the frame tools are your task list');
  expect(frameInstructions).toMatch(/Push .* tried again as a whole, or when it needs other files/);
});

test('the instructions name no tool that is not there, and no schema more than servers take', async () => {
  const { session } = await opened();
  const tools = session.tools('all');
  const names = tools.map(({ name }) => name);
  for (const [word] of frameInstructions.matchAll(/\b[a-z]+_[a-z]+\b/g))
    expect(names).toContain(word);
  const words = new Set<string>();
  const walk = (schema: object): void => {
    for (const [key, value] of Object.entries(schema)) {
      words.add(key);
      if (key === 'properties') Object.values(value as object).forEach(walk);
      if (key === 'items') walk(value as object);
    }
  };
  for (const { parameters } of tools) walk(parameters);
  expect([...words].sort((a, b) => a.localeCompare(b))).toEqual([
    'additionalProperties',
    'description',
    'enum',
    'items',
    'properties',
    'required',
    'type',
  ]);
});

// Frames.

test('a model pushes, plans, starts and pops, and is told where it is', async () => {
  const { session, call } = await opened();
  expect(await call('frame_push', auth)).toBe('Entered. Path: f0 "Build" > f1 "Auth"');
  expect(await call('frame_plan', { ...api, parent: 'f0' })).toBe('Planned f2 "API".');
  const results = 'Login tested with two users';
  expect(
    await call('frame_pop', {
      status: 'completed',
      results,
      artifacts: ['src/auth.ts'],
      decisions: ['JWT'],
    }),
  ).toBe('Left f1 "Auth" as completed. Path: f0 "Build". Planned next: f2 "API".');
  expect(session.frames.tree().children[0]).toMatchObject({
    results,
    artifacts: ['src/auth.ts'],
    decisions: ['JWT'],
  });
  expect(await call('frame_edit', { frame: 'f2', title: 'REST API' })).toBe(
    'Changed f2 "REST API".',
  );
  expect(await call('frame_start', { frame: 'f2' })).toBe(
    'Entered. Path: f0 "Build" > f2 "REST API"',
  );
  expect(treeOf(session)).toBe('Build > (Auth:completed, REST API*)');
});

test('a failed frame is tried again, one not needed is invalidated', async () => {
  const { session, call } = await opened();
  await call('frame_push', auth);
  await call('frame_pop', { status: 'failed', results: 'The token service is down' });
  expect(await call('frame_retry', { frame: 'f1' })).toBe(
    'Entered a new attempt at f1 "Auth". Path: f0 "Build" > f2 "Auth"',
  );
  expect(await call('frame_invalidate', { frame: 'f2', reason: 'Not wanted' })).toBe(
    'Invalidated f2 "Auth". Path: f0 "Build"',
  );
  expect(treeOf(session)).toBe('Build* > (Auth:failed, Auth:invalidated)');
});

test('the root stays open, however many pops come at once', async () => {
  const { session, call } = await opened();
  await call('frame_push', auth);
  const done = { status: 'completed', results: 'Done' };
  const answers = await Promise.all([call('frame_pop', done), call('frame_pop', done)]);
  expect(answers[0]).toMatch(/^Left f1/);
  expect(answers[1]).toMatch(/^You are in f0 "Build", the root, which stays open/);
  expect(session.state.phase).not.toBe('completed');
  await session.append({ role: 'user', content: 'Go on' });
});

test('what the engine refuses is told with what to do about it', async () => {
  const { call } = await opened();
  const long = 'very '.repeat(40);
  expect(await call('frame_push', { ...auth, title: long })).toMatch(
    /^FRAME_TITLE_TOO_LONG: .* 1 to 30 tokens; .* has 4\d\. Use two to five words/,
  );
  await call('frame_push', auth);
  await call('frame_plan', api);
  expect(await call('frame_pop', { status: 'completed', results: 'Done' })).toBe(
    'FRAME_CHILDREN_LEFT: Frame "Auth" (f1) has open work left, to be done, invalidated or dropped with it (drop: true): API (f2, planned).',
  );
  expect(await call('frame_start', { frame: 'API' })).toBe(
    'FRAME_NOT_FOUND: There is no frame "API". Frames that are not closed: f0 "Build" in_progress, f1 "Auth" in_progress, f2 "API" planned.',
  );
  expect(await call('frame_edit', { frame: 'f1', title: 'Other' })).toMatch(
    /^FRAME_FROZEN: .* Plan or push another frame instead\.$/,
  );
  expect(await call('frame_retry', { frame: 'f1' })).toMatch(
    /^FRAME_STATUS: .*; only failed frames can be retried\. You are in f1\./,
  );
  expect(await call('recall', { query: 'e1' })).toMatch(/^ENTRY_NOT_FOUND: .* The log is empty\.$/);
  expect(await call('goal_update', { next: ['x'] })).toBe(
    'GOAL_MISSING: There is no goal yet. Give a description.',
  );
});

test('the children that are left are named, and a thousand of them only counted', async () => {
  const { call } = await opened();
  await call('frame_push', auth);
  for (let index = 0; index < 30; index += 1) await call('frame_plan', api);
  const answer = await call('frame_pop', { status: 'completed', results: 'Done' });
  expect(answer).toMatch(/ or dropped with it \(drop: true\): .*\(f9, planned\) and 22 more\.$/);
  expect(answer.length).toBeLessThan(600);
  expect((await call('frame_status')).split('\n').length).toBeLessThan(30);
  expect(await call('frame_pop', { status: 'completed', results: 'Done', drop: true })).toMatch(
    /^Left f1/,
  );
});

test('a status shows the path, what is open and the goal', async () => {
  const { session, call } = await opened();
  await session.goal.set('Ship it');
  await call('frame_plan', api);
  await call('frame_push', auth);
  await call('frame_push', { title: 'Tokens', criteria: 'They expire' });
  await call('frame_pop', { status: 'blocked', results: 'Waiting for a key' });
  expect((await call('frame_status')).split('\n').slice(0, -1)).toEqual([
    'Path: f0 "Build" > f2 "Auth" (active)',
    'Done when: Login works',
    'Children:',
    '- f3 "Tokens" blocked: Waiting for a key',
    'Waiting above: f1 "API" planned',
    'Goal (active): Ship it',
  ]);
});

// The log.

test('an entry is recalled word for word, with its calls, a result with the call that it answers', async () => {
  const { session, call } = await opened();
  await session.append([
    { role: 'user', content: 'Read  a.ts\n' },
    {
      role: 'assistant',
      content: 'Reading',
      thinking: 'secret',
      toolCalls: [{ id: 'x', name: 'read', arguments: { path: 'a.ts' } }],
    },
    { role: 'tool', toolCallId: 'x', name: 'read', content: 'let a = 1;' },
    { role: 'user', content: 'Reminder', origin: 'machine' },
  ]);
  const made = '[e2: assistant]\nReading\ncall read {"path":"a.ts"}';
  const got = '[e3: result of e2 read a.ts]\nlet a = 1;';
  expect(await call('recall', { query: 'e1' })).toBe('[e1: user]\nRead  a.ts\n');
  expect(await call('recall', { query: 'e2' })).toBe(`${made}\n→ e3: let a = 1;`);
  expect(await call('recall', { query: 'e3' })).toBe(got);
  expect(await call('recall', { query: 'e2–e3' })).toBe(`${made}\n${got}`);
  expect(await call('recall', { query: 'e2-e99' })).toBe(
    `${made}\n${got}\n[e4: machine]\nReminder`,
  );
  expect(await call('recall', { query: 'e1, e3 and e4' })).toBe(
    `[e1: user]\nRead  a.ts\n\n${got}\n[e4: machine]\nReminder`,
  );
  expect(await call('recall', { query: '[cleared: 900 tokens, e3]' })).toContain('let a = 1;');
  expect(await call('recall', { query: 'e5' })).toMatch(
    /^ENTRY_NOT_FOUND: .* Entries are e1 to e4\.$/,
  );
});

test('a call that failed says so beside it, and its result in its head; a frame is named where there are several', async () => {
  const { session, call } = await opened();
  await session.push(auth);
  await session.append([
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'x', name: 'bash', arguments: '{"command":"npm test","timeout":5}' }],
    },
    { role: 'tool', toolCallId: 'x', content: 'exit 1\n3 failed', isError: true },
  ]);
  expect(await call('recall', { query: 'e1' })).toMatch(
    /^\[e1: assistant, frame f1\]\n.*\n→ e2 error: exit 1 3 failed$/,
  );
  expect(await call('recall', { query: 'e2' })).toMatch(
    /^\[e2: error of e1 bash npm test 5, frame f1\]\n/,
  );
});

/** Entries whose texts are shown in an answer. */
const headsOf = (answer: string): readonly string[] =>
  [...answer.matchAll(/^\[(e\d+): /gm)].map(([, id]) => id!);

test('words find entries, each under what it answered and with what came of it', async () => {
  const { session, call } = await opened(64_000);
  const filler = 'nothing of note here\n'.repeat(400);
  await session.append([
    { role: 'user', content: 'Where is the hay kept?' },
    {
      role: 'assistant',
      content: 'Looking for the needle.',
      toolCalls: [{ id: 'x', name: 'bash', arguments: { command: 'grep -r hay' } }],
    },
    { role: 'tool', toolCallId: 'x', content: 'barn.txt: hay' },
    { role: 'assistant', content: `${filler}the needle lies in the barn\n${filler}` },
    { role: 'assistant', content: 'A short needle.' },
  ]);
  const answer = await call('recall', { query: 'needle' });
  expect([...headsOf(answer)].sort()).toEqual(['e2', 'e4', 'e5']);
  expect(answer.match(/for e1 "Where is the hay kept\?"/g)).toHaveLength(1);
  expect(answer.match(/, for e1[,\]]/g)).toHaveLength(2);
  expect(answer).toContain('call bash {"command":"grep -r hay"}\n→ e3: barn.txt: hay\n');
  expect(answer).toMatch(/^\[e4: assistant, .*characters \d+-\d+ of \d+\]$/m);
  expect(answer).toContain('the needle lies in the barn');
  expect(await call('recall', { query: 'unheard' })).toMatch(/^No entry of the log holds/);
  expect(await call('recall', {})).toMatch(/^Wrong arguments: "query" is missing/);
});

test('what is behind ids with words beside them is shown whole where it is short', async () => {
  const { session, call } = await opened(64_000);
  for (const content of ['needle one', 'hay', 'needle two', 'the e99 needle'])
    await session.append({ role: 'user', content });
  expect(await call('recall', { query: 'needle e1-e2' })).toMatch(/^\[e1: user\]\n.*\n.*\nhay$/);
  expect(await call('recall', { query: 'needle e2' })).toBe('[e2: user]\nhay');
  const heads = [...headsOf(await call('recall', { query: 'e99 needle' }))].sort();
  expect(heads).toEqual(['e1', 'e3', 'e4']);
});

test('words are looked for behind ids where these are long, which are opened where they hold none, and those not shown are named', async () => {
  const { session, call } = await opened(64_000);
  const long = 'nothing of note here\n'.repeat(250);
  for (const content of ['needle one', long, 'needle two', long, `the needle ${long}`])
    await session.append({ role: 'user', content });
  const answer = await call('recall', { query: 'needle in e2–e3, e4, e5, e1' });
  expect([...headsOf(answer)].sort()).toEqual(['e1', 'e3', 'e5']);
  expect(answer).toContain('\n[not shown: e4]\n');

  const none = await call('recall', { query: 'needle e2, e4' });
  expect(none).toMatch(/^\[none of these words is there, which says:\]\n\[e2: user\]\n/);
});

test('words between quotes are found as they stand, or apart where nothing says them so, which is told', async () => {
  const { session, call } = await opened(64_000);
  for (const content of ['needle and hay', 'hay needle'])
    await session.append({ role: 'user', content });
  const said = await call('recall', { query: '"hay needle"' });
  expect(headsOf(said)).toEqual(['e2']);
  const apart = await call('recall', { query: '"needle hay"' });
  expect([...headsOf(apart)].sort()).toEqual(['e1', 'e2']);
  expect(apart).toContain('[nowhere do the quoted words stand so; these say them apart]');
  expect(await call('recall', { query: '"unheard of"' })).toMatch(/^No entry of the log holds/);
});

test('an answer keeps to a share of the window that is never shown shortened, longer where much is free', async () => {
  const costs: number[] = [];
  for (const window of [4_000, 8_000, 16_000, 128_000]) {
    const { session, call } = await opened(window);
    for (let n = 0; n < 60; n += 1)
      await session.append({ role: 'assistant', content: `needle ${n} ${'so it is '.repeat(90)}` });
    const { limit } = session.state.budget;
    for (const query of ['needle', 'e1-e60']) {
      const cost = await countTokens(await call('recall', { query }));
      expect(cost).toBeLessThan(limit / 5 + 40);
      expect(cost).toBeLessThan(query === 'needle' ? 2_050 : 6_040);
      costs.push(cost);
    }
  }
  const { session, call } = await opened(16_000);
  for (let n = 0; n < 16; n += 1)
    await session.append({ role: 'assistant', content: 'so it is '.repeat(90) });
  costs.push(await countTokens(await call('recall', { query: 'e1-e16' })));
  expect(costs.at(-1)).toBeLessThan(session.state.budget.limit / 5);
  costs.pop();
  expect(costs[1]).toBeGreaterThan(250);
  expect(costs.at(-1)).toBeGreaterThan(5_000);
});

/** Follows what an answer says of how to go on, to the end. */
async function follow(call: Call, first: string): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let query: string | undefined = first; query !== undefined;) {
    const answer = await call('recall', { query });
    expect(answers.push(answer)).toBeLessThan(200);
    query = /\bnext: (.*)\]$/.exec(answer)?.[1];
  }
  return answers;
}

test('a long entry comes in parts, and following them gives all of it', async () => {
  const { session, call } = await opened(16_000);
  const content = Array.from({ length: 4_000 }, (_, index) => `line ${index} 🙂`).join('\n');
  await session.append({ role: 'user', content });
  const answers = await follow(call, 'e1');
  expect(answers.length).toBeGreaterThan(5);
  const bodies = answers.map((answer) =>
    answer.replace(/^\[e1:.*\]\n/, '').replace(/\n\[cut at .*\]$/, ''),
  );
  expect(bodies.join('')).toBe(content);
});

test('a range whose first entry is cut names the rest, and goes on through it', async () => {
  const { session, call } = await opened(16_000);
  const long = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join('\n');
  await session.append([
    { role: 'user', content: long },
    { role: 'assistant', content: 'short' },
    { role: 'user', content: 'last' },
    { role: 'user', content: 'beside' },
    { role: 'user', content: 'behind' },
  ]);
  const answers = await follow(call, 'e5, e1-e3');
  expect(answers[0]).toMatch(/^\[cut at character \d+ of \d+; next: e1@\d+–e3, e5\]$/m);
  expect(answers.at(-1)).toMatch(
    /\[e2: assistant\]\nshort\n\[e3: user\]\nlast\n\[e5: user\]\nbehind$/,
  );
});

test('what is recalled keeps to its size by the count of the session, not of another vocabulary', async () => {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 32_000, tokenizer: 'cl100k_base' });
  const lines = Array.from({ length: 12 }, (_, n) =>
    `${n}: სიტყვა რჩება ისე, როგორც ითქვა. `.repeat(30),
  );
  for (const content of lines) await session.append({ role: 'user', content });
  const recall = session.tools('all').find(({ name }) => name === 'recall')!;
  const cost = await countTokens((await recall.execute({ query: 'სიტყვა' })).text, 'cl100k_base');
  expect(cost).toBeGreaterThan(1_000);
  expect(cost).toBeLessThan(2_050);
});

test('a checkpoint and a frame are recalled as what is behind them, and following them gives all of it', async () => {
  const { session, call } = await opened(8_000);
  await session.append({ role: 'user', content: 'Begin.' });
  for (let index = 1; index <= 60; index += 1)
    await session.append({
      role: 'assistant',
      content: `Part ${index}. ${'so it is '.repeat(40)}`,
    });
  const { id } = session.state.checkpoints[0]!;
  const behind = (await session.expand(id)).map((entry) => entry.id);
  const answers = await follow(call, id);
  expect(answers.flatMap(headsOf)).toEqual(behind);
  expect(answers.length).toBeGreaterThan(1);
  expect(await call('recall', { query: 'f0' })).toMatch(
    /^\[f0: frame\]\nFrame f0 .*\n\[e1: user\]/,
  );
  expect(await call('recall', { query: 'c99' })).toMatch(/^CHECKPOINT_NOT_FOUND: /);
});

test('a long range comes in parts, and following them gives each entry once', async () => {
  const { session, call } = await opened(8_000);
  for (let index = 0; index < 40; index += 1)
    await session.append({ role: 'assistant', content: `word${index} `.repeat(index * 9 + 1) });
  const answers = await follow(call, 'e2-e39');
  const heads = answers.flatMap(headsOf);
  expect([...new Set(heads)]).toEqual(Array.from({ length: 38 }, (_, index) => `e${index + 2}`));
});

// The goal.

test('a goal is set, grows, and loses nothing', async () => {
  const { session, call } = await opened();
  await call('goal_update', {
    description: 'Ship it',
    milestones: [{ text: 'Auth' }, { text: 'API', status: 'in_progress' }],
    decisions: [{ text: 'Use JWT', locked: true }, { text: 'No cache' }],
    artifacts: [{ path: 'a.ts', change: 'created' }],
    next: ['Write tests'],
  });
  const answer = await call('goal_update', {
    milestones: [{ text: ' Auth ', status: 'completed' }, { text: 'Docs' }, { text: ' ' }],
    decisions: [{ text: 'Use JWT', locked: false }, { text: 'Use ESM' }],
    artifacts: [{ path: 'a.ts', change: 'modified' }, { path: 'b.ts' }],
    next: ['Publish'],
    status: 'paused',
  });
  expect(answer).toBe(
    'Goal (paused): Ship it; 1 of 3 milestones completed; decisions: 3, 1 locked; next: Publish\nA locked decision stays locked.',
  );
  expect(session.state.goal).toEqual({
    description: 'Ship it',
    priority: 'medium',
    status: 'paused',
    milestones: [
      { text: 'Auth', status: 'completed' },
      { text: 'API', status: 'in_progress' },
      { text: 'Docs', status: 'pending' },
    ],
    decisions: [
      { text: 'Use JWT', locked: true },
      { text: 'No cache', locked: false },
      { text: 'Use ESM', locked: false },
    ],
    artifacts: [
      { path: 'a.ts', change: 'created' },
      { path: 'b.ts', change: 'modified' },
    ],
    next: ['Publish'],
  });
});

test('a milestone that is completed takes the step that was its work', async () => {
  const { session, call } = await opened();
  const next = ['Write the API', 'Publish'];
  await call('goal_update', { description: 'Ship it', milestones: [{ text: 'API' }], next });
  const milestones = [{ text: 'API', status: 'completed' }];
  expect(await call('goal_update', { milestones })).toMatch(/; next: Publish$/);
  await call('goal_update', { milestones, next: ['api', 'Announce'] });
  expect(session.state.goal!.next).toEqual(['Announce']);
  await call('goal_update', { milestones: [{ text: 'api.', status: 'in_progress' }] });
  expect(session.state.goal!.milestones).toEqual([{ text: 'API', status: 'in_progress' }]);
});

test('updates that come at once are all kept, and one that changes nothing is no step', async () => {
  const { session, call } = await opened();
  await session.goal.set('Ship it');
  const texts = Array.from({ length: 8 }, (_, index) => `m${index}`);
  await Promise.all(texts.map((text) => call('goal_update', { milestones: [{ text }] })));
  expect(session.state.goal?.milestones.map(({ text }) => text)).toEqual(texts);
  const { seq } = session.state;
  await call('goal_update', { milestones: [{ text: 'm3' }] });
  expect(session.state.seq).toBe(seq);
});

test('a goal that would grow beyond its bounds is refused and stays as it was', async () => {
  const { session, call } = await opened();
  await session.goal.set('Ship it');
  const milestones = Array.from({ length: 201 }, (_, index) => ({ text: `m${index}` }));
  expect(await call('goal_update', { milestones })).toBe(
    'Nothing was changed: a goal has at most 200 milestones, these would be 201.',
  );
  expect(await call('goal_update', { description: 'word '.repeat(3_000) })).toMatch(
    /^GOAL_TOO_LARGE: .* Shorten the description\.$/,
  );
  expect(session.state.goal?.description).toBe('Ship it');
});

test('a model is told of its tools in the words of JSON Schema alone', () => {
  const known = /^(type|description|enum|items|properties|required|additionalProperties)$/;
  const walk = ({ properties = {}, items, ...schema }: Record<string, unknown>): void => {
    for (const keyword of Object.keys(schema)) expect(keyword).toMatch(known);
    for (const one of [...Object.values(properties as object), items ?? []].flat())
      walk(one as Record<string, unknown>);
  };
  for (const { parameters } of toolSpecs) walk(parameters);
});

// Wrong arguments.

const wrong: readonly (readonly [name: string, given: unknown, answer: string])[] = [
  ['frame_push', {}, '"title" is missing. frame_push takes { title, criteria }'],
  ['frame_push', 'Auth', 'they are "Auth", not an object. frame_push takes { title, criteria }'],
  ['frame_push', [], 'they are [], not an object. frame_push takes { title, criteria }'],
  [
    'frame_push',
    '{"title":',
    'they are "{\\"title\\":", not an object. frame_push takes { title, criteria }',
  ],
  [
    'frame_push',
    { ...auth, title: 7 },
    '"title" is 7, not a text. frame_push takes { title, criteria }',
  ],
  [
    'frame_push',
    { ...auth, goal: 'x' },
    '"goal" is not known. frame_push takes { title, criteria }',
  ],
  ['frame_start', { frame: null }, '"frame" is missing. frame_start takes { frame }'],
  ['frame_status', { toString: 'x' }, '"toString" is not known. frame_status takes none'],
  ['frame_status', { deep: true }, '"deep" is not known. frame_status takes none'],
  ['recall', { query: 'e1', offset: 1 }, '"offset" is not known. recall takes { query }'],
];

test.each(wrong)('%s with %j says what is wrong', async (name, given, answer) => {
  const { session, call } = await opened();
  expect(await call(name, given)).toBe(`Wrong arguments: ${answer}`);
  expect(session.state.seq).toBe(1);
});

test('wrong members and words are named by their place', async () => {
  const { call } = await opened();
  expect(await call('frame_pop', { status: 'done', results: '' })).toMatch(
    /"status" is "done", not one of completed, failed, blocked\./,
  );
  expect(await call('frame_pop', { status: 'failed', results: '', artifacts: 'a.ts' })).toMatch(
    /"artifacts" is "a.ts", not a list\./,
  );
  expect(await call('goal_update', { milestones: [{ text: 'a' }, { status: 'pending' }] })).toMatch(
    /"milestones\[1\]\.text" is missing\./,
  );
});

test('arguments may come as the JSON of an object', async () => {
  const { session, call } = await opened();
  await call('frame_push', JSON.stringify(auth));
  expect(treeOf(session)).toBe('Build > Auth*');
  expect(await call('frame_status', '')).toMatch(/^Path: /);
});

// Any model.

const id = fc.constantFrom('f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f99', 'e1', '', '__proto__');
const title = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('One', 'Two words') },
  { weight: 1, arbitrary: fc.constantFrom('', 'word '.repeat(50)) },
  { weight: 1, arbitrary: fc.string() },
);
const entry = fc.constantFrom('e1', 'e2', 'e3', 'e4', 'e999999', 'e0', 'x');
const milestone = fc.record({ text: fc.string(), status: fc.constantFrom('pending', 'completed') });
const decision = fc.record({
  text: fc.oneof(fc.constant('Use JWT'), fc.string()),
  locked: fc.boolean(),
});
const shaped = fc.record(
  {
    title,
    criteria: fc.string(),
    frame: id,
    parent: id,
    status: fc.constantFrom('completed', 'failed', 'blocked', 'active', 'paused'),
    results: fc.string(),
    drop: fc.boolean(),
    reason: fc.string(),
    entry,
    to: entry,
    offset: fc.nat(50),
    description: fc.string(),
    milestones: fc.array(milestone),
    decisions: fc.array(decision),
    next: fc.array(fc.string()),
  },
  { requiredKeys: ['title', 'criteria', 'status', 'results', 'reason', 'entry'] },
);

/** The names of the tools, and the fields that each may be given. */
const fields: Readonly<Record<string, readonly string[]>> = {
  frame_push: ['title', 'criteria'],
  frame_pop: ['status', 'results', 'drop', 'frame'],
  frame_plan: ['title', 'criteria', 'parent'],
  frame_start: ['frame'],
  frame_edit: ['frame', 'title', 'criteria'],
  frame_invalidate: ['frame', 'reason'],
  frame_retry: ['frame'],
  frame_status: [],
  recall: ['query'],
  goal_update: ['description', 'status', 'milestones', 'decisions', 'next'],
};

const aCall = fc
  .tuple(fc.constantFrom(...Object.keys(fields)), fc.boolean())
  .chain(([name, isFit]) =>
    fc.tuple(
      fc.constant(name),
      isFit
        ? shaped.map((given) =>
            Object.fromEntries(
              Object.entries(given).filter(([key]) => fields[name]!.includes(key)),
            ),
          )
        : fc.oneof(fc.jsonValue(), fc.string(), fc.constant(undefined), shaped),
    ),
  );

const closed = ['completed', 'failed', 'invalidated'];

/** What no tree may hold. */
function faultsOf(root: FrameNode): readonly string[] {
  const faults: string[] = [];
  const walk = (node: FrameNode): boolean => {
    const onPath = node.children.map(walk);
    for (const child of node.children)
      if (closed.includes(node.status) && !closed.includes(child.status))
        faults.push(`${child.id} is ${child.status} below ${node.id}`);
    const isOn = node.active || onPath.includes(true);
    if (isOn !== (node.status === 'in_progress')) faults.push(`${node.id} is ${node.status}`);
    return isOn;
  };
  if (!walk(root)) faults.push('no frame is active');
  return faults;
}

test('whatever a model gives, it gets a text, the tree holds and nothing locked is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aCall, { minLength: 1, maxLength: 14 }), async (calls) => {
      const { session, call } = await opened();
      await session.append([
        { role: 'user', content: 'Begin' },
        { role: 'assistant', content: 'I do' },
      ]);
      await session.goal.set({
        description: 'Ship it',
        decisions: [{ text: 'Use JWT', locked: true }],
      });
      for (const [name, given] of calls) {
        const answer = await call(name, given);
        expect(answer).not.toBe('');
        expect(faultsOf(session.frames.tree())).toEqual([]);
      }
      expect(session.state.goal?.decisions[0]).toEqual({ text: 'Use JWT', locked: true });
      expect(session.state.entries).toBe(2);
      await session.append({ role: 'user', content: 'Go on' });
      await session.assemble({ tools: session.tools('all') });
    }),
    { numRuns: draws(400) },
  );
}, 60_000);

// Ends.

test('an aborted call rejects with its reason and changes nothing', async () => {
  const { session } = await opened();
  const push = session.tools('all')[0]!;
  const reason = new Error('Stopped');
  await expect(push.execute(auth, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const before = push.execute(auth);
  const after = push.execute(api, { signal: stop.signal });
  stop.abort(reason);
  await expect(after).rejects.toBe(reason);
  await before;
  await push.execute({ title: 'Last', criteria: 'x' });
  expect(treeOf(session)).toBe('Build > (Auth > Last*)');
  expect(frameNamed(session, 'Last')).toBe('f2');
});

test('a closed session or store ends a call', async () => {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const other = await store.open('t', { window: 8_000 });
  const tools = session.tools('all');
  await session.close();
  await expect(tools[0]!.execute(auth)).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  const late = other.tools('all');
  await store.close();
  await expect(late[0]!.execute(auth)).rejects.toMatchObject({
    code: 'STORE_CLOSED',
  });
});

test('arguments that are no JSON are told back as text', async () => {
  const { session, call } = await opened();
  const circle: { own?: unknown } = {};
  circle.own = circle;
  for (const given of [
    10n,
    { title: 10n, criteria: 'x' },
    { title: circle, criteria: 'x' },
    [circle],
  ])
    expect(await call('frame_push', given)).toMatch(/^Wrong arguments: /);
  expect(session.state.active).toBe('f0');
});

test('whatever is cut is cut between code points', async () => {
  const { session, call } = await opened();
  const faces = '😀'.repeat(400);
  const said: string[] = [];
  for (const lead of ['', 'x']) {
    const text = `${lead}${faces}`;
    await session.append({ role: 'assistant', content: text });
    await call('frame_push', { title: 'a', criteria: text });
    said.push(await call('frame_status'));
    said.push(await call('frame_push', { [text]: 1 }));
    said.push(await call('frame_pop', { status: text, results: 'x' }));
    said.push(await call('frame_start', { frame: text }));
    said.push(await call('goal_update', { description: text }));
    for (const offset of [1, 2, 3, 4])
      said.push(await call('recall', { query: `e${session.state.entries}@${offset}` }));
  }
  for (const text of said) expect(text).not.toMatch(/\p{Surrogate}/u);
});

test('a recall from within a character begins with it', async () => {
  const { session, call } = await opened();
  await session.append({ role: 'user', content: 'ab😀cd' });
  expect(await call('recall', { query: 'e1@3' })).toMatch(/from character 2\]\n😀cd$/);
});

test('a completed session keeps its goal', async () => {
  const { session, call } = await opened();
  await call('goal_update', { description: 'Build the app' });
  await session.pop({ status: 'completed', results: 'Built' });
  const { goal } = session.state;
  expect(await call('goal_update', { status: 'completed', next: ['More'] })).toMatch(
    /^SESSION_COMPLETED: .* It can only be read\.$/,
  );
  expect(session.state.goal).toEqual(goal);
});

test('in a window below 16,000 tokens recall alone is offered, for less than 150 tokens with what is said of it', async () => {
  for (const [window, names] of [
    [15_999, ['recall']],
    [16_000, expect.arrayContaining(['recall', 'frame_push'])],
  ] as const) {
    const { session } = await opened(window);
    expect(session.tools().map(({ name }) => name)).toEqual(names);
    expect(session.tools('all')).toHaveLength(10);
  }
  const { session } = await opened();
  const { budget } = await session.assemble({ tools: session.tools() });
  expect(budget.tools + (await countTokens(recallInstructions))).toBeLessThan(150);
  expect(() => session.tools('some' as never)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID' }) as Error,
  );
});

// Several calls of one answer.

/** An answer that calls tools, appended before they are carried out. */
async function asked(session: Session, ...names: readonly string[]): Promise<void> {
  const toolCalls = names.map((name, n) => ({ id: `c${n}`, name, arguments: {} }));
  await session.append([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: '', toolCalls },
  ]);
}

const result = (n: number, content = 'ok') =>
  ({ role: 'tool', toolCallId: `c${n}`, content }) as const;

test.each([
  ['before the others', 0, 1],
  ['after the others', 1, 0],
])(
  'a push beside another call, whose result comes %s, waits for all results',
  async (_, first, last) => {
    const { session, call } = await opened();
    await asked(session, 'frame_push', 'read');
    const text = await call('frame_push', auth);
    expect(text).toBe('Taken: it is done once the other results of this answer are in.');
    await session.append(result(first));
    expect(treeOf(session)).toBe('Build*');
    await session.append(result(last));
    await session.assemble();
    expect(treeOf(session)).toBe('Build > Auth*');
  },
);

test('alone, or with plans beside it that are answered, a push is done at once', async () => {
  const { session, call } = await opened();
  await asked(session, 'frame_plan', 'frame_push');
  expect(await call('frame_plan', api)).toMatch(/^Planned/);
  await session.append(result(0));
  expect(await call('frame_push', auth)).toMatch(/^Entered/);
  expect(treeOf(session)).toContain('Auth*');
});

test('commands that waited are done in their order, and one that is refused is told', async () => {
  const { session, call } = await opened();
  await asked(session, 'frame_push', 'frame_start', 'frame_push');
  await call('frame_push', auth);
  await call('frame_start', { frame: 'f9' });
  await call('frame_push', api);
  await session.append([result(0), result(1), result(2)]);
  await session.assemble();
  await session.settled();
  await vi.waitFor(() => expect(treeOf(session)).toBe('Build > (Auth > API*)'));
  const told = await session.entry('e6');
  expect(told.content).toMatch(/^\[frame_start was not done\] FRAME_NOT_FOUND/);
  expect(told).toMatchObject({ role: 'user', origin: 'machine', frame: 'f1' });
});

test('where the calls are given up, what waited is done then', async () => {
  const { session, call } = await opened();
  await asked(session, 'read', 'frame_push');
  await call('frame_push', auth);
  await session.append(result(1));
  await session.append({ role: 'user', content: 'Never mind the file' });
  await session.assemble();
  expect(treeOf(session)).toBe('Build > Auth*');
});

test('an answer says whether it is an error, and is its text where one is wanted', async () => {
  const { session } = await opened();
  const push = session.tools('all')[0]!;
  const wrong = await push.execute({ title: 'Auth' });
  expect(wrong.isError).toBe(true);
  expect(String(wrong)).toBe(wrong.text);
  const refused = await push.execute({ title: 'long '.repeat(60), criteria: '' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^FRAME_TITLE/) });
  expect(await push.execute(auth)).toEqual({
    text: 'Entered. Path: f0 "Build" > f1 "Auth"',
    isError: false,
  });
});
