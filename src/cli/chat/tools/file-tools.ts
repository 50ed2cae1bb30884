import { many } from '../../paper/size.ts';
import type { ChatTool, ToolArguments } from './chat-tool.ts';
import type { Folder } from './folder.ts';

/** Names listed at most. */
const mostNames = 500;

/** Tools for the files of a folder; results have at most `longest` characters. */
export function fileTools(folder: Folder, longest: () => number): readonly ChatTool[] {
  return [readTool(folder, longest), listTool(folder), writeTool(folder), editTool(folder)];
}

/** The scope of `always`. */
const [reading, writing] = ['read files here', 'write files here'];

const path = { type: 'string', description: 'Path within the working folder.' } as const;

function readTool(folder: Folder, longest: () => number): ChatTool {
  return {
    name: 'read_file',
    isOwn: false,
    description: 'Read a text file of the working folder. Long files come in parts.',
    parameters: {
      type: 'object',
      properties: { path, from: { type: 'integer', description: 'First line, 1 unless told.' } },
      required: ['path'],
    },
    about: (given) => text(given, 'path'),
    async ask(given) {
      await folder.check(text(given, 'path'));
      return { right: reading, question: `read: ${text(given, 'path')}` };
    },
    async run(given) {
      const lines = (await folder.read(text(given, 'path'))).split('\n');
      const from = Math.max(1, Math.floor(Number(given['from'] ?? 1)) || 1);
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
  const left = lines.length - next + 1;
  return left > 0
    ? `${kept.join('\n')}\n[${many(left, 'more line')}; go on with from: ${next}]`
    : kept.join('\n');
}

function listTool(folder: Folder): ChatTool {
  return {
    name: 'list_files',
    isOwn: false,
    description: 'List a folder within the working folder. Folders end with a slash.',
    parameters: { type: 'object', properties: { path } },
    about: (given) => optional(given, 'path', '.'),
    async ask(given) {
      await folder.check(optional(given, 'path', '.'));
      return { right: reading, question: `list: ${optional(given, 'path', '.')}` };
    },
    async run(given) {
      const names = await folder.list(optional(given, 'path', '.'));
      const more = names.length - mostNames;
      if (names.length === 0) return 'The folder is empty.';
      return [...names.slice(0, mostNames), ...(more > 0 ? [`[${more} more]`] : [])].join('\n');
    },
  };
}

function writeTool(folder: Folder): ChatTool {
  return {
    name: 'write_file',
    isOwn: false,
    description: 'Write a text file of the working folder, whole; what was there is replaced.',
    parameters: {
      type: 'object',
      properties: { path, content: { type: 'string' } },
      required: ['path', 'content'],
    },
    about: (given) => text(given, 'path'),
    async ask(given) {
      await folder.checkWrite(text(given, 'path'));
      const content = text(given, 'content');
      const size = many(content.split('\n').length, 'line');
      const question = `write: ${text(given, 'path')} (${size})`;
      return { right: writing, question, preview: [{ sign: '+', text: content }] };
    },
    async run(given) {
      const content = text(given, 'content');
      await folder.write(text(given, 'path'), content);
      return `Written, ${many(content.split('\n').length, 'line')}.`;
    },
  };
}

function editTool(folder: Folder): ChatTool {
  return {
    name: 'edit_file',
    isOwn: false,
    description: 'Replace one passage of a text file. `old` must be there exactly once.',
    parameters: {
      type: 'object',
      properties: {
        path,
        old: { type: 'string', description: 'The passage as it stands, to the letter.' },
        new: { type: 'string', description: 'What takes its place.' },
      },
      required: ['path', 'old', 'new'],
    },
    about: (given) => text(given, 'path'),
    async ask(given) {
      await folder.checkWrite(text(given, 'path'));
      const preview = [
        { sign: '-', text: text(given, 'old') },
        { sign: '+', text: text(given, 'new') },
      ] as const;
      return { right: writing, question: `edit: ${text(given, 'path')}`, preview };
    },
    async run(given) {
      const [name, old] = [text(given, 'path'), text(given, 'old')];
      const before = await folder.read(name);
      const count = old === '' ? 0 : before.split(old).length - 1;
      if (count !== 1)
        throw new Error(
          count === 0 ? `\`old\` is not in ${name}.` : `\`old\` is in ${name} ${count} times.`,
        );
      await folder.write(
        name,
        before.replace(old, () => text(given, 'new')),
      );
      return 'Edited.';
    },
  };
}

/** An argument that is a text; throws where it is missing. */
export function text(given: ToolArguments, name: string): string {
  const value = given[name];
  if (typeof value === 'string') return value;
  throw new Error(`The argument "${name}" is missing; it is a text.`);
}

function optional(given: ToolArguments, name: string, fallback: string): string {
  return given[name] === undefined || given[name] === '' ? fallback : text(given, name);
}
