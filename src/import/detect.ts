import { fail } from '../core/values/error.ts';
import { likenessOf } from './likeness.ts';
import { isBlank } from './source/record.ts';
import type { Importer, Source } from './source/step.ts';

/** Length of the head by which a format is detected, in characters. */
const headLength = 64 * 1024;

/**
 * The importer whose signs stand at the beginning of `source`. Throws
 * `IMPORT_EMPTY` where there is nothing but white space, or an array without items, and
 * `IMPORT_FORMAT_UNKNOWN`, which says what it looks like and what was looked for.
 */
export async function detect(
  source: Source,
  importers: readonly Importer[],
  signal?: AbortSignal,
): Promise<Importer> {
  const head = await headOf(source, signal);
  const found = importers.find((importer) => importer.detect(head));
  if (found !== undefined) return found;
  const signs = importers.map(({ format, signs }) => `${format}: ${signs}`).join('; ');
  throw fail(
    'IMPORT_FORMAT_UNKNOWN',
    `${nameOf(source)} is not in a known format: it looks like ${likenessOf(head)}; looked for ${signs}`,
    {
      source: source.name,
      formats: importers.map(({ format }) => format),
    },
  );
}

/** The beginning of `source`, from its first line that is not blank; throws `IMPORT_EMPTY` if there is none, or all of it is an array without items. */
export async function headOf(source: Source, signal?: AbortSignal): Promise<string> {
  let head = '';
  for await (const { text } of source.lines(signal)) {
    if (head === '' && isBlank(text)) continue;
    head += head === '' ? text : `\n${text}`;
    if (head.length >= headLength) break;
  }
  if (head === '' || isEmptyArray(head))
    throw fail('IMPORT_EMPTY', `${nameOf(source)} is empty`, { source: source.name });
  return head.slice(0, headLength);
}

const isEmptyArray = (head: string): boolean => /^\s*\[\s*\]\s*$/.test(head);

/** A source in a sentence: what is piped in has no name. */
const nameOf = ({ name }: Source): string => (name === 'input' ? 'The input' : `"${name}"`);
