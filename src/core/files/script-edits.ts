import type { ShellCommand } from '../commands/shell-words.ts';
import { isFilePath } from './paths.ts';

// Agents without an edit tool at hand, or with many edits of one kind, replace text by a script:
//
//   python3 - <<'PY'
//   p = "src/cart.py"; s = open(p).read()
//   s = s.replace("total = 0", "total = Decimal(0)"); open(p, "w").write(s)
//   PY
//   sed -i 's/total = 0/total = Decimal(0)/' src/cart.py
//
// What such a script replaced is an edit like any other.

/** What a script replaces in a file, in order. */
export interface ScriptEdit {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

interface Replacement {
  readonly old: string;
  readonly new: string;
}

/** The files in which a command of a shell text replaces texts; none for what is not literal. */
export function editsInScript(command: ShellCommand): readonly ScriptEdit[] {
  const { words, input = '' } = command;
  if (words[0] === 'sed') return editsInSed(words.slice(1));
  return editsInPython(words.includes('-c') ? words.at(-1)! : input);
}

/** Whether a shell text may hold a script that replaces. */
export const mayReplace = (shell: string): boolean => /\bsed -|\breplace\(|\bre\.sub\(/.test(shell);

/** Names of files in which only what is there for a moment stands. */
export const isPassing = (path: string): boolean => /^\/(?:private\/)?(?:tmp|var)\//.test(path);

/** What a script of Python replaces in files that it names and writes. */
export function editsInPython(script: string): readonly ScriptEdit[] {
  if (!/\b(?:write_text|write|writelines)\(/.test(script)) return [];
  const texts = new Map<string, string>();
  const replacements = new Map<string, Replacement[]>();
  let path = '';
  for (let at = 0; at < script.length;) {
    step.lastIndex = at;
    const [whole = '', name, called] = step.exec(script) ?? [];
    at = step.lastIndex;
    const isCall = called !== undefined;
    if (whole === '' || (name === undefined && !isCall)) {
      at = Math.max(at, textAt(script, at - whole.length)?.end ?? 0);
      continue;
    }
    const values = valuesAt(script, at, texts);
    if (!isCall) {
      if (values[0] !== undefined) texts.set(name!, values[0]);
      continue;
    }
    const [first = '', second, third] = values;
    if (/(?:^|\.)(?:open|Path)$/.test(called)) path = isFilePath(first) ? first : path;
    else if (/(?:\.replace|\bre\.sub)$/.test(called) && second !== undefined)
      push(path, { old: first, new: second });
    else if (isFilePath(first) && second !== undefined && third !== undefined)
      push(first, { old: second, new: third });
  }
  return Array.from(replacements, ([file, edits]) => ({ path: file, edits }));

  function push(file: string, edit: Replacement): void {
    if (file === '' || edit.old === edit.new) return;
    if (!replacements.has(file)) replacements.set(file, []);
    replacements.get(file)!.push(edit);
  }
}

/** A comment, what a name is set to, what is called with something, a word, or a sign. */
const step = /#[^\n]*|(\w+)\s*=(?!=)\s*|((?:\w+\.|\.){0,8}\w+)\(\s*|\w+|[^]/y;

/** A text in Python, with the letters before its quotes. */
const quoted =
  /([rRbBfFuU]{0,2})(?:"""((?:[^\\]|\\[^])*?)"""|'''((?:[^\\]|\\[^])*?)'''|"((?:[^"\\\n]|\\[^])*)"|'((?:[^'\\\n]|\\[^])*)')/y;

interface Text {
  readonly value: string;
  readonly end: number;
}

/** The text that begins at a place of a script, with those that follow it without a sign between; undefined where none does. */
function textAt(script: string, from: number): Text | undefined {
  let [value, end, at] = ['', -1, from];
  for (;;) {
    quoted.lastIndex = at;
    const [whole, letters = '', ...bodies] = quoted.exec(script) ?? [];
    if (whole === undefined) return end < 0 ? undefined : { value, end };
    const body = bodies.find((one) => one !== undefined) ?? '';
    value += /r/i.test(letters) ? body : body.replace(/\\([^])/g, unescape);
    end = at + whole.length;
    at = end + /^[^\S\n]*\n?[^\S\n]*/.exec(script.slice(end, end + 200))![0].length;
  }
}

const unescape = (_: string, sign: string): string =>
  ({ n: '\n', t: '\t', '\n': '' })[sign] ?? sign;

/** Up to three texts that stand at a place, parted by commas: literals, and names that were set to one. */
function valuesAt(
  script: string,
  from: number,
  texts: ReadonlyMap<string, string>,
): readonly string[] {
  const values: string[] = [];
  for (let at = from; values.length < 3;) {
    const text = textAt(script, at) ?? namedAt(script, at, texts);
    if (text === undefined) return values;
    values.push(text.value);
    comma.lastIndex = text.end;
    if (!comma.test(script)) return values;
    at = comma.lastIndex;
  }
  return values;
}

const comma = /\s*,\s*/y;
const word = /[A-Za-z_]\w*/y;

function namedAt(script: string, at: number, texts: ReadonlyMap<string, string>): Text | undefined {
  word.lastIndex = at;
  const value = texts.get(word.exec(script)?.[0] ?? '');
  return value === undefined ? undefined : { value, end: word.lastIndex };
}

/** What `sed -i` substitutes, where the pattern and what it puts in its place are plain text. */
function editsInSed(words: readonly string[]): readonly ScriptEdit[] {
  if (!words.some((one) => /^-[nEr]*i/.test(one))) return [];
  const operands = words.filter((one) => one !== '' && !one.startsWith('-'));
  const isScript = (one: string): boolean => /^s[^\w\s]/.test(one);
  const edits = operands.filter(isScript).flatMap(substitutions);
  if (edits.length === 0) return [];
  const paths = operands.filter((one) => !isScript(one) && isFilePath(one));
  return paths.map((path) => ({ path, edits }));
}

function substitutions(script: string): readonly Replacement[] {
  const matches = script.matchAll(
    /(?:^|;)\s*s([^\w\s])((?:\\[^]|(?!\1|\\)[^]){1,2000})\1((?:\\[^]|(?!\1|\\)[^]){0,2000})\1/g,
  );
  return Array.from(matches, ([, , old = '', fresh = '']) => ({ old, new: fresh }))
    .filter((one) => !/(?<!\\)&|\\\d/.test(one.new))
    .map((one) => ({ old: plain(one.old.replace(/^\^|\$$/g, '')), new: plain(one.new) }));
}

const plain = (text: string): string => text.replace(/\\([^\w])/g, '$1');
