import { openFragments } from './fragments.ts';
import { isBlank, toRecord, toValue, type Json } from './record.ts';

/** Most records by which a format is detected. */
const mostRecords = 64;

/**
 * The objects in a file's first lines; lines that hold none are passed over. Of
 * a line that `head` cuts short, the fields before the cut are there.
 */
export function headRecords(head: string): readonly Json[] {
  const records: Json[] = [];
  for (const line of head.split('\n')) {
    if (records.length === mostRecords) break;
    if (isBlank(line)) continue;
    const record = toRecord(line);
    if (typeof record !== 'string') records.push(record);
    else if (line.trimStart().startsWith('{')) records.push(fieldsOf(line));
  }
  return records;
}

/** The complete fields of an object that may be cut short. */
export function fieldsOf(text: string): Json {
  const fields: Record<string, unknown> = {};
  for (const { kind, name, text: value } of openFragments().push(text, 1)) {
    if (kind === 'item') continue;
    try {
      fields[name] = toValue(value);
    } catch {
      return fields;
    }
  }
  return fields;
}
