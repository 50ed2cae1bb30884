import { entriesOf, type OutMessage } from './assembly.ts';
import type { Calibration } from '../budget/calibration.ts';
import { ordinal } from '../values/id.ts';
import { toSpans, type Span } from '../values/span.ts';

/**
 * The entries of an assembly that a model did not see, where its server counted `reported` tokens:
 * servers keep the system prompt and the newest messages. Exact to the message where a server drops
 * whole ones; where it cuts out the middle, the kept part of the head is listed as dropped.
 */
export function droppedEntries(
  messages: readonly OutMessage[],
  { ratio, overhead }: Pick<Calibration, 'ratio' | 'overhead'>,
  reported: number,
): readonly Span[] {
  const system = messages.filter(({ section }) => section === 'system');
  let room = (reported - overhead) / ratio - system.reduce((sum, { tokens }) => sum + tokens, 0);
  let firstKept = messages.length;
  while (firstKept > 0) {
    const { section, tokens } = messages[firstKept - 1]!;
    if (section !== 'system') room -= tokens;
    if (room < 0 && firstKept < messages.length) break;
    firstKept -= 1;
  }
  const dropped = messages.slice(0, firstKept).flatMap(entriesOf).map(ordinal);
  return toSpans([...new Set(dropped)].toSorted((one, other) => one - other));
}
