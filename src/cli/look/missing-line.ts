import type { Hit } from '../../index.ts';
import { wordsIn, type LightReader, type MissingWord } from '../../reader.ts';
import { cleanLine } from '../paper/clean.ts';

/** The words of a query that stand nowhere in some sessions; only those are looked for that no hit says. */
export async function missingFrom(
  { hits, query }: { readonly hits: readonly Hit[]; readonly query: string },
  store: LightReader,
  where: { readonly session: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly MissingWord[]> {
  const said = new Set(hits.flatMap(({ text }) => wordsIn(text).flatMap(({ terms }) => terms)));
  const unsaid = wordsIn(query).filter(({ term }) => term === null || !said.has(term));
  if (unsaid.length === 0 || where.session.length === 0) return [];
  return store.missing(unsaid.map(({ text }) => text).join(' '), where);
}

/** Which words were found nowhere, which names only by their parts, and words near them; no line where all were found. */
export function missingLines(missing: readonly MissingWord[]): readonly string[] {
  const isParted = ({ parts }: MissingWord): boolean => parts.length > 0;
  const parted = missing.filter(isParted);
  const gone = missing.filter((one) => !isParted(one)).map(({ word }) => cleanLine(word));
  const near = [...new Set(missing.flatMap((one) => one.near))].map(cleanLine).join(', ');
  const reasons = [
    ...(gone.length === 0 ? [] : [`found nowhere: ${gone.join(', ')}`]),
    ...parted.map(
      ({ word, parts }) => `only in parts: ${cleanLine(word)} (${parts.map(cleanLine).join(', ')})`,
    ),
    ...(near === '' ? [] : [`near: ${near}`]),
  ].join('; ');
  return reasons === '' ? [] : [reasons[0]!.toUpperCase() + reasons.slice(1)];
}
