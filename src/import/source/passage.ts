import { checkMessage, type Message } from '../../core/messages/message.ts';
import { isEngineError } from '../../core/values/error.ts';
import type { JoinedLines, SourceLine, ReadOptions, Source, Step } from './step.ts';

// An importer that must know a file's shape reads it twice. The first reading
// leaves a list of passages: which lines belong together, where they are told,
// and how. The second picks the lines and tells. So a session of any length is
// told with one passage in memory.

/** Lines whose steps come together. */
export interface Passage {
  /** In the order that `toSteps` takes them in; none for a step that is known without reading. */
  readonly lines: readonly number[];
  toSteps(lines: readonly SourceLine[]): Iterable<Step>;
}

/** The steps of `passages`, one after the other. */
export async function* stepsOfPassages(
  source: Source,
  passages: readonly Passage[],
  options: ReadOptions = {},
): AsyncIterable<Step> {
  const wanted = passages.flatMap(({ lines }) => lines);
  const picked = source.pick(wanted, options.signal)[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (const passage of passages) {
      options.signal?.throwIfAborted();
      const lines: SourceLine[] = [];
      while (lines.length < passage.lines.length) {
        const next = await picked.next();
        if (next.done === true) break;
        lines.push(next.value);
      }
      yield* passage.toSteps(lines);
      bytes = lines.reduce((most, line) => Math.max(most, line.end), bytes);
      if (lines.length > 0) options.onBytes?.(bytes);
    }
  } finally {
    await picked.return?.();
  }
  if (source.size !== undefined && source.size > bytes) options.onBytes?.(source.size);
}

/** A passage of one step that is known already. */
export function knownPassage(step: Step): Passage {
  return { lines: [], toSteps: () => [step] };
}

/** The key, line and time of a message. */
export interface MessageOrigin extends JoinedLines {
  readonly key: string;
  readonly line: number;
  readonly at?: number | undefined;
}

/** Appends `messages` in order; the keys of all but a single one carry their index. A message that the engine would refuse is a skip. */
export function* appendAll(
  messages: readonly Message[],
  { key, line, at, isJoined = false }: MessageOrigin,
): Generator<Step> {
  for (const [index, message] of messages.entries()) {
    const wrong = faultOf(message);
    if (wrong !== undefined) yield { type: 'skip', line, reason: wrong };
    else
      yield {
        type: 'append',
        message,
        key: messages.length === 1 ? key : `${key}:${index}`,
        line,
        ...(at === undefined ? {} : { at }),
        ...(isJoined ? { isJoined } : {}),
      };
  }
}

function faultOf(message: Message): string | undefined {
  try {
    checkMessage(message);
    return undefined;
  } catch (error) {
    if (isEngineError(error, 'MESSAGE_INVALID')) return error.message;
    throw error;
  }
}

/** The skip of a branch that was left, with `count` messages in it. */
export function abandonedSkip(line: number, count: number): Extract<Step, { type: 'skip' }> {
  return {
    type: 'skip',
    line,
    reason: `abandoned branch of ${count} ${count === 1 ? 'message' : 'messages'}`,
  };
}
