import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { allPiped } from '../../../src/cli/call/piped.ts';
import { exists } from '../../../src/cli/sessions/store/exists.ts';
import { flamestack, folder, script } from '../call.ts';

/** Lines without end, and whether somebody let go of them. */
function endless(piece = Buffer.alloc(2 ** 22, 'y\n')): Readable {
  return new Readable({
    read() {
      setImmediate(() => this.push(piece));
    },
  });
}

test('what is piped in without end is refused at its limit, and nothing is made of it', async () => {
  const store = `${await folder()}/store`;
  const stdin = endless();
  const { exit, out, err } = await flamestack(`import - --store ${store}`, { stdin });
  expect([exit, out]).toEqual([1, '']);
  expect(err).toContain('"-" has more than 268,435,456 bytes piped in');
  expect(err).toContain('Write it into a file');
  expect(stdin.destroyed).toBe(true);
  expect(await exists(store)).toBe(false);
});

test('run plays what is piped in as it plays a file', async () => {
  const given = (): Readable => Readable.from([script]);
  const { exit, out, err } = await flamestack('run - --window 2k', { stdin: given() });
  expect([exit, err]).toEqual([0, '']);
  expect(out).toContain('Playing what is piped in through a window of 2,048 tokens');
  expect(out).toMatch(/nothing lost +67 of 67 entries read back/);
  const store = `${await folder()}/store`;
  expect((await flamestack(`run - --store ${store}`, { stdin: given() })).exit).toBe(0);
  const again = await flamestack(`run - --store ${store}`, { stdin: given() });
  expect(again.out).toContain('had all 67 entries already');
  const nothing = await flamestack('run -', {
    isTTY: true,
    stdin: Object.assign(Readable.from([]), { isTTY: true }),
  });
  expect([nothing.exit, nothing.out]).toEqual([2, '']);
  expect(nothing.err).toContain('Nothing is piped in');
});

test('who wants out is let out, whether lines come without end or none at all', async () => {
  for (const stdin of [endless(Buffer.from('y\n')), new Readable({ read: () => undefined })]) {
    const store = `${await folder()}/store`;
    const leave = new AbortController();
    const call = flamestack(`import - --store ${store}`, { stdin, signal: leave.signal });
    setTimeout(() => leave.abort(143), 50);
    expect(await call).toEqual({ exit: 143, out: '', err: '' });
    expect(await exists(store)).toBe(false);
  }
});

test('all of it up to the limit is given', async () => {
  const { signal } = new AbortController();
  const given = (): Readable => Readable.from(['größe', Buffer.from('!')]);
  expect((await allPiped({ stdin: given(), signal }, 8))?.toString()).toBe('größe!');
  expect(await allPiped({ stdin: given(), signal }, 7)).toBe(null);
});
