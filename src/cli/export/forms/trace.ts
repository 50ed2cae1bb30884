import { parts, type Step } from '../../../viewer/page/session/model/wire.ts';
import { version } from '../../call/version.ts';
import { toExchange } from '../../paper/exchange-json.ts';
import type { Exporting } from '../exporting.ts';
import { lanesOf } from './lanes.ts';
import { byTokens, hasTimes, readRecord, type SessionRecord } from '../session-record.ts';

// The format of Chrome's traces, which Perfetto reads: a list of events, in microseconds. A track takes only
// what nests. So frames that ran at once, as sub-agents do, have a track each, with one below for what was
// said in them; and what the prompt held is a counter for each of its parts.

/** An event of a trace. */
interface TraceEvent {
  readonly name: string;
  /** `M` names a track, `X` is a stretch of time, `i` an instant, `C` a counter. */
  readonly ph: 'M' | 'X' | 'i' | 'C';
  readonly pid: 1;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly cat?: string;
  /** Whether an instant is drawn across all tracks, or in its own. */
  readonly s?: 'p' | 't';
  readonly args: Readonly<Record<string, string | number>>;
}

/** A trace as a file. */
export interface TraceFile {
  readonly displayTimeUnit: 'ms';
  readonly otherData: Readonly<Record<string, string>>;
  readonly traceEvents: readonly TraceEvent[];
}

/** A session as a trace. */
export async function* traceOf(exporting: Exporting): AsyncGenerator<string> {
  const record = await readRecord(exporting);
  if (!hasTimes(record))
    exporting.remark('All of it has one time: a microsecond stands for a token');
  yield `${toExchange(traceFile(record))}\n`;
}

/** A session as a trace by time, or by tokens where all of it has one time. */
export function traceFile(record: SessionRecord): TraceFile {
  const isTimed = hasTimes(record);
  const { head } = record;
  return {
    displayTimeUnit: 'ms',
    otherData: {
      session: head.session,
      title: head.title,
      began: new Date(head.began).toISOString(),
      microsecond: isTimed ? 'of time' : 'a token',
      exporter: `flamestack@${version()}`,
    },
    traceEvents: isTimed ? eventsOf(record, 1_000) : eventsOf(byTokens(record), 1),
  };
}

/** The events of a session; `unit` microseconds are what its times count. */
function eventsOf({ head, history, entries, frames }: SessionRecord, unit: number): TraceEvent[] {
  const began = Math.min(...frames.slice(0, 1).map(({ from }) => from), history.steps[0]?.at ?? 0);
  // A moment of 0 is none to the reader in Chrome's tools, which then begins with the next.
  const ts = (at: number): number => (at - began) * unit + 1;
  const lanes = lanesOf(frames);
  const tidOf = (frame: string): number => 2 * (lanes.get(frame) ?? 0) + 1;
  const named = (tid: number, args: TraceEvent['args']): TraceEvent => {
    const name = tid === 0 ? 'process_name' : 'thread_name';
    return { name, ph: 'M', pid: 1, tid, ts: 0, args };
  };
  const tracks = [...new Set(lanes.values())].flatMap((lane) => [
    named(2 * lane + 1, { name: lane === 0 ? 'frames' : `frames beside (${lane})` }),
    named(2 * lane + 2, { name: lane === 0 ? 'said' : `said beside (${lane})` }),
  ]);
  const work = frames.map(({ id, title, status, from, to }): TraceEvent => {
    const args = { frame: id, status };
    const place = {
      name: title,
      pid: 1,
      tid: tidOf(id),
      cat: 'frame',
      ts: ts(from),
      args,
    } as const;
    return stretch(place, (to - from) * unit);
  });
  const ends = new Map<number, number>();
  const said = entries
    .toSorted((one, other) => one.to - other.to)
    .map(({ entry, by, from, to }): TraceEvent => {
      const { id, frame, role: cat, tokens } = entry;
      const tid = tidOf(frame) + 1;
      // A track takes one after the other.
      const start = Math.max(from, ends.get(tid) ?? from);
      ends.set(tid, to);
      const args = { entry: id, frame, tokens };
      return stretch({ name: by, pid: 1, tid, cat, ts: ts(start), args }, (to - start) * unit);
    });
  const clock = clockOf(history.steps);
  const compressed = history.compressions.map(({ at, news }, index): TraceEvent => {
    const { type: _, shortened: __, ...args } = news;
    const name = `compression ${index + 1}`;
    const cat = 'compression';
    return { name, ph: 'i', pid: 1, tid: tidOf(news.frame), cat, ts: ts(clock[at]!), s: 'p', args };
  });
  const events = [...work, ...said, ...compressed, ...counters(history.steps, clock, ts)];
  return [
    named(0, { name: head.title }),
    ...tracks,
    ...events.sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0)),
  ];
}

/** What took some time, or none: a reader takes the end of an empty stretch for that of what is around it. */
const stretch = (place: Omit<TraceEvent, 'ph' | 'dur' | 's'>, dur: number): TraceEvent =>
  dur === 0 ? { ...place, ph: 'i', s: 't' } : { ...place, ph: 'X', dur };

/** The time of each step, which never goes back. */
function clockOf(steps: readonly Step[]): readonly number[] {
  let now = Number.NEGATIVE_INFINITY;
  return steps.map(({ at }) => (now = Math.max(now, at)));
}

/** What the prompt held by its parts, and its limit, wherever one of these changed. */
function counters(
  steps: readonly Step[],
  clock: readonly number[],
  ts: (at: number) => number,
): readonly TraceEvent[] {
  const counter = (name: string, at: number, args: TraceEvent['args']): TraceEvent => ({
    name,
    ph: 'C',
    pid: 1,
    tid: 0,
    ts: ts(clock[at]!),
    args,
  });
  return steps.flatMap(({ sizes, limit, due }, at) => {
    const before = steps[at - 1];
    const isSame = before !== undefined && sizes.every((size, part) => before.sizes[part] === size);
    const isSameLimit = before?.limit === limit && before.due === due;
    const held = Object.fromEntries(parts.map((part, index) => [part, sizes[index]!]));
    return [
      ...(isSame ? [] : [counter('prompt tokens', at, held)]),
      ...(isSameLimit ? [] : [counter('prompt limits', at, { limit, due })]),
    ];
  });
}
