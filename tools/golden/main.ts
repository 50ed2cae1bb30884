import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { RawRow } from '../../src/store/store.ts';
import { format } from '../../src/store/upcast.ts';
import { answersOf, overRows } from './answers.ts';
import { goldenRows } from './sessions.ts';

// Writes what a store of this format is, and what it answers. The rows are written once for each format,
// before it is released, and never after that; the answers whenever prompts or searches are meant to change.
//
//   npm run golden               the answers
//   npm run golden -- --rows     the rows, too

const { values } = parseArgs({ options: { rows: { type: 'boolean', default: false } } });
const place = `test/fixtures/format-${format}`;
const files = { rows: `${place}/rows.jsonl`, answers: `${place}/answers.json` };
await mkdir(dirname(files.rows), { recursive: true });
if (values.rows) {
  const lines = (await goldenRows()).map((row) => `${JSON.stringify(row)}\n`);
  await writeFile(files.rows, lines.join(''));
}
const text = await readFile(files.rows, 'utf8');
const rows = text
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as RawRow);
const answers = await overRows(rows, answersOf);
await writeFile(files.answers, `${JSON.stringify(answers, null, 2)}\n`);
process.stdout.write(`${rows.length} rows of format ${format}, ${text.length} characters\n`);
