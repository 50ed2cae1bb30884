import { indentOf } from '../text/indent.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { comment, statement } from './code-lines.ts';
import type { Definition } from './definitions.ts';
import { longest, longestValue } from './valued.ts';

// What a text sets, line by line, in any notation. In a file of code a setting is
// known by its name alone, in any other by the blocks that it stands in, too, as
// far as they are shown: `nix.gc.dates`.

/** A setting with the line that sets it. */
export interface Setting extends Definition {
  readonly line: string;
}

/** A name with a value: `"port": 8080,` `port = 8080` `port: 8080`. */
const setting =
  /^[ \t]{0,40}(?:[-*]\s)?(?:export\s+|const\s+|let\s+|var\s+|readonly\s+)?(?<name>["']?[\w$@][\w.$@/-]{0,60}["']?)(?:\s{0,4}(?:=|:=|=>)\s{0,4}|:\s{1,4}|(?<=["']):)(?<value>[^\s=>{[(][^\n]{0,200}?)[,;]?\s*$/;

/** A value that goes on below: a bracket, a body or a text of several lines begins. */
const goesOn = /[{[(:]$|''$|^[|>][-+]?\d?$/;

/** Longest line that is read, in UTF-16 units. */
const longestLine = 300;

/** The settings of a text: names with one short value each. */
export const settingsIn = (text: string): readonly Setting[] =>
  text.split('\n').flatMap((line) => settingAt(line) ?? []);

/** What a line sets; null for a line that sets nothing. */
function settingAt(line: string): Setting | null {
  if (comment.test(line) || line.length > longestLine) return null;
  const { name, value } = setting.exec(line)?.groups ?? {};
  if (name === undefined || value === undefined || value.length > longestValue) return null;
  const key = name.replace(/["']/g, '').replace(/^[\w-]+(?:\.[\w-]+)+\/(?=\w)/, '');
  if (key.length < 2 || statement.test(key) || goesOn.test(value)) return null;
  return asSetting(key, oneLine(value), line);
}

const asSetting = (name: string, value: string, line: string): Setting => ({
  name,
  text: clip(`${shortName(name)}: ${value}`, longest),
  value,
  line,
});

/** A setting that is gone: its name and its value, by which it is known from another of that name in a block that is not shown. */
export const asGone = ({ name, value }: Pick<Setting, 'name' | 'value'>): string =>
  `${name}: ${value}`;

/** Of the settings of a file that one which is gone: the one of its name, where that says its block, else those that have its value, too. */
export function settingsMeant<S extends Pick<Setting, 'name' | 'text'>>(
  gone: string,
  settings: readonly S[],
): readonly S[] {
  const [, name = '', value = ''] = /^([\w.$@/-]{1,300}): (.*)$/.exec(gone) ?? [];
  if (name === '') return [];
  const ends = (long: string, short: string): boolean =>
    short.startsWith('.') && `.${long}`.endsWith(short);
  const like = settings.filter(
    (one) => one.name === name || ends(one.name, name) || ends(name, one.name),
  );
  const isIt = (one: S): boolean => one.text === asSetting(one.name, value, '').text;
  const isPlain = like.length === 1 && (like[0]!.name === name || name.lastIndexOf('.') > 0);
  return isPlain ? like : like.filter(isIt);
}

/** How a setting is told that is known by a name: with its next blocks. */
export function shortName(name: string): string {
  const parts = name.split('.');
  if (parts[0] === '') parts.shift();
  return parts.length > mostParts ? `…${parts.slice(-mostParts).join('.')}` : parts.join('.');
}

/** Most parts of a name that are told. */
const mostParts = 3;

/** Things that are told of a file, the settings of one block one after another, each but the first without it: `gc.dates: 1`, `.keep: 3`. */
export function groupedSettings(texts: readonly string[]): readonly string[] {
  const blocks = new Map<string | number, string[]>();
  for (const [at, text] of texts.entries()) {
    const block = /^(…?[\w.$@/-]{1,200})\.[\w$@/-]{1,60}: /.exec(text)?.[1] ?? at;
    const group = blocks.get(block);
    if (group === undefined) blocks.set(block, [text]);
    else group.push(text.slice(String(block).length));
  }
  return [...blocks.values()].flat();
}

/** A line between parts of a text: nothing stands in what is above it. */
export const parting = '@@';

/** The name of something in what it stands in: `dates` of `nix.gc.dates`. */
export const lastName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The settings of a text that is `whole`, or some lines of it, with their blocks; the name of one in a block that is not shown begins with a dot. */
export function settingsInBlocks(text: string, extent: 'whole' | 'part'): readonly Setting[] {
  const settings: Setting[] = [];
  let open: readonly Block[] = [];
  let isText: ((line: string) => boolean) | null = null;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || isText?.(line) === true) continue;
    isText = textBelow(line);
    if (comment.test(line) || line.length > longestLine) continue;
    if (line === parting) {
      open = [];
      continue;
    }
    const section = /^\[{1,2}([\w.:@/" -]{1,80})\]{1,2}\s*$/.exec(line)?.[1];
    if (section !== undefined) {
      open = [{ indent: -1, name: section.replace(/"/g, '').replaceAll(' ', '.') }];
      continue;
    }
    // An item stands no deeper than its list, where the list is one of YAML.
    const indent = indentOf(line) + (/^\s*- /.test(line) ? 1 : 0);
    open = open.filter((block) => block.indent < indent);
    const item = namedItem.exec(line)?.[1];
    if (item !== undefined) {
      open = [...open, { indent, name: item }];
      continue;
    }
    const one = isText === null ? settingAt(line) : null;
    if (one !== null) {
      const path = [...open.map(({ name }) => name), one.name].filter((name) => name !== '');
      const isInside =
        open[0]?.indent === -1 || (extent === 'whole' && (open[0]?.indent ?? indent) === 0);
      const mark = isInside && path.length <= mostBlocks ? '' : '.';
      settings.push(asSetting(mark + path.slice(-mostBlocks).join('.'), one.value, line));
    }
    open = [...open, { indent, name: blockName(line) }];
  }
  return settings;
}

/** An item of a list with a name, as which what else it holds is known: `- name: PORT`. */
const namedItem = /^\s*- ["']?name["']?: ["']?([A-Za-z][\w-]{1,40})["']?\s*$/;

/** Most parts of a name, the nearest blocks among them. */
const mostBlocks = 8;

/** A line that others stand below; `name` is '' for one that gives them none. */
interface Block {
  readonly indent: number;
  readonly name: string;
}

/** What a line is called that opens a block: `gc = {`, `jobs:`, `resource "bucket" "logs" {`; '' for any other. */
function blockName(line: string): string {
  const head = line.trim().replace(/^- /, '');
  const [, key = ''] =
    /^["']?([\w$@][\w.$@/-]{0,60})["']?\s{0,4}(?::\s{0,4}(?:&\S{1,40})?$|(?::|=|:=|=>)[^\n]{0,200}[{[(]$)/.exec(
      head,
    ) ?? [];
  if (key !== '') return key;
  const [, words = ''] = /^([\w-]{1,60}(?: "[\w.-]{1,60}"){0,3}) \{$/.exec(head) ?? [];
  return words.replace(/"/g, '').replaceAll(' ', '.');
}

/** Which of the lines below a line are a text that is its value; null for none. */
function textBelow(line: string): ((line: string) => boolean) | null {
  const end = /<<[-~]?["']?(\w{1,40})["']?$/.exec(line)?.[1];
  const quotes = ['"""', "'''"].find((one) => line.split(one).length === 2);
  if (end === undefined && quotes === undefined) {
    const depth = indentOf(line);
    return /[:=] {0,4}[|>][-+]?\d?$|''$/.test(line) ? (other) => indentOf(other) > depth : null;
  }
  let isOver = false;
  return (other) => {
    if (isOver) return false;
    isOver = end === undefined ? other.includes(quotes!) : other.trim() === end;
    return true;
  };
}
