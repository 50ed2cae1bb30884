import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordCodec, storeIdOf } from '../../src/store/record.ts';
import { draws } from '../draws.ts';
import { codePoint } from '../../src/testing/fast-check/code-point.ts';

const id = 0xfeed_beef;
const { encode, encodeAside, decode } = recordCodec(id);

const key = fc.string({ unit: 'grapheme-ascii', minLength: 1 });
const damaged = (at: string): unknown =>
  expect.objectContaining({ code: 'RECORD_DAMAGED', detail: { kind: 'entry', key: at } });

test('a record is a line that people can read', () => {
  expect(encode('entry', 's:000000000001', { role: 'user' })).toMatch(
    /^[0-9a-f]{8} {"role":"user"}$/,
  );
});

// JSON writes -0 as 0.
const json = fc
  .jsonValue({ stringUnit: 'binary' })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test('a record reads back as what was written, whatever JSON can hold', () => {
  fc.assert(
    fc.property(key, json, (at, value) => {
      expect(decode('entry', at, encode('entry', at, value))).toEqual(value);
    }),
  );
});

test('a large record takes a fraction of its JSON, and reads back; an entry stays a line that people can read', () => {
  const names = Array.from({ length: 500 }, (_, n) => ({ name: `src/déjà/\ud800${n}.ts`, n }));
  const size = JSON.stringify(names).length;
  for (const kind of ['journal', 'state', 'chunk', 'text'] as const) {
    const text = encode(kind, 'k', names);
    expect(text.length).toBeLessThan(size / 3);
    expect(decode(kind, 'k', text)).toEqual(names);
  }
  expect(encode('entry', 'k', names).length).toBeGreaterThan(size);
});

test('a change of any one character of a large record is found', () => {
  const text = encode('journal', 'k', 'many words '.repeat(1_000));
  for (let at = 0; at < text.length; at += 1)
    for (const other of ['', ' ', 'z', 'A', '~']) {
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      if (changed === text) continue;
      expect(() => decode('journal', 'k', changed)).toThrow(
        expect.objectContaining({ code: 'RECORD_DAMAGED' }),
      );
    }
});

test('texts with lone surrogates read back', () => {
  const value = ['\ud800', 'a\udfffb', '\ufffd'];
  expect(decode('entry', 'k', encode('entry', 'k', value))).toEqual(value);
});

test('a change of any one character is found', () => {
  const character = fc.string({ unit: codePoint, maxLength: 1 });
  fc.assert(
    fc.property(json, fc.nat(), character, (value, place, other) => {
      const text = encode('entry', 'k', value);
      const at = place % text.length;
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      fc.pre(changed !== text);
      expect(() => decode('entry', 'k', changed)).toThrow(damaged('k'));
    }),
    { numRuns: draws(2_000) },
  );
});

test('a flip of any one bit on the disk is found, or gives the right value', () => {
  const value = { text: 'déjà \ufffd vu \u{1f525}', n: [1, 2.5, null, true] };
  const sound = Buffer.from(encode('entry', 'k', value));
  for (let bit = 0; bit < sound.length * 8; bit += 1) {
    const flipped = Buffer.from(sound);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const read = (): unknown => decode('entry', 'k', flipped.toString());
    if (flipped.toString() === sound.toString()) expect(read()).toEqual(value);
    else expect(read).toThrow(damaged('k'));
  }
});

test('a record under another key, or of another kind, is found', () => {
  const text = encode('entry', 'a', 1);
  expect(() => decode('entry', 'b', text)).toThrow(damaged('b'));
  expect(() => decode('text', 'a', text)).toThrow(
    expect.objectContaining({ code: 'RECORD_DAMAGED' }),
  );
});

test.each(['', ' ', '00000000', '00000000 ', 'null', '{}'])('%j is no record', (text) => {
  expect(() => decode('entry', 'k', text)).toThrow(damaged('k'));
});

test.each([[undefined], [() => 1], [Symbol('x')]])('%s is no value of a record', (value) => {
  expect(() => encode('entry', 'k', value)).toThrow(TypeError);
});

test('a record of another store is none of this one; a header is the same in all, and any record tells its store', () => {
  const other = recordCodec(0x1234_5678);
  const text = other.encode('entry', 'k', 'the same');
  expect(() => decode('entry', 'k', text)).toThrow(damaged('k'));
  expect(storeIdOf('entry', 'k', text)).toBe(0x1234_5678);
  expect(storeIdOf('entry', 'k', encode('entry', 'k', 'the same'))).toBe(id);
  expect(storeIdOf('entry', 'k', 'no record')).toBe(null);
  expect(decode('meta', 'format', other.encode('meta', 'format', { id }))).toEqual({ id });
});

test.each(['state', 'entry', 'meta'] as const)(
  'a long row of the kind %s that is deflated aside is the same text',
  async (kind) => {
    for (const length of [10, 10_000, 40_000, 200_000]) {
      const value = { text: 'größe '.repeat(length / 6) };
      expect(await encodeAside(kind, 'k', value)).toBe(encode(kind, 'k', value));
    }
  },
);

test('a copy of a state is printed in a turn of its own, a short row of another kind at once', () => {
  expect(encodeAside('state', 'k', {})).toBeInstanceOf(Promise);
  expect(encodeAside('entry', 'k', {})).toBe(encode('entry', 'k', {}));
});
