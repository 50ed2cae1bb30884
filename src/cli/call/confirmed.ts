import { createInterface } from 'node:readline';
import { EngineError } from '../../names.ts';
import { flow } from '../paper/flow.ts';
import type { CommandCall } from './call.ts';

/** Asks whoever sits at the terminal before something is done; throws `OPTION_INVALID` where nobody does. */
export async function confirmed(
  question: string,
  {
    what,
    isForGood = true,
    call,
  }: { readonly what: string; readonly isForGood?: boolean; readonly call: CommandCall },
): Promise<boolean> {
  const { io, json } = call;
  if (io.stdin.isTTY !== true || json) {
    const message = `${what}${isForGood ? ' is for good, and' : ':'} nobody can be asked here: say --yes`;
    throw new EngineError('OPTION_INVALID', message, { detail: { option: 'yes' } });
  }
  const lines = `${question} [y/N]`.split('\n').flatMap((line) => flow(line, io.stderr));
  io.stderr.write(`${lines.join('\n')} `);
  const answers = createInterface({ input: io.stdin, signal: io.signal });
  try {
    for await (const line of answers) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    answers.close();
  }
}
