import { createActor, setup, toPromise, waitFor, type ActorRefFrom } from 'xstate';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  openStore,
  sessionLogic,
  type SessionActorEvent,
  type SessionEmitted,
  type SessionLogic,
  type Store,
} from '../../../src/index.ts';

const open = async (): Promise<Store> => {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  return store;
};

const input = { id: 's', options: { window: 4_096 } };

/** An actor of a session that began, and all that it emitted. */
function begin(logic: SessionLogic): { actor: ActorRefFrom<SessionLogic>; told: SessionEmitted[] } {
  const actor = createActor(logic, { input });
  const told: SessionEmitted[] = [];
  actor.on('*', (event) => told.push(event));
  actor.start();
  return { actor, told };
}

const heard = async (told: readonly SessionEmitted[], type: string): Promise<SessionEmitted> => {
  const found = () => told.find((event) => event.type === type);
  await expect.poll(found).toBeDefined();
  return found()!;
};

const user = (content: string) => ({ role: 'user', content }) as const;

test('methods are asked for by events, in their order, before it is open, too', async () => {
  const { actor, told } = begin(sessionLogic({ store: await open() }));
  expect(actor.getSnapshot()).toMatchObject({ status: 'active', state: null });
  actor.send({ type: 'session.append', arguments: [user('Build it')], request: 'r1' });
  actor.send({ type: 'session.goal.set', arguments: ['Build the app'] });
  actor.send({ type: 'session.assemble' });
  const { output } = (await heard(told, 'session.done.assemble')) as unknown as {
    output: { messages: readonly { content: string }[] };
  };
  expect(JSON.stringify(output.messages)).toContain('Build the app');
  expect(told.find(({ type }) => type === 'session.done.append')).toEqual({
    type: 'session.done.append',
    output: { id: 'e1' },
    request: 'r1',
  });
  expect(told.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['entry.appended', 'goal.set', 'session.done.goal.set']),
  );
  expect(actor.getSnapshot().state).toMatchObject({
    entries: 1,
    goal: { description: 'Build the app' },
  });
  actor.stop();
});

test('what the session refuses is an answer, and what it cannot be asked for', async () => {
  const { actor, told } = begin(sessionLogic({ store: await open() }));
  actor.send({ type: 'session.frames.start', arguments: ['f9'] });
  expect(await heard(told, 'session.failed.frames.start')).toMatchObject({
    error: { code: 'FRAME_NOT_FOUND' },
  });
  for (const name of ['log', 'constructor', 'goal', 'nothing.at.all']) {
    actor.send({ type: `session.${name}` } as unknown as SessionActorEvent);
    expect(await heard(told, `session.failed.${name}`)).toMatchObject({
      error: { code: 'OPTION_INVALID' },
    });
  }
  expect(actor.getSnapshot().status).toBe('active');
  actor.stop();
});

test('closing the root ends it with its state, after all its answers', async () => {
  const { actor, told } = begin(sessionLogic({ store: await open() }));
  actor.send({ type: 'session.append', arguments: [user('Build it')] });
  actor.send({ type: 'session.pop', arguments: [{ status: 'completed', results: 'Built.' }] });
  expect(await toPromise(actor)).toMatchObject({ phase: 'completed', entries: 1 });
  expect(told.at(-1)!.type).toBe('session.done.pop');
});

test('a session that was completed before is done at once', async () => {
  const store = await open();
  const session = await store.open('s', { window: 4_096 });
  await session.pop({ status: 'completed', results: 'Built.' });
  expect(await toPromise(begin(sessionLogic({ store })).actor)).toMatchObject({
    phase: 'completed',
  });
});

test('told to close, it is done and the session is not', async () => {
  const store = await open();
  const { actor, told } = begin(sessionLogic({ store }));
  actor.send({ type: 'session.append', arguments: [user('Build it')] });
  actor.send({ type: 'session.close' });
  actor.send({ type: 'session.close' });
  expect(await toPromise(actor)).toMatchObject({ phase: 'open', entries: 1 });
  expect(told.at(-1)!.type).toBe('session.done.append');
  expect((await store.open('s')).state.entries).toBe(1);
});

test('a parent hears facts and answers as events, and of the end as of any actor', async () => {
  const store = await open();
  const seen: string[] = [];
  const parent = setup({ actors: { session: sessionLogic({ store }) } }).createMachine({
    invoke: { id: 'session', src: 'session', input, onDone: '.ended', onError: '.broken' },
    on: { '*': { actions: ({ event }) => void seen.push(event.type) } },
    initial: 'working',
    states: { working: {}, ended: { type: 'final' }, broken: { type: 'final' } },
  });
  const actor = createActor(parent).start();
  const session = actor.getSnapshot().children['session']!;
  session.send({ type: 'session.append', arguments: [user('Build it')] });
  session.send({ type: 'session.close' });
  await toPromise(actor);
  expect(actor.getSnapshot().value).toBe('ended');
  expect(seen).toEqual(expect.arrayContaining(['entry.appended', 'session.done.append']));
});

test('a session that cannot be opened is an error of its actor', async () => {
  const store = await open();
  const actor = createActor(sessionLogic({ store }), { input: { id: 's' } });
  actor.subscribe({ error: () => undefined });
  actor.start();
  actor.send({ type: 'session.assemble' });
  await expect(toPromise(actor)).rejects.toMatchObject({ code: 'WINDOW_REQUIRED' });
});

test('a stopped actor gives its handle back, and does what it was asked for before', async () => {
  const store = await open();
  const { actor } = begin(sessionLogic({ store }));
  await waitFor(actor, ({ state }) => state !== null);
  actor.send({ type: 'session.append', arguments: [user('Build it')] });
  const warn = vi.spyOn(console, 'warn');
  actor.stop();
  await expect.poll(async () => (await store.open('s')).state.entries).toBe(1);
  expect(warn).not.toHaveBeenCalled();
});

test('a persisted snapshot is JSON, and opens the session again', async () => {
  const store = await open();
  const logic = sessionLogic({ store });
  const { actor, told } = begin(logic);
  actor.send({ type: 'session.append', arguments: [user('Build it'), { key: 'k' }] });
  await heard(told, 'session.done.append');
  const snapshot = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
  actor.stop();
  const again = createActor(logic, { input, snapshot });
  const after: SessionEmitted[] = [];
  again.on('*', (event) => after.push(event));
  again.start();
  again.send({ type: 'session.append', arguments: [user('Build it'), { key: 'k' }] });
  await heard(after, 'session.done.append');
  expect(again.getSnapshot().state!.entries).toBe(1);
  again.stop();
});

test('what is no method of it is not its business; without a session it fails', async () => {
  const store = await open();
  const { actor, told } = begin(sessionLogic({ store }));
  actor.send({ type: 'bogus' } as never);
  actor.send({ type: 'session.assemble' });
  await heard(told, 'session.done.assemble');
  expect(told.filter(({ type }) => type.startsWith('session.failed'))).toEqual([]);
  actor.stop();
  const none = createActor(sessionLogic({ store }), {} as never);
  none.subscribe({ error: () => undefined });
  none.start();
  await expect(toPromise(none)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('an actor whose store was closed says so, and fails', async () => {
  const store = await open();
  const { actor, told } = begin(sessionLogic({ store }));
  actor.subscribe({ error: () => undefined });
  await waitFor(actor, ({ state }) => state !== null);
  await store.close();
  actor.send({ type: 'session.assemble' });
  await expect(toPromise(actor)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  expect(told.at(-1)!.type).toBe('session.failed.assemble');
});

test('arguments that are no list are refused with what they should be', async () => {
  const { actor, told } = begin(sessionLogic({ store: await open() }));
  actor.send({ type: 'session.append', arguments: user('Build it') as never });
  expect(await heard(told, 'session.failed.append')).toMatchObject({
    error: {
      code: 'OPTION_INVALID',
      message: expect.stringContaining('it takes a list, as append is called'),
    },
  });
  actor.stop();
});
