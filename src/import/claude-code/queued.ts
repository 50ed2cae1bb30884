import { userMessages } from '../source/content.ts';
import { hashOf } from '../source/key.ts';
import { appendAll } from '../source/passage.ts';
import { isBlank, stringAt, type Json } from '../source/record.ts';
import type { SourceLine, Step } from '../source/step.ts';
import type { LineNode } from './node.ts';
import { recordsOf, timed, type PassageAtLine } from './unit.ts';

// What a person typed while the model was at work waits in a queue, in lines that are
// links of nothing. Taken out of it as `remove` it went to the model with the next results,
// and no other line says it; as `dequeue` it comes again as a prompt; as `popAll` it went
// back to be typed anew.

/** What a person said while the model was at work. */
interface QueuedWords {
  /** The line that has them. */
  readonly line: number;
  /** The line that says that the model was given them. */
  readonly deliveredAt: number;
}

/** The queue as the lines of a file tell it so far. */
export interface Queue {
  readonly delivered: QueuedWords[];
  /** Lines of what waits, the oldest first. */
  readonly waiting: number[];
}

/** Notes what a line says of the queue. */
export function noteQueued({ delivered, waiting }: Queue, record: Json, line: number): void {
  const { type, operation } = record;
  if (type !== 'queue-operation') return;
  if (operation === 'enqueue') waiting.push(line);
  else if (operation === 'popAll') waiting.length = 0;
  else {
    const first = waiting.shift();
    if (operation === 'remove' && first !== undefined)
      delivered.push({ line: first, deliveredAt: line });
  }
}

/** What people said while the model was at work, each before what was said next: so it stands behind the results that were awaited. */
export function queuedPassages(
  { delivered }: Queue,
  units: readonly (readonly LineNode[])[],
): readonly PassageAtLine[] {
  return delivered.flatMap((words) => {
    const next = units.find(
      ([node]) => node!.line > words.deliveredAt && (node!.kind === 'assistant' || node!.talks),
    );
    if (next === undefined && isAwaiting(units.flat())) return [];
    const line = next?.[0]?.line ?? Number.MAX_SAFE_INTEGER;
    return [{ line, passage: { lines: [words.line], toSteps: queuedSteps } }];
  });
}

/** Whether the result of a call is still to come. */
function isAwaiting(nodes: readonly LineNode[]): boolean {
  const answered = new Set(nodes.flatMap(({ results }) => results));
  return nodes.some(({ calls }) => calls.some((call) => !answered.has(call)));
}

/** A command to the host alone, which the model is not given. */
const command = /^\s*\/[\w:-]+\s*$/;

function* queuedSteps(lines: readonly SourceLine[]): Generator<Step> {
  const [record] = recordsOf(lines);
  const [first] = lines;
  const said = record === undefined ? undefined : stringAt(record, 'timestamp');
  if (record === undefined || first === undefined || said === undefined) return;
  const words = stringAt(record, 'content') ?? '';
  if (isBlank(words) || command.test(words)) return;
  // Two may have been typed ahead and queued at once.
  const key = `queued ${said} ${hashOf(words)}`;
  yield* appendAll(userMessages(words), { key, ...timed(record, first.line) });
}
