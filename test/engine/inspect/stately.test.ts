import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createBrowserReceiver,
  createWebSocketInspector,
  createWebSocketReceiver,
} from '@statelyai/inspect';
import { createInspectorServer } from '@statelyai/inspect/server';
import { createActor, createMachine, type AnyMachineSnapshot } from 'xstate';
import { expect, test } from 'vitest';
import { openStore, toStately, type Inspection, type StatelyEvent } from '../../../src/index.ts';
import { freePort } from '../../free-port.ts';

/** A session with frames, a compression, a recovery and a timer, as it is inspected. */
async function inspected(): Promise<Inspection[]> {
  await using store = await openStore(':memory:');
  const session = await store.open('notes', { window: 4_096 });
  await session.append({ role: 'user', content: 'Build a notes app.' });
  const { id } = await session.push({ title: 'Parser' });
  await session.frames.plan({ title: 'Lexer' });
  await session.append({ role: 'assistant', content: 'word '.repeat(900) });
  await session.append({ role: 'assistant', content: 'more '.repeat(900) });
  await session.compress();
  await session.recover();
  await session.pop({ status: 'failed', results: 'No', drop: true });
  await session.frames.retry(id);
  const told: Inspection[] = [];
  for await (const one of session.inspect({ live: false })) told.push(one);
  return told;
}

const messages = async (): Promise<StatelyEvent[]> =>
  (await inspected()).flatMap((one) => toStately(one));

test('the messages are those of the version of the inspector that is tried here', async () => {
  const all = await messages();
  const types = new Set(all.map(({ type }) => type));
  expect([...types]).toEqual(['@xstate.actor', '@xstate.event', '@xstate.snapshot']);
  const face = fileURLToPath(import.meta.resolve('@statelyai/inspect'));
  const { version } = JSON.parse(readFileSync(join(face, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(new Set(all.map((one) => one._version))).toEqual(new Set([version]));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('an actor is told before anything of it, its parent before it', async () => {
  const known = new Set<string>();
  for (const message of await messages()) {
    if (message.type !== '@xstate.actor') expect(known).toContain(message.sessionId);
    else if (message.parentId !== undefined) expect(known).toContain(message.parentId);
    if (message.type === '@xstate.actor') known.add(message.sessionId);
    expect(message.rootId).toBe('notes');
  }
  expect([...known]).toEqual([
    'notes',
    'notes/f0',
    'notes/f1',
    'notes/f2',
    'notes/f1/compression',
    'notes/recovery',
    'notes/f3',
  ]);
});

test('each definition is a machine that has each state and takes each event that leaves it', async () => {
  const machines = new Map<string, ReturnType<typeof createMachine>>();
  const values = new Map<string, string>();
  for (const message of await messages()) {
    const { sessionId } = message;
    if (message.type === '@xstate.actor')
      machines.set(sessionId, createMachine(JSON.parse(message.definition) as object));
    if (message.type !== '@xstate.snapshot') continue;
    const { value } = message.snapshot;
    const machine = machines.get(sessionId)!;
    expect(Object.keys(machine.states)).toContain(value);
    const before = values.get(sessionId);
    if (before !== undefined && before !== value && message.event.type !== 'restore')
      expect(machine.states[before]!.ownEvents).toContain(message.event.type);
    values.set(sessionId, value);
  }
});

test('a snapshot has the fields of a snapshot of XState', async () => {
  const machine = createMachine({ id: 'one', initial: 'on', states: { on: {} } });
  const own = JSON.parse(JSON.stringify(createActor(machine).getSnapshot())) as AnyMachineSnapshot;
  for (const message of await messages())
    if (message.type === '@xstate.snapshot')
      for (const field of Object.keys(message.snapshot)) expect(Object.keys(own)).toContain(field);
});

test('the receiver of the inspector in a page takes all of them as they are', async () => {
  const sent = await messages();
  const listeners: ((event: { data: unknown }) => void)[] = [];
  const page = {
    opener: { postMessage: () => undefined },
    addEventListener: (_: string, listener: (event: { data: unknown }) => void) =>
      listeners.push(listener),
  };
  const window = Object.assign(page, { self: page, top: page });
  const taken: unknown[] = [];
  createBrowserReceiver({ window: window as never }).subscribe((event) => taken.push(event));
  for (const data of sent) for (const listener of listeners) listener({ data });
  for (const listener of listeners) listener({ data: { type: 'else' } });
  expect(taken).toEqual(sent);
});

test('the server of the inspector brings all of them to its receiver as they are', async () => {
  const sent = await messages();
  const port = await freePort();
  const server = createInspectorServer({ port, autoOpen: false });
  const url = `ws://127.0.0.1:${port}`;
  const taken: unknown[] = [];
  const all = new Promise<void>((resolve) => {
    createWebSocketReceiver({ server: url }).subscribe((event) => {
      if (taken.push(event) === sent.length) resolve();
    });
  });
  const inspector = createWebSocketInspector({ url, maxDeferredEvents: sent.length });
  for (const message of sent) inspector.adapter.send(message as never);
  await all;
  expect(taken).toEqual(JSON.parse(JSON.stringify(sent)));
  inspector.stop();
  server.stop();
});
