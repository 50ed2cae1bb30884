// Some templates leave a model's thinking in its text: `<think>…</think>`, then
// the answer. Only at the very start is it taken for that: further on the tags
// are something that the model speaks of.

const opening = '<think>';
const closing = '</think>';

/** A piece of an answer, its thinking apart. */
export interface SplitText {
  readonly text: string;
  readonly thinking: string;
}

/** Separates thinking from text while pieces come; holds back what may be the beginning of a tag. */
interface ThinkFilter {
  push(piece: string): SplitText;
  /** The rest, which was held back. */
  end(): SplitText;
}

/** A filter for one answer. */
export function thinkFilter(): ThinkFilter {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  let held = '';

  function push(piece: string): SplitText {
    held += piece;
    let thinking = '';
    if (state === 'start') {
      const lead = held.trimStart();
      if (opening.startsWith(lead) && lead !== opening) return { text: '', thinking };
      state = lead.startsWith(opening) ? 'thinking' : 'text';
      if (state === 'thinking') held = lead.slice(opening.length);
    }
    if (state === 'thinking') {
      const end = held.indexOf(closing);
      const sure = end < 0 ? held.length - partOf(closing, held) : end;
      thinking = held.slice(0, sure);
      held = held.slice(end < 0 ? sure : end + closing.length);
      if (end >= 0) state = 'after';
    }
    if (state === 'after') {
      held = held.trimStart();
      if (held !== '') state = 'text';
    }
    if (state !== 'text') return { text: '', thinking };
    const text = held;
    held = '';
    return { text, thinking };
  }

  function end(): SplitText {
    const rest = held;
    held = '';
    return state === 'thinking' ? { text: '', thinking: rest } : { text: rest, thinking: '' };
  }

  return { push, end };
}

/** How many characters at the end of `text` may be the beginning of `tag`. */
function partOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
