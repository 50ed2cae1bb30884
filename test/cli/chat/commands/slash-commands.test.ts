import { expect, test } from 'vitest';
import { flamestack, unprintable } from '../../call.ts';
import { commandWords } from '../../../../src/cli/chat/commands/slash-commands.ts';
import { stage } from '../../chat-stage.ts';

/** A line of `chat --json`. */
type Event = Record<string, unknown>;

const events = (out: string): Event[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

test('commands are carried out and never sent to the model', async () => {
  const { pipe, server } = await stage();
  const lines = [
    '/goal Ship the parser',
    '/decision Tabs are two spaces',
    '/plan Docs',
    '/push Lexer -- it reads all tokens',
    '/goal show',
    '/status',
    '/pop Lexer is done.',
    '/window 16k',
    '/goal complete',
    '/quit',
    'never said',
  ];
  const { exit, out, err } = await pipe('a', lines.join('\n'));
  expect(exit).toBe(0);
  expect(out).toContain('◆ Ship the parser\n  locked: Tabs are two spaces\n');
  expect(out).toMatch(/▶ f0 a[^]*○ f\d+ Docs .*planned[^]*▶ f\d+ Lexer .*here/);
  expect(out).toContain('◆ Ship the parser (completed)');
  expect(err.split('\n')).toEqual([
    'Locked: Tabs are two spaces',
    'Planned: Docs (f1)',
    'Working on: Lexer',
    'Left as completed.',
    expect.stringMatching(
      /^Window 16,384 tokens: 2,457 for the answer, [\d,]+ prompt and tools, .* left$/,
    ),
    '',
  ]);
  expect(server.log.filter(({ path }) => path === '/api/chat')).toEqual([]);
});

test.each([
  ['/stats', 'There is no command /stats. Did you mean /status?'],
  ['/golla', 'There is no command /golla. Did you mean /goal?'],
  ['/xyzzy', 'There is no command /xyzzy. /help lists the commands.'],
  ['/push', 'It takes more: /push Parser -- all its tests pass'],
  ['/pop', 'This is the root of the session'],
  ['/push Lexer\n/pop weird', '"weird" is no status: /pop completed, failed or blocked'],
  ['/retry', 'There is nothing to answer yet.'],
  ['/system @nofile', 'The file "nofile" for the system prompt is not there'],
  ['/decision Tabs', 'There is no goal yet'],
  ['/window lots', 'It takes a number of tokens'],
])('%s is refused', async (line, message) => {
  const { pipe, server } = await stage();
  const { exit, err } = await pipe('a', `${line}\n`);
  expect([exit, err]).toEqual([1, expect.stringContaining(message)]);
  expect(server.log.some(({ path }) => path === '/api/chat')).toBe(false);
});

test('a path is a message, and so is all of stdin at once', async () => {
  const { pipe, server } = await stage();
  await pipe('a', '/etc/hosts is what?\n');
  await pipe('a --once', 'first\n\nsecond\n');
  const said = server.log
    .filter(({ path }) => path === '/api/chat')
    .map(({ body }) => body.messages?.findLast(({ role }) => role === 'user')?.content);
  expect(said).toEqual(['/etc/hosts is what?', 'first\n\nsecond']);
});

test('help lists every command within 80 columns, in a few lines', async () => {
  const { out } = await (await stage()).pipe('a', '/help\n');
  const lines = out.trimEnd().split('\n');
  const listed = lines.flatMap((line) => /^ {2}(\/[a-z]+) .*\w/.exec(line)?.[1] ?? []);
  expect(listed).toEqual(commandWords);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.length).toBeLessThanOrEqual(24);
});

test('another model goes on in the same session, and the system prompt can be another', async () => {
  const { pipe, server } = await stage({ models: { one: {}, two: {} } });
  const lines = '/model\n/model two\n/system Be brief.\nHello\n/system\n';
  const { exit, out, err } = await pipe('a --model one --frames', lines);
  expect([exit, err]).toEqual([0, expect.stringContaining('Going on with two.')]);
  expect(out).toMatch(/^ {2}one:latest, in use\n {2}two:latest\n/);
  const asked = server.log.findLast(({ path }) => path === '/api/chat')!;
  expect(asked.body.model).toBe('two');
  expect(asked.body.messages?.[0]?.content).toMatch(/^Be brief\.\n\n# Working in frames/);
  expect(out).toContain('Be brief.');
});

test.each([
  ['/undo', 'There is no step to take back', 'An older state: /snapshot ls'],
  [
    '/redo',
    'There is no step to take again',
    'Take one back first: /undo. An older state: /snapshot ls',
  ],
  ['/start f9', 'There is no frame "f9"', '/status lists them.'],
  ['/snapshot restore s9', 'There is no snapshot "s9"', '/snapshot ls lists them.'],
])('%s is refused with a command of the chat', async (line, says, advice) => {
  const { pipe } = await stage();
  await pipe('a', 'Hello\n');
  const { err } = await pipe('a', `${line}\n`);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(says);
  expect(err).toContain(advice);
  expect(err).not.toContain('--store');
});

test('the command that shows a snapshot reads it beside the chat, as is said', async () => {
  const { sit, store } = await stage();
  const { type, until, exit } = sit('a');
  await until('> ');
  type('/snapshot\r');
  await until('Made snapshot s1');
  type('/snapshot show s1\r');
  await until('in another terminal.');
  const { exit: shown } = await flamestack(`snapshot show s1 --session a --store ${store}`);
  expect(shown).toBe(0);
  type('/quit\r');
  expect(await exit).toBe(0);
});

test('the tab key completes a command, and sets what follows apart', async () => {
  const { sit } = await stage();
  const { type, until, exit } = sit('a');
  await until('> ');
  type('/pus');
  await until('/pus');
  type('\t');
  await until('h ');
  type('Lexer\r');
  await until('Working on: Lexer');
  type('/quit \r');
  expect(await exit).toBe(0);
});

test('JSON is one event per line, each with its schema', async () => {
  const { pipe } = await stage({ reply: 'Hello there.' });
  const { exit, out, err } = await pipe('notes --json', 'Hi\n');
  expect([exit, err]).toEqual([0, '']);
  const told = events(out);
  expect(new Set(told.map(({ schema }) => schema))).toEqual(new Set(['flamestack.chat/1']));
  expect(told[0]).toMatchObject({ type: 'session', session: 'notes', isNew: true, window: 8_192 });
  const text = told.filter(({ type }) => type === 'text').map(({ text }) => text);
  expect(text.join('')).toBe('Hello there.');
  expect(told.find(({ type }) => type === 'answered')).toMatchObject({
    entry: 'e2',
    text: 'Hello there.',
    finish: 'stop',
    inputTokens: expect.any(Number) as unknown,
  });
  expect(told.at(-1)).toMatchObject({ type: 'left', session: 'notes' });
  const wrong = events((await pipe('notes --json', '/xyzzy\n')).out);
  expect(wrong.find(({ type }) => type === 'error')).toMatchObject({ code: 'OPTION_INVALID' });
});

test('/retry asks for another answer in words, and for one that is missing as it is', async () => {
  const { pipe, server, store } = await stage({
    reply: ['One.', 'Two.', { error: 'boom' }, 'Three.'],
  });
  await pipe('a', 'Hello\n/retry\nAgain\n');
  expect((await pipe('a', '/retry\n')).out).toBe('Three.\n');
  const another = '[The person asks for another answer to the last message.]';
  const lasts = server.log
    .filter(({ path }) => path === '/api/chat')
    .map(({ body }) => body.messages?.at(-1))
    .map((last) => [last?.role, last?.content]);
  expect(lasts).toEqual([
    ['user', 'Hello'],
    ['user', another],
    ['user', 'Again'],
    ['user', 'Again'],
  ]);
  const { out } = await flamestack(`show a --entry e3 --json --store ${store}`);
  expect(JSON.parse(out)).toMatchObject({ entry: { origin: 'machine', content: another } });
});

test('a message that is sent shortened is said, with where all of it is', async () => {
  const { pipe } = await stage();
  const { err } = await pipe('a', `${'so it goes in part 7 '.repeat(3_000)}\n`);
  expect(err).toMatch(
    /^Your message of [\d,]+ tokens is sent shortened to [\d,]+; all of it is in the log \(e1\)\n/,
  );
});

test('what a chat sends can be looked at afterwards, tools and all', async () => {
  const { pipe, store } = await stage();
  await pipe('a', '/goal Ship the parser\nHello\n');
  const { out } = await flamestack(`show a --store ${store}`);
  expect(out).toMatch(/What the model sees now[^]*Hello/);
  expect(out).toMatch(/ tools +[1-9]\d* .* schemas of the tools/);
  const goal = await flamestack(`show a --section goal --store ${store}`);
  expect(goal.out).toContain('Ship the parser');
});

test('a goal that the model changes is told, and one where there was none is not', async () => {
  const goal = (description: string): object => ({
    toolCalls: [{ name: 'goal_update', arguments: { description } }],
  });
  const { pipe, store } = await stage({
    reply: [
      { content: '', ...goal('Ship the lexer') },
      'Done.',
      { content: '', ...goal('Write docs') },
      'Noted.',
    ],
  });
  const changed = await pipe('a', '/goal Ship the parser\nGo.\n');
  expect(changed.err).toContain('goal: Ship the parser → Ship the lexer\n');
  const first = await pipe('b', 'Go.\n');
  expect([first.out, first.err]).toEqual([
    expect.stringContaining('Noted.'),
    expect.not.stringContaining('goal:'),
  ]);
  const shown = await flamestack(`show b --section goal --store ${store}`);
  expect(shown.out).toContain('Write docs');
});

test('work left below a frame is dropped only if the person says so', async () => {
  const { sit } = await stage();
  const { type, until } = sit('a');
  await until('> ');
  type('/push Lexer\r/plan Docs\r/pop\r');
  await until('Docs');
  await until('Drop them? [y/N] ');
  type('n\r');
  await until('Kept open. /start f2 does it, /drop f2 gives it up, /pop drop gives up all of');
  await until('> ');
  type('/pop\r');
  await until('Drop them? [y/N] ');
  type('y\r');
  await until('Left as completed.');
});

test('without a person a pop with planned work says how to leave, and each way works', async () => {
  const { pipe } = await stage();
  const begin = ['/push Lexer', '/plan Docs', '/plan Tests'];
  const { exit, err } = await pipe('a', [...begin, '/pop'].join('\n'));
  expect(exit).toBe(1);
  expect(err).toContain('f2 "Docs" (planned), f3 "Tests" (planned)');
  expect(err).toContain('/start f2 does it, /drop f2 gives it up, /pop drop gives up all of them.');
  const ways = ['/start f2', '/pop Docs are written.', '/drop f3 no time', '/pop Lexed.'];
  expect((await pipe('b', [...begin, ...ways].join('\n'))).err.split('\n').slice(3)).toEqual([
    'Now in f2 "Docs".',
    'Left as completed.',
    'Given up: f3 "Tests". Now in f1 "Lexer".',
    'Left as completed.',
    '',
  ]);
  const dropped = await pipe('c', [...begin, '/pop drop failed No time.'].join('\n'));
  expect(dropped.err).toContain('Left as failed.');
});

test('a frame is begun and given up by its title, where only one has it', async () => {
  const { pipe } = await stage();
  const lines = [
    '/plan Lexer',
    '/plan Log in page',
    '/plan Log',
    '/plan lexer',
    '/plan Docs',
    '/drop log in page no time',
    '/drop Log',
    '/start docs',
    '/pop Written.',
  ];
  const { err } = await pipe('a', lines.join('\n'));
  expect(err.split('\n').slice(5)).toEqual([
    'Given up: f2 "Log in page". Now in f0.',
    'Given up: f3 "Log". Now in f0.',
    'Now in f5 "Docs".',
    'Left as completed.',
    '',
  ]);
  const several = (await pipe('a', '/start Lexer\n')).err.replaceAll(/\s+/g, ' ');
  expect(several).toContain(
    'Several are called "Lexer": f1 "Lexer" (planned), f4 "lexer" (planned)',
  );
  const none = (await pipe('a', '/start Parser\n')).err.replaceAll(/\s+/g, ' ');
  expect(none).toContain(
    'None to start is called "Parser": f1 "Lexer" (planned), f4 "lexer" (planned)',
  );
  const nothing = (await pipe('b', '/drop Parser it is over\n')).err.replaceAll(/\s+/g, ' ');
  expect(nothing).toContain('There is none to drop; /plan notes work for later.');
});

test('a title that looks like an id is one where no frame has that id, and nothing behind an id is passed over', async () => {
  const { pipe } = await stage();
  const begin = ['/plan f16 fighter jet', '/plan f17', '/plan Docs'];
  const lines = ['/start f16 fighter jet', '/pop Built.', '/drop f17 no time', '/drop f3 no use'];
  const { err } = await pipe('a', [...begin, ...lines].join('\n'));
  expect(err.split('\n').slice(3)).toEqual([
    'Now in f1 "f16 fighter jet".',
    'Left as completed.',
    'Given up: f2 "f17". Now in f0.',
    'Given up: f3 "Docs". Now in f0.',
    '',
  ]);
  const behind = await pipe('b', '/plan Docs\n/start f1 and more words\n');
  expect(behind.err.replaceAll(/\s+/g, ' ')).toContain(
    'None to start is called "f1 and more words": f1 "Docs" (planned)',
  );
});

test('what an undo took back of a goal is told by what had changed', async () => {
  const { pipe, store } = await stage();
  const { err } = await pipe(
    'a',
    ['/goal Ship', '/decision A', '/decision B', '/goal complete', '/undo', '/undo', '/redo'].join(
      '\n',
    ),
  );
  expect(err.split('\n').slice(2)).toEqual([
    'Took back a change of the goal "Ship". Now in f0.',
    'Took back the decision "B". Now in f0.',
    'Took the decision "B" again. Now in f0.',
    '',
  ]);
  const { out } = await flamestack(`undo a --list --store ${store}`);
  expect(out).toMatch(/1 +the decision "B" .*\n *2 +the decision "A" .*\n *3 +the goal "Ship" /);
  const undone = await flamestack(`undo a --yes --store ${store}`);
  expect(undone.out).toContain('Next undo: the decision "A"');
  expect(undone.out).toContain('Next redo: the decision "B"');
});

test('what a chat says of work left and of snapshots is said in its own commands', async () => {
  const { pipe } = await stage();
  const left = await pipe('a', '/push Lexer\n/plan Docs\n/pop\n');
  expect(left.err).toContain('Work is left below f1 "Lexer": f2 "Docs" (planned)');
  expect(left.err).not.toContain('drop: true');
  const { out } = await pipe('b', '/snapshot Here\n/snapshot ls\n');
  expect(out.replaceAll(/\s+/g, ' ')).toContain('`/snapshot restore <id> keep` keeps it');
  expect(out).not.toContain('--keep');
});

test('hostile text of a model reaches no terminal, in whatever pieces it comes', async () => {
  const hostile = 'a\x1b]0;owned\x07b\x1b[2Jc\u202ed\r\x9b31me';
  const models = {
    tiny: { capabilities: ['completion' as const, 'thinking' as const, 'tools' as const] },
  };
  const reply = [
    {
      content: hostile,
      thinking: hostile,
      toolCalls: [{ name: hostile, arguments: { [hostile]: hostile } }],
    },
    { error: hostile },
  ];
  const { sit, pipe, store } = await stage({ models, reply });
  const { type, until, exit, out } = sit('a --think');
  await until('> ');
  type('Hi\r');
  await until('/retry');
  type('\x04');
  await exit;
  expect(out()).not.toMatch(/\x1b\]|\x1b\[2J|\x9b|\u202e|\x07/);
  const piped = await pipe('b', 'Hi\n');
  expect(piped.out + piped.err).not.toMatch(unprintable);
  expect((await flamestack(`ls --store ${store}`)).exit).toBe(0);
});

test('sessions get the day as their name, the next one a number, and --new takes no old name', async () => {
  const { pipe, store } = await stage();
  await pipe('--new', 'Hi\n');
  await pipe('--new', 'Hi\n');
  await pipe('', 'Hi\n');
  const { out } = await flamestack(`ls --store ${store} --json`);
  const { sessions } = JSON.parse(out) as { sessions: { id: string; turns: number }[] };
  expect(sessions.map(({ id, turns }) => [id.replace(/\d{4}-\d\d-\d\d/, 'day'), turns])).toEqual([
    ['chat-day-2', 2],
    ['chat-day', 1],
  ]);
  const { exit, err } = await pipe(`--new ${sessions[0]!.id}`, 'Hi\n');
  expect([exit, err]).toEqual([2, expect.stringContaining('There is a session')]);
});

test('compressions are told with their sizes, and by whom', async () => {
  const { pipe } = await stage({ reply: 'Noted. '.repeat(60) });
  const said = Array.from(
    { length: 14 },
    (_, n) => `Look at src/part-${n}.ts. ${'so it goes '.repeat(30)}`,
  );
  const lines = [...said, '/status'].join('\n');
  const { exit, out, err } = await pipe('a --window 4k --no-frames', `${lines}\n`);
  expect(exit).toBe(0);
  expect(out.replace(/\s+/g, ' ')).toMatch(/, \d+ compressions?, none written by the model/);
  expect(err).toMatch(/▼ compressed [\d,]+ → [\d,]+ tokens, told in the words of the log\n/);
  expect(out).not.toContain('summaries by models');
  const asked = await pipe('b --window 4k --no-frames --summarizer model', `${lines}\n`);
  expect(asked.err).toMatch(
    /▼ compressed [\d,]+ → [\d,]+ tokens, written without the model \([a-z ]+\)/,
  );
  expect(asked.out).toContain('summaries by models of that size: ');
});
