import type { Fact } from '../core/fact.ts';
import type { Frame } from '../core/frame.ts';
import type { Recorded } from '../core/input.ts';

// Sessions of before 0.1 may hold a number or a list where a text belongs: it was
// taken then, and no code that reads texts can live with it. Each is made a text
// where it comes out of the store, in records and copies alike, so that the
// journal, decided again, gives what is read.

/** What was kept as a text, as one: JSON where it is none. */
export function textFrom(kept: unknown): string {
  return typeof kept === 'string' ? kept : (JSON.stringify(kept) ?? '');
}

/** A frame with texts where texts belong; the same one where they are. */
export function frameFrom(frame: Frame): Frame {
  return mended(frame);
}

/** A fact with texts where texts of a frame belong. */
export function factFrom(fact: Fact): Fact {
  return fact.type.startsWith('frame.') ? mended(fact) : fact;
}

/** An input with texts where texts of a frame belong; what is none is told of by who reads the journal. */
export function inputFrom(input: Recorded): Recorded {
  const type = (input as Recorded | undefined)?.type ?? '';
  return ofFrames.has(type) ? mended(input) : input;
}

const ofFrames: ReadonlySet<string> = new Set(['push', 'plan', 'edit', 'pop', 'invalidate']);
const texts: ReadonlySet<string> = new Set(['title', 'criteria', 'brief', 'reason']);
const lists: ReadonlySet<string> = new Set(['artifacts', 'decisions']);
const parts: ReadonlySet<string> = new Set(['identity', 'results']);

function mended<T extends object>(kept: T): T {
  let copy: Record<string, unknown> | null = null;
  for (const [name, value] of Object.entries(kept) as [string, unknown][]) {
    const better = mendedField(name, value);
    if (better !== value) copy = { ...(copy ?? kept), [name]: better };
  }
  return (copy ?? kept) as T;
}

function mendedField(name: string, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'string') return value;
  if (texts.has(name)) return textFrom(value);
  if (lists.has(name)) return mendedList(value);
  if (!parts.has(name)) return value;
  return typeof value === 'object' && !Array.isArray(value) ? mended(value) : textFrom(value);
}

function mendedList(value: unknown): unknown {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list === value && list.every((one) => typeof one === 'string')) return value;
  return list.filter((one) => one !== null).map(textFrom);
}
