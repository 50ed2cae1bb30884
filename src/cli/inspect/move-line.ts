import type { Inspection } from '../../index.ts';
import type { Paper } from '../paper/paper.ts';
import { cut, padEnd, padStart } from '../paper/width.ts';

/** A move on a line: its step, the actor, the event, and where that led. */
export function moveLine(inspection: Inspection, { longest, glyphs, paint }: Paper): string {
  const { seq, actor, machine, event, from, value, status } = inspection;
  const name = machine === 'session' ? actor : actor.slice(actor.indexOf('/') + 1);
  const head = `${padStart(String(seq), 6)}  ${padEnd(name, 20)}  ${padEnd(event.type, 22)}  `;
  const led = from === null || from === value ? value : `${from} ${glyphs.to} ${value}`;
  const more = status === 'active' || status === 'done' ? '' : ` (${status})`;
  const line = cut(`${led}${more}`, Math.max(8, longest - head.length), glyphs.more);
  return `${paint(head, 'gray')}${from === value ? paint(line, 'gray') : line}`;
}
