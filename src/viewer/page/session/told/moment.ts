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
  const seq = stepForm.exec(moment)?.[1];
  const time = timeIn(moment);
  const found =
    seq !== undefined
      ? steps.findIndex((step) => step.seq === Number(seq))
      : time === null
        ? -1
        : steps.findLastIndex(
            ({ at, news }) => at <= time && news.some(({ type }) => type === 'entry'),
          );
  return found === -1 ? null : found;
}

const turnForm = /^(\d+)(?:\.(\d+))?$/;
const entryForm = /^e(\d+)$/;
const stepForm = /^seq:(\d+)$/;

/** Why a moment means no step, in a sentence. */
export function whyNoStep(history: History, moment: string): string {
  const { steps, entries } = history;
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
    const first = steps.find(({ news }) => news.some(({ type }) => type === 'entry'));
    const began = first === undefined ? '' : `; it began at ${timeText(first.at)}`;
    return `Nothing was said by ${timeText(time)}${began}.`;
  }
  if (/^s\d+$/.test(moment))
    return `Snapshots are not known here; flamestack show --at ${moment} shows one.`;
  return `"${moment.slice(0, 40)}" is no moment: ${momentWords}.`;
}

/** The ways to name a moment, shortly. */
const momentWords = '40 is a turn, e52 an entry, seq:120 a step, 2026-03-02T09:17 a time';

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
