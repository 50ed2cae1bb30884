import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeKeys, keysOfRest } from '../../../../src/cli/browse/keys/decode-keys.ts';

/** The keys of what comes in these pieces. */
function keysOf(pieces: readonly string[]): readonly string[] {
  let rest = '';
  const keys: string[] = [];
  for (const piece of pieces) {
    const decoded = decodeKeys(rest + piece);
    keys.push(...decoded.keys);
    ({ rest } = decoded);
  }
  return [...keys, ...keysOfRest(rest)];
}

test.each([
  ['\x1b[A\x1bOB\x1b[1;5C\x1b[D', ['up', 'down', 'right', 'left']],
  ['\x1b[H\x1bOF\x1b[1~\x1b[8~', ['home', 'end', 'home', 'end']],
  ['\x1b[5~\x1b[6;2~\x1b[Z\t', ['page-up', 'page-down', 'back-tab', 'tab']],
  ['q字\r\x7f\x15', ['q', '字', 'enter', 'backspace', 'erase']],
  ['\x1b\x1b[A\x1b', ['escape', 'up', 'escape']],
  ['\x1b[<0;1;2Mx\x1bz\x1b[?62cy', ['x', 'y']],
  ['\x1b[200~a\x1b[A\rb\x1b[201~q', ['paste:a\x1b[A\rb', 'q']],
  ['\x01\x03\x1a\x0c', ['interrupt', 'suspend', 'redraw']],
])('%j is pressed as %j', (sent, keys) => {
  expect(keysOf([sent])).toEqual(keys);
});

test('keys are the same, wherever a slow line cuts what comes', () => {
  const sent = 'a\x1b[A\x1b[5~\x1bOH字\x1b[200~p\x1b[201~\x1b[1;2Dz';
  fc.assert(
    fc.property(fc.array(fc.nat(sent.length)), (cuts) => {
      const ends = [...cuts].sort((one, other) => one - other);
      const pieces = [0, ...ends].map((from, index) =>
        sent.slice(from, ends[index] ?? sent.length),
      );
      expect(keysOf(pieces)).toEqual(keysOf([sent]));
    }),
  );
});
