import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BeadsError } from '../../../src/adapters/beads/beads-error.ts';
import { beadsIn, type Beads, type BeadsOptions } from '../../../src/adapters/beads/beads.ts';
import {
  startBeads,
  type ScriptedBeads,
  type ScriptedBeadsOptions,
} from '../../../src/testing/beads/start-beads.ts';

const shapes = [
  { program: 'br', version: '0.1' },
  { program: 'br', version: '0.5' },
  { program: 'bd', version: '0.5' },
] as const;

const issues = [
  { id: 'br-x9z', title: 'Widget system', type: 'feature' },
  {
    id: 'br-a1b',
    title: 'Implement widget parser',
    description: 'Recursive descent.',
    status: 'in_progress',
    parent: 'br-x9z',
    blockedBy: ['br-old'],
    comments: [
      { author: 'me', text: 'Done: skeleton', at: '2026-01-19T22:12:49Z' },
      { author: 'you', text: 'Next: brackets', at: '2026-01-20T22:12:49Z' },
    ],
    updated: '2026-01-20T22:12:49Z',
  },
  { id: 'br-old', title: 'Choose a grammar', status: 'closed' },
  { id: 'br-c3d', title: 'Widget renderer', blockedBy: ['br-a1b'] },
  { id: 'br-g7h', title: 'Error handling', priority: 0, parent: 'br-a1b' },
] as const;

interface Stage {
  readonly scripted: ScriptedBeads;
  readonly beads: Beads;
}

async function stage(given: ScriptedBeadsOptions & BeadsOptions = {}): Promise<Stage> {
  const scripted = await startBeads({ issues, ...given });
  onTestFinished(() => scripted.close());
  const env = { ...scripted.env, BD_ACTOR: undefined, ...given.env };
  return { scripted, beads: beadsIn(scripted.folder, { ...given, env }) };
}

/** What a call was refused with. */
async function failure(call: Promise<unknown>): Promise<BeadsError> {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(BeadsError);
  return error as BeadsError;
}

test.each(shapes)('the issue under work is whole in $program $version', async (shape) => {
  const { beads, scripted } = await stage(shape);

  expect(await beads.inProgress()).toEqual({
    id: 'br-a1b',
    title: 'Implement widget parser',
    status: 'in_progress',
    description: 'Recursive descent.',
    priority: 2,
    type: 'task',
    updated: '2026-01-20T22:12:49Z',
    parent: { id: 'br-x9z', title: 'Widget system', status: 'open' },
    blockers: [{ id: 'br-old', title: 'Choose a grammar', status: 'closed' }],
    unblocks: [{ id: 'br-c3d', title: 'Widget renderer', status: 'open' }],
    children: [{ id: 'br-g7h', title: 'Error handling', status: 'open' }],
    comments: [
      { author: 'me', text: 'Done: skeleton', at: '2026-01-19T22:12:49Z' },
      { author: 'you', text: 'Next: brackets', at: '2026-01-20T22:12:49Z' },
    ],
  });
  expect(scripted.calls.map(([command]) => command)).toEqual(['info', 'list', 'show']);
});

test.each(shapes)(
  '$program $version lists, claims, comments, creates and closes',
  async (shape) => {
    const { beads, scripted } = await stage(shape);

    expect((await beads.ready()).map(({ id }) => id)).toEqual(['br-g7h', 'br-x9z']);
    expect(await beads.ready(1)).toHaveLength(1);
    expect(await beads.claim('g7h')).toBe('br-g7h');
    await beads.comment('br-g7h', '--help\n$(id) `id` "quoted"');
    const made = await beads.create({
      title: '-v is read twice',
      description: '--x',
      type: 'bug',
      priority: 1,
      parent: 'br-x9z',
    });
    await beads.setStatus(made, 'in_progress');

    const now = scripted.issues;
    expect(now['br-g7h']).toMatchObject({ status: 'in_progress', assignee: 'tester' });
    expect(now['br-g7h']?.comments).toMatchObject([{ text: '--help\n$(id) `id` "quoted"' }]);
    expect(now[made]).toMatchObject({
      title: '-v is read twice',
      description: '--x',
      status: 'in_progress',
      type: 'bug',
      priority: 1,
      parent: 'br-x9z',
    });
    expect(await beads.close('br-g7h', '-done')).toEqual({ id: 'br-g7h', isClosed: true, why: '' });
    expect(scripted.issues['br-g7h']).toMatchObject({ status: 'closed', close_reason: '-done' });
  },
);

test.each(shapes)('$program $version does not close what is blocked', async (shape) => {
  const { beads, scripted } = await stage(shape);

  expect(await beads.close('br-c3d', 'done')).toEqual({
    id: 'br-c3d',
    isClosed: false,
    why: 'blocked by br-a1b',
  });
  expect(scripted.issues['br-c3d']?.status).toBe('open');
});

test.each(shapes)('what is closed already is closed, with $program $version', async (shape) => {
  const { beads } = await stage(shape);
  expect(await beads.close('br-old', 'done')).toEqual({ id: 'br-old', isClosed: true, why: '' });
});

test.each(shapes)('an unknown issue is refused by $program $version', async (shape) => {
  const { beads } = await stage(shape);
  const calls = [
    () => beads.show(['nope']),
    () => beads.claim('nope'),
    () => beads.comment('nope', 'x'),
    () => beads.close('nope', 'x'),
  ];
  for (const call of calls)
    expect(await failure(call())).toMatchObject({ reason: 'refused', retryable: false });
});

test('a refusal carries the code, the message and the hint of the program', async () => {
  const { beads } = await stage();
  expect(await failure(beads.show(['nope']))).toMatchObject({
    code: 'ISSUE_NOT_FOUND',
    message: 'br show: Issue not found: nope',
    next: "Run 'br list' to see available issues.",
  });
});

test('an issue that another one holds is not claimed', async () => {
  const held = [{ id: 'br-1', title: 'Held', status: 'in_progress', assignee: 'bob' }];
  for (const shape of shapes) {
    const { beads, scripted } = await stage({ ...shape, issues: held });
    expect(await failure(beads.claim('br-1'))).toMatchObject({ reason: 'refused' });
    expect(scripted.issues['br-1']?.assignee).toBe('bob');
  }
});

test.each(shapes)('an old $program without --claim gets the status', async (shape) => {
  const { beads, scripted } = await stage({ ...shape, lacks: ['--claim'] });
  expect(await beads.claim('br-g7h')).toBe('br-g7h');
  expect(scripted.issues['br-g7h']?.status).toBe('in_progress');
});

test('an old bd that has comments in every answer is asked without flags', async () => {
  const lacks = ['--include-comments', '--include-dependents'];
  const { beads } = await stage({ program: 'bd', lacks });
  expect(await beads.show(['br-a1b'])).toMatchObject([{ id: 'br-a1b', title: issues[1].title }]);
});

test('of several issues under work the one that changed last is taken, and none of another actor', async () => {
  const working = (id: string, day: number, assignee?: string) => ({
    id,
    title: id,
    status: 'in_progress',
    updated: `2026-01-0${day}T00:00:00Z`,
    ...(assignee !== undefined && { assignee }),
  });
  const given = { issues: [working('br-1', 1), working('br-2', 3, 'bob'), working('br-3', 2)] };

  expect((await (await stage(given)).beads.inProgress())?.id).toBe('br-2');
  const ours = await stage({ ...given, env: { BD_ACTOR: 'ann' } });
  expect((await ours.beads.inProgress())?.id).toBe('br-3');
});

test.each(shapes)('a project is found from below with $program $version', async (shape) => {
  const { scripted } = await stage({ ...shape, prefix: 'web' });
  const below = join(scripted.folder, 'src', 'deep');
  mkdirSync(below, { recursive: true });

  const prefix = shape.version === '0.5' && shape.program === 'br' ? {} : { prefix: 'web' };
  const { env } = scripted;
  expect(await beadsIn(below, { env }).info()).toEqual({ program: shape.program, ...prefix });
});

test('outside a project nothing is run', async () => {
  const { scripted } = await stage();
  const beads = beadsIn(tmpdir(), { env: scripted.env });
  expect(await beads.info()).toBeNull();
  expect(await failure(beads.inProgress())).toMatchObject({ reason: 'missing' });
  expect(scripted.calls).toEqual([]);
});

test('a program that is not there is told as missing', async () => {
  const { beads, scripted } = await stage({ env: { PATH: '/nowhere' } });
  expect(await beads.info()).toBeNull();
  expect(await failure(beads.ready())).toMatchObject({
    reason: 'missing',
    next: expect.stringContaining('Install br or bd'),
  });
  expect(scripted.calls).toEqual([]);
});

test('where br does not answer for a project, bd is asked, and what it says is told', async () => {
  const [{ scripted: br }, { scripted: bd }] = [await stage(), await stage({ program: 'bd' })];
  br.behave({ fail: { code: 'SCHEMA_MISMATCH', message: 'Schema version mismatch', exit: 2 } });
  const both = { PATH: [br.bin, bd.bin].join(delimiter) };
  expect(await beadsIn(bd.folder, { env: both }).info()).toMatchObject({ program: 'bd' });

  bd.behave({ fail: { code: 'DATABASE_ERROR', message: 'the disk is full' } });
  const alone = beadsIn(bd.folder, { env: { PATH: bd.bin } });
  expect(await alone.info()).toBeNull();
  expect(await failure(alone.ready())).toMatchObject({
    reason: 'refused',
    message: 'bd info: the disk is full',
  });
});

test('a program that goes away later is told as missing, and found when it is back', async () => {
  const { beads, scripted } = await stage({ env: {} });
  const alone = beadsIn(scripted.folder, { env: { PATH: scripted.bin } });
  expect(await alone.info()).toEqual({ program: 'br' });
  scripted.behave({ missing: true });
  expect(await failure(alone.comment('br-a1b', 'x'))).toMatchObject({
    reason: 'missing',
    retryable: true,
  });
  scripted.behave({});
  await alone.comment('br-a1b', 'x');
  expect(await beads.info()).toEqual({ program: 'br' });
});

test.each(shapes)('a lock of $program $version is waited for once', async (shape) => {
  const { beads, scripted } = await stage(shape);
  await beads.info();
  scripted.behave({ locked: 1 });
  await beads.comment('br-a1b', 'written');
  scripted.behave({ locked: 2 });
  expect(await failure(beads.comment('br-a1b', 'lost'))).toMatchObject({
    reason: 'locked',
    retryable: true,
  });
  expect(scripted.issues['br-a1b']?.comments.map(({ text }) => text).slice(2)).toEqual(['written']);
});

test('a locked project is a project', async () => {
  const { beads, scripted } = await stage();
  scripted.behave({ locked: 2 });
  expect(await beads.info()).toEqual({ program: 'br' });
});

test('a slow call is ended at its limit', async () => {
  const { beads, scripted } = await stage({ timeouts: { write: 60_000 } });
  await beads.info();
  scripted.behave({ delay: 20_000, only: 'comments add' });
  const begun = Date.now();
  const error = await failure(beads.comment('br-a1b', 'x', { timeout: 300 }));
  expect(error).toMatchObject({ reason: 'slow', message: 'br comments took more than 300 ms' });
  expect(Date.now() - begun).toBeLessThan(5_000);
  expect(await beads.show(['br-a1b'])).toHaveLength(1);
});

test('a slow child of the program does not keep the call', async () => {
  const { scripted } = await stage();
  const bin = mkdtempSync(join(tmpdir(), 'flamestack-slow-'));
  writeFileSync(join(bin, 'br'), '#!/bin/sh\nsleep 5\necho []\n');
  chmodSync(join(bin, 'br'), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const beads = beadsIn(scripted.folder, { env, program: 'br', timeouts: { read: 200 } });
  const begun = Date.now();
  expect(await failure(beads.ready())).toMatchObject({ reason: 'slow' });
  expect(Date.now() - begun).toBeLessThan(3_000);
});

test('nothing is written after the limit of a call', async () => {
  const { beads, scripted } = await stage();
  await beads.info();
  scripted.behave({ locked: 1 });
  const error = await failure(beads.comment('br-x9z', 'x', { timeout: 240 }));
  expect(error.reason).toMatch(/locked|slow/);
  expect(await failure(beads.comment('br-x9z', 'x', { timeout: 0 }))).toMatchObject({
    reason: 'slow',
  });
  expect(scripted.issues['br-x9z']?.comments).toEqual([]);
});

test.each(['', 'nonsense', '{"id": ', '<html>'])('an answer of %j is unreadable', async (says) => {
  const { beads, scripted } = await stage();
  await beads.info();
  scripted.behave({ says });
  expect(await failure(beads.ready())).toMatchObject({ reason: 'unreadable' });
  expect(await failure(beads.create({ title: 'x' }))).toMatchObject({ reason: 'unreadable' });
});

test('lines before an answer are passed over', async () => {
  const { beads, scripted } = await stage();
  await beads.info();
  scripted.behave({ says: 'WARN: a new version is there\n[{"id":"br-1"}]\n' });
  expect(await beads.ready()).toMatchObject([{ id: 'br-1', title: '' }]);
});

test.each(['', '-f', '--force', 'a b', 'a/b', '../x', 'a\n', 'ä', 'x'.repeat(200)])(
  'the id %j is never run',
  async (id) => {
    const { beads, scripted } = await stage();
    const calls = [
      () => beads.show([id]),
      () => beads.claim(id),
      () => beads.close(id, 'x'),
      () => beads.comment(id, 'x'),
      () => beads.setStatus(id, 'open'),
      () => beads.create({ title: 'x', parent: id }),
    ];
    for (const call of calls)
      expect(await failure(call())).toMatchObject({ reason: 'refused', code: 'ID_INVALID' });
    expect(scripted.calls.filter(([command]) => command !== 'info')).toEqual([]);
  },
);

test('a comment of any length and with NUL is written', async () => {
  const { beads, scripted } = await stage();
  await beads.comment('br-x9z', `a\0b${'ä'.repeat(200_000)}`);
  expect(scripted.issues['br-x9z']?.comments[0]?.text).toMatch(/^abä{1000}/);
});
