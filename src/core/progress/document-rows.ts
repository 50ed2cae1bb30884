import { newestEntries, type Breadcrumb } from '../breadcrumbs/breadcrumb.ts';
import { broughtIn } from '../file-events/edits.ts';
import { idsOf, type Line } from '../lines/line.ts';
import type { Told } from '../state/document-schedule.ts';
import { requestIn } from '../people/requests.ts';
import { entryId } from '../values/id.ts';
import { short } from '../documents/short-text.ts';
import type { SessionWork } from './session-work.ts';

// The rows of the breadcrumbs table: where to look for what the document tells in
// short. Each has a whole path, a command or the ids of entries, and what is there.

/** Most rows of a document. */
const mostRows = 50;

/** Longest hint, in UTF-16 units. */
const longest = 100;

/** The rows for what was not told yet, those that matter least first. */
export function rowsOf(
  work: SessionWork,
  lines: readonly Line[],
  baseline: Told,
): readonly Breadcrumb[] {
  const rows = [
    ...lines.filter(({ kind }) => kind === 'failed').map(failureRow),
    ...lines.filter(({ kind, file }) => kind === 'changed' && file !== '').map(fileRow),
    ...turnRows(work, baseline),
  ];
  const unique = new Map(rows.map((row) => [`${row.type} ${row.reference}`, row]));
  return [...unique.values()].slice(-mostRows);
}

function fileRow(line: Line): Breadcrumb {
  const { n, to, file } = line;
  return {
    type: 'file',
    reference: file,
    hint: meaningOf(line, longest),
    entries: newestEntries([entryId(n), entryId(to)]),
  };
}

/** What a line says that a file was changed by, without its path. */
export function meaningOf({ text }: Line, length: number): string {
  const brought = broughtIn(text);
  return brought === '' ? 'changed' : short(`changed: ${brought}`, length);
}

function failureRow({ n, to, text }: Line): Breadcrumb {
  const [, command = entryId(n), hint = text] = /^`([^`]+)` (failed.*)$/.exec(text) ?? [];
  return {
    type: 'action',
    reference: command,
    hint: short(hint, longest),
    entries: newestEntries([entryId(n), entryId(to)]),
  };
}

/** Where each request was worked on. */
function turnRows(
  { said, edits, entries }: SessionWork,
  { messages }: Told,
): readonly Breadcrumb[] {
  const last = entries.findLast(({ n }) => !edits.some((edit) => edit.n === n))?.n ?? 0;
  // Where an older one was worked on was told when the next one came.
  const lastReported = said.findLastIndex(
    ({ n, text }) => n <= messages && requestIn(text) !== null,
  );
  const requests = said.slice(Math.max(lastReported, 0)).flatMap(({ n, text }) => {
    const request = requestIn(text);
    return request === null ? [] : [{ n, text: request.text }];
  });
  return requests.flatMap(({ n, text }, index) => {
    const end = (requests[index + 1]?.n ?? last + 1) - 1;
    const from = Math.max(n, messages + 1);
    if (end < from) return [];
    const since = n < from ? ` (since ${entryId(n)})` : '';
    const hint = `“${short(text, longest)}”${since}`;
    return [{ type: 'action' as const, reference: idsOf({ n: from, to: end }), hint, entries: [] }];
  });
}
