import { textOf } from '../../src/core/messages/message.ts';
import { memorySource } from '../../src/import/source/source.ts';
import type { Importer, Step } from '../../src/import/source/step.ts';

/** Records as the lines of a session file. */
export const jsonl = (...records: readonly unknown[]): string =>
  records
    .map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
    .join('\n');

/** Every step that `importer` makes of `text`. */
export async function stepsOf(importer: Importer, text: string): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const step of importer.read(memorySource(text))) steps.push(step);
  return steps;
}

/** What `importer` makes of `text`, one short line per step after the session. */
export async function told(importer: Importer, text: string): Promise<string[]> {
  return (await stepsOf(importer, text)).slice(1).map(show);
}

function show(step: Step): string {
  switch (step.type) {
    case 'append':
    case 'left': {
      const { message } = step;
      const text = textOf(message.content);
      if (message.role === 'tool')
        return `result ${message.toolCallId ?? message.name ?? '-'}${message.isError === true ? '!' : ''}: ${text}`;
      if (message.role === 'user') return `${message.origin ?? 'person'}: ${text}`;
      const calls = (message.toolCalls ?? []).map(({ id, name }) => ` ${name}(${id ?? ''})`);
      const thinking = message.thinking === undefined ? '' : ` <${message.thinking}>`;
      return `assistant:${thinking}${text === '' ? '' : ` ${text}`}${calls.join('')}`;
    }
    case 'push':
      return `push ${step.title}: ${step.criteria}`;
    case 'pop':
      return `pop ${step.status}: ${step.results ?? '-'}`;
    case 'edit':
      return `edit ${step.name}: ${step.title}`;
    case 'retry':
      return `retry ${step.of}`;
    case 'plan':
      return `plan ${step.name}`;
    case 'start':
      return `start ${step.name}`;
    case 'invalidate':
      return `invalidate ${step.name ?? '-'}: ${step.reason}`;
    case 'goal':
      return `goal ${step.description}`;
    case 'skip':
      return `skip ${step.line}: ${step.reason}`;
    case 'session':
      return 'session';
  }
}

/** The model of each answer that `importer` makes of `text`. */
export async function modelsOf(importer: Importer, text: string): Promise<unknown[]> {
  const steps = await stepsOf(importer, text);
  return steps.flatMap((step) =>
    step.type === 'append' && step.message.role === 'assistant' ? [step.message.model] : [],
  );
}

/** The keys of `steps`, in order. */
export const keysOf = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => ('key' in step ? [step.key] : []));
