import type { History } from './history.ts';

// Moments in the words of `flamestack show --at`: what is meant there is meant here.

/** The step that a moment means, by its index; null where there is none. */
export function stepAt(history: History, moment: string): number | null {
  const { steps, entries } = history;
  const [, turn, call] = /^(\d+)(?:\.(\d+))?$/.exec(moment) ?? [];
  if (turn !== undefined) return stepOfCall(history, Number(turn), call);
  const entry = /^e(\d+)$/.exec(moment)?.[1];
  if (entry !== undefined) return entries[Number(entry)] ?? null;
  const seq = /^seq:(\d+)$/.exec(moment)?.[1];
  const found = seq === undefined ? -1 : steps.findIndex((step) => step.seq === Number(seq));
  return found === -1 ? null : found;
}

/** The step before the model's answer in a turn: before the last one unless told; the end of a turn without answers. */
function stepOfCall({ steps }: History, wanted: number, call: string | undefined): number | null {
  const first = steps.findIndex(({ turn }) => turn >= wanted);
  if (first === -1) return null;
  const next = steps.findIndex(({ turn }) => turn > wanted);
  const end = (next === -1 ? steps.length : next) - 1;
  const answers = steps.flatMap(({ news }, index) =>
    index > first &&
    index <= end &&
    news.some((one) => one.type === 'entry' && one.role === 'assistant')
      ? [index - 1]
      : [],
  );
  return call === undefined ? (answers.at(-1) ?? end) : (answers[Number(call) - 1] ?? null);
}
