import { toReferring, type Reference } from '../../core/breadcrumbs/reference.ts';
import { entryText } from '../../core/messages/message-text.ts';
import { inset } from '../../core/text/sanitize.ts';
import { cutTo } from '../../core/text/truncate.ts';
import { entryId, ordinal, toEntryId } from '../../core/values/id.ts';
import {
  isWithin,
  joinedSpans,
  rangeLabel,
  toPositionSpans,
  type PositionSpan,
} from '../../core/values/span.ts';
import type { LogEntry } from '../../llm/summarizer.ts';
import { entryHead, outcomesOf } from './entry-head.ts';
import type { RecallContext } from './recall-context.ts';

/** Fewest tokens worth beginning another entry for. */
const leastLeft = 40;

/** A reference that begins within an entry: `e12@4954` is e12 from character 4954 on. */
const begun = /(?<![\w./-])([ef]\d+)@(\d{1,12})/;

/** Whether a query goes on within an entry. */
export const goesOn = (query: string): boolean => begun.test(query);

/** The entries behind the ids and ranges of a query, whole, as many as fit; where some do not, how to go on. */
export const openText = async (context: RecallContext, query: string): Promise<string> =>
  (await opened(context, query)).text;

/** The entries behind the ids and ranges of a query, if all of them fit so many tokens; null where they do not. */
export async function openWhole(
  context: RecallContext,
  query: string,
  tokens: number,
): Promise<string | null> {
  const { text, isWhole } = await opened(
    { ...context, room: Math.min(tokens, context.room) },
    query,
  );
  return isWhole ? text : null;
}

async function opened(
  context: RecallContext,
  query: string,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const offset = Number(begun.exec(query)?.[2] ?? 0);
  const { references } = toReferring(query.replace(begun, '$1'));
  const targets = joined(await Promise.all(references.map((one) => lookUp(context, one))));
  const lines: string[] = [];
  let left = context.room;
  for await (const entry of entriesOf(context, targets)) {
    const isFirst = lines.length === 0;
    const slice = await sliceOf(context, entry, {
      from: isFirst ? offset : 0,
      room: left,
      asked: targets,
    });
    const isBegun = slice.next !== null;
    if (!isFirst && (left < leastLeft || isBegun))
      return { text: [...lines, onward(entry, targets)].join('\n'), isWhole: false };
    lines.push(...slice.lines);
    if (slice.next !== null) return { text: [...lines, slice.next].join('\n'), isWhole: false };
    left -= slice.tokens;
  }
  const text = lines.length === 0 ? 'There is no entry behind it.' : lines.join('\n');
  return { text, isWhole: true };
}

/** Most entries of a checkpoint or a frame that are looked up at once. */
const mostBehind = 2_000;

/** What references lead to: frames themselves, then entries. */
interface Asked {
  readonly frames: readonly LogEntry[];
  readonly spans: readonly PositionSpan[];
}

const joined = (all: readonly Asked[]): Asked => ({
  frames: all.flatMap(({ frames }) => frames),
  spans: joinedSpans(all.flatMap(({ spans }) => spans)),
});

/** What a reference leads to; throws where there is no such entry, checkpoint or frame. */
async function lookUp({ session, signal }: RecallContext, reference: Reference): Promise<Asked> {
  if (reference.type === 'entries') {
    const { from, to } = reference;
    await session.entry(from);
    return { frames: [], spans: [[ordinal(from), Math.min(ordinal(to), session.state.entries)]] };
  }
  const id = reference.type === 'frame' ? reference.frame : reference.checkpoint;
  const abort = signal === undefined ? {} : { signal };
  const behind = await session.expand(id, { ...abort, limit: mostBehind });
  const entries = behind.filter((entry) => !isFrame(entry));
  const spans = toPositionSpans(entries.map((entry) => ordinal(toEntryId(entry.id))));
  return { frames: behind.filter(isFrame), spans };
}

const isFrame = ({ id, frame }: LogEntry): boolean => id === frame;

/** The frames, then the entries in their order. */
async function* entriesOf(
  { session, signal }: RecallContext,
  { frames, spans }: Asked,
): AsyncGenerator<LogEntry> {
  yield* frames;
  const abort = signal === undefined ? {} : { signal };
  for (const [first, last] of spans) {
    const after = first === 1 ? {} : { after: entryId(first - 1) };
    yield* session.log({ ...abort, ...after, before: entryId(last + 1) });
  }
}

/** As much of an entry as there is room for. */
interface EntrySlice {
  readonly lines: readonly string[];
  readonly tokens: number;
  /** How to go on within it; null where it is whole. */
  readonly next: string | null;
}

async function sliceOf(
  { session, count, hasFrames }: RecallContext,
  entry: LogEntry,
  slice: { readonly from: number; readonly room: number; readonly asked: Asked },
): Promise<EntrySlice> {
  const { text } = entryText(entry);
  const from = startOf(text, slice.from);
  const notes = from > 0 ? [`from character ${from}`] : [];
  const head = await entryHead(session, entry, { frame: hasFrames, notes });
  const room = slice.room - count(head);
  const piece = cutTo(text.slice(from), Math.max(0, room), (part) => count(inset(part)));
  const end = from + piece.length;
  if (end < text.length) {
    const rest = restAfter(entry, slice.asked);
    const next = `[cut at character ${end} of ${text.length}; next: ${entry.id}@${end}${rest}]`;
    return { lines: [head, inset(piece)], tokens: slice.room, next };
  }
  const outcomes = await outcomesOf(session, entry, (n) => isIn(slice.asked.spans, n));
  const lines = [head, inset(piece), ...outcomes];
  return { lines, tokens: count(lines.join('\n')), next: null };
}

/** An offset that does not part a surrogate pair. */
function startOf(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return /[\ud800-\udbff]$/.test(before) && offset < text.length ? offset - 1 : offset;
}

const isIn = (spans: readonly PositionSpan[], n: number): boolean =>
  spans.some((span) => isWithin(span, n));

/** Most ranges that are named of what follows. */
const mostNamed = 8;

/** Says how to go on with an entry and what follows it. */
const onward = (entry: LogEntry, asked: Asked): string =>
  `[next: ${entry.id}${restAfter(entry, asked)}]`;

/** What of some references follows an entry or a frame, to be said behind its id. */
function restAfter(entry: LogEntry, { frames, spans }: Asked): string {
  if (isFrame(entry)) {
    const later = frames.slice(frames.findIndex(({ id }) => id === entry.id) + 1);
    return named([...later.map(({ id }) => id), ...spans.map(labelOf)]);
  }
  const n = ordinal(toEntryId(entry.id));
  const [own, ...others] = spans.filter(([, last]) => last >= n);
  return `${own![1] > n ? `–${entryId(own![1])}` : ''}${named(others.map(labelOf))}`;
}

const labelOf = ([from, to]: PositionSpan): string =>
  rangeLabel({ from: entryId(from), to: entryId(to) });

function named(labels: readonly string[]): string {
  const names = labels.slice(0, mostNamed).map((label) => `, ${label}`);
  return `${names.join('')}${labels.length > mostNamed ? ' and more' : ''}`;
}
