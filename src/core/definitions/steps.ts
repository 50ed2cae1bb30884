import { indentOf } from '../text/indent.ts';
import { clip, oneLine } from '../text/sentences.ts';

// What a line of code does: the condition that it sets, what it calls, the words with which it fails.
// No language is parsed: a line is known by how such lines begin.

/** Something that a line does. */
export interface Step {
  readonly kind: 'when' | 'call' | 'fails' | 'gives' | 'name' | 'list' | 'line';
  readonly text: string;
  /** How deep the line stands; what stands behind a condition on its line is a little deeper. */
  readonly depth: number;
  /** What it calls; the key that it gives a value, where that stands in quotes; '' for anything else. */
  readonly name: string;
  /** What steps in a row have in common that are told as a list; '' for none. */
  readonly list: string;
  /** What such a step adds to the list. */
  readonly member: string;
}

/** Longest line that is read, and longest condition and words that are told, in UTF-16 units. */
const longest = { line: 400, when: 60, words: 60 } as const;

/** What names that are given values have in common. */
export const shape = '{}';

const comment = /^(?:\/\/|\/?\*|#(?!\[)|--|%(?!\{)|<!--|;)/;

/** What a line does, in order. */
export function stepsAt(line: string): readonly Step[] {
  const code = line.slice(0, longest.line).trim();
  if (code === '' || comment.test(code)) return [];
  const depth = indentOf(line);
  const condition = mayOpen.test(code) ? conditionOf(code) : null;
  const when =
    condition === null ? [] : [{ ...bare, kind: 'when' as const, depth, ...condition.step }];
  const rest = condition === null ? code : condition.rest;
  const inner = condition === null ? depth : depth + 0.5;
  const fails = mayFail.test(rest) ? failing(rest, inner) : [];
  const all = rest.includes('(') ? callsIn(rest, inner) : [];
  const calls = fails.length === 0 ? all : all.filter(({ name }) => name !== fails[0]!.name);
  const gives = fails.length === 0 && rest.startsWith('return') ? giving(rest, inner) : [];
  const steps = [...when, ...fails, ...gives, ...named(rest, inner), ...calls];
  return steps.length > 0 ? steps : [{ ...bare, kind: 'line', text: '', depth }];
}

const bare = { name: '', list: '', member: '' } as const;

/** How a line begins that sets a condition. */
const mayOpen = /^(?:case|when|if|elif|elsif|unless|else|nil|true|false|[}"':{])/;

/** The condition of a line, and what stands behind it. */
function conditionOf(
  code: string,
): { step: Pick<Step, 'text' | 'list' | 'member'>; rest: string } | null {
  const label =
    /^(?:case|when)\s{1,8}(.{1,60}?)\s{0,8}(?::(?!:)|->|=>|then\b)(.*)$/.exec(code) ??
    /^("[^"]{1,40}"|'[^']{1,40}'|:\w+|\{:\w.{0,40}?\}|nil|true|false)\s*->(.*)$/.exec(code);
  if (label !== null) {
    const [, text = '', rest = ''] = label;
    return { step: { text: plain(text), list: 'case', member: plain(text) }, rest };
  }
  const [, word = '', what = ''] =
    /^(?:\}\s*)?(?:else\s+)?(if|elif|elsif|unless)\b\s*(.*)$/.exec(code) ?? [];
  if (word === '')
    return /^(?:\}\s*)?else\b/.test(code)
      ? { step: { text: 'else', list: '', member: '' }, rest: code.replace(/^.*?else\b/, '') }
      : null;
  const end = what.startsWith('(') ? closing(what) : -1;
  const inner =
    end > 0 ? what.slice(1, end) : what.replace(/\s{0,8}(?:\{|:|\bdo|;?\s{0,8}then)$/, '');
  const [, subject = '', value = ''] =
    /^([\w.$]+)\s*={2,3}\s*(["'`][^"'`]{1,40}["'`])/.exec(plain(inner)) ?? [];
  const text = `${word === 'unless' ? 'unless' : 'if'} ${clip(plain(inner), longest.when)}`;
  return {
    step: { text, list: subject === '' ? '' : `${subject} is`, member: value },
    rest: end > 0 ? what.slice(end + 1) : '',
  };
}

/** Where the parenthesis closes that a text begins with; -1 where it does not. */
export function closing(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && (depth -= 1) === 0) return at;
  }
  return -1;
}

/** A condition, a value or a name as it is told. */
export const plain = (code: string): string =>
  oneLine(code.replace(/\b(?:this|self)(?:\.|->)|\bawait\s+|@(?=\w)/g, ''));

/** What a line has that {@link fails} finds: it is asked first, being fast. */
const mayFail =
  /(?:throw|raise|[Ee]rror|[Ww]arn|[Ff]ail|[Pp]anic|[Ff]atal|[Aa]bort|[Dd]ie)[^"'`]*["'`]/;

const fails =
  /(?<![\w$])(?<what>(?:throw|raise)\b|[\w$]*(?:error|warn|fail|panic|fatal|abort|die)\w*)!?[\s(]+(?:new\s+)?(?:[\w.]+\(\s*){0,2}(?<mark>["'`])(?<words>.{6,200}?)\k<mark>/i;

/** The words with which a line fails, or warns. */
function failing(code: string, depth: number): readonly Step[] {
  const { what, words } = fails.exec(code)?.groups ?? {};
  return what === undefined || words === undefined || !/\s/.test(words)
    ? []
    : [{ ...bare, kind: 'fails', text: `${what} “${shortWords(words)}”`, depth, name: what }];
}

/** A text that a line gives back, or begins it with. */
const gives =
  /^return\s{1,8}(?:(?:fmt\.Sprintf|format!|String\.format)\(|[fr])?(?<mark>["'`])(?<words>.{4,200}?)\k<mark>\s{0,4}(?<more>[+.])?/;

/** A name that is one of several that something may be: `ErrNoRow`, `READY`, `http.StatusOK`, `Phase.Idle`, `statusCurrent`. */
const valueNamed =
  /^(?:Err[A-Z]\w{1,40}|[A-Z][A-Z0-9_]{2,40}|\w{1,30}\.[A-Z]\w{2,40}|[a-z]{3,20}[A-Z]\w{2,40})$/;

/** The name of a value that a line gives back, alone, in a list or by a condition; '' for none. */
function returnedName(code: string): string {
  const [, expression = ''] = /^return\s{1,8}([^()=<>&|+"'`]{3,200}?);?$/.exec(code) ?? [];
  return (
    expression
      .slice(expression.indexOf('?') + 1)
      .split(/[,:]/)
      .map((one) => one.trim())
      .find((one) => valueNamed.test(one)) ?? ''
  );
}

/** The text that a line gives back, or the name of a value. */
function giving(code: string, depth: number): readonly Step[] {
  const { words, more } = gives.exec(code)?.groups ?? {};
  const name = words === undefined ? returnedName(code) : '';
  if (name !== '') return [{ ...bare, kind: 'gives', text: `gives ${name}`, depth, name }];
  const quote = words === undefined ? '' : shortWords(words);
  if (!/\p{L}{3}/u.test(quote)) return [];
  const text = `gives “${quote}${more === undefined ? '' : '…'}”`;
  return [{ ...bare, kind: 'gives', text, depth }];
}

const shortWords = (words: string): string =>
  clip(oneLine(words.replace(/[$#]\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')), longest.words);

/** A name that a line gives a value: `git_cwd: session.cwd,` `"git_cwd" => session.cwd,`. */
const naming = /^(?<quote>["']?)(?<name>[A-Za-z_][\w.-]{1,40})["']?(?:\s*=>|:)\s+[^\s{][^;]*[^;{]$/;

/** Names with values on one line: `%{commit_hashes: hashes, session_id: id}`. */
const namedInLine = /(?<=[{,]\s*)(["']?)([A-Za-z_][\w.-]{1,40})["']?(?:\s*=>|:)\s/g;

/** What a line gives names to. */
function named(code: string, depth: number): readonly Step[] {
  if (!code.includes(':') && !code.includes('=>')) return [];
  const { name: own, quote = '' } = naming.exec(code)?.groups ?? {};
  const inLine = own === undefined && code.includes('{') ? code.matchAll(namedInLine) : [];
  const names =
    own === undefined ? Array.from(inLine, ([, mark, name]) => [mark, name]) : [[quote, own]];
  return names.map(([mark = '', key = '']): Step => {
    const value = mark === '' ? '' : (plainValue.exec(code)?.[1] ?? '');
    const member = value === '' || joined(key).endsWith(joined(value)) ? key : `${key}: ${value}`;
    return { kind: 'name', text: key, depth, name: mark === '' ? '' : key, list: shape, member };
  });
}

/** A name without what joins its words: `row.size` says as much as `row_size`. */
const joined = (name: string): string => name.replace(/[._-]/g, '');

/** The value of a key that has a line for itself, where it is a name or is literal. */
const plainValue =
  /^["'][\w.-]{1,41}["']\s{0,9}(?:=>|:)\s{1,9}([A-Za-z_]\w{2,23}|\d[\w.]{0,11}|"[^"]{1,22}"|'[^']{1,22}'),?$/;

const called =
  /(?<![\w$])(?:(?<of>[A-Za-z_$][\w$]*)\.)?(?<name>[A-Za-z_$][\w$]{4,}[?!]?)\((?:(?<argument>(?:this\.|self\.)?[A-Za-z_$][\w$.]{2,40}|"[^"]{1,40}"|'[^']{1,40}')(?=[,)])|(?<begun>"[\w.:/@-]{3,40}"|'[\w.:/@-]{3,40}')(?=\s?\+))?/g;

/** A case that a match tells by its form: `Self::Shell(_) => …`. */
const matched = /^[\w:]*::\w+\([^()]*\)(?=\s*(?:=>|\||if\b))/;

/** What a line calls, but for what any code calls. */
function callsIn(code: string, depth: number): readonly Step[] {
  const unmatched = code.replace(matched, '');
  return Array.from(unmatched.matchAll(called), ({ groups }, index): Step => {
    const { of = '', name = '', argument = '', begun = '' } = groups ?? {};
    const owner = of === '' || of === 'this' || of === 'self' ? '' : `${of}.`;
    const isWord = /^["']/.test(argument) && /^["'][\w.:/@-]+["']$/.test(argument);
    const text = isWord ? `${name}(${argument})` : begun === '' ? name : `${name}(${begun}…)`;
    const list = index === 0 ? `${owner}${name}` : '';
    return { kind: 'call', text, depth, name, list, member: plain(argument) };
  }).filter(({ name }) => !common.has(name));
}

/** Names that say nothing of a function: words of languages, and what every text, list and number has. */
const common = new Set(
  `while switch catch return typeof await super function match constructor
  slice splice filter flatMap forEach reduce replace replaceAll includes indexOf lastIndexOf startsWith endsWith
  toString concat findIndex findLast every entries values parse stringify parseInt parseFloat resolve reject finally
  Promise Error TypeError String Number Boolean Array Object Uint8Array console debug print println printf sprintf
  format range append extend isinstance enumerate sorted require expect isArray assign fromEntries toLowerCase
  toUpperCase padStart padEnd toSorted reverse setTimeout clearTimeout floor round substring trimEnd trimStart
  unwrap collect clone into_iter to_string contains push_str getattr setattr hasattr describe
  is_binary is_map is_nil is_list is_atom is_integer is_function length inspect raise
  split strip lower upper items count toFixed matchAll unshift shift
  Sprintf Printf Println Fprintf Fprintln Errorf Background HasPrefix HasSuffix TrimSpace TrimPrefix TrimSuffix
  Unlock RLock RUnlock string tuple int32 int64 uint8 uint16 uint32 uint64 float32 float64`.split(
    /\s+/,
  ),
);
