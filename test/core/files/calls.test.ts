import { expect, test } from 'vitest';
import { definitionsIn } from '../../../src/core/files/definitions.ts';

const calls = (text: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    definitionsIn(text).flatMap(({ name, calls: called }) =>
      called === undefined ? [] : [[name, called]],
    ),
  );

test('a function is told with what it calls, in order, but for what any code calls', () => {
  expect(
    calls(`class Pool {
  async acquire(id: string): Promise<Row> {
    const rows = this.rows.filter((row) => row.id === id);
    if (rows.length > limit) await this.evictOldest(rows);

    return openRow(id, this.acquire(parent));
  }
}
function load() {
  return 1;
}`),
  ).toEqual({ acquire: ['evictOldest', 'openRow'] });
});

test.each([
  [
    'def run(self, name):\n    row = fetch_row(name)\n    return store_row(row)\n\nother_call()',
    'run',
  ],
  ['defp run(name) do\n  row = fetch_row(name)\n  store_row(row)\nend\nother_call()', 'run'],
  ['func run(name string) error {\n\trow := fetch_row(name)\n\tstore_row(row)\n}', 'run'],
])('in any language: %j', (text, name) => {
  expect(calls(text)).toEqual({ [name]: ['fetch_row', 'store_row'] });
});

test('of many calls those stand that the text has seldom', () => {
  const body = ['alpha', 'redraw', 'bravo', 'redraw', 'charlie', 'redraw', 'delta'];
  const text = `function run() {\n${body.map((name) => `  ${name}Row();`).join('\n')}\n}`;
  expect(calls(text)).toEqual({ run: ['alphaRow', 'bravoRow', 'charlieRow', 'deltaRow'] });
});

test('what holds functions calls nothing itself', () => {
  expect(calls('defmodule App do\n  def start(x) do\n    boot_all(x)\n  end\nend')).toEqual({
    start: ['boot_all'],
  });
});
