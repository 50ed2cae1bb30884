import { openFragments } from './source/fragments.ts';
import { fieldsOf } from './source/head.ts';
import { toRecord, toValue, type Json } from './source/record.ts';

/** Fields that are named, and how much of a name or a value. */
const mostFields = 6;
const longestName = 24;

/** What the beginning of a file in no known format looks like, in words: its notation, and the fields of its first record. */
export function likenessOf(head: string): string {
  if (head.startsWith('SQLite format 3')) return 'an SQLite database';
  if (/[\0\ufffd]/.test(head)) return 'no text';
  const start = head.trimStart();
  const line = toRecord(start.split('\n', 1)[0]!);
  const isAlone = !start.trimEnd().includes('\n');
  if (typeof line !== 'string' && !isAlone) return `JSON lines${fieldsText(line)}`;
  if (start.startsWith('[')) {
    const fragments = openFragments();
    const item = fragments.push(start, 1).find(({ kind }) => kind === 'item');
    const text = item?.text ?? fragments.rest().text;
    return `a JSON array${text.startsWith('{') ? `, whose objects begin${fieldsText(fieldsOf(text))}` : ''}`;
  }
  return start.startsWith('{')
    ? `a JSON object${fieldsText(typeof line === 'string' ? fieldsOf(start) : line)}`
    : scalarText(start);
}

/** A value of JSON that is neither an object nor an array, or text. */
function scalarText(head: string): string {
  try {
    const value = JSON.stringify(toValue(head));
    const isLong = value.length > longestName;
    return `the JSON value ${isLong ? `${value.slice(0, longestName)}…` : value}`;
  } catch {
    return 'text, and no JSON';
  }
}

function fieldsText(record: Json): string {
  const names = Object.keys(record);
  if (names.length === 0) return '';
  const labels = names
    .slice(0, mostFields)
    .map((name) => JSON.stringify(name.slice(0, longestName)));
  return ` with ${labels.join(', ')}${names.length > mostFields ? ' …' : ''}`;
}
