import { unknownWindow } from '../attempts.ts';
import { countOf, fieldsOf } from '../fields.ts';

/** The window of a session, and what of it is kept for the answer, in tokens. */
export interface Room {
  readonly window: number;
  readonly reserve: number;
}

/** Most tokens that OpenCode lets a model answer with, and most that it keeps of a limit of the input alone. */
const longest = { answer: 32_000, reserved: 20_000 };

/**
 * The room in a model, by its `limit` and by the part of a configuration that says how OpenCode compacts. It compacts by
 * itself once a prompt and its answer come to its own limit; below that there is room for an answer of usual length, so
 * that it need not. Compaction stays on, for what a server refuses all the same.
 */
export function roomOf(limit: unknown, compaction: unknown): Room {
  const { context, input, output } = fieldsOf(limit);
  const { auto, reserved } = fieldsOf(compaction);
  const answer = Math.min(countOf(output) ?? longest.answer, longest.answer);
  const window = Math.min(
    countOf(context) ?? countOf(input) ?? unknownWindow,
    countOf(input) ?? Number.POSITIVE_INFINITY,
  );
  const kept =
    countOf(input) === undefined
      ? answer
      : (countOf(reserved) ?? Math.min(longest.reserved, answer));
  const spare = auto === false ? 0 : Math.min(answer, Math.floor(window / 10));
  const reserve = Math.max(Math.ceil(window * 0.15), kept + spare);
  return { window, reserve: Math.min(reserve, Math.floor(window / 2)) };
}
