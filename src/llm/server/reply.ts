import { clip } from '../../core/text/sentences.ts';
import type { ChatListener, ChatReply } from '../chat-model.ts';
import { thinkFilter, type SplitText } from './think-tag.ts';

/** Collects the pieces of an answer and passes each to the listener. */
export interface ReplyCollector {
  add(text: string, thinking: string): void;
  /** The whole answer. */
  end(): SplitText;
}

/** A collector for one answer; throws the signal's reason for a piece that comes after an abort. */
export function replyCollector(listener: ChatListener): ReplyCollector {
  const filter = thinkFilter();
  const whole = { text: '', thinking: '' };

  function hear({ text, thinking }: SplitText): void {
    listener.signal?.throwIfAborted();
    whole.text += text;
    whole.thinking += thinking;
    if (thinking !== '') listener.onThinking?.(thinking);
    if (text !== '') listener.onText?.(text);
  }

  return {
    add(text, thinking) {
      hear({ text: '', thinking });
      if (text !== '') hear(filter.push(text));
    },
    end() {
      hear(filter.end());
      return whole;
    },
  };
}

/** A count under the name that the server gives it. */
type ServerCount = readonly [name: string, value: unknown];

/** The server's own counts of what it read and wrote, and of what of that a cache served; what it sent for one of the first two and is none is named, not taken. */
export function countsOf(
  read: ServerCount,
  written: ServerCount,
  cached?: unknown,
): Pick<ChatReply, 'usage' | 'ignored'> {
  const [inputTokens, outputTokens] = [countOf(read[1]), countOf(written[1])];
  const ignored = [read, written].flatMap(([name, value]) =>
    isUnknown(value) || countOf(value) !== undefined
      ? []
      : [
          `${name} ${clip(typeof value === 'number' ? `${value}` : JSON.stringify(value), longestShown)}`,
        ],
  );
  return {
    usage: {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(isShare(cached, inputTokens) && { cachedInputTokens: cached }),
    },
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}

/** Longest value of a server that is named, in UTF-16 units. */
const longestShown = 40;

/** A server that does not know a count says 0, null or nothing. */
const isUnknown = (value: unknown): boolean => value === undefined || value === null || value === 0;

/** Whether a count is of a part of another, which none may be. */
const isShare = (value: unknown, whole: number | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= (whole ?? -1);

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
