import { expect, test } from 'vitest';
import { definedNames } from '../../../src/core/file-index/defined-names.ts';
import { emptyIndex, withEvents } from '../../../src/core/file-index/file-index.ts';
import { frameId } from '../../../src/core/values/id.ts';

test('the names of what files of a frame hold are known, whole and by their last part', () => {
  const fact = (name: string) => ({ name, text: `${name}: 1`, bare: '', tokens: 2 });
  const event = {
    type: 'read',
    path: 'pool.toml',
    n: 3,
    facts: [fact('pool.least'), fact('grow')],
  } as const;
  const source = { frame: frameId(0), root: '', at: 0 };
  const index = withEvents(emptyIndex, [event], source);
  expect(new Set(definedNames(index, frameId(0)))).toEqual(
    new Set(['pool.least', 'least', 'grow']),
  );
  expect(definedNames(index, frameId(1))).toEqual([]);
});
