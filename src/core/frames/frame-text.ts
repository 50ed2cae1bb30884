import { entryId } from '../values/id.ts';
import type { Frame, Harvested } from './frame.ts';

// A frame as recall finds and gives it: all that was said about the work as a whole.

/** Whether a frame says more than its title. */
export function isTelling({ criteria, results, reason, branch }: Frame): boolean {
  return branch === undefined && (criteria !== '' || results !== null || reason !== null);
}

/** A frame in full: identity, range of its entries, results, decisions, artifacts. `results` is their text, '' without any. */
export function frameText(frame: Frame, results: string): string {
  const { id, title, status, parent, span, retryOf, reason } = frame;
  const about = [
    status,
    ...(parent === null ? [] : [`part of ${parent}`]),
    ...(retryOf === null ? [] : [`tries ${retryOf} again`]),
    ...(span === null ? [] : [`entries ${entryId(span[0])}–${entryId(span[1])}`]),
  ];
  const isOwnReason = reason !== null && reason !== frame.results?.brief;
  return [
    `Frame ${id} "${title}": ${about.join(', ')}`,
    ...paragraph('Success criteria', frame.criteria),
    ...paragraph('Results', results),
    ...list('Failing, told from the log', frame.results?.failing),
    ...paragraph('Reason', isOwnReason ? reason : ''),
    ...list(nameOf('decisions', frame), frame.results?.decisions),
    ...list(nameOf('artifacts', frame), frame.results?.artifacts),
  ].join('\n');
}

function paragraph(name: string, text: string): readonly string[] {
  if (text.trim() === '') return [];
  return [`${name}:${text.includes('\n') ? '\n' : ' '}${text}`];
}

/** The head of a list, which says where it was not given. */
function nameOf(list: Harvested, { results }: Frame): string {
  const name = `${list[0]!.toUpperCase()}${list.slice(1)}`;
  return results?.harvested?.includes(list) === true ? `${name}, told from the log` : name;
}

const list = (name: string, items: readonly string[] = []): readonly string[] =>
  items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `- ${item}`)];
