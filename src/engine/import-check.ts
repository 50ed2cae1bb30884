import { callable, checkFields, invalid, signal, text, type Fields } from '../core/argument.ts';
import { toSessionId } from '../core/id.ts';
import { optionFields } from './configure.ts';
import type { ImportOptions } from './import.ts';

const fields: Fields<keyof ImportOptions> = {
  ...optionFields,
  id: (_, value) => toSessionId(value),
  format: text,
  signal,
  onProgress: callable,
};

/** Refuses what cannot be read as a session file, and options that an import does not take; throws `OPTION_INVALID`, `SESSION_ID_INVALID`. */
export function checkImport(source: unknown, options: ImportOptions): void {
  if (!isSource(source))
    throw invalid('source', source, 'a path, a file URL, bytes, chunks, or what `textSource` made');
  checkFields('options', options, fields);
}

function isSource(source: unknown): boolean {
  if (typeof source === 'string') return true;
  if (source instanceof URL) return source.protocol === 'file:';
  if (typeof source !== 'object' || source === null) return false;
  return 'pick' in source || Symbol.iterator in source || Symbol.asyncIterator in source;
}
