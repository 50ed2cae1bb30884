import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { allPiped } from '../../../src/cli/call/piped.ts';
import { exists } from '../../../src/cli/sessions/store/exists.ts';
import { flamestack, folder } from '../call.ts';

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
