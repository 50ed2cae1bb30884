import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { flamestack, folder, type Told } from '../call.ts';

// How a person names the session that is served: as for any other command, or by a new name.

test.each([
  ['plan', 'planning'],
  ['notes', 'notes'],
  ['@1', 'notes-app'],
  ['PLAN', 'planning'],
  ['App', 'notes-app'],
])('--session %s serves %s', async (said, id) => {
  const { recovery, stop } = await served(await recorded(), said);
  expect(await recovery()).toContain(`This is ${id}.`);
  expect((await stop()).err).not.toContain('There is no session');
});

test.each([
  ['no', '"no" begins 2 ids: notes-app, notes'],
  ['list', '"list" is in 2 titles: @2 A list of notes, @3 The list of plans'],
  ['@7', 'There is no session @7; the store has only 3'],
])('--session %s is refused as by any other command', async (said, message) => {
  const store = await recorded();
  const told = await flamestack(`mcp --session ${said} --store ${store}`);
  expect(told).toEqual(await flamestack(`show ${said} --store ${store}`));
  expect(told.exit).toBe(3);
  expect(told.err).toContain(message);
});

test('a name that is in no title and begins no id is that of a new session, and that is said', async () => {
  const store = await recorded();
  const { recovery, note, stop } = await served(store, 'other');
  expect(await recovery()).toBe('Nothing is recorded here yet.');
  expect(await note()).toBe('Noted as e1.');
  expect((await stop()).err).toContain(
    'There is no session "other" yet: the first note begins it.',
  );
  expect((await flamestack(`show other --store ${store}`)).exit).toBe(0);
});

test('where there is no store yet, any name is new, and a place in the list is none', async () => {
  const store = `${await folder()}/none`;
  const { note, stop } = await served(store, 'plan');
  expect(await note()).toBe('Noted as e1.');
  await stop();
  const none = `${await folder()}/none`;
  expect((await flamestack(`mcp --session @1 --store ${none}`)).exit).toBe(3);
});

async function recorded(): Promise<string> {
  const location = await folder();
  await using store = await openStore(location);
  const titles = {
    planning: 'The list of plans',
    notes: 'A list of notes',
    'notes-app': 'Write an app',
  };
  for (const [id, title] of Object.entries(titles)) {
    await using session = await store.open(id, { window: 8_192, title });
    await session.append({ role: 'user', content: `This is ${id}.` });
    await session.append({ role: 'assistant', content: `This is ${id}.` });
  }
  return location;
}

async function served(store: string, said: string) {
  const leave = new AbortController();
  let ended!: Promise<Told>;
  const printed = await new Promise<string>((resolve) => {
    const around = { signal: leave.signal, onOut: resolve };
    ended = flamestack(`mcp --http --session ${said} --store ${store}`, around);
  });
  const { url, headers } = JSON.parse(printed).mcpServers.flamestack;
  const stop = (): Promise<Told> => {
    leave.abort(130);
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: given });
    const [part] = content;
    return part?.type === 'text' ? part.text : '';
  };
  return {
    recovery: () => call('recovery'),
    note: () => call('checkpoint', { text: 'Noted.' }),
    stop,
  };
}
