import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import { ScriptMistake, type Script, type ScriptPath } from '../../testing/index.ts';
import type { Edit, FilePlace, ScriptSource } from './source.ts';
import { withWindows } from './windows.ts';

/** The scripts of a YAML file: a document is a script. */
export function yamlScripts(text: string): readonly ScriptSource[] {
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter, prettyErrors: false });
  const placeAt = (offset: number): FilePlace => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col, source: (text.split('\n')[line - 1] ?? '').trimEnd() };
  };
  if (!('length' in documents)) return [];
  return documents
    .filter(({ contents, errors }) => contents !== null || errors.length > 0)
    .map((document, index) => {
      const [fault] = document.errors;
      const mistake =
        fault === undefined
          ? null
          : { what: sentenceOf(fault.message), place: placeAt(fault.pos[0]) };
      const script = mistake === null ? withWindows(document.toJS()) : null;
      return {
        name: String(Object(script).test ?? `document ${index + 1}`),
        mistake,
        script: script as Script,
        place: (path, isName) => placeAt(offsetOf(document, path, isName)),
        write: (path, recorded) => editAt(text, { document, path, recorded, counter }),
      };
    });
}

const sentenceOf = (message: string): string =>
  message.replace(/^./, (first) => first.toUpperCase());

interface FoundNode {
  readonly key: Node | null;
  readonly value: Node | null;
}

/** What a path leads to, as far as the document goes. */
function findIn(document: Document, path: ScriptPath): FoundNode {
  let position: FoundNode = { key: null, value: document.contents };
  for (const part of path) {
    const { value } = position;
    const next = isMap(value)
      ? pairIn(value.items, part)
      : isSeq(value)
        ? itemIn(value.items, part)
        : null;
    if (next === null) break;
    position = next;
  }
  return position;
}

function pairIn(pairs: readonly Pair[], part: string | number): FoundNode | null {
  const pair = pairs.find(({ key }) => String(isScalar(key) ? key.value : key) === String(part));
  if (pair === undefined) return null;
  return { key: nodeOf(pair.key), value: nodeOf(pair.value) };
}

function itemIn(items: readonly unknown[], part: string | number): FoundNode | null {
  const value = nodeOf(items[Number(part)]);
  return value === null ? null : { key: null, value };
}

const nodeOf = (value: unknown): Node | null => (isNode(value) ? value : null);

function offsetOf(document: Document, path: ScriptPath, isName: boolean): number {
  const { key, value } = findIn(document, path);
  const isBlank = value?.range == null || value.range[0] === value.range[1];
  return ((isName || isBlank ? (key ?? value) : value)?.range ?? document.range)?.[0] ?? 0;
}

/** The edit that puts a recorded text where a path leads to, as a block under its key. */
function editAt(
  text: string,
  edit: { document: Document; path: ScriptPath; recorded: string; counter: LineCounter },
): Edit {
  const { document, path, recorded, counter } = edit;
  const { key, value } = findIn(document, path);
  if (key?.range == null) throw new ScriptMistake('There is no place for the recorded text', path);
  const from = text.indexOf(':', key.range[1]) + 1;
  const to = Math.max(from, value?.range?.[1] ?? from);
  const parent = findIn(document, path.slice(0, -1)).value;
  if (isMap(parent) && parent.flow === true)
    return { from, to, text: ` ${JSON.stringify(recorded)}` };
  const indent = ' '.repeat(counter.linePos(key.range[0]).col + 1);
  const block = recorded.trimEnd().replace(/^(?=.)/gm, indent);
  const isLast = /^[^\S\n]*(\n|$)/.test(text.slice(to));
  const head = recorded.startsWith(' ') ? ' |2' : ' |';
  return { from, to, text: `${head}\n${block}${isLast && text[to - 1] !== '\n' ? '' : '\n'}` };
}

/** A text with edits in it. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to), text);
}
