import type { CheckpointDocument } from './document.ts';
import { newGoal, type Goal } from './goal.ts';
import type { RecoveredContext } from './recovery.ts';

/** Where the work stood, by a document. */
export function contextOfDocument(document: CheckpointDocument): RecoveredContext {
  const { topic, goal, actions, questions, status, files } = document;
  const left = actions.filter(({ done }) => !done).map(({ text }) => text);
  const done = actions.filter((item) => item.done).map(({ text }) => text);
  const first = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? '';
  return {
    workingOn: first(topic) || first(goal),
    lastCompleted: first(done.at(-1) ?? '') || first(status),
    nextStep: first(left[0] ?? '') || first(status),
    open: [...left, ...questions].map(first),
    files: files.map(({ path }) => path),
  };
}

/** The goal that a document tells of: what is settled stands as locked decisions; null where it tells of none. */
export function goalOfDocument(document: CheckpointDocument): Goal | null {
  const { topic, goal, decisions, actions, files } = document;
  const description = goal.trim() === '' ? topic.trim() : goal.trim();
  if (description === '') return null;
  return {
    ...newGoal(description),
    decisions: decisions.map(({ text, done }) => ({ text, locked: done })),
    next: actions.filter(({ done }) => !done).map(({ text }) => text),
    artifacts: files.map(({ path, change }) => ({
      path,
      change: /^(?:created?|new|added?)\b/i.test(change) ? 'created' : 'modified',
    })),
  };
}
