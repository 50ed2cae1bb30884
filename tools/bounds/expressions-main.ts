import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { expressionsIn, growthOfExpression, nameOf } from './expressions.ts';

// Which regular expressions of the sources take longer than their text is: those that are not on the list of
// expressions whose texts are bounded by whoever uses them (a line, a word, a name, an argument). Time decides,
// so each is tried again before it is told.
//
//   npm run bounds:expressions               prints those that are new, and fails where there are any
//   npm run bounds:expressions -- --write    writes the list anew

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const source = fileURLToPath(new URL('../../../../src', import.meta.url));
const list = fileURLToPath(new URL('../../../bounds/bounded.txt', import.meta.url));
const bounded = values.write ? new Set<string>() : new Set(readFileSync(list, 'utf8').split('\n'));
const found = expressionsIn(source);
const steep: string[] = [];
for (const expression of found) {
  const name = nameOf(expression);
  if (bounded.has(name)) continue;
  const growth = growthOfExpression(expression.shape) && growthOfExpression(expression.shape);
  if (growth === null) continue;
  steep.push(name);
  process.stdout.write(`${expression.at}  ${String(expression.shape)}  ${growth}\n`);
}
if (values.write) writeFileSync(list, `${steep.join('\n')}\n`);
process.stdout.write(
  `${found.length} expressions: ${steep.length} grow too fast${values.write ? '' : `, beside ${bounded.size - 1} whose texts are bounded`}\n`,
);
process.exitCode = steep.length > 0 && !values.write ? 1 : 0;
