import { expect, test } from 'vitest';
import {
  isSameStep,
  type PartialStep,
  type ScriptHeader,
  type ScriptStep,
} from '../../../src/core/formats/session-script.ts';
import { flamestack } from '../../../src/import/flamestack.ts';
import { jsonl, stepsOf } from '../../import/told.ts';

// A field that `export` writes and `import` does not read would make every
// import of the same script double. So each must be named here, to compile.

type Type = ScriptStep['type'];
type Full<T extends Type> = Required<Extract<ScriptStep, { readonly type: T }>>;

const identity = { name: 'f1', title: 'Parser', criteria: 'all green', brief: 'green' };
const said = {
  message: {
    role: 'assistant',
    content: 'Look.',
    thinking: 'hm',
    toolCalls: [{ id: 'c', name: 'ls', arguments: { path: '.' } }],
    meta: { a: 1 },
  },
  at: 5,
} as const;
const samples: { readonly [T in Type]: Full<T> } = {
  append: { type: 'append', ...said },
  left: { type: 'left', ...said },
  goal: {
    type: 'goal',
    description: 'Ship it',
    priority: 'high',
    status: 'paused',
    milestones: [{ text: 'alpha', status: 'completed' }],
    decisions: [{ text: 'tabs', locked: true }],
    artifacts: [{ path: 'a.ts', change: 'created' }],
    next: ['beta'],
  },
  push: { type: 'push', ...identity },
  plan: { type: 'plan', ...identity, parent: 'f2' },
  edit: { type: 'edit', ...identity },
  start: { type: 'start', name: 'f1' },
  retry: { type: 'retry', name: 'f1', of: 'f2' },
  pop: {
    type: 'pop',
    name: 'f1',
    status: 'failed',
    results: 'none of it works',
    brief: 'none',
    artifacts: ['a.ts'],
    decisions: ['tabs'],
    drop: true,
  },
  invalidate: { type: 'invalidate', name: 'f1', reason: 'moot' },
};
const header: Required<ScriptHeader> = {
  type: 'flamestack',
  version: 1,
  id: 'notes',
  title: 'Notes',
  system: 'Be brief.',
  window: 8_000,
  reserve: 1_000,
  markers: false,
  model: 'llama3.2:3b',
  provider: 'ollama',
  compressions: 3,
  folder: 'src',
  branch: 'main',
  agent: 'pi',
  parent: 'p',
  tokens: 1_200,
};

/** What the reader makes of a line, without its place in the file. */
async function readBack(line: unknown): Promise<Record<string, unknown>> {
  const [, step] = await stepsOf(flamestack, jsonl(header, line));
  const { key: _, line: __, ...rest } = step as unknown as Record<string, unknown>;
  return rest['type'] === 'goal' ? { type: 'goal', ...(rest['goal'] as object) } : rest;
}

test('every field of a line that is exported is read', async () => {
  for (const line of Object.values(samples)) expect(await readBack(line)).toEqual(line);
  const [head] = await stepsOf(flamestack, jsonl(header));
  const { version: _, compressions: __, tokens: ___, ...rest } = header;
  expect(head).toEqual({ ...rest, type: 'session' });
});

/** The fields that a model may have written anew since. */
const free = new Set(['pop results', 'pop brief']);

test('a line is the same as itself, and another where one field is', async () => {
  for (const line of Object.values(samples)) {
    const given = (await readBack(line)) as unknown as PartialStep;
    expect(isSameStep(line, given)).toBe(true);
    for (const field of Object.keys(line).filter((name) => name !== 'type')) {
      const changed = { ...given, [field]: 'otherwise' } as unknown as PartialStep;
      const name = `${line.type} ${field}`;
      expect([name, isSameStep(line, changed)]).toEqual([name, free.has(name)]);
    }
  }
  expect(isSameStep(samples.append, samples.left)).toBe(false);
});

test('what a script written by hand leaves out is no difference, but for the frame that it closes', () => {
  const by = { type: 'push', title: 'Parser', criteria: 'all green' } as const;
  expect(isSameStep(samples.push, by)).toBe(true);
  const { at: _, ...timeless } = samples.append;
  expect(isSameStep(samples.append, timeless)).toBe(true);
  expect(isSameStep(samples.pop, { type: 'pop', status: 'failed' })).toBe(false);
  expect(isSameStep(samples.pop, { type: 'pop', name: 'f1', status: 'failed' })).toBe(true);
});

test('the order in which the fields of a message stand is none', () => {
  const { toolCalls, ...rest } = said.message;
  const turned = { ...said, type: 'append', message: { toolCalls, ...rest } } as const;
  expect(isSameStep(samples.append, turned)).toBe(true);
});
