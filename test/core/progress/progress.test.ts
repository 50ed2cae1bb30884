import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { Message, Session } from '../../../src/index.ts';
import { newDisk } from '../../engine/disk.ts';
import { runs, says, user } from './messages.ts';

// The sentence of a recovery, on sessions of the kinds that there are: with a list of
// the host, with commits, with small talk at the end, cut off in the middle of the work.

const machine = (content: string): Message => ({ role: 'user', content, origin: 'machine' });
const bash = (command: string, result = ''): Message[] => runs('bash', { command }, result);
const edits = (path: string): Message[] =>
  runs('write', { path, content: 'export function parse(text) {}' }, 'ok');
const todos = (items: Record<string, string>): Message[] =>
  runs(
    'TodoWrite',
    { todos: Object.entries(items).map(([content, status]) => ({ content, status })) },
    'ok',
  );

async function lineOf(messages: readonly Message[], prepare?: (s: Session) => Promise<unknown>) {
  const store = await openOver((await newDisk()).mount(), { clock: new SimulatedClock() });
  const session = await store.open('s', { window: 64_000 });
  let line = '';
  session.on('session.recovered', (fact) => (line = fact.line));
  await prepare?.(session);
  await session.append(messages);
  await session.recover();
  await store.close();
  return line.replace('Recovered context: ', '');
}

test('a commit is what was completed last, whatever was said since', async () => {
  const line = await lineOf([
    user('Show failed jobs in src/jobs/list.ts'),
    ...edits('src/jobs/list.ts'),
    ...bash('git commit -m "Show failed jobs"', '[main 12ab34c] Show failed jobs\n 1 file changed'),
    says('Here is how it looks: a red row for each.'),
    user('ls'),
    says('👍'),
    user('ok'),
    says('👍'),
    machine('Ran `ls` (exit 0)'),
  ]);
  expect(line).toBe(
    'We were working on “Show failed jobs in src/jobs/list.ts” (e1), last completed commit: Show failed jobs (12ab34c) (e4), next step is what the user asks next; the last answer (e10) asks nothing.',
  );
});

test('the host’s list says what is done and what comes next', async () => {
  const line = await lineOf([
    user('Build the importer'),
    ...todos({ 'Write the reader': 'in_progress', 'Write the tests': 'pending' }),
    ...edits('src/reader.ts'),
    ...todos({ 'Write the reader': 'completed', 'Write the tests': 'in_progress' }),
  ]);
  expect(line).toBe(
    'We were working on “Build the importer” (e1), last completed “Write the reader” (e6), next step is “Write the tests” (e6).',
  );
});

test('a list of an older request is history', async () => {
  const line = await lineOf([
    user('Build the importer'),
    ...todos({ 'Write the reader': 'pending' }),
    says('I wrote the plan down.'),
    user('Never mind. Rename src/reader.ts to src/load.ts instead'),
    ...bash('git mv src/reader.ts src/load.ts'),
    says('The file was renamed to src/load.ts, and its imports follow.'),
  ]);
  expect(line).toContain('working on “Rename src/reader.ts to src/load.ts instead” (e5)');
  expect(line).toContain('last completed The file was renamed to src/load.ts');
  expect(line).not.toContain('Write the reader');
});

test('neither a curse nor a word to go on is what the work is about', async () => {
  const line = await lineOf([
    user('Split src/parser.ts into modules'),
    ...edits('src/parser/lexer.ts'),
    user('why do you read it line by line you idiot'),
    ...edits('src/parser/tree.ts'),
    user('continue'),
    ...edits('src/parser/print.ts'),
  ]);
  expect(line).toBe(
    'We were working on “Split src/parser.ts into modules” (e1), last completed a change of src/parser/print.ts (e8), next step is to go on with “Split src/parser.ts into modules” (e1).',
  );
});

test('the newest message at length is what the work is about, also as a question; its curses are not', async () => {
  const before = [user('Split src/parser.ts into modules'), ...edits('src/parser/lexer.ts')];
  const about = async (text: string): Promise<string> =>
    /working on “(.*?)” \(e\d+\)/.exec(await lineOf([...before, user(text)]))?.[1] ?? '';
  const question = 'sooo, why do we copy the rows here and not where they are read?';
  expect(await about(question)).toBe(question);
  expect(await about('wtf is this? why would we sort the rows and then sort them again?')).toBe(
    'why would we sort the rows and then sort them again?',
  );
  for (const none of [
    'ok, i hope i have not worn you out by all of this',
    'i went over everything we have, it is good. continue',
    'Ran `ls -la` (exit 0)\nREADME.md\npackage.json\nsrc\ntest',
  ])
    expect(await about(none)).toBe('Split src/parser.ts into modules');
});

test('in the middle of a turn what comes next is what the model said it would do', async () => {
  const call = { id: 'check', name: 'bash', arguments: { command: 'npm run check' } };
  const line = await lineOf([
    user('Split src/parser.ts into modules'),
    { role: 'assistant', content: 'Good. Now let me move the lexer:', toolCalls: [call] },
    { role: 'tool', toolCallId: 'check', content: 'ok' },
  ]);
  expect(line).toContain('next step is “Now let me move the lexer” (e2)');
});

test('what the model offers at the end waits for a word of the user', async () => {
  const offer = 'Ready to start building Chunk 1 whenever you want to go on.';
  const next = async (said: string): Promise<string> =>
    /next step is (.*)\.$/.exec(await lineOf([user('Record the plan'), says(said)]))?.[1] ?? '';
  expect(await next(`The plan is recorded. ${offer}`)).toBe(
    `what the user says to “${offer.slice(0, -1)}” (e2)`,
  );
  expect(await next('The plan is recorded. Ready.')).toContain('what the user asks next');
});

test('work that was handed in is not gone on with', async () => {
  const fixed = [user('Fix the rounding of src/round.ts'), ...edits('src/round.ts')];
  const handed = await lineOf([...fixed, ...runs('submit', {}, 'diff --git a/src/round.ts')]);
  expect(handed).toMatch(
    /src\/round\.ts \(e2\); the work was handed in \(e4\), next step is what the user asks next/,
  );
  const refused = runs('submit', {}, 'Error: the tests fail');
  expect(await lineOf([...fixed, ...refused])).not.toContain('handed in');
});

test('what the model said it would do counts until it says something else', async () => {
  const call = (id: string, content: string): Message[] => [
    { role: 'assistant', content, toolCalls: [{ id, name: 'bash', arguments: { command: id } }] },
    { role: 'tool', toolCallId: id, content: 'ok' },
  ];
  const line = await lineOf([
    user('Fix the rounding in src/time.ts'),
    ...call('rm probe.py', "Let's remove the file probe.py, it is no longer needed."),
    ...call('submit', 'Calling `submit` to submit.'),
  ]);
  expect(line).toContain('next step is to go on with “Fix the rounding in src/time.ts” (e1)');
});

test('in a frame the list from before it is not what comes next', async () => {
  const line = await lineOf([], async (session) => {
    await session.append([
      user('Build the importer'),
      ...todos({ 'Write the reader': 'in_progress', 'Write the tests': 'pending' }),
    ]);
    await session.push({ title: 'Read the rows' });
    await session.append(bash('cat rows.csv', 'a,b'));
  });
  expect(line).toContain('next step is to go on with “Read the rows” (e4)');
});

test('an aside is left behind once its work was committed and the person goes on', async () => {
  const line = await lineOf([
    user('Refactor the parser in src/parser.ts'),
    ...bash('git commit -m "Split the lexer"', '[main 12ab34c] Split the lexer'),
    user('btw, can we keep the old code around for reference, in a file of its own?'),
    ...bash('git commit -m "Keep the old code"', '[main 22ab34c] Keep the old code'),
    user('i went over it, it is good. continue'),
    ...bash('cat src/parser.ts', 'export'),
  ]);
  expect(line).toContain('working on “Refactor the parser in src/parser.ts” (e1)');
});

test('what is only supposed, planned or left over is not completed', async () => {
  const line = await lineOf([
    user('Fix the rounding in src/time.ts'),
    ...bash('npm test', 'ok 12 tests'),
    says(
      'We can have a `done` callback. The cache works like the old one. The rounding should be fixed once the unit is passed on. The tests are not updated yet.',
    ),
  ]);
  expect(line).toContain('last completed `npm test`, which said “ok 12 tests” (e3)');
});

test('a question at the end waits for its answer', async () => {
  const line = await lineOf([
    user('Plan the migration of the users table'),
    says('There are two ways. Shall I keep the old column for a release?'),
  ]);
  expect(line).toContain(
    'next step is the answer to “Shall I keep the old column for a release?” (e2)',
  );
});

test('a question that leans on what stands before it is told with it, or with its options', async () => {
  const next = async (said: string): Promise<string> =>
    /the answer to (.*) \(e2\)/.exec(await lineOf([user('Plan the migration'), says(said)]))?.[1] ??
    '';
  expect(await next('The best win is one render method. Want me to tackle it?')).toBe(
    '“The best win is one render method. Want me to tackle it?”',
  );
  expect(await next('**Option A (quick):** Block the calls\n\nWant me to do Option A?')).toBe(
    '“Want me to do Option A? (a) Block the calls”',
  );
});

test('a request that nobody answered comes next; a failure just now is told with the task', async () => {
  const asked = await lineOf([
    user('Plan the migration'),
    says('The plan was written to docs/plan.md.'),
    user('Now add an index on users.email'),
  ]);
  expect(asked).toContain('next step is “Now add an index on users.email” (e3)');
  const failed = await lineOf([
    user('Make the build green'),
    ...bash('npm run build', 'Error: Cannot find module tsup'),
  ]);
  expect(failed).toContain('last completed nothing that is known');
  expect(failed).toContain(
    'next step is to go on with it: `npm run build` failed: Error: Cannot find module tsup (e3)',
  );
});

test('what a goal or a frame says comes first', async () => {
  const line = await lineOf([user('Begin'), says('Done: the schema was created.')], (session) =>
    session.goal.set({
      description: 'Ship the notes app',
      milestones: [
        { text: 'Schema', status: 'completed' },
        { text: 'Log-in', status: 'in_progress' },
      ],
    }),
  );
  expect(line).toBe(
    'We were working on Ship the notes app, last completed Schema, next step is Log-in.',
  );
});

test('what is open is told once, by what explains it', async () => {
  const store = await openOver((await newDisk()).mount(), { clock: new SimulatedClock() });
  const session = await store.open('s', { window: 64_000 });
  await session.goal.set({ description: 'Notes', next: ['Ship it: tag v1'] });
  await session.frames.plan({ title: 'Ship it' });
  await session.append(user('Begin'));
  await session.recover();
  const { messages } = await session.assemble();
  const text = JSON.stringify(messages);
  await store.close();
  expect(/Open:(.*?)(?:Files|<\/recovered>)/.exec(text)?.[1]).toBe('\\n- Ship it: tag v1\\n');
});

test('after a compression it is the same sentence', async () => {
  const long = Array.from({ length: 60 }, (_, n) => [
    ...bash(`cat src/file${n}.ts`, `const value${n} = ${'0, '.repeat(400)};`),
  ]).flat();
  const line = await lineOf([
    user('Rewrite the scheduler in src/schedule.ts'),
    ...edits('src/schedule.ts'),
    ...bash('git commit -m "Rewrite the scheduler"', '[main 1a2b3c4] Rewrite the scheduler'),
    ...long,
  ]);
  expect(line).toContain('working on “Rewrite the scheduler in src/schedule.ts” (e1)');
  expect(line).toContain('last completed commit: Rewrite the scheduler (1a2b3c4) (e4)');
});
