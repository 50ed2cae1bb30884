import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { EngineError, toStately, type Inspection } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { checkFree, type OutOptions } from '../call/out-file.ts';
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
  // A file is begun with the first move, so that a session that is not there empties none.
  let sink: Sink | null = null;
  let [moves, last] = [0, 0];
  try {
    for await (const inspection of inspections(call, said, options)) {
      sink ??= isFile ? await fileSink(out, options.force) : stdoutSink(call);
      await sink.write(linesOf(inspection));
      moves += 1;
      last = inspection.seq;
    }
  } finally {
    await sink?.close();
  }
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

/** Where the lines go. */
interface Sink {
  write(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const stdoutSink = (call: CommandCall): Sink => ({
  write: async (lines) => call.print(...lines),
  close: async () => undefined,
});

/** A file, which is made anew, also in place of a link; throws `OPTION_INVALID` where it cannot be written, or is there and not to be replaced. */
async function fileSink(path: string, force?: boolean): Promise<Sink> {
  await checkFree(path, force);
  const known = await stat(path).catch(() => null);
  // A pipe or a device is written to; a file and a link give way, and what a link leads to stays.
  const isInPlace = known?.isFile() === false;
  if (!isInPlace && force === true) await rm(path, { force: true }).catch(() => undefined);
  const stream = createWriteStream(path, { flags: isInPlace ? 'w' : 'wx' });
  try {
    await once(stream, 'open');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? '';
    const message = `"${path}" cannot be written (${reason})`;
    throw new EngineError('OPTION_INVALID', message, { detail: { option: 'out', value: path } });
  }
  return {
    async write(lines) {
      if (!stream.write(`${lines.join('\n')}\n`)) await once(stream, 'drain');
    },
    async close() {
      stream.end();
      await once(stream, 'close');
    },
  };
}
