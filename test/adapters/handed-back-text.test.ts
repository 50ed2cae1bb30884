import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted, handedBackText } from '../../src/adapters/handed-back-text.ts';
import { openStore, type Message } from '../../src/index.ts';

const block = fc.record({
  lines: fc.array(fc.string({ maxLength: 60 }), { minLength: 1, maxLength: 12 }),
  kind: fc.constantFrom('said' as const, 'told' as const, 'entry' as const),
});

test('whatever is handed back, it comes to an end and is no longer than it may be', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 20 }), fc.nat(400), (given, longest) => {
      const blocks = given.map((one, at) => ({
        ...one,
        entry: one.kind === 'told' ? null : `e${at + 1}`,
      }));
      expect(fitted('head', blocks, longest).length).toBeLessThanOrEqual(longest);
    }),
  );
});

test('what is told in a line does not keep what people said from being shortened', () => {
  const told = { lines: ['<checkpoint/>'], kind: 'told' as const, entry: null };
  const said = Array.from({ length: 30 }, (_, n) => ({
    lines: ['x'.repeat(500)],
    kind: 'said' as const,
    entry: `e${n + 1}`,
  }));
  expect(fitted('head', [told, ...said], 9_800).length).toBeLessThanOrEqual(9_800);
});

const told = (...lines: readonly string[]) => ({ lines, kind: 'told' as const, entry: null });
const long = 'x'.repeat(80);

const memory = [
  told('Said earlier by the user:', ...[1, 10, 12].map((n) => `[e${n}] ${long}`)),
  told(
    'What happened:',
    'After e1:',
    `- e2 ${long}`,
    'After e10:',
    `- e11 ${long}`,
    `- e12 ${long}`,
  ),
  told(
    '<goal priority="medium" status="active">',
    'Keep unknown hooks.',
    'Milestones:',
    ...[1, 2, 3].map((n) => `- [x] ${n} ${long}`),
    `- [ ] 4 ${long}`,
    '</goal>',
  ),
  told(
    '<checkpoint id="c12" entries="e13–e20" count="8">',
    'After e12:',
    `- e15 ${long}`,
    '</checkpoint>',
    '<checkpoint id="c14" entries="e21–e30" count="10">',
    'After e12:',
    `- e22 ${long}`,
    `- e25 ${long}`,
    '</checkpoint>',
  ),
  { lines: ['[e31 person] Do it now'], kind: 'said' as const, entry: 'e31' },
  { lines: [`[e32 assistant] ${long}`], kind: 'entry' as const, entry: 'e32' },
];

test('each share loses its oldest, a head stands only above its own lines, and marks name what left', () => {
  expect(fitted('head', memory, 1_180).replaceAll(long, '…').split('\n')).toEqual([
    'head',
    '',
    'Said earlier by the user:',
    '[e1] …',
    '[e10] …',
    '[e12] …',
    '',
    'What happened:',
    '… [e2]',
    'After e10:',
    '- e11 …',
    '- e12 …',
    '',
    '<goal priority="medium" status="active">',
    'Keep unknown hooks.',
    'Milestones:',
    '… [2 more of the goal: `flamestack show --section goal`]',
    '- [x] 3 …',
    '- [ ] 4 …',
    '</goal>',
    '',
    '… [e15]',
    '<checkpoint id="c14" entries="e21–e30" count="10">',
    'After e12:',
    '… [e22]',
    '- e25 …',
    '</checkpoint>',
    '',
    '[e31 person] Do it now',
    '[e32 assistant] …',
  ]);
});

test('the newest request and the description of the goal stand, whatever leaves', () => {
  const text = fitted('head', memory, 420);
  expect(text).toContain('\nKeep unknown hooks.\n… [4 more of the goal');
  expect(text).toContain('[e31 person] Do it now');
  expect(text).not.toContain('<checkpoint');
});

test('an entry that is longer than its part loses lines in its middle, and says which entry has them', () => {
  const lines = Array.from({ length: 9 }, (_, n) => `${n} ${long}`);
  const text = fitted('head', [{ lines, kind: 'said', entry: 'e5' }], 600);
  expect(text.replaceAll(long, '')).toBe('head\n\n0 \n  … [7 lines: e5]\n8 ');
});

test('a frame’s child of several lines leaves whole, and its mark names its entries', () => {
  const child = ['  <child id="f1" entries="e2–e9"><results>one', long, 'two</results></child>'];
  const frames = told(
    '<frame id="f0" status="in_progress">',
    '  <title>All</title>',
    ...child,
    '</frame>',
  );
  expect(fitted('head', [frames], 120).split('\n').slice(2)).toEqual([
    '<frame id="f0" status="in_progress">',
    '  <title>All</title>',
    '… [e2–e9]',
    '</frame>',
  ]);
});

test('where nothing more may leave the end says that it was cut', () => {
  const goal = { lines: ['<goal>', 'x'.repeat(900)], kind: 'told' as const, entry: null };
  const text = fitted('head', [goal], 400);
  expect(text.length).toBe(400);
  expect(text.endsWith('x… [cut here]')).toBe(true);
});

/** A call of a tool, and what it gave. */
const called = (
  name: string,
  args: Readonly<Record<string, string>>,
  result: string,
): readonly Message[] => {
  const id = `${name} ${JSON.stringify(args)}`;
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: args }] },
    { role: 'tool', toolCallId: id, name, content: result },
  ];
};

test('the list of the agent stands as it is now, and no line tells of it as it was', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('tasks', { window: 8_000 });
  await session.append({ role: 'user', content: 'Add a filter to the store and test it.' });
  const create = (n: number, subject: string): readonly Message[] =>
    called('TaskCreate', { subject }, `Task #${n} created successfully: ${subject}`);
  const update = (n: number, status: string): readonly Message[] =>
    called('TaskUpdate', { taskId: `${n}`, status }, `Updated task #${n} status`);
  await session.append([
    ...create(1, 'Write the filter'),
    ...create(2, 'Test the filter'),
    ...create(3, 'Write the page'),
    ...update(1, 'in_progress'),
  ]);
  for (let n = 0; n < 12; n++)
    await session.append(called('Read', { file_path: `src/f${n}.ts` }, 'word '.repeat(400)));
  await session.compress();
  expect(JSON.stringify((await session.assemble()).messages)).toContain('list: [~] #1 Write');
  await session.append([...update(1, 'completed'), ...update(2, 'in_progress')]);
  const lines = (await handedBackText(session)).split('\n');
  const at = lines.indexOf('The list of the agent as it stands now:');
  expect(lines.slice(at + 1, at + 4).map((line) => line.replace(/ \(e\d+\)$/, ''))).toEqual([
    '- [x] #1 Write the filter',
    '- [~] #2 Test the filter',
    '- [ ] #3 Write the page',
  ]);
  expect(lines.filter((line) => line.includes('list: '))).toEqual([]);
});

const logged = Array.from({ length: 14 }, (_, n) => `  2026-01-02T03:04:${n + 10} [job] step ${n}`);

test('what people ask for and lay down stands, where they pasted a log gives way', () => {
  const people = told(
    'Said earlier by the user:',
    '[e1] Look into the job that hangs and tell me why it waits',
    "[e5] Don't wait 30 seconds, start it at once",
    `[e7] hm, ${'so so '.repeat(100)}`,
    `[e8] hm, ${'la la '.repeat(100)}`,
    '[e9] me@host shop % tail -f job.log',
    ...logged,
    '[e11] It still hangs here:',
    ...logged,
    '',
    '  Always clear the lock first.',
  );
  const blocks = [
    people,
    told('What happened:', ...Array.from({ length: 30 }, (_, n) => `- e${n + 12} ${long}`)),
    { lines: ['[e31 person] Do it now'], kind: 'said' as const, entry: 'e31' },
  ];
  expect(fitted('head', blocks, 2_400).split('\n').slice(2, 13)).toEqual([
    'Said earlier by the user:',
    '[e1] Look into the job that hangs and tell me why it waits',
    "[e5] Don't wait 30 seconds, start it at once",
    '… [e7]',
    expect.stringMatching(/^\[e8\] hm/),
    '[e9] me@host shop % tail -f job.log',
    '  … [13 pasted lines: e9]',
    logged.at(-1),
    '[e11] It still hangs here:',
    '  … [14 pasted lines: e11]',
    '  Always clear the lock first.',
  ]);
});

test('a long line leaves its end and not the changes beside it, nor does a file that was read', () => {
  const chronicle = told(
    'What happened:',
    'After e1:',
    ...[3, 5, 7].map((n) => `- e${n} changed src/f${n}.ts (+ one)`),
    `- e9 Summary: ${'all that was there '.repeat(300)}`,
    'Files and commands, the most used first; e… show or name them:',
    `- src/read.ts (read e2): ${'members(of, it); '.repeat(80)}`,
    '- src/f7.ts (changed e7): one',
  );
  const text = fitted('head', [chronicle], 900);
  expect(text).toContain('- e3 changed src/f3.ts');
  expect(text).toMatch(/- e9 Summary: all .*… \[e9\]\n/);
  expect(text).toContain('- src/f7.ts (changed e7): one');
  expect(text).not.toContain('src/read.ts');
});

test('a request that a person broke off says so, and no other', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('broken', { window: 8_000 });
  const broken = (words = ''): Message => ({
    role: 'user',
    content: `[Request interrupted by user${words}]`,
    origin: 'machine',
  });
  await session.append([
    { role: 'user', content: 'Write the parser.' },
    { role: 'assistant', content: 'I begin with the tokens.' },
    broken(),
    { role: 'user', content: 'Write the lexer first.' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Now the docs.' },
    broken(' for tool use'),
    { role: 'user', content: 'And the tests.' },
    { role: 'assistant', content: 'Done: the tests pass.' },
    { role: 'user', content: '/review', origin: 'machine' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'ls', arguments: {} }] },
    { role: 'tool', toolCallId: 'c', content: 'a.ts' },
    broken(),
  ]);
  const text = await handedBackText(session);
  expect(text.split('\n').filter((line) => / person\b/.test(line))).toEqual([
    '[e1 person (interrupted)] Write the parser.',
    '[e4 person] Write the lexer first.',
    '[e6 person (interrupted)] Now the docs.',
    '[e8 person] And the tests.',
  ]);
  expect(text).not.toContain('[Request interrupted');
});
