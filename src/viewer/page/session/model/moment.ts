import type { History } from './history.ts';
import { timeIn, timeText } from './time.ts';

// Moments in the words of `flamestack show --at`: what is meant there is meant here.

/** The step that a moment means, by its index; null where there is none. */
export function stepAt(history: History, moment: string): number | null {
  const { steps, entries } = history;
  const [, turn, call] = turnForm.exec(moment) ?? [];
  if (turn !== undefined) {
    const { end, answers } = callsIn(history, Number(turn));
    if (end === null) return null;
    return call === undefined ? (answers.at(-1) ?? end) : (answers[Number(call) - 1] ?? null);
  }
  const entry = entryForm.exec(moment)?.[1];
  if (entry !== undefined) return entries[Number(entry)] ?? null;
  const seq = stepForm.exec(moment)?.[1] ?? history.snapshots.get(moment)?.seq;
  const time = timeIn(moment);
  const index =
    seq !== undefined
      ? steps.findIndex((step) => step.seq === Number(seq))
      : time === null
        ? -1
        : lastBy(history, time);
  return index === -1 ? null : index;
}

/** The step of the last entry in the log up to a time, or the last decision by then that followed it; -1 for none. */
function lastBy({ steps, entries, times }: History, time: number): number {
  const entry = times.findLastIndex((at) => at <= time);
  let index = entries[entry] ?? -1;
  for (const { written, news } of steps.slice(index + 1)) {
    if (written > time || news.some(({ type }) => type === 'entry')) break;
    index += 1;
  }
  return index;
}

const turnForm = /^(\d+)(?:\.(\d+))?$/;
const entryForm = /^e(\d+)$/;
const stepForm = /^seq:(\d+)$/;
const snapshotForm = /^s\d+$/;

/** Most moments with a name that are offered. */
const mostNamed = 50;

/** The moments that somebody named: snapshots, and checkpoint documents that were written; the newest first. */
export function namedMoments({
  snapshots,
  happenings,
  steps,
}: History): readonly { readonly moment: string; readonly name: string }[] {
  const namedSnapshots = [...snapshots.values()].flatMap(({ snapshot, seq, title, by }) =>
    by === 'person' ? [{ moment: snapshot, seq, name: `snapshot ${title}`.trim() }] : [],
  );
  const namedDocuments = happenings.flatMap(({ at, label, text }) => {
    const { seq } = steps[at]!;
    return label === 'document' ? [{ moment: `seq:${seq}`, seq, name: `document ${text}` }] : [];
  });
  return [...namedSnapshots, ...namedDocuments]
    .sort((one, other) => other.seq - one.seq)
    .slice(0, mostNamed);
}

/** Why a moment means no step, in a sentence. */
export function whyNoStep(history: History, moment: string): string {
  const { steps, entries, times, snapshots } = history;
  const last = steps.at(-1);
  const [, turn, call] = turnForm.exec(moment) ?? [];
  if (turn !== undefined) {
    const { end, answers } = callsIn(history, Number(turn));
    if (end === null) return `There is no turn ${turn}; the last is ${last?.turn ?? 0}.`;
    return `There is no call ${call} in turn ${turn}, which has ${answers.length}.`;
  }
  if (entryForm.test(moment))
    return `There is no entry ${moment}; the last is e${Math.max(0, entries.length - 1)}.`;
  if (stepForm.test(moment))
    return `There is no step ${moment.slice(4)}; the last is ${last?.seq ?? 0}.`;
  const time = timeIn(moment);
  if (time !== null) {
    const first = Math.min(steps[0]?.written ?? Infinity, times[1] ?? Infinity);
    const began = first === Infinity ? '' : `; it began at ${timeText(first)}`;
    return `Nothing was said by ${timeText(time)}${began}.`;
  }
  if (snapshotForm.test(moment)) {
    const newest = [...snapshots.keys()].at(-1);
    const there = newest === undefined ? 'it has none' : `the last is ${newest}`;
    return `There is no snapshot ${moment}; ${there}.`;
  }
  return `"${moment.slice(0, 40)}" is no moment: ${momentWords}.`;
}

/** The ways to name a moment, shortly. */
const momentWords =
  '40 is a turn, e52 an entry, s3 a snapshot, seq:120 a step, 2026-03-02T09:17 a time';

/** The end of a turn, by its index, and the steps before the model's answers in it; null for none. */
function callsIn(
  { steps }: History,
  wanted: number,
): { readonly end: number | null; readonly answers: readonly number[] } {
  const first = steps.findIndex(({ turn }) => turn >= wanted);
  if (first === -1) return { end: null, answers: [] };
  const next = steps.findIndex(({ turn }) => turn > wanted);
  const end = (next === -1 ? steps.length : next) - 1;
  const answers = steps.flatMap(({ news }, index) =>
    index > first &&
    index <= end &&
    news.some((one) => one.type === 'entry' && one.role === 'assistant')
      ? [index - 1]
      : [],
  );
  return { end, answers };
}
