import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore, type Session } from '../../../src/index.ts';
import { frameNamed, treeOf } from '../../notation/tree.ts';

/** A session with a root called `root`, in a window that nothing here fills. */
async function session(): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window: 32_000, title: 'root' });
}

const code = (code: string) => expect.objectContaining({ code });

test('a push makes a child of the active frame and enters it; a pop goes back', async () => {
  const s = await session();
  await s.push({ title: 'auth', criteria: 'login works' });
  await s.push({ title: 'jwt', criteria: 'tokens' });
  expect(treeOf(s)).toBe('root > (auth > jwt*)');
  await s.pop({ status: 'completed', results: 'signed' });
  await s.pop({ status: 'completed', results: 'done' });
  await s.push({ title: 'api' });
  expect(treeOf(s)).toBe('root > (auth:completed > jwt:completed, api*)');
});

test('planned frames may be sketched below planned ones, and started from their parent only', async () => {
  const s = await session();
  const b = await s.frames.plan({ title: 'B' });
  await s.frames.plan({ title: 'B1', parent: b.id });
  expect(treeOf(s)).toBe('root* > (B:planned > B1:planned)');
  await expect(s.frames.start(frameNamed(s, 'B1'))).rejects.toThrow(code('FRAME_STATUS'));
  await s.frames.start(b.id);
  await s.frames.start(frameNamed(s, 'B1'));
  expect(treeOf(s)).toBe('root > (B > B1*)');
});

test('identity may be edited while planned and is frozen on entry', async () => {
  const s = await session();
  const { id } = await s.frames.plan({ title: 'draft', criteria: 'old' });
  await s.frames.edit(id, { title: 'final', criteria: 'new' });
  expect(s.frames.tree().children[0]).toMatchObject({
    title: 'final',
    criteria: 'new',
    brief: 'new',
  });
  await s.frames.start(id);
  await expect(s.frames.edit(id, { title: 'late' })).rejects.toThrow(code('FRAME_FROZEN'));
});

test('a title has at most 30 tokens', async () => {
  const s = await session();
  await expect(s.push({ title: 'word '.repeat(31) })).rejects.toThrow(code('FRAME_TITLE_TOO_LONG'));
  await expect(s.push({ title: ' ' })).rejects.toThrow(code('FRAME_TITLE_TOO_LONG'));
  expect(treeOf(s)).toBe('root*');
});

test('a pop with open work left is refused and names it, unless told to drop it', async () => {
  const s = await session();
  await s.push({ title: 'A' });
  await s.frames.plan({ title: 'A1' });
  await expect(s.pop({ status: 'completed' })).rejects.toThrow(/A1 \(f2, planned\)/);
  await s.pop({ status: 'completed', drop: true });
  expect(treeOf(s)).toBe('root* > (A:completed > A1:invalidated)');
});

test('a blocked frame is set aside, and started again or closed as failed by name', async () => {
  const s = await session();
  await s.push({ title: 'A' });
  await s.append({ role: 'user', content: 'work in A' });
  await s.pop({ status: 'blocked', results: 'waits for a key' });
  expect(treeOf(s)).toBe('root* > A:blocked');
  await s.frames.start('f1');
  expect((await s.assemble()).messages.at(-1)).toMatchObject({ content: 'work in A' });
  await s.pop({ status: 'blocked' });
  await expect(s.pop({ frame: 'f1', status: 'completed' })).rejects.toThrow(code('FRAME_STATUS'));
  await s.pop({ frame: 'f1', status: 'failed', results: 'no key came' });
  expect(treeOf(s)).toBe('root* > A:failed');
});

test('invalidating a frame closes all that is open below it, and its nearest living ancestor goes on', async () => {
  const s = await session();
  await s.push({ title: 'A' });
  await s.push({ title: 'A1' });
  await s.pop({ status: 'completed', results: 'kept as history' });
  await s.frames.plan({ title: 'A2' });
  await s.push({ title: 'A3' });
  await s.frames.invalidate('f1', 'another way was found');
  expect(treeOf(s)).toBe(
    'root* > (A:invalidated > (A1:completed, A2:invalidated, A3:invalidated))',
  );
  expect(s.frames.tree().children[0]!.reason).toBe('another way was found');
});

test('what is planned or blocked is invalidated by name, and with the frame that it stands below; what is closed is not', async () => {
  const s = await session();
  const left = async (title: string): Promise<string> => {
    await s.frames.plan({ title: `${title}1` });
    await s.push({ title: `${title}2` });
    await s.pop({ status: 'blocked' });
    return s.state.active;
  };
  await left('A');
  await s.frames.invalidate('f1');
  await s.frames.invalidate('f2');
  await s.push({ title: 'B' });
  await s.frames.invalidate(await left('B'));
  expect(treeOf(s)).toBe(
    'root* > (A1:invalidated, A2:invalidated, B:invalidated > (B1:invalidated, B2:invalidated))',
  );
  await expect(s.frames.invalidate('f3')).rejects.toThrow(code('FRAME_STATUS'));
  await expect(s.frames.start('f2')).rejects.toThrow(code('FRAME_STATUS'));
});

test('a retry is a new sibling with the same identity; the failed attempt stays', async () => {
  const s = await session();
  await s.push({ title: 'A', criteria: 'works' });
  await s.pop({ status: 'failed', results: 'index was wrong' });
  await s.frames.retry('f1');
  expect(treeOf(s)).toBe('root > (A:failed, A*)');
  expect(s.frames.tree().children[1]).toMatchObject({ criteria: 'works', retryOf: 'f1' });
  await expect(s.frames.retry('f2')).rejects.toThrow(code('FRAME_STATUS'));
});

test('the root can be neither blocked nor invalidated; popping it completes the session', async () => {
  const s = await session();
  await expect(s.pop({ status: 'blocked' })).rejects.toThrow(code('FRAME_STATUS'));
  await expect(s.frames.invalidate('f0')).rejects.toThrow(code('FRAME_STATUS'));
  await s.append({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'read', arguments: {} }],
  });
  await s.pop({ status: 'completed', results: 'all done' });
  expect(s.state.phase).toBe('completed');
  await expect(s.append({ role: 'user', content: 'more' })).rejects.toThrow(
    code('SESSION_COMPLETED'),
  );
  await s.append({ role: 'tool', toolCallId: 'c', content: 'the missing result' });
  await expect(s.append({ role: 'tool', toolCallId: 'c', content: 'again' })).rejects.toThrow(
    code('SESSION_COMPLETED'),
  );
  expect((await s.entry('e2')).content).toBe('the missing result');
});

test('siblings never see each other’s logs, only results', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'build it' });
  await s.push({ title: 'A' });
  await s.append({ role: 'assistant', content: 'secret of A' });
  await s.pop({ status: 'completed', results: 'A is done', brief: 'A done' });
  await s.push({ title: 'B' });
  await s.append({ role: 'assistant', content: 'work in B' });
  const text = JSON.stringify((await s.assemble()).messages);
  expect(text).not.toContain('secret of A');
  expect(text).toContain('A is done');
  expect(text).toContain('build it');
});

test('long results are whole while there is room, and the reason of a frame is not said twice', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'build it' });
  const routes = Array.from({ length: 40 }, (_, n) => `- Route ${n} answers in ${n} ms.`);
  const results = routes.join('\n');
  const shown = routes.join('\n  ');
  const criteria = 'Every route answers within 50 ms, measured by the load test. '.repeat(5);
  await s.push({ title: 'A', criteria });
  expect(await treeIn(s)).toContain(criteria);
  await s.pop({ status: 'failed', results });
  expect(await treeIn(s)).toContain(`<results>\n  ${shown}\n</results>`);
  expect((await treeIn(s)).match(/Route 0/g)).toHaveLength(1);
  await s.configure({ window: 1_000 });
  expect(await treeIn(s)).toMatch(
    /<results whole="\d+ tokens">- Route 0 answers in 0 ms\. .*…<\/results>/,
  );
  await s.configure({ window: 32_000 });
  expect(await treeIn(s)).toContain(shown);
});

async function treeIn(s: Session): Promise<string> {
  const { messages } = await s.assemble();
  return textOf(messages.find(({ section }) => section === 'frames')!.content);
}

test('the working part of a parent stands behind a partial result and is brought back', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'please use tabs' });
  await s.append({
    role: 'assistant',
    content: 'I decided to split src/parser.ts because it was too long.',
  });
  await s.push({ title: 'A' });
  const inside = await s.assemble();
  expect(inside.messages.map(({ section }) => section)).toEqual(['human', 'frames']);
  expect(inside.messages[1]!.content).toContain('<partial-results entries="e1–e2">');
  expect(s.where('e2')).toMatchObject({ place: 'partial', from: 'e1', to: 'e2' });
  await s.pop({ status: 'completed', results: 'A done' });
  const back = await s.assemble();
  expect(
    back.messages.filter(({ section }) => section === 'working').map(({ entry }) => entry),
  ).toEqual(['e1', 'e2']);
});

test('a result joins the frame of its call, whatever frame is active by then', async () => {
  const s = await session();
  await s.append({ role: 'user', content: 'go' });
  await s.append({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'read', arguments: {} }],
  });
  await s.push({ title: 'A' });
  const { id } = await s.append({ role: 'tool', toolCallId: 'c', content: 'text' });
  expect((await s.entry(id)).frame).toBe('f0');
  await s.pop({ status: 'completed', results: 'A' });
  const { messages } = await s.assemble();
  expect(messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'tool']);
});

test('results come from the frame’s log where nobody supplies them', async () => {
  const s = await session();
  await s.push({ title: 'A' });
  await s.append({
    role: 'assistant',
    content: 'The cause was a stale index in src/search/index.ts; fixed by a rebuild.',
  });
  await s.pop({ status: 'completed' });
  expect(s.frames.tree().children[0]!.results).toContain('src/search/index.ts');
});

test('the model sees the criteria of the active frame whole, and those of what is planned two levels deep', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 2_000, reserve: 0 });
  const cases = Array.from({ length: 40 }, (_, n) => `case ${n} is covered by a test`);
  const criteria = `Errors have a code, ${cases.join(', ')}.`;
  const later = await session.frames.plan({ title: 'Pages', criteria: 'cursor based' });
  await session.frames.plan({ title: 'Cursors', criteria: 'opaque', parent: later.id });
  await session.push({ title: 'Routes', criteria });
  const { messages, budget } = await session.assemble();
  const tree = textOf(messages.find(({ section }) => section === 'frames')!.content);
  expect(tree).toContain(`<success-criteria>${criteria}</success-criteria>`);
  expect(tree).toContain('<title>Pages</title><success-criteria>cursor based</success-criteria>');
  expect(tree).toContain('<title>Cursors</title><success-criteria>opaque</success-criteria>');
  expect(budget.frames).toBeGreaterThan(0.15 * budget.limit);
  expect(session.where('f2')).toEqual({ place: 'tree', frame: 'f2', form: 'whole' });
});

test('a pop that names no files and no decisions has those that the log tells, marked as such', async () => {
  const s = await session();
  await s.push({ title: 'Hashing' });
  await s.append({ role: 'user', content: 'Use argon2id, not bcrypt.' });
  const edit = { path: 'src/hash.ts', content: 'export function hash(plain: string) {}' };
  await s.append({
    role: 'assistant',
    content: 'I went with 64 MB of memory, since the server has two.',
    toolCalls: [{ id: 'c1', name: 'write', arguments: edit }],
  });
  await s.append({ role: 'tool', toolCallId: 'c1', content: 'ok' });
  await s.pop({ status: 'completed', results: 'Hashes are made.' });
  await s.push({ title: 'Told' });
  await s.pop({ status: 'completed', results: 'Nothing.', artifacts: ['b.ts'], decisions: [] });
  const [hashing, told] = s.frames.tree().children;
  expect(hashing).toMatchObject({
    artifacts: ['src/hash.ts (e2: + function hash(plain: string))'],
    decisions: [
      '“Use argon2id, not bcrypt.” (e1)',
      'I went with 64 MB of memory, since the server has two. (e2)',
    ],
    harvested: ['artifacts', 'decisions'],
  });
  expect(told).toMatchObject({ artifacts: ['b.ts'], decisions: [], harvested: [] });
  const { messages } = await s.assemble();
  const tree = textOf(messages.find(({ section }) => section === 'frames')!.content);
  expect(tree).toContain('<artifacts from="log">src/hash.ts (e2');
  expect(tree).toContain('<artifacts>b.ts</artifacts>');
  expect(textOf((await s.expand('f1'))[0]!.content)).toContain('Decisions, told from the log:');
});

test('what a frame has failing goes once a wider run of the same tests passes', async () => {
  const s = await session();
  const ran = async (id: string, command: string, content: string): Promise<void> => {
    const toolCalls = [{ id, name: 'bash', arguments: { command } }];
    await s.append({ role: 'assistant', content: '', toolCalls });
    await s.append({ role: 'tool', toolCallId: id, content, isError: content.includes('FAIL') });
  };
  const failed = ' FAIL  test/a.test.ts > logs in\n Test Files  1 failed (1)';
  const passed = ' Test Files  9 passed (9)\n      Tests  40 passed (40)';
  for (const after of [undefined, 'npx vitest run test/b.test.ts', 'npm test']) {
    await s.push({ title: 'auth' });
    await ran('c1', 'npx vitest run test/a.test.ts', failed);
    if (after !== undefined) await ran('c2', after, passed);
    await s.pop({ status: 'completed', results: 'done' });
  }
  const failing = s.frames.tree().children.map((frame) => frame.failing.length);
  expect(failing).toEqual([1, 1, 0]);
});
