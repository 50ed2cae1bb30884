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

/** The server's own counts, in tokens; 0 means that it does not know one. */
export function usageOf(read: unknown, written: unknown): ChatReply['usage'] {
  return {
    ...(typeof read === 'number' && read > 0 && { inputTokens: read }),
    ...(typeof written === 'number' && written > 0 && { outputTokens: written }),
  };
}
