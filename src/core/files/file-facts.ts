import type { ToolCall } from '../messages/message.ts';
import { clip, oneLine, unfenced, withinScanLimit } from '../text/sentences.ts';
import { leavesOf, shellText } from '../commands/shell-commands.ts';
import { changesIn } from './changes.ts';
import { definitionsIn } from './definitions.ts';
import { isDocument } from './paths.ts';
import type { Exchange } from '../outcomes/exchanges.ts';
import { writesIn } from './shell-files.ts';

/** Something in a file: what it is known by, and how it is told; '' for what is gone. */
interface NamedText {
  readonly name: string;
  readonly now: string;
}

/** What a call made of a file. */
interface FileEdit {
  readonly path: string;
  readonly extent: 'whole' | 'part' | 'none';
  readonly facts: readonly NamedText[];
}

/** What a call made of files. */
export function editsOf({ call, result }: Pick<Exchange, 'call' | 'result'>): readonly FileEdit[] {
  return changesIn({ call, result }).map(({ path, facts }): FileEdit => {
    const meant = facts.filter(({ name, now }) => name !== now || now.startsWith('#'));
    const brought = meant.map(({ name, now, calls }) => ({ name, now: withCalls(now, calls) }));
    return { path, extent: extentOf(call, path), facts: brought };
  });
}

/** Whether a call writes a whole file, or a part of it, or takes it away. */
function extentOf(call: ToolCall, path: string): FileEdit['extent'] {
  const { name, arguments: given } = call;
  const written = writesIn(shellText(call)).findLast((one) => one.path === path);
  if (written !== undefined) return written.extent;
  const hasOld = typeof given !== 'string' && Object.keys(given).some((key) => /^old/i.test(key));
  const isWritten =
    /^(?:write|create)/i.test(name) || (typeof given !== 'string' && given['command'] === 'create');
  if (isWritten && !hasOld) return 'whole';
  const patch = leavesOf(typeof given === 'string' ? [given] : given, 200_000);
  if (patch.includes(`*** Delete File: ${path}`)) return 'none';
  return patch.includes(`*** Add File: ${path}`) ? 'whole' : 'part';
}

/** What a text of a file shows that it holds; of a document its headings. */
export function shownIn(path: string, text: string): readonly NamedText[] {
  if (!isDocument(path))
    return definitionsIn(withinScanLimit(text)).map((one) => ({
      name: one.name,
      now: withCalls(one.text, one.calls),
    }));
  const headings = unfenced(text, 'prose').filter((line) => /^#{1,3} .{3}/.test(line));
  return headings.map((line) => clip(oneLine(line), 90)).map((line) => ({ name: line, now: line }));
}

/** A definition as it is told, with what it calls. */
const withCalls = (text: string, calls: readonly string[] = []): string =>
  `${shorter(text)}${calls.length === 0 || text === '' ? '' : ` (calls ${calls.join(', ')})`}`;

/** A definition without what tells little of it. */
const shorter = (line: string): string =>
  line
    .replace(
      /^(?:(?:private|public|protected|async|readonly|override|function\*?|defp?|fn|func|get|set|const|let|var)\s+)+(?:\([^)]*\)\s+)?(?=\S)/,
      '',
    )
    .replace(/\)\s*(?:->|:)\s*(?:void|None|Promise<void>|\(\))$/, ')')
    .replace(/\s+do$/, '');
