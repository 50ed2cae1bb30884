import { PassThrough } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../../src/cli/io.ts';
import { openStore } from '../../../src/index.ts';
import { demoStore, flamestack } from '../call.ts';
import { build, hasPty, program, shell, terminal, type Terminal } from '../pty.ts';

beforeAll(build);

/** A store with the session `demo`. */

/** Opens the session `demo` at a terminal, once all of it is read. */
async function browsing(store: string, env?: Record<string, string>): Promise<Terminal> {
  const screen = terminal(['browse', 'demo', '--store', store], env);
  await screen.until('not here word for word');
  return screen;
}

/** What gives a terminal back: the cursor, the keys, the screen before. */
const givenBack = /\x1b\[\?7h\x1b\[0m\x1b\[\?25h\x1b\[\?1049l/;

test.runIf(hasPty)(
  'a person chooses a session, walks through it, resizes, and follows what somebody else writes',
  async () => {
    const store = await demoStore();
    const screen = terminal(['browse', '--store', store]);
    await screen.until('Sessions of');
    screen.press('/');
    screen.press('tidy');
    await screen.until('Filter: tidy');
    screen.press('\r\r');
    await screen.until('not here word for word');
    screen.press('2');
    await screen.until('in part, or by a line');
    screen.press('\x1b[H');
    await screen.until('step 1 of');
    // Past what was shortened before, and a frame that began.
    screen.press('nnnn');
    await screen.until('1 of 9 compressions');
    screen.press('4');
    await screen.until('Lines that came instead');
    screen.press('/');
    screen.press('limit7\r');
    await screen.until('mentions of limit7');
    screen.press('q');
    screen.resize(120, 30);
    await screen.until('[4 lost]');
    screen.press('\x1b[F1');
    await screen.until('following');
    await using writer = await openStore(store);
    const session = await writer.open('demo');
    await session.append({ role: 'user', content: 'Tell nobody of the zebra.' });
    await screen.until('Tell nobody of the zebra');
    screen.press('o');
    const [link] = /http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]+/.exec(await screen.until('#t='))!;
    expect((await fetch(new URL(link).origin)).status).toBe(200);
    screen.press('q');
    screen.press('q');
    await screen.until('Sessions of');
    screen.press('q');
    expect(await screen.ended).toBe(0);
    expect(screen.sent).toMatch(givenBack);
  },
  60_000,
);

test.runIf(hasPty)(
  'however it ends, the terminal is given back',
  async () => {
    const store = await demoStore();
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGINT', 130],
    ] as const) {
      const screen = await browsing(store);
      expect(screen.sent).not.toMatch(givenBack);
      await screen.kill(signal);
      expect([signal, await screen.ended]).toEqual([signal, code]);
      expect(screen.sent).toMatch(givenBack);
    }
    const screen = await browsing(store);
    screen.press('\x03');
    expect(await screen.ended).toBe(130);
    expect(screen.sent).toMatch(givenBack);
    const crash = `setTimeout(() => { throw new Error('boom'); }, 3_000);`;
    const crashing = terminal(['browse', 'demo', '--store', store], {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(crash)}`,
    });
    expect(await crashing.ended).not.toBe(0);
    // What went wrong is told on the screen that stays.
    expect(crashing.sent.split(givenBack)[1]).toContain('boom');
  },
  60_000,
);

test.runIf(hasPty)(
  'Ctrl-Z stops it and gives the shell its terminal; fg goes on where it was',
  async () => {
    const store = await demoStore();
    const screen = shell('exec bash --norc --noprofile -i');
    screen.type(`PS1='ready''> '`);
    await screen.until('ready>');
    screen.type(`'${process.execPath}' '${program}' browse demo --store '${store}'`);
    await screen.until('not here word for word');
    screen.press('2');
    await screen.until('[2 log]');
    screen.press('\x1a');
    await screen.until('Stopped');
    expect(screen.sent).toMatch(givenBack);
    screen.type('fg');
    await screen.until('[2 log]');
    screen.press('q');
    await screen.until('Sessions of');
    screen.press('q');
    await screen.until('ready>');
    screen.type('exit');
    await screen.ended;
  },
  60_000,
);

test.each([
  ['in a pipe', '', {}],
  ['with --json', '--json ', { isTTY: true }],
  ['on a terminal that draws nothing', '', { isTTY: true, env: { TERM: 'dumb' } }],
])('%s it is refused, and says what to call', async (_, option, around) => {
  const stdin: Reader = Object.assign(new PassThrough(), { isTTY: true });
  const { exit, out, err } = await flamestack(`browse ${option}--store /nowhere`, {
    ...around,
    stdin,
  });
  expect([exit, out]).toEqual([2, '']);
  expect(err).toMatch(
    option === '' ? /flamestack ls .*--json, flamestack show/ : /"TERMINAL_MISSING"/,
  );
});

test('what is wrong with the store is said before the screen is taken', async () => {
  const stdin: Reader = Object.assign(new PassThrough(), { isTTY: true });
  const told = await flamestack('browse --store /nowhere', { isTTY: true, stdin });
  expect(told).toMatchObject({ exit: 3, out: '' });
  const unknown = await flamestack(`browse nothing --store ${await demoStore()}`, {
    isTTY: true,
    stdin,
  });
  expect(unknown).toMatchObject({ exit: 3, out: '' });
});
