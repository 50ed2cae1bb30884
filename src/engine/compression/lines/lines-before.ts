import { linesAbove, readLines, type KeptLine } from '../../../core/chronicle/chronicle.ts';
import { itemsOfList } from '../../../core/notes/note-lines.ts';
import { openFailures, type OpenFailure } from '../../../core/outcomes/cures.ts';
import { quotesOf, shownHuman } from '../../../core/sections/human-section.ts';
import type { Part } from '../../../core/values/parts.ts';
import type { Draft } from '../../step/draft.ts';

// What stands before the entries that leave the window, and what their lines go on from.

/** The items of the host's list as it stood before a position. */
export function listBefore(
  { state, bodies }: Pick<Draft, 'state' | 'bodies'>,
  first: number,
): readonly string[] {
  const listed = state.chronicle.lines.findLast(({ kind, n }) => kind === 'list' && n < first);
  if (listed === undefined) return [];
  return readLines([listed], (id) => bodies.text(id)).flatMap(({ text }) => itemsOfList(text));
}

/** What failed before a position and is not known to work, with the files that were changed since. */
export function failedBefore(
  { state, bodies }: Pick<Draft, 'state' | 'bodies'>,
  first: number,
  part: Part,
): readonly OpenFailure[] {
  const lines = state.chronicle.lines.filter(
    ({ kind, to }) => (kind === 'failed' || kind === 'said') && to < first,
  );
  const open = openFailures(
    part(() => readLines(lines, (id) => bodies.text(id))),
    part,
  );
  const { files } = state.chronicle.index;
  const told = new Set(
    [...linesAbove(lines, state.epochView.plan.chronicle), ...heldLines(state, lines)].map(
      ({ to }) => to,
    ),
  );
  return open.map((failure) => {
    const isLater = (n: number): boolean => n > failure.n && n < first;
    const changed = files.filter(({ changes }) => changes.some(isLater));
    return { ...failure, changed: changed.map(({ path }) => path), isHidden: !told.has(failure.n) };
  });
}

/** Those of some lines that checkpoints tell. */
function heldLines({ views }: Draft['state'], lines: readonly KeptLine[]): readonly KeptLine[] {
  const held = new Set(
    [...views.values()].flatMap(({ checkpoints }) => checkpoints.flatMap((one) => one.lines)),
  );
  return lines.filter(({ id }) => held.has(id));
}

/** What documents and the model stated before a position, as far as the prompt may tell it. */
export function statedBefore(
  { state, bodies }: Pick<Draft, 'state' | 'bodies'>,
  first: number,
): readonly string[] {
  const isStated = ({ kind, to }: KeptLine): boolean =>
    (kind === 'read' || kind === 'said') && to < first;
  const lines = state.chronicle.lines.filter(isStated);
  const linesShown = linesAbove(lines, state.epochView.plan.chronicle);
  return readLines(linesShown, (id) => bodies.text(id)).map(({ text }) => text);
}

/** The last entry of a person on the path before a position, whole or in part; 0 for none. */
export const turnBefore = (state: Draft['state'], first: number): number =>
  [...shownHuman(state), ...quotesOf(state)].reduce(
    (last, { n }) => (n < first ? Math.max(last, n) : last),
    0,
  );
