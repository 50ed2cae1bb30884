import { expect, test } from 'vitest';
import {
  checkpointId,
  entryId,
  frameId,
  ordinal,
  textId,
  toEntryId,
  toFrameId,
  toSessionId,
} from '../../../src/core/values/id.ts';

test('an id is a letter and a number', () => {
  const ids = [entryId(12), frameId(0), checkpointId(3), textId(4)];
  expect(ids).toEqual(['e12', 'f0', 'c3', 't4']);
  expect(ids.map(ordinal)).toEqual([12, 0, 3, 4]);
});

test.each(['e1', 'e42', 'e999999999999'])('%s is the id of an entry', (id) => {
  expect(toEntryId(id)).toBe(id);
});

test.each(['', 'e', 'e0', 'e01', 'e1234567890123', 'e1x', 'xe1', 'f1', 'e-1', 'e1\n'])(
  '%j is no id of an entry',
  (id) => {
    expect(() => toEntryId(id)).toThrow(
      expect.objectContaining({ code: 'ENTRY_NOT_FOUND', detail: { entry: id } }),
    );
    expect(() => toEntryId(id)).toThrow(`There is no entry "${id}"`);
  },
);

test.each(['f0', 'f1', 'f999999999999'])('%s is the id of a frame', (id) => {
  expect(toFrameId(id)).toBe(id);
});

test.each(['', 'f', 'f00', 'f01', 'f1234567890123', 'f1x', 'xf1', 'e1', 'xf0', 'f0x'])(
  '%j is no id of a frame',
  (id) => {
    expect(() => toFrameId(id)).toThrow(
      expect.objectContaining({ code: 'FRAME_NOT_FOUND', detail: { frame: id } }),
    );
    expect(() => toFrameId(id)).toThrow(`There is no frame "${id}"`);
  },
);

test.each(['a', 'A-b_c.9', 'x'.repeat(64)])('%s names a session', (id) => {
  expect(toSessionId(id)).toBe(id);
});

test.each(['', 'a b', 'a/b', 'é', 'x'.repeat(65), 'a\n', ' a'])('%j names no session', (id) => {
  expect(() => toSessionId(id)).toThrow(
    expect.objectContaining({ code: 'SESSION_ID_INVALID', detail: { session: id } }),
  );
  expect(() => toSessionId(id)).toThrow(
    `Session id "${id}" is not 1 to 64 letters, digits, dots, underscores or dashes`,
  );
});

test.each([
  [5, 'cannot be 5'],
  [null, 'cannot be null'],
  [undefined, 'is missing'],
])('what is no text is refused as such: %j', (id, said) => {
  const refused = { code: 'OPTION_INVALID', detail: { option: 'session', value: id } };
  expect(() => toSessionId(id)).toThrow(expect.objectContaining(refused));
  expect(() => toSessionId(id)).toThrow(`Argument "session" ${said}; it takes a text`);
});

test('a name that is too long is not repeated whole', () => {
  expect(() => toSessionId('x'.repeat(99))).toThrow(`"${'x'.repeat(80)}" is not`);
});
