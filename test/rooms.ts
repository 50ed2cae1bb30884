import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseSync } from 'rolldown/utils';

// Which way imports go: what each folder may import, in which order the rooms of a folder stand, and
// what some rooms do not see. `rooms.test.ts` reads the imports of every file against it, also those
// of types.
//
// Lists are of patterns, as in a .gitignore: the last that matches counts, and `!` takes out again.
// `src/core/` is all of a folder, `src/*.ts` its own files, `src/{store,llm}/` either;
// `npm:xstate` is a package, `npm:` any, `node:` all of Node.

/** What the files of a folder may import beside their own; of two lines the later counts. */
export const folders: Readonly<Record<string, string>> = {
  'src/core/': '',
  'src/core/search/': 'src/core/ npm:stemmer',
  'machines/': 'src/core/ npm:xstate npm:xstate/',
  'src/{store,tokenizer,llm,import}/': 'src/core/ node: npm:',
  'src/engine/': 'src/{core,store,tokenizer,llm,import}/ machines/ node: npm:',
  'src/*.ts': 'src/ machines/',
  'src/adapters/':
    'src/*.ts src/core/formats/ src/cli/{call,paper,render,sessions}/ machines/index.ts node: npm:',
  'src/cli/': 'src/*.ts src/{adapters,testing,viewer}/ machines/index.ts node: npm:',
  'src/viewer/': 'src/*.ts machines/index.ts node: npm:',
  'src/testing/': 'src/ !src/cli/ machines/ node: npm:',
  'tools/': 'src/ machines/ test/ node: npm:',
  'tools/eval/': 'tools/*.ts src/*.ts node: npm:',
  'tools/eval/cli/': 'tools/*.ts tools/eval/ src/*.ts src/{cli,viewer}/ node: npm:',
};

/**
 * The rooms of a folder in their order: each imports only rooms before it, and rooms with a `|` between them not one
 * another. `*.ts` are the folder's own files, which are free where they have no place.
 */
export const rooms: Readonly<Record<string, string>> = {
  'src/core/': `values messages text people commands entities search frames breadcrumbs lines outcomes definitions
    files file-events file-index notes chronicle checkpoints budget truncation state sections assembly host-history
    documents progress formats *.ts`,
  'src/engine/': `journal|step compression decide inspect time-travel live effects|recall commands sync session
    import|tools open durable`,
  'src/llm/': '*.ts server prompt ollama|openai',
  'src/import/': 'source claude-code|codex|gemini-cli|opencode *.ts',
  'src/cli/': `paper secrets call command-line|sessions render play look inspect view browse export keep test chat doctor
    hosts config completion`,
  'src/cli/chat/': 'terminal|model tools output mcp conversation commands *.ts',
};

interface Fence {
  readonly of: string;
  readonly never: string;
  readonly says: string;
}

/** What some rooms do not see of what is before them. */
export const fences: readonly Fence[] = [
  {
    of: 'src/engine/{step,compression,decide,inspect}/',
    never: 'src/{store,tokenizer,llm,import}/ node:',
    says: 'the pure half of the engine knows no store, no model and no Node',
  },
  {
    of: 'src/engine/{recall,commands,sync,session,import}/',
    never: 'src/engine/live/live-session.ts src/engine/live/live-sessions.ts',
    says: 'take a SessionReader, a CommandSession or a SessionWriter, not the whole session',
  },
  {
    of: 'src/engine/tools/',
    never: 'src/engine/live/',
    says: 'tools see a session as its users do',
  },
  {
    of: 'src/engine/durable/',
    never:
      'src/engine/ !src/engine/{durable,step,live,effects,open}/ src/engine/live/live-session*',
    says: "a machine of somebody's own knows nothing of sessions",
  },
  {
    of: 'src/cli/*/ !src/cli/look/',
    never: 'machines/',
    says: 'of all commands only those of look show machines',
  },
];

/** What a text of code imports, in each form that the language has, those of types among them. */
export function importsOf(code: string): readonly string[] {
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    names.push(...importedBy(node));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync('code.ts', code).program);
  return names;
}

/** A node of the syntax tree, by the fields that name a module. */
interface SyntaxNode {
  readonly type?: string;
  readonly source?: SyntaxNode | null;
  readonly expression?: SyntaxNode;
  readonly callee?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly name?: string;
  readonly value?: unknown;
  readonly quasis?: readonly [{ readonly value: { readonly cooked: string } }];
}

/** The module that a node names itself, as the text of it. */
function importedBy(node: SyntaxNode): readonly string[] {
  const isRequire = node.type === 'CallExpression' && node.callee?.name === 'require';
  const isEquals = node.type === 'TSExternalModuleReference';
  const named = isEquals ? node.expression : isRequire ? node.arguments?.[0] : node.source;
  const text = named?.quasis?.[0].value.cooked ?? named?.value;
  return typeof text === 'string' ? [text] : [];
}

/** Each import of `files` that breaks a rule, and the rule. */
export function violations(files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(files).flatMap(([file, names]) => {
    const rules = [...folderRule(file), ...roomRules(file), ...fenceRules(file)];
    return names.flatMap((name) =>
      rules
        .filter(({ isBrokenBy }) => isBrokenBy(targetOf(file, name)))
        .map(({ says }) => `${file} imports ${name}: ${says}`),
    );
  });
}

/** What of `path` a list of patterns matches; nothing where it is taken out again. */
export function matched(list: string, path: string): string | undefined {
  const last = list.split(' ').findLast((pattern) => toRegExp(pattern).test(path));
  if (last === undefined || last.startsWith('!')) return undefined;
  return toRegExp(last).exec(path)![0];
}

/** The rooms of a folder in their order. */
export function roomsOf(folder: string): readonly string[] {
  return orderOf(folder)
    .flat()
    .filter((room) => room !== '*.ts');
}

interface Rule {
  readonly says: string;
  readonly isBrokenBy: (target: string) => boolean;
}

function folderRule(file: string): readonly Rule[] {
  const line = Object.entries(folders).findLast(([folder]) => matched(folder, file));
  if (line === undefined) return [];
  const [folder, list] = line;
  const own = matched(folder, file)!;
  return [
    {
      says: `${own} imports only its own files${list && `, ${list}`}`,
      isBrokenBy: (target) => !target.startsWith(own) && !matched(list, target),
    },
  ];
}

function roomRules(file: string): readonly Rule[] {
  return Object.keys(rooms).flatMap((folder) => {
    const from = placeOf(folder, file);
    if (from === undefined) return [];
    return {
      says: `a room of ${folder} imports only the rooms above it`,
      isBrokenBy: (target) => {
        const to = placeOf(folder, target);
        return to !== undefined && to.room !== from.room && to.rank >= from.rank;
      },
    };
  });
}

interface Place {
  readonly room: string;
  readonly rank: number;
}

function placeOf(folder: string, path: string): Place | undefined {
  if (!path.startsWith(folder)) return undefined;
  const [first, below] = path.slice(folder.length).split('/');
  const room = below === undefined ? '*.ts' : first!;
  const rank = orderOf(folder).findIndex((line) => line.includes(room));
  return rank < 0 ? undefined : { room, rank };
}

/** The rooms of a folder, those that do not know one another together. */
function orderOf(folder: string): readonly (readonly string[])[] {
  return rooms[folder]!.split(/\s+/).map((line) => line.split('|'));
}

function fenceRules(file: string): readonly Rule[] {
  return fences
    .filter(({ of }) => matched(of, file))
    .map(({ never, says }) => ({
      says,
      isBrokenBy: (target) => matched(never, target) !== undefined,
    }));
}

function targetOf(file: string, name: string): string {
  if (name.startsWith('.')) return posix.join(posix.dirname(file), name);
  if (name.split('/')[0] === 'flamestack') return 'src/index.ts';
  return isBuiltin(name) ? `node:${name.replace(/^node:/, '')}` : `npm:${name}`;
}

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/^!/, '')
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*')
    .replaceAll(/\{(.+?)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`);
  return new RegExp(`^${source}${/[/:]$/.test(pattern) ? '' : '$'}`);
}
