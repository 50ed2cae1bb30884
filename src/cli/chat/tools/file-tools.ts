import { many } from '../../paper/size.ts';
import type { ChatTool, ToolArguments } from './chat-tool.ts';
import type { Folder } from './folder.ts';

/** Names listed at most. */
const mostNames = 500;

/** Tools that read the files of a folder; results have at most `longest` characters. */
export function fileTools(folder: Folder, longest: () => number): readonly ChatTool[] {
  return [readTool(folder, longest), listTool(folder)];
}

const path = { type: 'string', description: 'Path within the working folder.' } as const;

function readTool(folder: Folder, longest: () => number): ChatTool {
  return {
    name: 'read_file',
    of: 'files',
    description: 'Read a text file of the working folder. Long files come in parts.',
    parameters: {
      type: 'object',
      properties: { path, from: { type: 'integer', description: 'First line, 1 unless told.' } },
      required: ['path'],
    },
    about: (args) => text(args, 'path'),
    ask: async (args) => ({ question: `read: ${await folder.check(text(args, 'path'))}` }),
    async run(args) {
      const lines = (await folder.read(text(args, 'path'))).split('\n');
      const from = Math.max(1, Math.floor(Number(args['from'] ?? 1)) || 1);
      return part(lines, from, longest());
    },
  };
}

/** Lines from the one with number `from`, as many as fit, and which come next. */
function part(lines: readonly string[], from: number, longest: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.slice(from - 1)) {
    length += line.length + 1;
    if (length > longest && kept.length > 0) break;
    kept.push(line.slice(0, longest));
  }
  const next = from + kept.length;
  const moreCount = lines.length - next + 1;
  return moreCount > 0
    ? `${kept.join('\n')}\n[${many(moreCount, 'more line')}; go on with from: ${next}]`
    : kept.join('\n');
}

function listTool(folder: Folder): ChatTool {
  return {
    name: 'list_files',
    of: 'files',
    description: 'List a folder within the working folder. Folders end with a slash.',
    parameters: { type: 'object', properties: { path } },
    about: (args) => optional(args, 'path', '.'),
    ask: async (args) => ({
      question: `list: ${await folder.check(optional(args, 'path', '.'))}`,
    }),
    async run(args) {
      const names = await folder.list(optional(args, 'path', '.'));
      const more = names.length - mostNames;
      if (names.length === 0) return 'The folder is empty.';
      return [...names.slice(0, mostNames), ...(more > 0 ? [`[${more} more]`] : [])].join('\n');
    },
  };
}

/** An argument that is a text; throws where it is missing. */
function text(args: ToolArguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new Error(`The argument "${name}" is missing; it is a text.`);
}

function optional(args: ToolArguments, name: string, fallback: string): string {
  return args[name] === undefined || args[name] === '' ? fallback : text(args, name);
}
