// What a terminal sends for a key, as names. A key may come in pieces, as it does over a slow line, so what
// may be the beginning of one is held back; Escape alone is told from that by the time that passes.

/** Keys in the order they were pressed. */
export interface Decoded {
  /** A name (`up`, `page-down`, `escape`), a character, or `paste:` and what was pasted. */
  readonly keys: readonly string[];
  /** The beginning of a key that is not whole yet. */
  readonly rest: string;
}

const pasteBegins = '\x1b[200~';
const pasteEnds = '\x1b[201~';

const named: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'interrupt',
  '\x15': 'erase',
  '\x1a': 'suspend',
  '\x0c': 'redraw',
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[Z': 'back-tab',
};

/** A whole escape sequence, or a character with Alt. */
const sequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[^]|[^\x1b[O])/;

/** The beginning of one. */
const begun = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/;

/** The keys in what a terminal sent, with what was held back before. */
export function decodeKeys(sent: string): Decoded {
  const keys: string[] = [];
  let remainder = sent;
  while (remainder !== '') {
    if (remainder.startsWith(pasteBegins)) {
      const end = remainder.indexOf(pasteEnds);
      if (end < 0) break;
      keys.push(`paste:${remainder.slice(pasteBegins.length, end)}`);
      remainder = remainder.slice(end + pasteEnds.length);
    } else if (begun.test(remainder)) break;
    else if (remainder.startsWith('\x1b')) {
      const whole = sequence.exec(remainder)?.[0];
      // Escape before another Escape is a key of its own.
      if (whole === undefined) keys.push('escape');
      else keys.push(nameOf(whole));
      remainder = remainder.slice(whole?.length ?? 1);
    } else {
      const [character = ''] = remainder;
      const isText = character >= ' ' && character !== '\x7f';
      keys.push(named[character] ?? (isText ? character : ''));
      remainder = remainder.slice(character.length);
    }
  }
  return { keys: keys.filter((key) => key !== ''), rest: remainder };
}

/** The key of a sequence; '' for one that has no meaning here. Modifiers of arrows and the like do not count. */
function nameOf(whole: string): string {
  const plain = whole
    .slice(1)
    .replace(/^O/, '[')
    .replace(/^\[1;\d+(?=[A-Z]$)/, '[');
  return named[plain.replace(/^(\[\d+);\d+~$/, '$1~')] ?? '';
}

/** What is pressed where nothing came after a beginning. */
export const keysOfRest = (rest: string): readonly string[] => (rest === '\x1b' ? ['escape'] : []);
