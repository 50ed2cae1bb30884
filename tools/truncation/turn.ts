import type { Message } from '../../src/index.ts';
import { between, type Random } from '../random.ts';
import { textOf } from './text.ts';

/** What comes between two answers of a model: a prompt, and half of the time calls with their results. */
export function turnOf(random: Random, n: number): readonly Message[] {
  const user: Message = { role: 'user', content: textOf(random) };
  if (random() < 0.5) return [user];
  const calls = Array.from({ length: between(random, 1, 3) }, (_, at) => ({
    id: `c${n}.${at}`,
    name: 'read_file',
    arguments: { path: `src/a-${n}.ts` },
  }));
  const results = calls.map(({ id }): Message => ({
    role: 'tool',
    toolCallId: id,
    content: textOf(random),
  }));
  return [user, { role: 'assistant', content: '', toolCalls: calls }, ...results];
}
