import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitionsIn, settingsIn } from '../../../src/core/files/definitions.ts';

const defined = (text: string): readonly string[] => definitionsIn(text).map((one) => one.text);

test.each([
  [
    'export async function load(\n  id: string,\n  depth = 2,\n): Promise<Row> {',
    ['async function load(id: string, depth = 2): Promise<Row>'],
  ],
  ['interface Row {\n  id: string;\n  readonly at?: number;\n}', ['interface Row { id, at? }']],
  [
    'class Pool extends Base {\n  private rows: Map<string, Row> = new Map();\n  get size(): number {\n    return 1;\n  }\n}',
    ['class Pool extends Base', 'rows: Map<string, Row>', 'get size(): number'],
  ],
  ['const limit = 4;\n  const local = 5;', ['limit = 4']],
  ['def load(self, id: str) -> Row:\n    return id', ['def load(self, id: str) -> Row']],
  ['func (s *Store) Open(path string) error {', ['func (s *Store) Open(path string) error']],
  ['  defp put(conn, %{"id" => id}) do', ['defp put(conn, %{"id" => id})']],
  ["  test('a user logs in', async () => {", ['test “a user logs in”']],
  ['  if (load(id)) {\n  return load(id);\n  load(id);', []],
  ['// function load() {}\n * class Row', []],
])('%j defines %j', (text, told) => {
  expect(defined(text)).toEqual(told);
});

test.each([
  ['"port": 8080,', ['port: 8080']],
  ['traces_exporter: :none', ['traces_exporter: :none']],
  ['PORT=8080', ['PORT: 8080']],
  ['config :app,\nurl http://a.b/c\n# port: 1', []],
])('%j sets %j', (text, told) => {
  expect(settingsIn(text).map((one) => one.text)).toEqual(told);
});

test('whatever a text holds, a definition is one line of bounded length', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      'function a(',
      'class ',
      'x'.repeat(50_000),
      '('.repeat(9_000),
      ' '.repeat(50_000),
      'const a: '.repeat(50),
      'interface A {\n',
      '\n',
      'a: b\u2028',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      for (const one of [...definitionsIn(text), ...settingsIn(text)])
        expect(one.text).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,160}$/);
    }),
    { numRuns: 60 },
  );
});
