import {
  hasOddWord,
  isCode,
  isKey,
  isMember,
  isMixed,
  isPassword,
  isPhrase,
  isSaid,
} from './judge.ts';

// A secret behind its name is read as what wrote it would read it: between quotes to the quote that closes them,
// whatever lies between, else to the end of the word, brackets and signs with it. Then all of it is judged, so
// that it goes or stays whole.
//
//   DB_PASSWORD="two w0rds9x"      SECRET_KEY = "a(b9&c)d"      PASSWORD=x9;k2&z      {\"password\":\"a\\\"9x\"}

/** A name that says secret, up to what stands behind it; the second group is what parts them. */
const names =
  /((?:api[_-]?key|secret|token(?!i[sz])|passw(?:or)?d|passphrase|(?:access|private|signing|encryption|account|master|auth)[_-]?key|credential)[\w-]{0,24}|(?<=[_-])(?:key|pass|pwd)|(?<=;)pwd)\\{0,8}["'`]?\]?(\s{0,3}(?:\??:\s?(?:string|str|&str)\s?=|:=|=>|={1,3}|[:,])\s{0,3})(?:base64:)?/gi;

/** Characters of a value that are read at most. */
const longest = 2_048;

/** A value behind a name. */
interface Value {
  readonly text: string;
  /** Where it begins and ends, without its quotes. */
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
}

/** How its name stands before it. */
interface Named {
  readonly name: string;
  /** Whether it says no more than `key`, `pass` or `pwd`. */
  readonly isShort: boolean;
  /** Whether an equals sign without blanks parts them, as in an environment. */
  readonly isTight: boolean;
  /** Whether it ends its line, and its name begins one or a colon stands behind that, as in a configuration. */
  readonly isLine: boolean;
  /** Whether it is given it, and neither stands behind it in a list nor is compared with it. */
  readonly isHeld: boolean;
  /** What stands behind the value. */
  readonly next: string;
}

/** A text in which each value behind a name that says secret is replaced whole. */
export function replaceValues(
  text: string,
  replace: (kind: string, value: string) => string,
): string {
  let [without, from] = ['', 0];
  const heads = new RegExp(names);
  for (let head = heads.exec(text); head !== null; head = heads.exec(text)) {
    const value = valueAt(text, heads.lastIndex, isOfFile(text, head));
    if (value === null) continue;
    const kind = kindOf(value, namedOf(text, head, value));
    if (kind === null) continue;
    without += text.slice(from, value.from) + replace(kind, value.text);
    from = value.to;
    heads.lastIndex = from;
  }
  return without + text.slice(from);
}

/** Whether its line is one of a file of an environment, or may be: all behind the equals sign is the value. */
const isOfFile = (text: string, { index, 1: name = '', 2: between }: RegExpExecArray): boolean =>
  between === '=' &&
  isOfEnvironment(name) &&
  /(?:^|\n)(?:export )?[A-Z\d_]{0,40}$/.test(text.slice(Math.max(0, index - 48), index));

/** How a name stands before a value. */
function namedOf(text: string, head: RegExpExecArray, value: Value): Named {
  const [, name, between] = head as unknown as [string, string, string];
  const before = text.slice(Math.max(0, head.index - 41), head.index);
  const begins = /(?:^|\n)[\w.-]{0,40}$/.test(before);
  const ends = /^[ \t]{0,8}(?:#.{0,200})?\r?(?:\n|$)/.test(text.slice(value.to, value.to + 212));
  const parts = /^:[ \t]{1,4}$/.test(between) || (begins && between === ' = ');
  return {
    // What stands before a short name says whether it is one of an environment.
    name: text.slice(Math.max(0, head.index - 2), head.index + name.length),
    isShort: name.length < 5,
    isTight: between === '=',
    isLine: ends && parts,
    isHeld: !/,|==/.test(between),
    next: text[value.to] ?? '',
  };
}

/** What a value behind a name is taken for; null for what is no secret. */
function kindOf(value: Value, named: Named): string | null {
  const { text, isQuoted } = value;
  // Of other keys, as those of a list or a map, nothing is said.
  if (/[_-]key$/i.test(named.name) && named.isShort && !/[A-Z\d]_KEY$/.test(named.name))
    return null;
  if (isCode(text, isQuoted) || /^\s|^\+.*\+$/.test(text)) return null;
  const isOfPassword = /(?:passw(?:or)?d|passphrase|[_;-]pass|[_;-]pwd)$/i.test(named.name);
  const isSecret = isQuoted
    ? isQuotedSecret(text, named, isOfPassword)
    : isBareSecret(text, named, isOfPassword);
  if (!isSecret) return null;
  return isOfPassword && !(text.length >= 8 && isKey(text)) ? 'password' : 'value of a secret';
}

/** Characters that a key is made of. */
const plain = /^[\w.~+/=!@#%^&*-]{8,}$/;

/** Whether a name is written as those of an environment are. */
const isOfEnvironment = (name: string): boolean => !/[a-z]/.test(name);

function isPlainSecret(text: string, { name }: Named): boolean {
  return /[A-Z\d]_(?:KEY|PASS|PWD)$/.test(name) ? isPassword(text) : isKey(text);
}

function isQuotedSecret(text: string, named: Named, isOfPassword: boolean): boolean {
  if (/\s/.test(text)) return hasOddWord(text) || (isOfPassword && isPhrase(text));
  if (isOfPassword && named.isHeld && /^[^<>{}$*[\](),;+]/.test(text) && isSaid(text)) return true;
  return plain.test(text) ? isPlainSecret(text, named) : isMixed(text, isOfPassword ? 2 : 3);
}

function isBareSecret(text: string, named: Named, isOfPassword: boolean): boolean {
  // What is put into a variable of a program is a name, however odd.
  if (!named.isTight && !named.isLine && isMember(text)) return false;
  const isClosed = /[)\]},]/.test(named.next);
  const isWord = !/[<>{}()[\],]|^[$*]/.test(text);
  if (isOfPassword && named.isTight && isWord && !isClosed && isSaid(text)) return true;
  if (isOfPassword && named.isLine && isWord && !/[\\$;|&]/.test(text) && isSaid(text)) return true;
  if (plain.test(text)) return isPlainSecret(text, named);
  if (!named.isTight && (!named.isLine || /\?\.|\|\||\?\?|=>|->|::|[<>]/.test(text))) return false;
  return isMixed(text, isOfPassword || isOfEnvironment(named.name) ? 2 : 3);
}

/** The value that begins at a place of a text; null where nothing stands there. */
function valueAt(text: string, at: number, isLine: boolean): Value | null {
  let open = at;
  while (text[open] === '\\' && open - at < 8) open += 1;
  const quote = text[open] ?? '';
  const isOpened = quote === '"' || quote === "'" || quote === '`';
  const from = isOpened ? open + 1 : at;
  const closing = isOpened ? closingOf(text, from, { quote, depth: open - at }) : null;
  // What was cut has no closing quote.
  const to = closing ?? wordEnd(text, from, isLine);
  return to === from ? null : { text: text.slice(from, to), from, to, isQuoted: closing !== null };
}

/** Where the quote stands, or the backslashes before it, that closes one with so many before it. */
function closingOf(
  text: string,
  from: number,
  { quote, depth }: { quote: string; depth: number },
): number | null {
  const end = Math.min(text.length, from + longest);
  for (let at = from; at < end; at += 1) {
    let next = at;
    while (text[next] === '\\') next += 1;
    const sign = text[next];
    const before = next - at;
    if (sign === undefined || sign === '\n' || sign === '\r') return null;
    // In a text within a text each level doubles the backslashes and adds one.
    if (sign === quote && before % (2 * (depth + 1)) === depth) return next - depth;
    if (depth > 0 && before === (depth + 1) / 2 && (sign === 'n' || sign === 'r')) return null;
    // Between other quotes this one ends what they are in.
    if (sign === '"' && quote !== '"' && before === 0 && !isWordUnit(text[next + 1])) return null;
    at = next;
  }
  return null;
}

/** Where a word ends; in a line that is all its own signs end it only where nothing but signs is behind them. */
function wordEnd(text: string, from: number, isLine: boolean): number {
  const end = Math.min(text.length, from + longest);
  let open = 0;
  for (let at = from; at < end; at += 1)
    switch (text.charAt(at)) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        return at;
      case '"':
      case "'":
      case '`':
        if (at === from || !isWordUnit(text[at + 1])) return at;
        break;
      case '\\': {
        const first = at;
        while (text[at + 1] === '\\') at += 1;
        if (/^[\s"'`nrtu]?$/.test(text[at + 1] ?? '')) return first;
        break;
      }
      case '(':
      case '[':
      case '{':
        open += 1;
        break;
      case ')':
      case ']':
      case '}':
        if (open === 0 && (!isLine || isEnd(text, at + 1))) return at;
        if (open > 0) open -= 1;
        break;
      case '<':
        if (/[A-Za-z/]/.test(text[at + 1] ?? '') && at > from) return at;
        break;
      case ';':
      case '&':
      case '|':
      case ',':
        if (isEnd(text, at + 1) || (!isLine && nextName.test(text.slice(at + 1, at + 44))))
          return at;
        break;
      default:
    }
  return end;
}

/** Whether a word goes no further behind a sign that may end it. */
const isEnd = (text: string, at: number): boolean =>
  /^[;&|,)\]}]{0,8}(?:$|[\s"'`\\])/.test(text.slice(at, at + 9));

/** What begins the next of several values. */
const nextName = /^(?:[;&|)\]}]|[\w. -]{1,40}[:=](?![=\s"']|$))/;

const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /\w/.test(unit);
