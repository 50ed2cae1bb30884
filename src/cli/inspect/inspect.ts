import { stat, writeFile } from 'node:fs/promises';
import { EngineError, toStately, type Inspection } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { checkFree, type OutOptions } from '../call/out-file.ts';
import { putFile } from '../call/put-file.ts';
import { toJson } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { inspections, type InspectedPart } from './inspect-events.ts';
import { moveLine } from './move-line.ts';
import { showPage } from './page.ts';

/** Options of `inspect` alone. */
export interface InspectCommandOptions extends InspectedPart, OutOptions {
  readonly as?: 'table' | 'stately' | undefined;
  /** Whether a page shows it. */
  readonly page?: boolean | undefined;
}

/** Tells which machine of a session went where; gives the exit code. */
export async function inspect(
  said: string | undefined,
  options: InspectCommandOptions,
  call: CommandCall,
): Promise<number> {
  const { out } = options;
  if (options.page === true) return showPage(said, options, call);
  const isFile = out !== undefined && out !== '-';
  const isRead = out === undefined && call.io.stdout.isTTY === true;
  const linesOf = printer(options.as ?? (isRead ? 'table' : 'stately'), call);
  let [moves, last] = [0, 0];
  const texts = async function* (): AsyncGenerator<string> {
    for await (const inspection of inspections(call, said, options)) {
      yield linesOf(inspection).join('\n');
      moves += 1;
      last = inspection.seq;
    }
  };
  if (isFile) await writeTo(out, texts(), options);
  else for await (const text of texts()) call.print(text);
  if (isFile) call.note(`${many(moves, 'move')} up to step ${last}: ${out}`);
  return exits.done;
}

/** An inspection as lines. */
function printer(
  form: 'table' | 'stately',
  call: CommandCall,
): (inspection: Inspection) => readonly string[] {
  if (call.json) return (one) => [toJson({ schema: 'flamestack.inspection/1', ...one })];
  if (form === 'stately') return (one) => toStately(one).map(toJson);
  const paper = call.paper();
  return (one) => [moveLine(one, paper)];
}

/**
 * Writes a file for its owner alone, in place of one that was there, and of a link, once all of it is there; what goes on is there as it comes.
 * Throws `OPTION_INVALID` where it cannot be written, or is there and not to be replaced.
 */
async function writeTo(
  path: string,
  texts: AsyncGenerator<string>,
  { force, live = false }: InspectCommandOptions,
): Promise<void> {
  // It is begun with the first move, so that a session that is not there empties none.
  const first = await texts.next();
  if (first.done === true) return;
  await checkFree(path, force);
  const lines = async function* (): AsyncGenerator<string> {
    yield `${first.value}\n`;
    for await (const text of texts) yield `${text}\n`;
  };
  const stats = await stat(path).catch(() => null);
  // A pipe or a device is written to; a file and a link give way, and what a link leads to stays.
  const isFile = stats?.isFile() !== false;
  try {
    if (isFile) await putFile(path, live ? '' : lines(), { mode: 0o600 });
    if (!isFile || live) await writeFile(path, lines(), { flag: 'a' });
  } catch (error) {
    const { syscall, code = '', path: opened = '' } = error as NodeJS.ErrnoException;
    if (syscall !== 'open' || !opened.startsWith(path)) throw error;
    const message = `"${path}" cannot be written (${code})`;
    throw new EngineError('OPTION_INVALID', message, { detail: { option: 'out', value: path } });
  }
}
