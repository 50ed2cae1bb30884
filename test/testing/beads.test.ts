import { execFile } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import {
  startBeads,
  type ScriptedBeads,
  type ScriptedBeadsOptions,
} from '../../src/testing/beads/start-beads.ts';

// The answers that are expected here are those of the sources of br 0.1.12 and bd 1.0.5, and of br's reference of 0.5.

const issues = [
  { id: 'br-x9z', title: 'Widget system', type: 'feature' },
  { id: 'br-a1b', title: 'Parser', parent: 'br-x9z', comments: ['Done: skeleton'] },
  { id: 'br-c3d', title: 'Renderer', blockedBy: ['br-a1b'] },
];

async function start(options: ScriptedBeadsOptions = {}): Promise<ScriptedBeads> {
  const beads = await startBeads({ issues, ...options });
  onTestFinished(() => beads.close());
  return beads;
}

interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  { folder, env }: ScriptedBeads,
  line: string,
  more: Record<string, string> = {},
): Promise<Ran> {
  const options = { cwd: folder, env: { ...process.env, ...env, ...more } };
  return new Promise((resolve) => {
    const [program = '', ...args] = line.split(' ');
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ exit: error === null ? 0 : (child.exitCode ?? -1), stdout, stderr });
    });
  });
}

async function answer(beads: ScriptedBeads, line: string): Promise<unknown> {
  return JSON.parse((await run(beads, line)).stdout);
}

test('a list is bare in br 0.1 and bd, and in an envelope in br 0.5', async () => {
  const line = 'list --status open --json';
  expect(await answer(await start({ version: '0.1' }), `br ${line}`)).toHaveLength(3);
  expect(await answer(await start({ program: 'bd' }), `bd ${line}`)).toHaveLength(3);
  expect(await answer(await start(), `br ${line}`)).toMatchObject({
    issues: [{ id: 'br-x9z', source_repo: '.', dependent_count: 1 }, {}, {}],
    total: 3,
    has_more: false,
  });
});

test('down leads to parent and blockers, up to what is unblocked and to children', async () => {
  const beads = await start();
  expect(await answer(beads, 'br dep list br-a1b --direction down --json')).toEqual([
    {
      issue_id: 'br-a1b',
      depends_on_id: 'br-x9z',
      type: 'parent-child',
      title: 'Widget system',
      status: 'open',
      priority: 2,
    },
  ]);
  expect(await answer(beads, 'br dep list br-a1b --direction=up --json')).toMatchObject([
    { issue_id: 'br-c3d', depends_on_id: 'br-a1b', type: 'blocks' },
  ]);
});

test('bd tells comments and dependents only when it is asked to', async () => {
  const beads = await start({ program: 'bd' });
  const [plain] = (await answer(beads, 'bd show br-a1b --json')) as object[];
  expect(plain).toMatchObject({ comment_count: 1, dependent_count: 1, parent: 'br-x9z' });
  expect(plain).not.toHaveProperty('comments');
  const flags = '--include-comments --include-dependents';
  expect(await answer(beads, `bd show br-a1b --json ${flags}`)).toMatchObject([
    { comments: [{ text: 'Done: skeleton' }], dependents: [{ id: 'br-c3d' }] },
  ]);
});

test('nothing closed is an empty list in br 0.1, and exit 3 in br 0.5', async () => {
  const old = await run(await start({ version: '0.1' }), 'br close br-c3d --reason x --json');
  expect(old).toMatchObject({ exit: 0, stdout: '[]\n' });
  const { exit, stdout, stderr } = await run(await start(), 'br close br-c3d --reason x --json');
  expect({ exit, stdout }).toEqual({ exit: 3, stdout: '[]\n' });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NOTHING_TO_DO' } });
});

test('a close tells what it unblocked where it is asked to', async () => {
  expect(await answer(await start(), 'br close br-a1b --suggest-next --json')).toMatchObject({
    closed: [{ id: 'br-a1b', status: 'closed', close_reason: 'done' }],
    unblocked: [{ id: 'br-c3d', title: 'Renderer', priority: 2 }],
  });
});

test('a text that begins with a dash is a flag, unless it is behind --', async () => {
  const beads = await start();
  expect(await run(beads, 'br comments add br-a1b -done --json')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("unexpected argument '-done' found"),
  });
  await run(beads, 'br comments add br-a1b --json -- -done');
  await run(beads, 'br comments add br-a1b --message=-too');
  const texts = beads.issues['br-a1b']?.comments.map(({ text }) => text);
  expect(texts).toEqual(['Done: skeleton', '-done', '-too']);
});

test('an issue is found by the end of its id', async () => {
  const beads = await start({ issues: [...issues, { id: 'br-a1c', title: 'Other' }] });
  expect(await answer(beads, 'br show a1b --json')).toMatchObject([{ id: 'br-a1b' }]);
  const { exit, stderr } = await run(beads, 'br show a1 --json');
  expect(exit).toBe(3);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'AMBIGUOUS_ID', retryable: true } });
});

test('each program says no in its way', async () => {
  const br = await run(await start(), 'br show nope --json');
  expect(br).toMatchObject({ exit: 3, stdout: '' });
  expect(JSON.parse(br.stderr)).toMatchObject({ error: { code: 'ISSUE_NOT_FOUND' } });
  const bd = await run(await start({ program: 'bd' }), 'bd comments add nope x --json');
  expect(bd).toMatchObject({ exit: 1, stderr: '' });
  expect(JSON.parse(bd.stdout)).toEqual({
    error: 'no issue found matching "nope"',
    hint: expect.any(String),
    schema_version: 1,
  });
});

test('outside a project both say so', async () => {
  const beads = await start();
  const outside = await run({ ...beads, folder: beads.bin }, 'br list --json');
  expect(outside.exit).toBe(2);
  expect(JSON.parse(outside.stderr)).toMatchObject({ error: { code: 'NOT_INITIALIZED' } });
});

test('bd wraps its answers in an envelope where it is told to', async () => {
  const beads = await start({ program: 'bd' });
  const { stdout } = await run(beads, 'bd ready --json', { BD_JSON_ENVELOPE: '1' });
  expect(JSON.parse(stdout)).toMatchObject({ schema_version: 1, data: [{}, {}] });
});

test('what many processes write at once is all there', async () => {
  const beads = await start();
  const lines = Array.from({ length: 12 }, (_, n) => `br comments add br-a1b c${n} --json`);
  const ran = await Promise.all(lines.map((line) => run(beads, line)));
  expect(ran.map(({ exit }) => exit)).toEqual(lines.map(() => 0));
  expect(beads.issues['br-a1b']?.comments).toHaveLength(13);
  expect(beads.calls).toHaveLength(12);
});

test('trouble comes as it is told, and goes', async () => {
  const beads = await start();
  beads.behave({ locked: 1 });
  expect(await run(beads, 'br ready --json')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('DATABASE_LOCKED'),
  });
  expect((await run(beads, 'br ready --json')).exit).toBe(0);
  beads.behave({ fail: { code: 'IO_ERROR', message: 'disk full' }, only: 'comments add' });
  expect((await run(beads, 'br comments add br-a1b x')).exit).toBe(8);
  expect((await run(beads, 'br ready --json')).exit).toBe(0);
  beads.behave({ delay: 500 });
  const begun = Date.now();
  await run(beads, 'br ready --json');
  expect(Date.now() - begun).toBeGreaterThanOrEqual(500);
  beads.behave({ missing: true });
  expect((await run(beads, 'br ready --json', { PATH: beads.bin })).exit).not.toBe(0);
  beads.behave({});
  expect(await answer(beads, 'br ready --json')).toHaveLength(2);
});
