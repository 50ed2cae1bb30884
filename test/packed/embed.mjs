// Machines in a program of somebody else's, from what was packed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryId, frameId } from 'flamestack/core';
import { body, compressionMachine, recoveryMachine, port } from 'flamestack/machines';
import { durable, openStore, sessionLogic } from 'flamestack';
import { assign, createActor, setup, toPromise, waitFor } from 'xstate';

const stretch = { frame: frameId(0), from: entryId(1), to: entryId(2), entries: 2, tokens: 600 };
const measure = body(() => ({ due: true, working: 900, threshold: 800, stretch }));
const never = () => new Promise(() => {});
const once = { input: { once: { focus: '' } } };

/** An actor that is taken down where it stands, and one made from what was kept of it. */
function restored(machine, actors, from) {
  const snapshot = JSON.parse(JSON.stringify(from.getPersistedSnapshot()));
  from.stop();
  return createActor(machine.provide({ actors }), { snapshot }).start();
}

test('restored in waiting it wakes', async () => {
  const failing = body(() => Promise.reject(new Error('busy')));
  const actors = { measure, summarize: failing, pause: body(never), commit: body(() => null) };
  const actor = createActor(compressionMachine.provide({ actors }), once).start();
  await waitFor(actor, ({ value }) => value === 'waiting');
  const again = { ...actors, summarize: body(() => 'a summary'), pause: body(() => undefined) };
  const end = await toPromise(restored(compressionMachine, again, actor));
  assert.equal(end.type, 'compression.finished');
});

test('restored while it commits, it commits once, by its key', async () => {
  const written = new Map();
  let times = 0;
  const commit = body(({ key, memory }) => {
    times += 1;
    written.set(key, memory.summary);
    return times === 1 ? never() : null;
  });
  const actors = { measure, summarize: body(() => 'a summary'), commit };
  const actor = createActor(compressionMachine.provide({ actors }), once).start();
  await waitFor(actor, ({ value }) => value === 'aging' && times === 1);
  assert.equal(
    (await toPromise(restored(compressionMachine, actors, actor))).type,
    'compression.finished',
  );
  assert.deepEqual([times, [...written.values()]], [2, ['a summary']]);
});

test('its end reaches onDone of a parent, with an output', async () => {
  const actors = { measure, summarize: body(() => 'a summary'), commit: body(() => null) };
  const parent = setup({
    actors: { compression: compressionMachine.provide({ actors }) },
  }).createMachine({
    context: { end: null },
    initial: 'busy',
    states: {
      busy: {
        invoke: {
          src: 'compression',
          input: once.input,
          onDone: { target: 'over', actions: assign({ end: ({ event }) => event.output.type }) },
        },
      },
      over: { type: 'final' },
    },
    output: ({ context }) => context.end,
  });
  assert.equal(await toPromise(createActor(parent).start()), 'compression.finished');
});

test('a port that rejects kills no parent', async () => {
  const rejecting = body(() => Promise.reject(new Error('no disk')));
  const compression = { measure, summarize: body(() => 'a summary'), commit: rejecting };
  const context = { workingOn: '', lastCompleted: '', nextStep: '', open: [], files: [] };
  const recovery = { rebuild: body(() => true), confirm: rejecting };
  for (const [machine, actors, input] of [
    [compressionMachine, compression, once.input],
    [recoveryMachine, recovery, { once: { context } }],
  ]) {
    const child = machine.provide({ actors });
    const parent = setup({ actors: { child } }).createMachine({
      invoke: { src: 'child', input, onDone: '.told', onError: '.dead' },
      initial: 'busy',
      states: { busy: {}, told: {}, dead: {} },
    });
    const actor = createActor(parent).start();
    await waitFor(actor, ({ value }) => value !== 'busy');
    assert.equal(actor.getSnapshot().value, 'told');
  }
});

test('a session is an actor', async () => {
  const store = await openStore(':memory:');
  const input = { id: 's', options: { window: 4_096 } };
  const actor = createActor(sessionLogic({ store }), { input }).start();
  actor.send({ type: 'session.append', arguments: [{ role: 'user', content: 'Build it' }] });
  actor.send({ type: 'session.close' });
  assert.equal((await toPromise(actor)).entries, 1);
  await store.close();
});

test('a machine of its own outlives its process', async () => {
  const machine = setup({ actors: { work: port('work') } }).createMachine({
    id: 'job',
    version: '1',
    initial: 'busy',
    states: { busy: { invoke: { src: 'work', onDone: 'over' } }, over: { type: 'final' } },
  });
  const host = await openStore(':memory:');
  const keys = [];
  const work =
    (answer) =>
    (_, { key }) => (keys.push(key), answer());
  await (await durable(machine, { host, id: 'j', ports: { work: work(never) } })).close();
  const again = await durable(machine, { host, id: 'j', ports: { work: work(async () => 1) } });
  await again.done;
  assert.equal(new Set(keys).size, 1);
  await again.close();
  await host.close();
});
