import { basename } from 'node:path';
import { readHistory, sampleOf, type Lot, type Sample } from '../index.ts';
import type { CommandCall } from '../../../src/cli/call/call.ts';
import { exits } from '../../../src/cli/call/exit.ts';
import { cleanLine } from '../../../src/cli/paper/clean.ts';
import { number, percent } from '../../../src/cli/paper/size.ts';
import { statusLine } from '../../../src/cli/call/status-line.ts';
import type { Trial } from './options.ts';
import { sampleLines } from './print/sample-page.ts';

/** Prints random lines of a section of each session file with what they came from; gives the exit code, and rejects where a file cannot be read. */
export async function sampleFiles(
  files: readonly string[],
  { budgets, methods, frames, lot, ...reading }: Trial & { readonly lot: Lot },
  call: CommandCall,
): Promise<number> {
  const { signal } = call.io;
  const status = statusLine(call);
  const samples: Sample[] = [];
  const runs = files.length * budgets.length * methods.length;
  try {
    for (const file of files) {
      const history = await readHistory(file, { ...reading, signal });
      for (const budget of budgets)
        for (const kind of methods) {
          const onStep = (step: number): void =>
            status.say(() => {
              const done = (samples.length + step / history.steps.length) / runs;
              return `${percent(done)}  ${number(budget)} ${kind.name}  ${cleanLine(basename(file))}`;
            });
          samples.push(await sampleOf(kind, lot, { history, budget, frames, signal, onStep }));
        }
    }
  } catch (error) {
    if (signal.aborted) return signal.reason as number;
    throw error;
  } finally {
    status.clear();
  }
  if (call.json) call.emit('flamestack.sample/1', { seed: lot.seed, samples });
  else call.print(...sampleLines(samples, lot.seed, call.paper()));
  return exits.done;
}
