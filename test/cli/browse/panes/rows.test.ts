import { expect, test } from 'vitest';
import { paneLines, rowsOf } from '../../../../src/cli/browse/panes/rows.ts';
import { paperOf } from '../../../../src/cli/paper/paper.ts';

test('the chosen row is turned around as a whole, without the colors in it', () => {
  const paper = paperOf({ write: () => undefined }, {}, { color: true });
  const texts = ['human 1 % ', 'tools 9 % '].map((text) => text + paper.paint('█    ', 'cyan'));
  const view = { head: [], rows: rowsOf(texts.map((text) => ({ text }))), at: 0 };
  const [chosen, other] = paneLines(view, { height: 2, paper, hasKeys: true });
  expect(chosen).toMatch(/^\x1b\[7m[^\x1b]*human 1 % █ +\x1b\[27m$/);
  expect(other).toBe(` ${texts[1]}`);
});
