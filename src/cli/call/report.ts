import type { Io } from '../io.ts';
import { cleanLine, toJson } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
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
  const { stderr } = call.io;
  const more = advice === '' ? [] : advice.split('\n').map((line) => `  ${cleanLine(line)}`);
  const lines = [`flamestack: ${cleanLine(message)}`, ...more];
  stderr.write(lines.map((line) => `${flow(line, stderr, 2).join('\n')}\n`).join(''));
}
