import { encodeBreadcrumbs, type Breadcrumb } from '../../core/breadcrumbs/breadcrumb.ts';
import { breadcrumbsFor } from '../../core/breadcrumbs/extract-breadcrumbs.ts';
import { workingTarget } from '../../core/budget/budget.ts';
import { embedded } from '../../core/budget/options.ts';
import type { Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import type { CompressionMemory } from '../../core/checkpoints/compression-state.ts';
import { listsOf } from '../../core/chronicle/lists.ts';
import {
  fitLines,
  numbered,
  printLines,
  type Line,
  type NumberedLine,
} from '../../core/lines/line.ts';
import { summaryLines, withFound } from '../../core/chronicle/summary-lines.ts';
import { allowance, itemsIn } from '../../core/assembly/select-entries.ts';
import { namesHeld } from '../../core/assembly/names-held.ts';
import { checkpointId, ordinal, type FrameId } from '../../core/values/id.ts';
import type { Draft } from '../step/draft.ts';
import { measure } from '../step/measure.ts';
import { ageCheckpoints } from './age-checkpoints.ts';
import { reportMany } from './aged-breadcrumbs.ts';
import { beginEpoch, beginEpochWithin } from './begin-epoch.ts';
import { roomForEntries } from './clear-to-room.ts';
import { limitHuman } from './human-text.ts';
import {
  entitiesOfAll,
  linesOfRange,
  endsWithTurn,
  namedIn,
  rootOfRange,
  turnsOfRange,
  entitiesOutside,
  writeLines,
} from './lines/leaving-lines.ts';
import { clearResults, shortenGiants } from './shrink-entries.ts';
import { checkpointRoom, summarizedEntries } from './summary-check.ts';
import { takeCorrections } from './take-corrections.ts';

// The last step of a compression. What its entries leave becomes lines: the best of
// them stand in the new checkpoint, the others in the chronicle. Older checkpoints
// age as soon as the lines are there, so that they lose what these overtake. Then old
// tool results give way to markers, giants are shortened if the working part is still
// above its target, and a new epoch shows the result.

/** Puts the accepted summary in place of its entries and begins a new epoch, smaller than `total` tokens; than the present one unless told. */
export function commitCheckpoint(draft: Draft, memory: CompressionMemory, total?: number): void {
  const range = memory.stretch!;
  const { frame } = range;
  draft.stage(limitHuman);
  const entries = draft.part(() => summarizedEntries(draft, range));
  const entities = draft.part(() => entitiesOfAll(entries));
  const lines = draft.stage((reading) => linesFor(reading, memory));
  const named = namedIn(lines, draft.part);
  const first = draft.stage((writing) =>
    writeLines(writing, frame, { lines, named, entries, entities }),
  );
  draft.stage((aging) => ageCheckpoints(aging, frame));
  const before = total ?? measure(draft.state).total;
  const room = draft.part(() => checkpointRoom(draft, range));
  const standing = draft.part(() => numbered(lines, first).filter(isTold));
  const held = draft.part(() => fitLines(standing, room));
  const lost = entitiesOutside({ lines, named }, entities, draft.part);
  const about = { entries, lines, held, lost, entities: entities.size };
  const checkpoint = draft.stage((making) => newCheckpoint(making, memory, about));
  draft.record({ type: 'checkpoint.created', frame, checkpoint });
  reportMany(draft, frame, { now: checkpoint });
  draft.stage((fitting) => fitAfterCommit(fitting, frame, before));
  draft.record({
    type: 'compression.finished',
    frame,
    checkpoint: checkpoint.id,
    before,
    after: measure(draft.state).total,
    facts: entities.size,
    kept: draft.part(() => namesHeld(draft.state, frame)({ ...checkpoint, frame })),
    by: memory.by,
  });
}

/** Whether a line tells something by itself: what was asked stands among the words of people. */
const isTold = ({ kind }: Line): boolean => kind !== 'asked';

/**
 * The lines that the entries of a compression leave: a model's own, with what was changed and what
 * failed; else all that are found in them. What the model corrects of earlier lines is put right.
 */
function linesFor(draft: Draft, memory: CompressionMemory): readonly Line[] {
  const range = memory.stretch!;
  const found = linesOfRange(draft, range);
  if (authorOf(draft, memory) === embedded) return found;
  const summary = takeCorrections(draft, range, memory.summary.trim());
  if (summary.trim() === '') return found;
  const [from, to] = [ordinal(range.from), ordinal(range.to)];
  const root = rootOfRange(draft, range);
  const turnOf = turnsOfRange(draft, range);
  const linesOfSummary = summaryLines(summary, { from, to, turnOf, root, count: draft.count });
  return withFound(linesOfSummary, found, { root, endsTurn: endsWithTurn(draft, range) });
}

const authorOf = ({ state }: Draft, { by }: CompressionMemory): string =>
  by === 'fallback' ? embedded : state.options.summarizer;

/** The checkpoint that holds some of the lines of its entries. */
function newCheckpoint(
  draft: Draft,
  memory: CompressionMemory,
  about: {
    readonly entries: ReturnType<typeof summarizedEntries>;
    /** All lines that the entries leave, and those that the checkpoint holds. */
    readonly lines: readonly Line[];
    readonly held: readonly NumberedLine[];
    readonly lost: ReadonlySet<string>;
    readonly entities: number;
  },
): Checkpoint {
  const { entries, lines, held, lost, entities } = about;
  const range = memory.stretch!;
  const items = draft.part(() => itemsIn(draft.state.views.get(range.frame)!, range));
  const text = draft.part(() => printLines(held));
  const lists = draft.part(() => listsOf(lines, draft.part));
  const breadcrumbs = draft.part(() => breadcrumbsFor(entries, lost, draft.part));
  return {
    id: checkpointId(draft.state.checkpointCount + 1),
    age: 'recent',
    text: draft.write(text),
    tokens: draft.part(() => draft.count(text)),
    lines: held.map(({ id }) => id),
    from: range.from,
    to: range.to,
    entries: new Set(entries.map(({ n }) => n)).size,
    before: items.reduce((sum, { human, tokens }) => (human ? sum : sum + tokens), 0),
    at: draft.at,
    by: authorOf(draft, memory),
    hash: items.findLast(({ hash }) => hash !== '')?.hash ?? '',
    names: entities,
    sources: [],
    ...lists,
    ...storeBreadcrumbs(draft, breadcrumbs),
  };
}

/** Stores breadcrumbs beside a checkpoint's text, if there are any. */
function storeBreadcrumbs(
  draft: Draft,
  breadcrumbs: readonly Breadcrumb[],
): Pick<Checkpoint, 'breadcrumbs'> {
  if (breadcrumbs.length === 0) return {};
  const texts = [draft.write(encodeBreadcrumbs(breadcrumbs))];
  return { breadcrumbs: { texts, count: breadcrumbs.length } };
}

/**
 * Clears tool results older than the newest entries and begins the new epoch,
 * smaller than `before` tokens, with giants shortened where the working part is
 * above its target. Of a parked frame only the clearing matters: what became of
 * it is not shown before it is active again.
 */
function fitAfterCommit(draft: Draft, frame: FrameId, before: number): void {
  if (frame !== draft.state.active) {
    clearResults(draft, { frame, room: allowance(draft.state, frame).keep });
    beginEpochWithin(draft, before);
    return;
  }
  const share = workingTarget(draft.state.options);
  const { planned, room, most } = roomForEntries(draft);
  clearResults(draft, { frame, room });
  if ((draft.state.views.get(frame)?.tokens ?? 0) > most) shortenGiants(draft, Math.max(1, most));
  beginEpoch(draft, share, { below: before, planned });
  // What is shortened is counted closer, and may leave another limit.
  while (shortenAbove(draft, share)) beginEpoch(draft, share, { below: before });
}

/** Shortens giants if the working part is above a share of what is available; says whether any became shorter. */
function shortenAbove(draft: Draft, share: number): boolean {
  const { human, working, available } = measure(draft.state);
  if (human + working <= share * available) return false;
  return shortenGiants(draft, Math.max(1, Math.floor(share * available - human)));
}
