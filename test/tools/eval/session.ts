import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../../store/folder.ts';
import { farOf } from '../../../tools/eval/far.ts';
import { readHistory, type History } from '../../../tools/eval/history.ts';
import { measure, type Exam, type Outcome } from '../../../tools/eval/measure.ts';
import { usesOf } from '../../../tools/eval/uses.ts';
import type { Method, MethodKind } from '../../../tools/eval/method.ts';
import { needsOfAll } from '../../../tools/eval/needs.ts';
import { readerOf } from '../../../tools/eval/reader.ts';
import { bare, toSaid, type Shown } from '../../../tools/eval/said.ts';
import type { Entry } from '../../../tools/eval/history.ts';

/** A line of a session script. */
export type Line = Readonly<Record<string, unknown>>;

export const user = (content: string, origin?: 'machine'): Line =>
  append({ role: 'user', content, ...(origin === undefined ? {} : { origin }) });

export const assistant = (content: string, ...calls: readonly Line[]): Line =>
  append({ role: 'assistant', content, ...(calls.length === 0 ? {} : { toolCalls: calls }) });

export const call = (id: string, name: string, given: Line = {}): Line => ({
  id,
  name,
  arguments: given,
});

export const result = (toolCallId: string, content: string): Line =>
  append({ role: 'tool', toolCallId, content });

export const push = (title: string): Line => ({
  type: 'push',
  title,
  criteria: `${title} is done`,
});

export const pop = (results: string): Line => ({ type: 'pop', status: 'completed', results });

/** Words that name nothing, some `tokens` of them. */
export const filler = (tokens: number): string => 'so it is '.repeat(Math.ceil(tokens / 3)).trim();

function append(message: Line): Line {
  return { type: 'append', message };
}

/** A session script as a file that is gone after the tests. */
export async function fileOf(lines: readonly Line[], head: Line = {}): Promise<string> {
  const path = join(await newFolder(), 'session.jsonl');
  const first = { type: 'flamestack', version: 1, id: 'eval-test', title: 'A test', ...head };
  await writeFile(path, [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** A session script, read as any session file is. */
export async function historyOf(lines: readonly Line[], head: Line = {}): Promise<History> {
  return readHistory(await fileOf(lines, head));
}

/** What is asked of a session within a budget. */
export function examOf(history: History, budget: number, frames = true): Exam {
  const needs = needsOfAll(history.entries);
  const reader = readerOf(needs);
  const far = farOf(history.entries, needs, { budget, reader });
  return { history, needs, far, reader, uses: usesOf(history.entries), budget, frames };
}

/** How a method does on a session within a budget. */
export async function measured(
  lines: readonly Line[],
  budget: number,
  kind: MethodKind,
): Promise<Outcome> {
  return measure(examOf(await historyOf(lines), budget), kind);
}

/** A method that shows what `choose` makes of all entries so far. */
export function method(
  choose: (entries: readonly Entry[]) => readonly Shown[] | Promise<readonly Shown[]>,
  more: Partial<Method> = {},
): MethodKind {
  return {
    name: 'planted',
    about: '',
    async begin() {
      const entries: Entry[] = [];
      return {
        append: async (entry) => void entries.push(entry),
        context: async () => choose(entries),
        ...more,
      };
    },
  };
}

/** A message that nobody said. */
export async function made(content: string): Promise<Shown> {
  return { ...(await toSaid(bare('user', content))), kind: 'made', place: null };
}
