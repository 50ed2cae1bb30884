import type { ChatListener, ChatReply } from './chat-model.ts';
import { thinkFilter, type Heard } from './think-tag.ts';

/** The words of an answer while they come; the listener is told of each. */
export interface Hearing {
  push(text: string, thinking: string): void;
  /** All that was said. */
  end(): Heard;
}

/** Hears one answer; rejects what comes after the listener's signal. */
export function hearing(listener: ChatListener): Hearing {
  const filter = thinkFilter();
  const whole = { text: '', thinking: '' };

  function hear({ text, thinking }: Heard): void {
    listener.signal?.throwIfAborted();
    whole.text += text;
    whole.thinking += thinking;
    if (thinking !== '') listener.onThinking?.(thinking);
    if (text !== '') listener.onText?.(text);
  }

  return {
    push(text, thinking) {
      hear({ text: '', thinking });
      if (text !== '') hear(filter.push(text));
    },
    end() {
      hear(filter.end());
      return whole;
    },
  };
}

/** The server's own counts; a 0 is one that it does not know. */
export function usageOf(read: unknown, written: unknown): ChatReply['usage'] {
  return {
    ...(typeof read === 'number' && read > 0 && { inputTokens: read }),
    ...(typeof written === 'number' && written > 0 && { outputTokens: written }),
  };
}
