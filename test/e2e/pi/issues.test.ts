import { execFileSync } from 'node:child_process';
import { fauxAssistantMessage, fauxToolCall, type FauxResponseStep } from '@mariozechner/pi-ai';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newFolder } from '../../store/folder.ts';
import { flamestackExtension } from '../../../src/pi.ts';
import { startBeads, type ScriptedBeads, type ScriptedIssue } from '../../../src/testing/index.ts';
import { startPi, textOf, type Pi, type PiGiven } from './pi.ts';

beforeEach(async () => {
  vi.stubEnv('PI_CODING_AGENT_DIR', await newFolder());
  return () => vi.unstubAllEnvs();
});

const widget: readonly ScriptedIssue[] = [
  { id: 'br-x9z', title: 'Widget system', type: 'feature' },
  {
    id: 'br-a1b',
    title: 'Implement widget parser',
    status: 'in_progress',
    parent: 'br-x9z',
    comments: ['Done: parser skeleton. Next: nested brackets.'],
  },
  { id: 'br-c3d', title: 'Widget renderer', blockedBy: ['br-a1b'] },
];

interface Started {
  readonly pi: Pi;
  readonly beads: ScriptedBeads;
}

/** pi in a project with a scripted tracker and git. */
async function start(
  issues: readonly ScriptedIssue[] = widget,
  given: Partial<PiGiven> & {
    readonly version?: '0.1' | '0.5';
    readonly program?: 'br' | 'bd';
  } = {},
): Promise<Started> {
  const { version = '0.5', program = 'br', ...more } = given;
  const beads = await startBeads({ issues, version, program });
  onTestFinished(() => beads.close());
  vi.stubEnv('PATH', beads.env.PATH);
  git(beads, 'init', '-q', '-b', 'main');
  git(beads, 'config', 'user.email', 'a@b.c');
  git(beads, 'config', 'user.name', 'A');
  const pi = await startPi({
    extension: flamestackExtension({ store: await newFolder() }),
    folder: beads.folder,
    ...more,
  });
  return { pi, beads };
}

const git = ({ folder }: ScriptedBeads, ...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

const bash = (command: string): FauxResponseStep =>
  fauxAssistantMessage([fauxToolCall('bash', { command })], { stopReason: 'toolUse' });
const call = (given: Record<string, unknown>): FauxResponseStep =>
  fauxAssistantMessage([fauxToolCall('beads', given)], { stopReason: 'toolUse' });
const say = (text: string): FauxResponseStep => fauxAssistantMessage(text);

const commentsOf = ({ issues }: ScriptedBeads, id = 'br-a1b'): readonly string[] =>
  issues[id]!.comments.map(({ text }) => text);

const lastSent = (pi: Pi): string => pi.sent.at(-1)!.map(textOf).join('\n');

test('outside a project with a tracker nothing of it is seen', async () => {
  vi.stubEnv('PATH', process.env['PATH'] ?? '');
  const pi = await startPi({ extension: flamestackExtension({ store: await newFolder() }) });
  pi.answer(say('Yes.'));
  await pi.prompt('Hello');
  expect(pi.sent[0]!.map(textOf)).toEqual(['Hello']);
  expect(pi.status.has('beads')).toBe(false);
  expect(pi.session.getActiveToolNames()).not.toContain('beads');
});

test.each([
  ['br', '0.5'],
  ['br', '0.1'],
  ['bd', '0.5'],
] as const)('the first request tells of the issue in progress: %s %s', async (program, version) => {
  const { pi } = await start(widget, { program, version });
  pi.answer(say('On it.'), say('Still.'));
  await pi.prompt('Go on');
  const sent = lastSent(pi);
  for (const told of [
    'br-a1b',
    'Implement widget parser',
    'Widget system',
    'Widget renderer',
    'Next: nested brackets.',
  ])
    expect(sent).toContain(told);
  await expect.poll(() => pi.status.get('beads')).toBe('br-a1b Implement widget parser');
  await pi.prompt('And now?');
  expect(lastSent(pi).match(/Checkpoint Trail/g)).toHaveLength(1);
});

test('context death: what was done is in the tracker, and the agent is told again', async () => {
  const { pi, beads } = await start();
  pi.answer(
    fauxAssistantMessage(
      [fauxToolCall('write', { path: 'src/parser.ts', content: 'export {};\n' })],
      { stopReason: 'toolUse' },
    ),
    say('The tokenizer reads brackets. Next I will handle escapes.'),
  );
  await pi.prompt('Work on the parser');
  await pi.session.compact();
  const [, checkpoint] = commentsOf(beads);
  expect(checkpoint).toContain('The tokenizer reads brackets.');
  expect(checkpoint).toContain('Next: Next I will handle escapes.');
  expect(checkpoint).toContain('src/parser.ts');
  pi.answer(say('Escapes.'));
  await pi.prompt('Go on');
  expect(lastSent(pi)).toContain('The tokenizer reads brackets.');
  expect(lastSent(pi)).toContain('src/parser.ts');
});

test('after an overflow, where no prompt comes, the agent is told again', async () => {
  const { pi } = await start();
  pi.answer(say('Ready.'));
  await pi.prompt('Begin');
  pi.answer(
    fauxAssistantMessage('', {
      stopReason: 'error',
      errorMessage: 'prompt is too long: 40000 tokens > 32000 maximum',
    }),
    say('Escapes.'),
  );
  const before = pi.sent.length;
  await pi.prompt('Go on');
  await expect.poll(() => pi.sent.length).toBe(before + 2);
  expect(textOf(pi.sent.at(-1)!.at(-1)!)).toContain('Implement widget parser');
  await pi.session.agent.waitForIdle();
});

test('a long session without a note: commits are linked, and after eight turns the agent is reminded', async () => {
  const { pi, beads } = await start();
  const commit =
    'cd . && git add -A && git commit -q -m "quiet" --allow-empty; git commit --allow-empty -m "feat: brackets"';
  pi.answer(bash(commit), say('Committed.'));
  await pi.prompt('Commit');
  const hash = git(beads, 'rev-parse', '--short', 'HEAD').trim();
  await expect.poll(() => commentsOf(beads).at(-1)).toBe(`commit: ${hash} feat: brackets`);
  pi.answer(...Array.from({ length: 9 }, () => bash('true')), say('Done.'), say('Noted.'));
  await pi.prompt('Work on');
  expect(pi.notices).toContain('8 turns without a note on br-a1b. The agent is reminded.');
  await pi.prompt('And?');
  expect(lastSent(pi)).toContain('8 turns without a note on br-a1b. Note where the work stands');
});

test('a comment that the agent writes itself counts as a note', async () => {
  const { pi } = await start();
  const quiet = Array.from({ length: 5 }, () => bash('true'));
  pi.answer(
    ...quiet,
    bash('br comments add br-a1b --message "half way"'),
    ...quiet,
    call({ action: 'comment', text: 'nearly' }),
    ...quiet,
    say('Done.'),
  );
  await pi.prompt('Work');
  expect(pi.notices).toEqual([]);
});

test('a person is warned at 85 % of the window, once until it is less again', async () => {
  const { pi } = await start(widget, { window: 12_000 });
  const long = 'word '.repeat(8_000);
  const warnings = (): readonly string[] =>
    pi.notices.filter((notice) => notice.includes('% of the context is used'));
  const warned = [
    ['Begun.', 0],
    [long, 1],
    [long, 1],
    ['Less.', 1],
    [long, 2],
  ] as const;
  for (const [text, times] of warned) {
    pi.answer(say(text));
    await pi.prompt('Go on');
    expect(warnings().length).toBe(times);
  }
});

test('the tool shows, creates and comments, and says where things stand', async () => {
  const { pi, beads } = await start();
  const status = { action: 'status', status: 'blocked' };
  const found = { action: 'create', title: 'Escapes', type: 'bug', priority: 1, parent: 'br-x9z' };
  pi.answer(
    call({ action: 'show' }),
    call(found),
    call({ action: 'comment', text: 'half way' }),
    call({ action: 'status' }),
    call(status),
    say('Blocked.'),
  );
  await pi.prompt('Where are we?');
  const results = pi.sent.at(-1)!.flatMap((one) => (one.role === 'toolResult' ? textOf(one) : []));
  const [shown, created, noted, stands, changed] = results;
  expect(shown).toContain('Implement widget parser');
  expect(beads.issues[/Created (\S+)\./.exec(created!)![1]!]).toMatchObject({
    title: 'Escapes',
    type: 'bug',
    priority: 1,
    parent: 'br-x9z',
  });
  expect(noted).toBe('Noted on br-a1b.');
  expect(commentsOf(beads).at(-1)).toBe('half way');
  expect(stands).toContain('In progress: br-a1b Implement widget parser\nReady: ');
  expect(changed).toBe('br-a1b is blocked now.');
  expect(beads.issues['br-a1b']!.status).toBe('blocked');
});

test('close and go on: files are attached, the next issue is told, and the agent goes on by itself', async () => {
  const { pi, beads } = await start();
  pi.answer(
    fauxAssistantMessage(
      [fauxToolCall('write', { path: 'src/parser.ts', content: 'export {};\n' })],
      { stopReason: 'toolUse' },
    ),
    call({ action: 'close', text: 'parser done' }),
    say('Closed.'),
    call({ action: 'ready' }),
    call({ action: 'claim', id: 'br-c3d' }),
    bash('git add -A && git commit -m "feat: parser"'),
    call({ action: 'claim', id: 'br-c3d' }),
    say('Working on the renderer.'),
  );
  await pi.prompt('Finish the parser');
  await pi.session.agent.waitForIdle();
  await expect.poll(() => beads.issues['br-c3d']!.status).toBe('in_progress');
  expect(beads.issues['br-a1b']!.status).toBe('closed');
  await expect.poll(() => commentsOf(beads)).toContain('Files modified: src/parser.ts');
  const results = pi.sent
    .flat()
    .filter(({ role }) => role === 'toolResult')
    .map(textOf);
  expect(results.find((text) => text.startsWith('Closed br-a1b'))).toContain(
    'Not committed yet: src/',
  );
  expect(results.find((text) => text.includes('↳'))).toContain('br-c3d');
  expect(results.find((text) => text.includes('Commit or stash that first'))).toBeDefined();
  expect(pi.sent.flat().map(textOf).join('\n')).toContain('br-a1b is closed. Look what is ready');
  await expect.poll(() => pi.status.get('beads')).toBe('br-c3d Widget renderer');
});

test('a claim by the shell is guarded alike, and a close by the shell attaches the files', async () => {
  const { pi, beads } = await start();
  pi.answer(
    fauxAssistantMessage([fauxToolCall('write', { path: 'a.ts', content: '1' })], {
      stopReason: 'toolUse',
    }),
    bash('br close br-a1b --reason done --json'),
    bash('br update br-c3d --status in_progress --json'),
    say('Blocked.'),
    say('Stop.'),
  );
  await pi.prompt('Go');
  await pi.session.agent.waitForIdle();
  await expect.poll(() => commentsOf(beads)).toContain('Files modified: a.ts');
  expect(beads.issues['br-c3d']!.status).toBe('open');
});

test.each([
  ['missing', { missing: true }],
  ['locked', { locked: 1_000 }],
  ['failing', { fail: { code: 'IO_ERROR', message: 'disk' } }],
  ['slow', { delay: 60_000, only: 'show' }],
  ['talking nonsense', { says: 'Segmentation fault' }],
] as const)('a tracker that is %s never stops the agent', async (_, trouble) => {
  const { pi, beads } = await start();
  pi.answer(say('Ready.'));
  await pi.prompt('Begin');
  beads.behave(trouble);
  pi.answer(call({ action: 'comment', text: 'half way' }), say('Never mind.'), say('Yes.'));
  await pi.prompt('Note it');
  await pi.session.compact();
  await pi.prompt('Still there?');
  expect(pi.sent.at(-1)!.map(textOf)).toContain('Still there?');
  const result = pi.sent.flat().find(({ role }) => role === 'toolResult')!;
  expect(textOf(result).length).toBeGreaterThan(10);
});

test('a checkpoint that could not be written is written later, once', async () => {
  const { pi, beads } = await start();
  pi.answer(say('The lexer is done.'));
  await pi.prompt('Begin');
  beads.behave({ fail: { code: 'IO_ERROR', message: 'disk' }, only: 'comments add' });
  await pi.session.compact();
  expect(commentsOf(beads)).toHaveLength(1);
  beads.behave({});
  pi.answer(say('On.'), say('On.'));
  await pi.prompt('Go on');
  await expect.poll(() => commentsOf(beads).length).toBe(2);
  await pi.prompt('Go on');
  expect(commentsOf(beads).filter((text) => text.includes('The lexer is done.'))).toHaveLength(1);
});

test('the agent goes on by itself at most ten times', async () => {
  const issues = Array.from({ length: 14 }, (_, n) => ({ id: `br-i${n}`, title: `Issue ${n}` }));
  const { pi, beads } = await start(issues);
  const steps = issues.flatMap(({ id }) => [
    call({ action: 'close', id, text: 'done' }),
    say('Next.'),
  ]);
  pi.answer(...steps);
  await pi.prompt('Close all');
  await pi.session.agent.waitForIdle();
  await expect
    .poll(() => Object.values(beads.issues).filter(({ status }) => status === 'closed').length)
    .toBe(11);
});

test.each([
  'false && br close br-a1b; echo ok',
  'finish() { br close br-a1b; }; echo defined',
  'cd / && br close br-a1b 2>/dev/null; true',
])('an issue that a command only names stays open: %s', async (command) => {
  const { pi, beads } = await start();
  pi.answer(bash(command), say('Done.'));
  await pi.prompt('Go');
  await pi.session.agent.waitForIdle();
  expect(beads.issues['br-a1b']!.status).toBe('in_progress');
  expect(
    beads.calls.some(([verb, ...rest]) => verb === 'close' && rest.includes('--reason=done')),
  ).toBe(false);
});

test('two issues that are closed in one answer are both closed', async () => {
  const { pi, beads } = await start([...widget, { id: 'br-e5f', title: 'Widget tests' }]);
  pi.answer(
    fauxAssistantMessage(
      ['br-a1b', 'br-e5f'].map((id) => fauxToolCall('beads', { action: 'close', id, text: 'ok' })),
      { stopReason: 'toolUse' },
    ),
    say('Closed.'),
    say('Nothing left.'),
    say('Nothing left.'),
  );
  await pi.prompt('Close both');
  await pi.session.agent.waitForIdle();
  expect(beads.issues['br-a1b']!.status).toBe('closed');
  expect(beads.issues['br-e5f']!.status).toBe('closed');
});
