import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Io, Reader } from '../../src/cli/io.ts';
import { main } from '../../src/cli/program.ts';
import { copyOf, newFolder as folder, newLocation } from '../store/folder.ts';

export { folder };

/** What a call of the program came to. */
export interface Told {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** How the program is called. */
export interface Surroundings {
  /** Whether both streams are terminals; pipes unless told. */
  readonly isTTY?: boolean;
  /** 80 by 24 unless told. */
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly startPager?: Io['startPager'];
  /** What is typed or piped in; nothing unless told. */
  readonly stdin?: Reader;
  /** Called with everything written to stdout so far. */
  readonly onOut?: (out: string) => void;
  /** Called with everything written to stderr so far. */
  readonly onErr?: (err: string) => void;
}

/** Calls `flamestack` in this process. */
export function flamestack(line: string, around?: Surroundings): Promise<Told> {
  return run(main, line, around);
}

/** Surroundings in which nobody types, and nobody reads. */
export const quietIo: Io = {
  stdin: Readable.from([]),
  stdout: { write: () => undefined },
  stderr: { write: () => undefined },
  env: {},
  signal: new AbortController().signal,
};

/** Calls a program in this process. */
export async function run(
  program: (words: readonly string[], io: Io) => Promise<number>,
  line: string,
  around: Surroundings = {},
): Promise<Told> {
  const { isTTY = false, columns = 80, rows = 24, env = {}, onOut, onErr } = around;
  let out = '';
  let err = '';
  const tell = (text: string): void => {
    out += text;
    onOut?.(out);
  };
  const complain = (text: string): void => {
    err += text;
    onErr?.(err);
  };
  const size = isTTY ? { isTTY, columns, rows } : {};
  const exit = await program(line.split(' ').filter(Boolean), {
    stdin: around.stdin ?? Readable.from([]),
    stdout: { ...size, write: tell },
    stderr: { ...size, write: complain },
    env,
    signal: around.signal ?? new AbortController().signal,
    startPager: around.startPager,
  });
  return { exit, out, err };
}

/** A file of this name and content, in a folder of its own. */
export async function file(name: string, content: string): Promise<string> {
  const path = join(await folder(), name);
  await writeFile(path, content);
  return path;
}

const words = (n: number, seed: string): string =>
  Array.from({ length: n }, (_, index) => `${seed}${index % 17} src/part-${index % 23}.ts`).join(
    ' ',
  );

const said = (role: 'user' | 'assistant', content: string): object => ({
  type: 'append',
  message: { role, content },
});

/** Turns of a person and an assistant that read a file each. */
function turns(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => from + index).flatMap((n) => [
    said('user', `Please look at part ${n}. Never rename src/part-${n}.ts.`),
    {
      type: 'append',
      message: {
        role: 'assistant',
        content: `Reading part ${n}.`,
        toolCalls: [{ id: `call-${n}`, name: 'read', arguments: { path: `src/part-${n}.ts` } }],
      },
    },
    {
      type: 'append',
      message: { role: 'tool', toolCallId: `call-${n}`, content: words(40, `w${n}-`) },
    },
    said('assistant', `Part ${n} sets limit${n} to ${n * 100}. ${words(10, 'note')}`),
  ]);
}

/** A session of every kind of step, several times longer than a window of 2k; 67 entries. */
export const script: string = [
  { type: 'flamestack', version: 1, id: 'demo', title: 'Tidy the parts', system: 'Be careful.' },
  { type: 'goal', description: 'Tidy all parts of the program' },
  ...turns(1, 4),
  said(
    'assistant',
    '[CHECKPOINT] First parts - COMPLETED\n[DECISION] Tabs are two spaces - LOCKED',
  ),
  { type: 'push', title: 'Deep parts', criteria: 'parts 5 to 9 are tidy' },
  ...turns(5, 5),
  { type: 'push', title: 'Dead end', criteria: 'try a rewrite' },
  ...turns(10, 1),
  { type: 'invalidate', reason: 'no rewrite wanted' },
  { type: 'pop', status: 'completed', results: 'Parts 5 to 9 are tidy.' },
  ...turns(11, 6),
  said('user', words(700, 'paste')),
  said('assistant', 'All tidy.'),
]
  .map((record) => JSON.stringify(record))
  .join('\n');

/** A file with {@link script}. */
export const scriptFile = (): Promise<string> => file('demo.jsonl', script);

/** Stores with {@link script} as the session `demo`, by its window. */
const demos = new Map<string, Promise<string>>();

async function newDemo(window: string): Promise<string> {
  const store = await newLocation();
  const line = `import ${await scriptFile()} --id demo --window ${window} --store ${store}`;
  const { exit, err } = await flamestack(line);
  if (exit !== 0) throw new Error(err);
  return store;
}

/** A store of one's own with {@link script} as the session `demo`, which is imported once for each window; 2k unless told. */
export async function demoStore(window = '2k'): Promise<string> {
  const made = demos.get(window) ?? newDemo(window);
  demos.set(window, made);
  return copyOf(await made);
}

/** Any escape sequence or control character but a line feed. */
export const unprintable = /[^\P{Cc}\n]/u;

/** Lines without their colors. */
export const plainLines = (text: string): readonly string[] =>
  text
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.replace(/\r/g, ''));

/** What somebody at a terminal types. */
export const typed = (line: string): Reader =>
  Object.assign(Readable.from([`${line}\n`]), { isTTY: true });
