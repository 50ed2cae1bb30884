import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryId, frameId, textId } from '../../../src/core/values/id.ts';
import type { Fact } from '../../../src/core/state/fact.ts';
import { decodeRecord, encodeRecord } from '../../../src/engine/journal/state-codec.ts';
import type { JournalRecord } from '../../../src/core/state/input.ts';

type Appended = Extract<Fact, { type: 'entry.appended' }>;

const n = fc.integer({ min: 1, max: 1e6 });
const hash = fc.stringMatching(/^[0-9a-f]{16}$/);

const appended: fc.Arbitrary<Fact> = fc
  .record({
    n,
    frame: fc.nat(9),
    role: fc.constantFrom('user', 'assistant', 'tool'),
    human: fc.boolean(),
    exact: fc.boolean(),
    form: fc.constantFrom('whole', 'short', 'cleared', 'stray', 'closing'),
    tokens: n,
    shown: fc.option(n),
    unit: fc.option(n),
    hash,
    calls: fc.option(fc.array(fc.record({ id: fc.string(), name: fc.string() }))),
    call: fc.option(fc.string()),
    text: fc.option(n),
  })
  .map((given): Appended => {
    const { n, frame, role, human, form, tokens, exact, hash, calls, call, text } = given;
    return {
      type: 'entry.appended',
      entry: entryId(n),
      frame: frameId(frame),
      role,
      human,
      form,
      tokens,
      shown: given.shown ?? tokens,
      exact,
      hash,
      unit: given.unit ?? n,
      ...(calls === null ? {} : { calls }),
      ...(call === null ? {} : { call }),
      ...(text === null ? {} : { text: textId(text) }),
    };
  });

const other: fc.Arbitrary<Fact> = fc.oneof(
  fc.constant<Fact>({ type: 'session.moved', phase: 'compressing' }),
  fc.constant<Fact>({
    type: 'chronicle.written',
    frame: frameId(0),
    root: '/home/me',
    source: textId(3),
    lines: [
      { id: 1, frame: frameId(0), source: textId(3), row: 0, made: 0, names: 2 },
      { id: 2, frame: frameId(0), source: textId(3), row: 1, made: 0, names: 0 },
    ].map((kept, index) => ({
      ...kept,
      n: index + 4,
      to: index + 4,
      turn: 4,
      kind: 'said' as const,
      tokens: 12,
      worth: 1.5,
      file: '',
    })),
    events: [],
    gone: [7],
  }),
  fc.record({ type: fc.constant('assembly.sent' as const), assembly: fc.string() }),
);

const record = fc
  .record({
    seq: n,
    at: n,
    turn: n,
    tokens: n,
    facts: fc.array(fc.oneof(appended, other), { maxLength: 5 }),
    entries: fc.option(fc.array(fc.record({ tokens: n, exact: fc.boolean(), hash }))),
    sent: fc.option(fc.record({ assembly: fc.string(), inputTokens: n })),
  })
  .map(({ seq, at, turn, tokens, facts, entries, sent }): JournalRecord => {
    const told = facts.flatMap((fact) =>
      fact.type === 'entry.appended'
        ? [{ tokens: fact.tokens, exact: fact.exact, hash: fact.hash }]
        : [],
    );
    const input = {
      type: 'append' as const,
      entries: entries ?? told,
      ...(sent === null ? {} : { sent }),
    };
    return { seq, at, input, facts, turn, tokens };
  });

test('the record of an append is read back as it was, keys in their order', () => {
  fc.assert(
    fc.property(record, (given) => {
      const kept: unknown = JSON.parse(JSON.stringify(encodeRecord(given)));
      expect(JSON.stringify(decodeRecord(kept))).toBe(JSON.stringify(given));
    }),
  );
});

test('the record of one plain message takes less than a hundred bytes', () => {
  const told = { tokens: 12, exact: true, hash: '0123456789abcdef' };
  const fact: Fact = {
    type: 'entry.appended',
    entry: entryId(123_456),
    frame: frameId(0),
    role: 'user',
    human: true,
    form: 'whole',
    shown: 12,
    unit: 123_456,
    ...told,
  };
  const input = { type: 'append', entries: [told] } as const;
  const given = { seq: 234_567, at: 1_795_273_407_606, input, facts: [fact], turn: 9, tokens: 999 };
  expect(JSON.stringify(encodeRecord(given)).length).toBeLessThan(100);
});
