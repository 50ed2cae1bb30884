import { sanitizeLine } from '../text/sanitize.ts';
import { clip } from '../text/sentences.ts';
import { fail } from '../values/error.ts';
import { fieldOf } from '../values/json.ts';

// Servers, and those that stand before them, send an error with the status of an answer. Read as
// one, it would be a turn in which the model said nothing.

/** Refuses what a server sent in place of an answer, whose `field` would have it; throws `MESSAGE_INVALID`, with the words of an error that it holds. */
export function checkAnswer(sent: object, field: string, isAnswer: boolean): void {
  // Some have the field in every answer: null, false or empty where there is none.
  const error = fieldOf(sent, 'error') || '';
  if (error === '' && isAnswer) return;
  const what = error === '' ? `has nothing in "${field}"` : `holds an error: "${wordsOf(error)}"`;
  const said = `What the server sent ${what}; append nothing of it, mend the request or ask again`;
  throw fail('MESSAGE_INVALID', said, { field: error === '' ? field : 'error' });
}

/** What an error says, on one line, as far as it is repeated. */
function wordsOf(error: unknown): string {
  const message = fieldOf(error, 'message') ?? error;
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return clip(sanitizeLine(clip(text, 2_000)), 200);
}
