import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { callOf } from '../../../../src/cli/call/call.ts';
import { plainTeller } from '../../../../src/cli/chat/output/plain-teller.ts';
import { workPlace } from '../../../../src/cli/sessions/work-place.ts';
import { openStore } from '../../../../src/index.ts';
import { flamestack } from '../../call.ts';
import { stage } from '../../chat-stage.ts';
import { gate } from '../../../gate.ts';

test('each line of a pipe is a message, and answers alone are on stdout', async () => {
  const { pipe, server } = await stage({ reply: ['Hello there.', 'Still here.'] });
  const told = await pipe('', 'Hi\nAre you there?\n');
  expect(told).toEqual({ exit: 0, out: 'Hello there.\nStill here.\n', err: '' });
  const asked = server.log.filter(({ path }) => path === '/api/chat');
  expect(asked).toHaveLength(2);
});

test('somebody types, sees the answer, and leaves with how to go on', async () => {
  const { sit, store } = await stage({ reply: 'Hello there.' });
  const { type, until, exit } = sit('notes');
  await until('A new session');
  await until(`Kept in ${store}.`);
  await until('tokens left');
  await until('> ');
  type('Hi\r');
  await until('Hello there.\n');
  await until('> ');
  type('\x04');
  await until('Go on with: flamestack chat notes');
  expect(await exit).toBe(0);
});

test('a session of before goes on, with one line that says where it was left', async () => {
  const { pipe, sit } = await stage({ reply: 'Noted.' });
  await pipe('notes', 'The parser comes first.\n/goal Ship the parser\n');
  const { type, until, exit } = sit('');
  await until('notes');
  await until('Last used just now · 1 turn · goal: Ship the parser');
  await until('> ');
  type('\x1b[A');
  await until('The parser comes first.');
  type('\x03');
  await until('> ');
  type('\x03');
  expect(await exit).toBe(0);
});

test('Ctrl-C stops the answer, keeps what was heard, and asks for the next message', async () => {
  const held = gate();
  const reply = {
    content: 'One two three four',
    before: (chunk: number) => (chunk === 2 ? held.passed : undefined),
  };
  const { sit, store } = await stage({ reply });
  const { type, until, exit } = sit('notes');
  await until('> ');
  type('Count.\r');
  await until('One');
  type('\x03');
  await until('stopped');
  await until('> ');
  held.open();
  type('\x04');
  expect(await exit).toBe(0);
  const { out } = await flamestack(`show notes --entry e2 --json --store ${store}`);
  const { entry } = JSON.parse(out) as { entry: object };
  expect(entry).toMatchObject({ finish: 'aborted', content: expect.stringMatching(/^One/) });
});

test('an answer that breaks off is kept as far as it was read, and /retry says that it did', async () => {
  const { sit, store, server } = await stage({
    reply: [{ content: 'One two three', dropAfter: 2 }, 'One two three four.'],
  });
  const first = sit('notes');
  await first.until('> ');
  first.type('Count.\r');
  await first.until('broke off');
  await first.until('What you said is kept; /retry asks again.');
  await first.until('> ');
  first.type('\x04');
  await first.exit;
  const { out } = await flamestack(`show notes --entry e2 --json --store ${store}`);
  const { entry } = JSON.parse(out) as { entry: object };
  expect(entry).toMatchObject({ finish: 'aborted', content: expect.stringMatching(/^One/) });
  const { type, until } = sit('notes');
  await until('The last answer broke off; /retry asks again.');
  await until('> ');
  type('/retry\r');
  await until('four.');
  const messages = server.log.at(-1)!.body.messages ?? [];
  expect(messages.slice(-3).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Count.'],
    ['assistant', expect.stringMatching(/^One/)],
    ['user', '[The last answer broke off. Answer the last message again, from the beginning.]'],
  ]);
});

test('an answer that broke off because the prompt was too long is not kept: it is asked for again', async () => {
  const { pipe, store, server } = await stage({
    reply: [
      { content: 'One two three', errorAfter: 2, error: 'maximum context length is 6000 tokens' },
      'One two three four.',
    ],
  });
  const { exit, out, err } = await pipe('notes', 'Count.\n');
  expect([exit, err]).toEqual([0, expect.stringContaining('making it shorter by its count')]);
  expect(out).toMatch(/^One.*\nOne two three four\.\n$/);
  const asked = server.log.filter(({ path }) => path === '/api/chat');
  const roles = asked.at(-1)!.body.messages?.map(({ role }) => role);
  expect(roles).toEqual(['system', 'user']);
  const log = await flamestack(`log notes --json --store ${store}`);
  expect(log.out).not.toContain('aborted');
});

test('an empty answer is said, and none is sent back to the server', async () => {
  const { sit, server } = await stage({ reply: ['', 'Here.'] });
  const { type, until } = sit('notes');
  await until('> ');
  type('Count.\r');
  await until('The model answered nothing; /retry asks again.');
  await until('> ');
  type('/retry\r');
  await until('Here.');
  const asked = server.log.filter(({ path }) => path === '/api/chat');
  expect(asked.at(-1)!.body.messages?.slice(1)).toMatchObject([
    { role: 'user', content: 'Count.' },
  ]);
  const piped = await stage({ reply: [''] });
  expect(await piped.pipe('notes', 'Count.\n')).toEqual({
    exit: 0,
    out: '',
    err: 'The model answered nothing; /retry asks again.\n',
  });
});

test('a paste of several lines is one message, and so are lines that go on', async () => {
  const { sit, server } = await stage({ reply: 'Read.' });
  const { type, until } = sit('notes');
  await until('> ');
  type('Look: \x1b[200~one\rtwo\rthr');
  type('ee\x1b[201~ done\r');
  await until('[paste 1: 3 lines] done');
  await until('Read.');
  await until('> ');
  type('four \\\r');
  await until('… ');
  type('five\r');
  await until('Read.');
  const said = server.log
    .filter(({ path }) => path === '/api/chat')
    .map(({ body }) => body.messages?.findLast(({ role }) => role === 'user')?.content);
  expect(said).toEqual(['Look: one\ntwo\nthree done', 'four \nfive']);
});

test('twice Ctrl-C leaves in the middle of an answer, and once more at an empty prompt only', async () => {
  const never = new Promise<void>(() => undefined);
  const reply = {
    content: 'One two three',
    before: (chunk: number) => (chunk === 1 ? never : undefined),
  };
  const { sit } = await stage({ reply });
  const first = sit('a');
  await first.until('> ');
  first.type('Count.\r');
  await first.until('One');
  first.type('\x03\x03');
  await first.until('Kept. Go on with');
  expect(await first.exit).toBe(0);
  const second = sit('a');
  await second.until('> ');
  second.type('half a line');
  await second.until('half a line');
  second.type('\x03');
  await second.until('> ');
  second.type('\x03');
  expect(await second.exit).toBe(0);
});

test('several lines that go on are given up together', async () => {
  const { sit, server } = await stage();
  const { type, until } = sit('a');
  await until('> ');
  type('```\rone\r');
  await until('one');
  type('\x03');
  await until('> ');
  type('two\r');
  await until('ok');
  const [asked] = server.log.filter(({ path }) => path === '/api/chat');
  expect(asked!.body.messages?.at(-1)?.content).toBe('two');
});

test('the lines of a message that has no end are told when the chat ends, since they were not sent', async () => {
  const { sit, server } = await stage({ reply: 'Read.' });
  const { type, until, out, exit } = sit('notes');
  await until('> ');
  type('```\r');
  await until('… ');
  type('one\r');
  await until('… ');
  type('\x04');
  expect(await exit).toBe(0);
  expect(out()).toContain('Not sent: ```\nNot sent: one\n');
  expect(server.log.some(({ path }) => path === '/api/chat')).toBe(false);
});

test('what is pasted or typed fast stands where the cursor is', async () => {
  const { sit, server } = await stage({ reply: 'Read.' });
  const { type, until } = sit('notes');
  await until('> ');
  type(`Explain  please${'\x1b[D'.repeat(7)}`);
  type('\x1b[200~one\rtwo\x1b[201~\r');
  await until('Read.');
  await until('> ');
  type('beta gamma\x01');
  type('alpha \r');
  await until('Read.');
  const said = server.log
    .filter(({ path }) => path === '/api/chat')
    .map(({ body }) => body.messages?.findLast(({ role }) => role === 'user')?.content);
  expect(said).toEqual(['Explain one\ntwo please', 'alpha beta gamma']);
});

test('an open fence says how it is ended, and a command in it is carried out', async () => {
  const { sit, server } = await stage({ reply: 'Read.' });
  const { type, until, out } = sit('a');
  await until('> ');
  type('\x1b[200~one\r```\rtwo\x1b[201~\r');
  await until('A ``` fence is open: a line of ``` ends the message, Ctrl-C gives it up.\n');
  await until('… ');
  type('three\r');
  await until('… ');
  expect(out().match(/fence is open/g)).toHaveLength(1);
  type('/status\r');
  await until('── work');
  await until('fence is open');
  await until('… ');
  type('/etc\r');
  await until('… ');
  type('```\r');
  await until('Read.');
  await until('> ');
  const [asked, ...more] = server.log.filter(({ path }) => path === '/api/chat');
  expect(more).toEqual([]);
  expect(asked!.body.messages?.at(-1)?.content).toBe('one\n```\ntwo\nthree\n/etc\n```');
});

test('the user of a small model is told so in a line at the start, a script is warned after three compressions', async () => {
  const models = { 'tiny:3b': { parameterCount: 3.2e9 } };
  const { pipe, sit } = await stage({
    models,
    reply: ({ messages }) =>
      messages[0]?.content?.startsWith('You write summaries') === true
        ? 'Findings and decisions:\n- All parts were looked at'
        : 'Noted. '.repeat(60),
  });
  const said = Array.from(
    { length: 40 },
    (_, n) => `Look at part ${n}. ${'so it goes '.repeat(40)}`,
  );
  const { exit, err } = await pipe('a --window 4k --no-frames --summarizer model', said.join('\n'));
  expect(exit).toBe(0);
  expect(err.match(/Your model/g)).toHaveLength(1);
  expect(err).toMatch(/Your model \(tiny:3b\) has compressed the conversation 3 times/);
  const { type, until, exit: left } = sit('b');
  await until("Reliability is estimated by the model's size (3.2 billion parameters): /status");
  await until('> ');
  type('\x04');
  expect(await left).toBe(0);
});

test('Ctrl-D in the middle of an answer stops it and leaves', async () => {
  const never = new Promise<void>(() => undefined);
  const reply = {
    content: 'One two three',
    before: (chunk: number) => (chunk === 1 ? never : undefined),
  };
  const { sit, pipe } = await stage({ reply });
  const { type, until, exit } = sit('a --tools files --no-frames');
  await until('> ');
  type('Count.\r');
  await until('One');
  type('\x04');
  await until('Go on with:\nflamestack chat a --tools files --no-frames --store');
  expect(await exit).toBe(0);
  expect((await pipe('--new b --once', '')).exit).toBe(0);
});

test('a script that says nothing leaves no store behind', async () => {
  const { pipe, store } = await stage();
  expect(await pipe('--new --once', '')).toEqual({ exit: 0, out: '', err: '' });
  expect(await pipe('a', '\n\n')).toEqual({ exit: 0, out: '', err: '' });
  expect((await flamestack(`ls --store ${store}`)).err).toContain('There is no store');
});

test('a script that ends at a wrong command or turn says how many lines behind it were not taken', async () => {
  const { pipe } = await stage({ reply: ['First.', { error: 'boom' }] });
  const wrong = await pipe('a', '/nosuch\nhello\n\nAnd then?\n');
  expect(wrong).toMatchObject({ exit: 1, out: '' });
  expect(wrong.err).toContain('That ended the chat: 2 lines behind it were not taken.');
  const failed = await pipe('a', 'hello\nAnd then?\nAnd now?\n');
  expect(failed).toMatchObject({ exit: 1, out: 'First.\n' });
  expect(failed.err).toContain('That ended the chat: 1 line behind it was not taken.');
  expect((await pipe('a', '/push\n')).err).not.toContain('That ended');
});

test('where it was left are two lines of what was said last, and whether it was answered', async () => {
  const { pipe, sit } = await stage({ reply: ['First.', { error: 'boom' }] });
  await pipe('a', 'The parser comes first.\n');
  const first = sit('a');
  await first.until(`you: The parser comes first.\ntiny:latest: First.\n`);
  expect(first.out()).not.toContain('has no answer');
  first.type('And then?\r');
  await first.until('boom');
  first.type('\x04');
  await first.exit;
  const second = sit('a');
  await second.until('you: And then?\n');
  await second.until('The last message has no answer; /retry asks again.');
});

test('a long message of an earlier day is called back as its label, and sent whole', async () => {
  const { sit, server } = await stage({ reply: 'Read.' });
  const long = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n');
  const first = sit('a');
  await first.until('> ');
  first.type(`\x1b[200~${long.replaceAll('\n', '\r')}\x1b[201~\r`);
  await first.until('Read.');
  first.type('\x04');
  await first.exit;
  const second = sit('a');
  await second.until('> ');
  second.type('\x1b[A');
  await second.until('[paste: 30 lines]');
  second.type('\r');
  await second.until('Read.');
  expect(server.log.at(-1)!.body.messages?.at(-1)?.content ?? '').toBe(long);
});

test('the tools are counted before the first prompt, and the line comes again only with news', async () => {
  const { sit } = await stage({ reply: 'Hello.' });
  const { type, until, out } = sit('a --frames');
  await until('prompt and tools');
  await until('left');
  await until('> ');
  type('/status\r');
  await until('tools');
  await until('> ');
  const lines = (): readonly string[] => out().match(/[\d,]+ tokens left/g) ?? [];
  const before = lines().length;
  type('\r\r');
  type('Hi\r');
  await until('Hello.');
  await until('tokens left');
  expect(lines()).toHaveLength(before + 1);
  const told =
    /Window ([\d,]+) tokens: ([\d,]+) for the answer, ([\d,]+) prompt and tools, ([\d,]+) kept free [a-z ]+, ([\d,]+) left/.exec(
      out()
        .replace(/\x1b\[[\d;]*m/g, '')
        .replace(/\s+/g, ' '),
    )!;
  const [window, ...parts] = told.slice(1).map((text) => Number(text.replace(',', '')));
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(window);
  expect(parts[1]).toBeGreaterThan(1_000);
});

test('another window is told in one sentence, with what it is after the next message, and /status has its numbers', async () => {
  const { sit } = await stage({ reply: 'Hello.' });
  const { type, until, out } = sit('a --window 16k');
  const plain = (from: number): string =>
    out()
      .slice(from)
      .replace(/\x1b\[[\d;]*[a-zA-Z]/g, '')
      .replace(/\s+/g, ' ');
  const leftIn = (from: number): readonly number[] =>
    [...plain(from).matchAll(/([\d,]+)(?: tokens)? left/g)].map(([, left]) =>
      Number(left!.replaceAll(',', '')),
    );
  await until('> ');
  type('Hi\r');
  await until('tokens left');
  await until('> ');
  const changed = out().length;
  type('/window 8k\r');
  await until('tokens left');
  await until('> ');
  expect(plain(changed).match(/Window 8,192 tokens/g)).toHaveLength(1);
  const [told, line] = leftIn(changed);
  expect(line).toBe(told);
  const asked = out().length;
  type('Hi\r');
  await until('tokens left');
  await until('> ');
  const after = leftIn(asked);
  expect(Math.abs(told! - after[0]!)).toBeLessThan(100);
  const status = out().length;
  type('/status\r');
  await until('── model');
  expect(leftIn(status)).toEqual(after);
  const parts = /([\d,]+) prompt and tools/.exec(plain(status))![1];
  const [system, tools] = ['system', 'tools'].map((name) =>
    Number(new RegExp(` ${name} ([\\d,]+) `).exec(plain(status))![1]!.replaceAll(',', '')),
  );
  expect(system! + tools!).toBe(Number(parts!.replaceAll(',', '')));
  expect(plain(status)).not.toMatch(/pinned|reach/);
});

test('the limit stays what it is from turn to turn, and what is left falls by what is said, until a compression', async () => {
  const { pipe, server } = await stage({ reply: 'It reads a token. '.repeat(20) });
  const said = Array.from({ length: 12 }, (_, n) => `What does part ${n} read?\n/status\n`);
  const { err, out } = await pipe('a --window 8k', said.join(''));
  const all = [...`${out}${err}`.matchAll(/^ {2}all +([\d,]+) .* of ([\d,]+);/gm)];
  const used = all.map(([, one]) => Number(one!.replaceAll(',', '')));
  expect(new Set(all.map(([, , limit]) => limit))).toEqual(new Set(['6,964']));
  expect(used).toHaveLength(said.length);
  expect(used.slice(1).filter((one, at) => one <= used[at]!)).toEqual([]);
  const steps = used.slice(3).map((one, at) => one - used[at + 2]!);
  expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(30);
  expect(server.log.filter(({ path }) => path === '/api/chat')).toHaveLength(said.length);
});

test('a message too long for the model to see whole is asked about before it is sent, and comes back', async () => {
  const { sit, store, server } = await stage({ reply: 'Read.' });
  const { type, until, exit, out: screen } = sit('a');
  await until('> ');
  const long = Array.from({ length: 900 }, (_, n) => `part ${n} stays`).join(' ');
  type(`${long}\r`);
  await until('That is about ');
  await until('tokens, more than a message may take in this window.');
  await until('The model gets about ');
  await until('Send it? [Y/n] ');
  type('n\r');
  await until('Not sent.');
  await until('> ');
  expect(server.log.filter(({ path }) => path === '/api/chat')).toEqual([]);
  type('\x1b[A');
  await until('part 899 stays');
  type('\r');
  await until('Send it? [Y/n] ');
  type('\r');
  await until('Your message of ');
  await until('is sent shortened to ');
  await until('Read.');
  await until('> ');
  type('\x04');
  await exit;
  const { out } = await flamestack(`show a --entry e1 --store ${store}`);
  expect(out).toContain(long);
  // One number, wherever it is told.
  const told = [...screen().matchAll(/(?:That is about|Your message of) ([\d,]+) tokens/g)];
  expect(new Set(told.map(([, tokens]) => tokens)).size).toBe(1);
});

test('what a long message is told to be shortened to is what is sent, before and after the server has counted', async () => {
  const { sit } = await stage({ reply: 'Read.' });
  const { type, until, out } = sit('a --no-frames');
  await until('> ');
  const long = Array.from({ length: 2_000 }, (_, n) => `part ${n} stays`).join(' ');
  for (const turn of ['first', 'second']) {
    type(`\x1b[200~${long} ${turn}\x1b[201~\r`);
    await until('Send it? [Y/n] ');
    type('\r');
    await until('is sent shortened to ');
    await until('Read.');
    await until('> ');
  }
  const numbers = (said: RegExp): readonly number[] =>
    [...out().replace(/\s+/g, ' ').matchAll(said)].map(([, one]) =>
      Number(one!.replaceAll(',', '')),
    );
  const told = numbers(/The model gets about ([\d,]+) of them/g);
  const sent = numbers(/is sent shortened to ([\d,]+);/g);
  expect([told.length, sent.length]).toEqual([2, 2]);
  for (const [at, one] of told.entries()) {
    expect(sent[at]! / one).toBeGreaterThan(0.95);
    expect(sent[at]! / one).toBeLessThanOrEqual(1);
  }
});

test('after a short first answer, too, what is told is what is sent', async () => {
  const { sit } = await stage({ reply: 'Read.' });
  const { type, until, out } = sit('a --no-frames');
  await until('> ');
  type('Hello\r');
  await until('Read.');
  await until('> ');
  type(`\x1b[200~${'part seven stays '.repeat(2_000)}\x1b[201~\r`);
  await until('Send it? [Y/n] ');
  type('\r');
  await until('is sent shortened to ');
  await until('Read.');
  const told = /about ([\d,]+) of them[^]*shortened\s+to\s+([\d,]+);/.exec(out())!;
  const [most, sent] = told.slice(1).map((one) => Number(one.replaceAll(',', '')));
  expect(sent! / most!).toBeGreaterThan(0.95);
  expect(sent! / most!).toBeLessThanOrEqual(1);
});

test('a message that is sent shorter is told once, however often it is shortened again', async () => {
  const { pipe } = await stage({ reply: 'Noted. '.repeat(60) });
  const long = 'so it goes in part 7 '.repeat(60);
  const { err } = await pipe('a --window 1500', `${long}\n${'Go on.\n'.repeat(8)}`);
  expect(err.match(/Your message of .* tokens is sent shortened/g) ?? []).toHaveLength(1);
});

test('what comes by itself while an answer is written in a pipe is told behind its line', () => {
  let all = '';
  const stream = { write: (text: string) => (all += text) };
  const io = {
    stdin: Readable.from([]),
    stdout: stream,
    stderr: stream,
    env: {},
    signal: new AbortController().signal,
  };
  const teller = plainTeller(callOf(io, 'chat', {}));
  teller.tell({ type: 'text', text: 'So far, so ' });
  teller.tell({ type: 'compressed', before: 20, after: 10, by: 'model', reason: null });
  teller.tell({ type: 'text', text: 'good.' });
  const usage = { inputTokens: null, outputTokens: null };
  teller.tell({ type: 'answered', entry: 'e2', text: '', finish: null, ...usage });
  expect(all).toBe('So far, so good.\n▼ compressed 20 → 10 tokens, written by the model\n');
});

test('a chat is listed with the folder and branch of the project, and one of another agent stays that', async () => {
  const { pipe, store } = await stage({ reply: 'Noted.' });
  const listed = async (): Promise<readonly object[]> => {
    const { out } = await flamestack(`ls --json --store ${store}`);
    return (JSON.parse(out) as { sessions: readonly object[] }).sessions;
  };
  await pipe('notes', 'The parser comes first.\n');
  const place = { ...workPlace(), agent: 'flamestack' };
  expect(await listed()).toMatchObject([place]);
  expect((await flamestack(`ls --project . --store ${store}`)).out).toContain('notes');
  {
    await using opened = await openStore(store);
    await using session = await opened.open('notes');
    await session.configure({ folder: '/home/ada/shop', branch: 'side', agent: 'codex' });
  }
  await pipe('notes', 'Then the lexer.\n');
  expect(await listed()).toMatchObject([
    { folder: '/home/ada/shop', branch: 'side', agent: 'codex' },
  ]);
});
