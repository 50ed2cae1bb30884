import { textOf, type ToolCall } from '../messages/message.ts';
import { isEdit, patchHead, pathArgument } from '../commands/edit-calls.ts';
import { leavesOf, shellText } from '../commands/shell-commands.ts';
import { parting } from '../definitions/settings.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { oneLine, withinScanLimit } from '../text/sentences.ts';
import { editsInPython, isPassing } from './script-edits.ts';
import { replacedIn, writesIn } from './shell-files.ts';

// Which files a call edits, and their texts before and after, as far as it shows
// them: tools that are given a path and texts, patches, and scripts of a shell.

/** The old and the new text of a file, as far as an edit shows them. */
export interface EditTexts {
  readonly before: string;
  readonly after: string;
}

/** The edit of a file: what is gone and new, and that with what stands around it. */
export interface EditedFile {
  /** As the call gave it. */
  readonly path: string;
  readonly own: EditTexts;
  readonly around: EditTexts;
}

/** Characters of a text that definitions are read from. */
const mostRead = 100_000;

/** The edits that the arguments of a call name; none for a call that changes no file. */
export const editsGiven = (call: ToolCall): readonly EditedFile[] =>
  isEdit(call) ? editsOfTool(call) : editsInShell(shellText(call));

/** The edit of the open file, which only its result names; null for none. */
export function editOfOpen({ call, result }: Pick<Exchange, 'call' | 'result'>): EditedFile | null {
  const { arguments: args } = call;
  if (typeof args === 'string' || !isEdit(call)) return null;
  const [, path, open = path] =
    named.exec(result === undefined ? '' : textOf(result.content)) ?? [];
  return open === undefined ? null : editOf(open, args);
}

/** How a result names the file that was written. */
const named =
  /^(?:(?:The file|File)(?: (?:created|written|updated|saved) successfully (?:at|to))?|Successfully (?:wrote|updated|created|edited|replaced)(?: \w+){0,3})[ :`'"]+(\/?[^\s`'":]+\.\w{1,8})\b|^\[File: (\S{1,300}) \(\d+ lines total\)\]/m;

/** The files that a shell text writes, and those in which its scripts replace texts; a script that only stands in a file for that is not told. */
function editsInShell(shell: string): readonly EditedFile[] {
  const replaced = replacedIn(shell).map(({ path, edits }) => editOf(path, { edits }));
  const writes = writesIn(shell).filter(
    ({ path, text }) => !isPassing(path) || editsInPython(text).length === 0,
  );
  return [
    ...writes.map(({ path, text }): EditedFile => {
      const own = { before: '', after: text.slice(0, mostRead) };
      return { path: oneLine(path).slice(0, 300), own, around: own };
    }),
    ...replaced,
  ];
}

function editsOfTool(call: ToolCall): readonly EditedFile[] {
  const { arguments: args } = call;
  const path = pathArgument(call);
  if (typeof args === 'string') return editsOfPatch(args);
  if (path === undefined) return editsOfPatch(leavesOf(args, 2 * mostRead));
  return [editOf(oneLine(path).slice(0, 300), args)];
}

/** The edit of a file that a tool is given. */
function editOf(path: string, args: Readonly<Record<string, unknown>>): EditedFile {
  const [before, after] = textsOf(args);
  const whole = (text: string): string => text.replaceAll(`${parting}\n`, '');
  const own = { before: whole(before), after: whole(after) };
  return { path, own, around: { before, after } };
}

/** The old and the new text of an edit; of several at once, all of them. */
function textsOf(args: Readonly<Record<string, unknown>>): readonly [string, string] {
  const texts = { before: '', after: '' };
  for (const [key, value] of Object.entries(args)) {
    if (Array.isArray(value))
      for (const one of value as readonly unknown[])
        if (typeof one === 'object' && one !== null) {
          const [before, after] = textsOf(one as Record<string, unknown>);
          texts.before += `${before}${parting}\n`;
          texts.after += `${after}${parting}\n`;
        } else texts.after += `${leavesOf(one, mostRead)}\n`;
    else if (/^(?:old|search)/i.test(key)) texts.before += `${leavesOf(value, mostRead)}\n`;
    else if (typeof value === 'string' && !aside.test(key))
      texts.after += `${leavesOf(value, mostRead)}\n`;
  }
  return [texts.before.slice(0, mostRead), texts.after.slice(0, mostRead)];
}

/** Arguments of an edit that are no text of the file. */
const aside =
  /^(?:file_?path|path|filename|target_file|notebook_path|file|command|description|instructions?|cell_\w+|edit_mode|mode|encoding)$/i;

/** The files of a patch, each with what its lines changed. */
function editsOfPatch(patch: string): readonly EditedFile[] {
  const parts = withinScanLimit(patch).split(new RegExp(patchHead, 'm'));
  return parts.slice(1).flatMap((part) => {
    const [head, ...lines] = part.split('\n') as [string, ...string[]];
    const path = oneLine(head.replace(/^b\//, '')).slice(0, 300);
    if (path === '' || path === '/dev/null') return [];
    const [before, after] = ['-', '+'].map((mark) =>
      lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : [])),
    ) as [string[], string[]];
    const around = {
      before: withContext(lines, '-', before),
      after: withContext(lines, '+', after),
    };
    const own = { before: before.join('\n'), after: after.join('\n') };
    return [{ path, own, around }];
  });
}

/** The old or the new lines of a patch with what it shows around them; the head of a part names what that is in. */
function withContext(lines: readonly string[], mark: '-' | '+', own: readonly string[]): string {
  const isOwn = new Set(own);
  return lines
    .flatMap((line) => {
      const said = line.slice(1);
      if (line.startsWith('@@')) return [parting, line.replace(/^@@(?: -[\d, +]{1,60} @@)? ?/, '')];
      if (line.startsWith(mark)) return [said];
      return line.startsWith(' ') && !isOwn.has(said) ? [said] : [];
    })
    .join('\n');
}
