import { many } from '../../paper/size.ts';

// A paste of several lines is one message: a terminal brackets it, and where
// its text would stand in the line there is a short label.

/** Asks a terminal to bracket what is pasted, and not to. */
export const bracketing = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const;

const begin = '\x1b[200~';
const finish = '\x1b[201~';

/** Longest paste of one line that stands in the line itself, in UTF-16 units. */
const longestShown = 400;

/** Most lines of an earlier message that stand in the line itself. */
const mostLines = 4;

/** Characters that the line editor takes for keys. */
const controls = /[\x00-\x1f\x7f]/g;

/** Pasted texts, by the labels that stand for them in a line. */
export interface Pastes {
  /** The keys with a label for each long paste; what has no end yet is held back. */
  take(keys: string): string;
  /** A line with the texts in the place of their labels. */
  expand(line: string): string;
  /** The label of a text that was sent before and is too long for a line; null for one that is not. */
  label(text: string): string | null;
}

/** Pastes of one terminal. */
export function pastes(): Pastes {
  const texts = new Map<string, string>();
  let held = '';

  const labelOf = (pasted: string): string => {
    const text = pasted.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
    if (!text.includes('\n') && text.length <= longestShown)
      return text.replaceAll('\t', '  ').replace(controls, '');
    const label = `[paste ${texts.size + 1}: ${many(text.split('\n').length, 'line')}]`;
    texts.set(label, text);
    return label;
  };

  return {
    take(keys) {
      let rest = held + keys;
      let out = '';
      held = '';
      for (;;) {
        const start = rest.indexOf(begin);
        if (start < 0) break;
        const end = rest.indexOf(finish, start);
        if (end < 0) {
          held = rest.slice(start);
          return out + rest.slice(0, start);
        }
        out += rest.slice(0, start) + labelOf(rest.slice(start + begin.length, end));
        rest = rest.slice(end + finish.length);
      }
      // What the next keys may make a paste of; Escape alone is a key of its own.
      held = /\x1b\[(?:2(?:00?)?)?$/.exec(rest)?.[0] ?? '';
      return out + rest.slice(0, rest.length - held.length);
    },
    expand(line) {
      let text = line;
      for (const [label, pasted] of texts) text = text.replaceAll(label, () => pasted);
      return text;
    },
    label(text) {
      const lines = text.split('\n').length;
      if (lines <= mostLines && text.length <= longestShown) return null;
      const name = `paste: ${many(lines, 'line')}`;
      let label = `[${name}]`;
      for (let n = 2; texts.has(label) && texts.get(label) !== text; n += 1)
        label = `[${name}, ${n}]`;
      texts.set(label, text);
      return label;
    },
  };
}
