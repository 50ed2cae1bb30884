import { expect, test } from 'vitest';
import { lastWords } from '../../../../src/cli/chat/mcp/last-words.ts';

const node = `file:///srv/server.js:2
  throw new TypeError('no such key: a');
        ^

TypeError: no such key: a
    at file:///srv/server.js:2:9
    at node:internal/main {
  code: 'EKEY'
}

Node.js v20.19.2
`;
const python = 'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: \'HOME\'\n';
const npm =
  'npm error code E404\nnpm error 404 no such package\nnpm error A complete log of this run is in: /x\n';

test.each([
  ['', ''],
  ['loading\nno licence\n', 'no licence'],
  ['\u001b[31mError: red\u001b[0m\r\n', 'Error: red'],
  [node, 'TypeError: no such key: a'],
  [node.replace('TypeError: no such key: a\n', 'Uncaught Error [E]: x\n'), 'Uncaught Error [E]: x'],
  [python, "KeyError: 'HOME'"],
  [npm, 'npm error 404 no such package'],
])('of %j the line is told that says why', (complaints, line) => {
  expect(lastWords(complaints)).toBe(line);
});
