import type { OutMessage } from './assembly.ts';
import type { Calibration } from '../budget/calibration.ts';
import { ordinal } from '../values/id.ts';
import { toSpans, type Span } from '../values/span.ts';

/**
 * The entries of an assembly that a model did not see, where its server counted `reported` tokens:
 * servers keep the system prompt and the newest messages. Exact to the message where it drops whole
 * ones; where it cuts out the middle, what was kept of the head counts as lost.
 */
export function droppedEntries(
  messages: readonly OutMessage[],
  { ratio, overhead }: Pick<Calibration, 'ratio' | 'overhead'>,
  reported: number,
): readonly Span[] {
  const fixed = messages.filter(({ section }) => section === 'system');
  let room = (reported - overhead) / ratio - fixed.reduce((sum, { tokens }) => sum + tokens, 0);
  let kept = messages.length;
  while (kept > 0) {
    const { section, tokens } = messages[kept - 1]!;
    if (section !== 'system') room -= tokens;
    if (room < 0 && kept < messages.length) break;
    kept -= 1;
  }
  const gone = messages
    .slice(0, kept)
    .flatMap(({ entry }) => (entry === undefined ? [] : [ordinal(entry)]));
  return toSpans([...new Set(gone)].toSorted((one, other) => one - other));
}
