import type { Io } from '../io.ts';
import { cleanLine, toJson } from '../paper/clean.ts';
import type { Failure } from './exit.ts';

/** Reports a failure on stderr: a line and its advice, or one JSON document. */
export function reportFailure(
  failure: Failure,
  call: { readonly io: Pick<Io, 'stderr'>; readonly json: boolean },
): void {
  const { code, message, detail, advice, exit } = failure;
  if (call.json) {
    const schema = 'flamestack.error/1';
    call.io.stderr.write(`${toJson({ schema, code, message, detail, exit })}\n`);
    return;
  }
  const lines = advice === '' ? [] : advice.split('\n');
  const more = lines.map((line) => `  ${cleanLine(line)}\n`).join('');
  call.io.stderr.write(`flamestack: ${cleanLine(message)}\n${more}`);
}
