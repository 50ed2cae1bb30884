import { InvalidArgumentError } from 'commander';
import type { Moment, Session, View } from '../../index.ts';
import { timeIn, timeText } from '../../viewer/page/session/model/time.ts';

/** A moment as it is typed: one of the engine's, or a snapshot. */
export type TypedMoment = Moment | { readonly snapshot: string };

/** The usual ways to name a moment, for help texts. */
export const momentHelp =
  '40 (a turn), 40.2 (its call), e52, s3, seq:120, or a time: 2026-03-02T09:17 (what was said by then)';

/** The ways to name a step. */
const stepHelp =
  '120 (its number), e52 (when it came), 40.2 (a call of a turn), or a time: 2026-03-02T09:17';

/** Reads a turn (`40`, or `40.2` for its second call), an entry (`e52`), a snapshot (`s3`), a record (`seq:120`) or a time. */
export function parseMoment(text: string): TypedMoment {
  const [, turn, call] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (turn !== undefined)
    return { turn: Number(turn), ...(call === undefined ? {} : { call: Number(call) }) };
  const seq = /^seq:(\d+)$/.exec(text)?.[1];
  if (seq !== undefined) return { seq: Number(seq) };
  if (/^e\d+$/.test(text)) return { entry: text };
  if (/^s\d+$/.test(text)) return { snapshot: text };
  const time = timeIn(text);
  if (time !== null) return { time };
  throw new InvalidArgumentError(`A moment is ${momentHelp}.`);
}

/** A moment in words: `turn 40`. */
export function momentText(typed: TypedMoment): string {
  if ('snapshot' in typed) return `snapshot ${typed.snapshot}`;
  if ('entry' in typed) return typed.entry;
  if ('seq' in typed) return `record ${typed.seq}`;
  if ('time' in typed) return timeText(typed.time);
  return typed.call === undefined ? `turn ${typed.turn}` : `turn ${typed.turn}, call ${typed.call}`;
}

/** Reads a step: its number, or what was there after it. */
export function parseStep(text: string): number | Moment {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(?:e\d+|\d+\.\d+|seq:\d+|\d{4}-\d{2}-\d{2}.*|s\d+)$/.test(text))
    throw new InvalidArgumentError(`A step is ${stepHelp}.`);
  const moment = parseMoment(text);
  if (!('snapshot' in moment)) return moment;
  throw new InvalidArgumentError('A snapshot is no step; `flamestack snapshot ls` has its record.');
}

/** A session as it was at the moment that is meant; rejects with what `at` and `snapshots.show` do. */
export function viewIn(session: Session, typed: TypedMoment): Promise<View> {
  return 'snapshot' in typed ? session.snapshots.show(typed.snapshot) : session.at(typed);
}
