import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { isEngineError, openStore, type Store } from '../../../src/index.ts';
import { flamestack, folder, script } from '../call.ts';
import { said, writeTranscript } from '../hosts/transcript.ts';

// Beside any agent: what it writes is taken in, all of it, or as it is written.

const talk = [said('user', 'Fix the rounding'), said('assistant', 'It is fixed.')];

const rollout = [
  { type: 'session_meta', payload: { id: 'x1', cwd: '/home/ada' } },
  {
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  },
]
  .map((line) => `${JSON.stringify({ timestamp: '2026-03-01T09:00:00Z', ...line })}\n`)
  .join('');

test('the sessions of every agent are found, those of subagents within theirs', async () => {
  const home = await folder();
  const claude = join(home, '.claude/projects/-home-ada-ledger');
  await put(join(claude, 's1.jsonl'), 's1');
  await put(join(claude, 'agent-7.jsonl'), 's1');
  await put(join(claude, 's1/subagents/agent-8.jsonl'), 's1');
  await put(join(claude, 'notes.txt'), 's1');
  const codex = join(home, '.codex/sessions/2026/03/01');
  await mkdir(codex, { recursive: true });
  await writeFile(join(codex, 'rollout-1.jsonl'), rollout);
  const [store, env] = [join(home, 'store'), { HOME: home }];
  const copilot = join(home, '.copilot/session-state/c1');
  await mkdir(join(copilot, 'files'), { recursive: true });
  const typed = { type: 'user.message', data: { content: 'Hello' }, id: 'a' };
  await writeFile(join(copilot, 'events.jsonl'), JSON.stringify(typed));
  await writeFile(join(copilot, 'files/notes.jsonl'), '{}');
  const gemini = join(home, '.gemini/tmp/shop/chats');
  await mkdir(gemini, { recursive: true });
  const header = { sessionId: 'g1', projectHash: 'a0' };
  const hello = { id: 'm1', type: 'user', content: 'Hello' };
  for (const [name, records] of [
    ['session-1.json', [{ ...header, messages: [hello] }]],
    ['session-2.jsonl', [{ ...header, sessionId: 'g2' }, hello]],
  ] as const)
    await writeFile(join(gemini, name), records.map((one) => JSON.stringify(one)).join('\n'));
  await writeFile(join(gemini, '../logs.json'), '[]');

  const first = await flamestack(`import --all --store ${store}`, { env });
  expect(first.err).toMatch(/^5 sessions, \d+ new entries\.$/m);
  expect(first.out.split('\n').filter(Boolean)).toHaveLength(5);
  const again = await flamestack(`import --all --store ${store}`, { env });
  expect([again.exit, again.out, again.err]).toEqual([0, '', '5 sessions, nothing new.\n']);
});

test('where there are none, it says where it looked', async () => {
  const home = await folder();
  const { exit, err } = await flamestack(`import --all --store ${home}/s`, { env: { HOME: home } });
  expect(exit).toBe(3);
  expect(err).toContain(join(home, '.codex/sessions'));
  expect((await flamestack('import')).err).toContain('say --all');
});

test('of several files it is told how far all of them are, and the one that is taken in', async () => {
  const home = await folder();
  for (const name of ['a', 'b'])
    await writeFile(join(home, `${name}.jsonl`), script.replace('"demo"', `"${name}"`));
  // Each look at the clock is half a second after the one before.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 500));
  const { err } = await flamestack(`import ${home} --store ${home}/store`, {
    isTTY: true,
    columns: 120,
  });
  clock.mockRestore();
  const told = [...err.matchAll(/(\d+) % of all  .*?  (\d) of 2 files  (\w)\.jsonl  (\d+) %/g)];
  const of = (done: string, name: string) =>
    told.filter((one) => one[2] === done && one[3] === name).map((one) => Number(one[1]));
  expect(of('0', 'a').length * of('1', 'b').length).toBeGreaterThan(0);
  expect(told).toHaveLength(of('0', 'a').length + of('1', 'b').length);
  expect(Math.max(...of('0', 'a'))).toBeLessThanOrEqual(50);
  expect(Math.min(...of('1', 'b'))).toBeGreaterThanOrEqual(50);
});

test('a file is followed as it is written, and others can use the store meanwhile', async () => {
  const home = await folder();
  const [file, store] = [join(home, 's1.jsonl'), join(home, 'store')];
  await writeTranscript(file, 's1', talk);
  const leave = new AbortController();
  let told = '';
  const following = flamestack(`import ${file} --follow --store ${store}`, {
    signal: leave.signal,
    onErr: (err) => (told = err),
  });
  await untilEntries(store, 2);
  await writeTranscript(file, 's1', [...talk, said('user', 'Go on')]);
  // A line that is not written to its end is taken in once it is.
  await appendFile(file, '{"type":"user","uuid":"u9"');
  await untilEntries(store, 3);
  await using writer = await onceFree(store);
  await (await writer.open('mine', { window: 4_096 })).append({ role: 'user', content: 'mine' });
  await writeTranscript(file, 's1', [...talk, said('user', 'Go on'), said('assistant', 'Done.')]);
  while (!told.includes('trying again')) await sleep(50);
  await writer.close();
  await untilEntries(store, 4);
  leave.abort(130);
  const { exit, out, err } = await following;
  expect(exit).toBe(130);
  expect(err).toContain('Following 1 file; Ctrl-C ends it.');
  // One line for what came.
  expect(out.match(/1 entry added/g)).toHaveLength(2);
  expect(err).not.toContain('new entry');
});

async function put(file: string, session: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeTranscript(file, session, talk);
}

async function untilEntries(store: string, entries: number): Promise<void> {
  for (;;) {
    if ((await entriesIn(store).catch(() => 0)) >= entries) return;
    await sleep(50);
  }
}

/** Opens a store as soon as the follower, which has it for as long as it writes, lets go of it. */
async function onceFree(store: string): Promise<Store> {
  for (;;) {
    try {
      return await openStore(store);
    } catch (error) {
      if (!isEngineError(error) || error.code !== 'STORE_IN_USE') throw error;
      await sleep(20);
    }
  }
}

async function entriesIn(folderOf: string): Promise<number> {
  await using store = await openStore(folderOf, { readOnly: true });
  return (await store.open('s1')).state.entries;
}
