import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenCodeMessage, OpenCodePart } from '../../../src/adapters/opencode/host.ts';
import { countTokens, openStore, type LogEntry } from '../../../src/index.ts';
import { newFolder } from '../../store/folder.ts';
import { sessionID, startOpenCode, textOf, type OpenCode } from './opencode.ts';
import { draws } from '../../draws.ts';

const idle = (opencode: OpenCode): Promise<void> => opencode.event('session.idle');

const tokensOf = (messages: readonly OpenCodeMessage[]): Promise<number> =>
  countTokens(messages.map(textOf).join('\n'));

/** Works for so many turns, each with a call of much output; gives what was sent. */
async function work(opencode: OpenCode, turns: number, from = 0): Promise<OpenCodeMessage[][]> {
  const sent: OpenCodeMessage[][] = [];
  for (let turn = from; turn < from + turns; turn += 1) {
    opencode.say(`Rule ${turn}: keep the number ${turn * 7919}. Count part ${turn}.`);
    sent.push(await opencode.send());
    const output = Array.from({ length: 250 }, (_, at) => turn * 300 + at).join('\n');
    opencode.answer('', [
      { name: 'bash', output },
      { name: 'bash', output: `part ${turn}` },
    ]);
    sent.push(await opencode.send());
    opencode.answer(`Counted ${turn}.`);
    await idle(opencode);
  }
  return sent;
}

/** What the log of the session has. */
async function logOf(store: string, opencode: OpenCode): Promise<LogEntry[]> {
  await opencode.hooks.dispose();
  await using open = await openStore(store);
  const session = await open.open(`opencode-${sessionID}`);
  const log: LogEntry[] = [];
  for await (const entry of session.log()) log.push(entry);
  return log;
}

test('a session goes on in another process, and one that OpenCode compacted is sent from all that was said', async () => {
  const store = await newFolder();
  const first = await startOpenCode({ store, window: 8_000 });
  await work(first, 12);
  await first.hooks.dispose();
  const second = await startOpenCode({ store, window: 8_000, written: first.written });
  expect(await second.compact()).toContain('Rule 1: keep the number 7919');
  const sent = await second.send();
  expect(sent.map(textOf).join('\n')).toContain('Rule 0: keep the number 0');
  expect(sent.map(textOf).join('\n')).not.toContain('A summary.');
  expect(textOf(sent.at(-1)!)).toBe('Continue');
  expect(second.toasts).toEqual([]);
  expect(await logOf(store, second)).toHaveLength(12 * 5 + 1);
});

test('what a server refuses is sent again, shorter', async () => {
  const opencode = await startOpenCode({ store: await newFolder() });
  await work(opencode, 10);
  opencode.say('What is rule 7 about?');
  const refused = await opencode.send();
  await opencode.refuse('prompt is too long: 16200 tokens > 8000 maximum');
  const again = await opencode.send();
  expect(await tokensOf(again)).toBeLessThan(8_000);
  expect(await tokensOf(again)).toBeLessThan(await tokensOf(refused));
  const texts = again.map(textOf);
  expect(texts.filter((text) => text === 'What is rule 7 about?')).toHaveLength(1);
  await work(opencode, 10, 11);
  for (const sent of await work(opencode, 3, 21)) expect(await tokensOf(sent)).toBeLessThan(8_000);
});

test('a result that OpenCode cleared is sent and kept as it was', async () => {
  const store = await newFolder();
  const opencode = await startOpenCode({ store });
  opencode.say('Look');
  const time = { start: 1, end: 2, compacted: 3 };
  const state = { status: 'completed', input: {}, output: 'the secret is 4242', time };
  opencode.answer('', [{ name: 'read', state }]);
  const sent = await opencode.send();
  const part = sent.at(-1)!.parts[1]! as unknown as { state: { time: { compacted?: number } } };
  expect(part.state.time.compacted).toBeUndefined();
  expect((await logOf(store, opencode)).at(-1)!.content).toBe('the secret is 4242');
});

test('a command that exits with another status than 0 is kept as failed, and sent as OpenCode has it', async () => {
  const store = await newFolder();
  const opencode = await startOpenCode({ store });
  opencode.say('Test it');
  const state = { status: 'completed', input: {}, output: '2 tests failed', metadata: { exit: 1 } };
  opencode.answer('', [{ name: 'bash', state: { ...state, time: { start: 1, end: 2 } } }]);
  const sent = await opencode.send();
  expect(sent.at(-1)!.parts[1]).toMatchObject({ state: { status: 'completed' } });
  expect((await logOf(store, opencode)).at(-1)).toMatchObject({ isError: true });
});

test('what others put into the list for one request is in it, and in no log', async () => {
  const store = await newFolder();
  const opencode = await startOpenCode({ store, window: 6_000 });
  await work(opencode, 6);
  opencode.say('Plan it');
  const list = structuredClone(opencode.written);
  const reminder = { id: 'prt_r', type: 'text', text: 'Plan mode is on.', synthetic: true };
  const last = list.pop()!;
  const guest = { info: { ...last.info, id: 'msg_guest' }, parts: [{ type: 'text', text: 'Hi.' }] };
  const sent = await opencode.send([...list, { ...last, parts: [...last.parts, reminder] }, guest]);
  expect(textOf(sent.at(-2)!)).toBe('Plan it\nPlan mode is on.');
  expect(textOf(sent.at(-1)!)).toBe('Hi.');
  const log = (await logOf(store, opencode)).map(({ content }) => content);
  expect(JSON.stringify(log)).not.toContain('Plan mode is on.');
});

test('tools: recall answers at once, a frame waits for the results of its answer', async () => {
  const store = await newFolder();
  const opencode = await startOpenCode({ store });
  await work(opencode, 2);
  opencode.say('Begin');
  await opencode.send();
  const going = opencode.answer('', [], { time: { created: 1 }, finish: undefined });
  const call = { sessionID, messageID: going.info.id, abort: new AbortController().signal };
  const { recall, frame_push: push } = opencode.hooks.tool;
  expect(await recall!.execute({ query: 'number 7919' }, call)).toContain('Rule 1');
  await expect(recall!.execute({ nonsense: 1 }, call)).rejects.toThrow();
  const given = { title: 'Parser', criteria: 'brackets nest' };
  expect(await push!.execute(given, call)).toContain('Taken');
  opencode.written.pop();
  opencode.answer('', [
    { name: 'bash', output: 'the plan' },
    { name: 'frame_push', output: 'Taken' },
  ]);
  await opencode.send();
  opencode.answer('In it.');
  await idle(opencode);
  const log = await logOf(store, opencode);
  expect(log.slice(-4).map(({ role, frame }) => [role, frame])).toEqual([
    ['assistant', 'f0'],
    ['tool', 'f0'],
    ['tool', 'f0'],
    ['assistant', 'f1'],
  ]);
  const output: { jsonSchema?: unknown } = {};
  await opencode.hooks['tool.definition']({ toolID: 'recall' }, output);
  expect(output.jsonSchema).toMatchObject({ required: ['query'] });
});

test('where the store is in use, that is said once', async () => {
  const store = await newFolder();
  const opencode = await startOpenCode({ store });
  await using _ = await openStore(store);
  opencode.say('First');
  await opencode.send();
  opencode.answer('One.');
  await idle(opencode);
  expect(opencode.toasts).toHaveLength(1);
  expect(opencode.toasts[0]).toMatch(/^Flamestack: .*OpenCode goes on by itself\.$/s);
});

test('where the store of the project leads out of it, that is said once, and nothing is written there', async () => {
  const [directory, elsewhere] = [await newFolder(), await newFolder()];
  await symlink(elsewhere, join(directory, '.flamestack'));
  const opencode = await startOpenCode({ directory });
  opencode.say('First');
  expect(await opencode.send()).toEqual(opencode.written);
  opencode.answer('One.');
  await idle(opencode);
  expect(opencode.toasts).toEqual([
    expect.stringMatching(
      /^Flamestack: ".*" leads out of the project by a link, to ".*"\. OpenCode/,
    ),
  ]);
  expect(await readdir(elsewhere)).toEqual([]);
});

test('what an agent says to its helper is no person', async () => {
  const store = await newFolder();
  const opencode = await startOpenCode({ store, parentID: 'ses_0' });
  opencode.say('Look for it');
  await opencode.send();
  expect((await logOf(store, opencode))[0]).toMatchObject({ origin: 'machine' });
});

const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string(), synthetic: fc.boolean() }),
  fc.record({ type: fc.constant('reasoning'), text: fc.string() }),
  fc.record({ type: fc.constantFrom('step-start', 'step-finish', 'patch', 'compaction', 'new') }),
  fc.record({
    type: fc.constant('file'),
    mime: fc.constantFrom('image/png', 'text/plain'),
    url: fc.constantFrom('data:image/png;base64,iVBORw0KGgo=', 'https://a.b/c.png'),
  }),
  fc.record({
    type: fc.constant('tool'),
    tool: fc.constantFrom('bash', 'read'),
    callID: fc.constantFrom('a', 'b', 'c'),
    state: fc.oneof(
      fc.record({ status: fc.constantFrom('pending', 'running'), input: fc.constant({}) }),
      fc.record({
        status: fc.constantFrom('completed', 'error'),
        input: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
        output: fc.integer({ min: 0, max: 600 }).map((length) => 'much of it '.repeat(length)),
        error: fc.string(),
        time: fc.record({ compacted: fc.option(fc.nat(), { nil: undefined }) }),
      }),
    ),
  }),
);

test('any list becomes one whose calls stand once, each with its result, and that ends as it did', async () => {
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    parts: fc.array(part, { maxLength: 5 }),
    error: fc.constantFrom(undefined, { name: 'MessageAbortedError' }, { name: 'APIError' }),
    summary: fc.constantFrom(undefined, undefined, true),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 14 }), async (messages) => {
      const opencode = await startOpenCode({ store: ':memory:', window: 4_000 });
      for (const { role, parts, error, summary } of messages) {
        opencode.say('next');
        if (role === 'assistant') opencode.answer('', [], { error, summary });
        const last = opencode.written.at(-1)!;
        const own = parts.filter(({ type }) => role === 'assistant' || type !== 'tool');
        const named = own.map((one, at): OpenCodePart => ({ ...one, id: `${last.info.id}${at}` }));
        opencode.written[opencode.written.length - 1] = { ...last, parts: named };
      }
      opencode.say('the end');
      const sent = await opencode.send();
      await opencode.hooks.dispose();
      expect(opencode.toasts).toEqual([]);
      for (const { info, parts } of sent) {
        const calls = parts.filter(({ type }) => type === 'tool').map(({ callID }) => callID);
        expect(new Set(calls).size).toBe(calls.length);
        if (info.role === 'user') expect(calls).toEqual([]);
        expect(parts.length).toBeGreaterThan(0);
      }
      expect(textOf(sent.at(-1)!)).toBe('the end');
    }),
    { numRuns: draws(200) },
  );
});
