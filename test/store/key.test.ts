import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as keys from '../../src/store/key.ts';
import type { KeyRange } from '../../src/store/store.ts';

const character = fc.constantFrom('a', 'A', 'b', '0', '9', 'z', 'Z', '_', '.', '-');
const session = fc.string({ unit: character, minLength: 1, maxLength: 8 });
const number = fc.oneof(fc.nat(2_000), fc.integer({ min: 0, max: 999_999_999_999 }));
/** Any code units at all, so that surrogates come alone as well. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(37, 58, 0xd800, 0xdc00)))
  .map((units) => String.fromCharCode(...units));

const numbered = [
  [keys.journalKey, keys.parseJournalKey, 'seq'],
  [keys.stateKey, keys.parseStateKey, 'seq'],
  [keys.entryKey, keys.parseEntryKey, 'n'],
] as const;

test('a numbered key reads back as what it was made of', () => {
  fc.assert(
    fc.property(session, number, fc.constantFrom(...numbered), (id, n, [make, parse, name]) => {
      expect(parse(make(id, n))).toEqual({ session: id, [name]: n });
    }),
  );
});

test('a key of the outbox reads back as what it was made of, whatever the effect is called', () => {
  fc.assert(
    fc.property(session, anyText, (id, effect) => {
      expect(keys.parseOutboxKey(keys.outboxKey(id, effect))).toEqual({ session: id, effect });
    }),
  );
});

test('an idempotency key is short and printable, whatever it was made of', () => {
  fc.assert(
    fc.property(session, anyText, (id, key) => {
      const made = keys.idempotencyKey(id, key);
      expect(made).toMatch(/^[!-~]{1,240}$/);
      expect(made.startsWith(`${id}:`)).toBe(true);
    }),
  );
});

test('two different idempotency keys never share a key', () => {
  const similar = fc.tuple(anyText, anyText).filter(([a, b]) => a !== b);
  fc.assert(
    fc.property(session, similar, fc.nat(200), (id, [a, b], length) => {
      const long = 'x'.repeat(length);
      expect(keys.idempotencyKey(id, long + a)).not.toBe(keys.idempotencyKey(id, long + b));
    }),
  );
});

test.each([
  ['\ud800', '\ud801'],
  ['\ud800', '\ufffd'],
  ['%', '%0025'],
  ['a b', 'a%0020b'],
  ['', ' '],
  [`${'x'.repeat(500)}\ud800`, `${'x'.repeat(500)}\ufffd`],
  ['é', 'e\u0301'],
])('idempotency keys %j and %j stay apart', (a, b) => {
  expect(keys.idempotencyKey('s', a)).not.toBe(keys.idempotencyKey('s', b));
});

test('what stands for a long idempotency key cannot be asked for by a short one', () => {
  const long = keys.idempotencyKey('s', 'x'.repeat(500));
  expect(long).toMatch(/^s:%sha256-[0-9a-f]{64}$/);
  expect(keys.idempotencyKey('s', long.slice(2))).not.toBe(long);
});

test('the order of keys is the order of their numbers', () => {
  fc.assert(
    fc.property(session, number, number, (id, a, b) => {
      const order = Buffer.compare(bytes(keys.entryKey(id, a)), bytes(keys.entryKey(id, b)));
      expect(order).toBe(Math.sign(a - b));
    }),
  );
});

test('no key of one session falls into the range of another', () => {
  const made = (id: string, n: number, text: string): string[] => [
    keys.journalKey(id, n),
    keys.idempotencyKey(id, text),
    keys.outboxKey(id, text),
  ];
  fc.assert(
    fc.property(session, session, fc.tuple(number, anyText), (a, b, [n, text]) => {
      for (const key of made(b, n, text)) {
        expect(within(keys.sessionRange(a), key)).toBe(a === b);
        expect(within(keys.seqRange(a), key)).toBe(a === b);
      }
    }),
  );
});

test('a range of numbers holds those between its bounds and leaves the bounds out', () => {
  const bound = fc.option(fc.nat(40), { nil: undefined });
  fc.assert(
    fc.property(fc.nat(40), bound, bound, (n, after, before) => {
      const bounds = {
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before }),
      };
      const expected = n > (after ?? -1) && n < (before ?? Infinity);
      expect(within(keys.seqRange('s', bounds), keys.entryKey('s', n))).toBe(expected);
    }),
  );
});

test('a range carries its direction, limit and signal on', () => {
  const { signal } = new AbortController();
  expect(keys.seqRange('s', { after: 1, reverse: true, limit: 5, signal })).toEqual({
    gt: 's:000000000001',
    lt: 's;',
    reverse: true,
    limit: 5,
    signal,
  });
  expect(keys.sessionRange('s', { limit: 1 })).toEqual({ gte: 's:', lt: 's;', limit: 1 });
});

test('the list of sessions goes by prefix, and on after an id in either direction', () => {
  const optional = fc.option(session, { nil: undefined });
  fc.assert(
    fc.property(
      session,
      optional,
      fc.tuple(optional, fc.boolean()),
      (id, prefix, [after, reverse]) => {
        const range = keys.sessionsRange({
          reverse,
          ...(prefix === undefined ? {} : { prefix }),
          ...(after === undefined ? {} : { after }),
        });
        const goesOn = after === undefined || (reverse ? id < after : id > after);
        expect(within(range, keys.sessionKey(id))).toBe(id.startsWith(prefix ?? '') && goesOn);
      },
    ),
  );
});

test('a session reads back from its key', () => {
  fc.assert(
    fc.property(session, (id) => {
      expect(keys.parseSessionKey(keys.sessionKey(id))).toBe(id);
    }),
  );
});

test.each(['', 'a:b', 'a/b', 'ü', 'x'.repeat(65), 'a\n'])('%j is no id of a session', (id) => {
  const invalid = expect.objectContaining({ code: 'SESSION_ID_INVALID' });
  expect(() => keys.journalKey(id, 1)).toThrow(invalid);
  expect(() => keys.idempotencyKey(id, 'k')).toThrow(invalid);
  expect(() => keys.outboxKey(id, 'k')).toThrow(invalid);
  expect(() => keys.sessionKey(id)).toThrow(invalid);
  expect(() => keys.sessionRange(id)).toThrow(invalid);
  expect(() => keys.seqRange(id)).toThrow(invalid);
});

test.each([-1, 1.5, NaN, Infinity, 1e12])('%d is no number of a record', (n) => {
  expect(() => keys.entryKey('s', n)).toThrow(RangeError);
  expect(() => keys.seqRange('s', { after: n })).toThrow(RangeError);
});

test.each(['', 's', 's:', 's:1', 's:0000000000001', 'ü:000000000001', 's:000000000001 '])(
  '%j is no key of a numbered record',
  (key) => {
    for (const [, parse] of numbered) {
      expect(() => parse(key)).toThrow(expect.objectContaining({ code: 'RECORD_DAMAGED' }));
    }
  },
);

test('records about the store have plain names', () => {
  expect(keys.metaKey('format')).toBe('format');
  expect(() => keys.metaKey('no name')).toThrow(RangeError);
});

const bytes = (key: string): Buffer => Buffer.from(key);

function within({ gte, gt, lt, lte }: KeyRange, key: string): boolean {
  const compare = (bound: string): number => Buffer.compare(bytes(key), bytes(bound));
  return (
    (gte === undefined || compare(gte) >= 0) &&
    (gt === undefined || compare(gt) > 0) &&
    (lt === undefined || compare(lt) < 0) &&
    (lte === undefined || compare(lte) <= 0)
  );
}

test('a key of the search index names its segment, and lies in the range of its part', () => {
  const id = 's.1';
  for (const at of [
    { first: 1, isMerged: false },
    { first: 1_025, isMerged: true },
  ]) {
    const made = [
      keys.segmentKey(id, at),
      keys.detailKey(id, at),
      keys.postingKey(id, { ...at, bucket: 511 }),
    ];
    expect(made.map((key) => keys.parseSearchKey(key))).toEqual([at, at, at]);
    const [segment, , posting] = made as [string, string, string];
    expect(within(keys.segmentsRange(id), segment)).toBe(true);
    expect(within(keys.segmentsRange(id), posting)).toBe(false);
    for (const key of made) expect(within(keys.sessionRange(id), key)).toBe(true);
  }
  expect(() => keys.parseSearchKey('s:p000/1')).toThrow();
});
