import { expect, test } from 'vitest';
import { stage } from './chat-stage.ts';

test('each line of a pipe is a message, and answers alone are on stdout', async () => {
  const { pipe, server } = await stage({ reply: ['Hello there.', 'Still here.'] });
  const told = await pipe('', 'Hi\nAre you there?\n');
  expect(told).toEqual({ exit: 0, out: 'Hello there.\nStill here.\n', err: '' });
  const asked = server.log.filter(({ path }) => path === '/api/chat');
  expect(asked).toHaveLength(2);
});

test('somebody types, sees the answer, and leaves with how to go on', async () => {
  const { sit } = await stage({ reply: 'Hello there.' });
  const { type, until, exit } = sit('notes');
  await until('A new session');
  await until('Context: ');
  await until('> ');
  type('Hi\r');
  await until('Hello there.\n');
  await until('> ');
  type('\x04');
  await until('Go on with: flamestack chat notes');
  expect(await exit).toBe(0);
});
