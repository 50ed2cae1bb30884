import { expect, test } from 'vitest';
import { namesWith } from '../../src/viewer/page/session/model/names-with.ts';

const kinds = [
  { kind: 'path', names: ['src/e.ts', 'src/d.ts', 'src/c.ts', 'src/b.ts', 'lib/a.ts'] },
  { kind: 'number', names: ['4310'] },
  { kind: 'command', names: ['npm test', 'npm run SRC'] },
];

test('the first names of each kind are shown, and small kinds leave their room to larger ones', () => {
  expect(namesWith(kinds, '', 6)).toEqual({
    count: 8,
    visible: [
      { kind: 'path', names: ['src/e.ts', 'src/d.ts', 'src/c.ts'] },
      { kind: 'number', names: ['4310'] },
      { kind: 'command', names: ['npm test', 'npm run SRC'] },
    ],
  });
  expect(namesWith(kinds, '', 100)).toEqual({ count: 8, visible: kinds });
});

test('a part of a name narrows them, in whatever case', () => {
  expect(namesWith(kinds, ' src ', 3)).toEqual({
    count: 5,
    visible: [
      { kind: 'path', names: ['src/e.ts', 'src/d.ts'] },
      { kind: 'command', names: ['npm run SRC'] },
    ],
  });
  expect(namesWith(kinds, 'nowhere', 3)).toEqual({ count: 0, visible: [] });
});
