import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  probeAll,
  probeTotals,
  readHistory,
  readProbes,
  sessionFile,
  type ProbeResult,
} from '../index.ts';
import type { CommandCall } from '../../../src/cli/call/call.ts';
import { exits } from '../../../src/cli/call/exit.ts';
import { number, percent } from '../../../src/cli/paper/size.ts';
import { statusLine } from '../../../src/cli/call/status-line.ts';
import type { Trial } from './options.ts';
import { probesDocument } from './html/probes-document.ts';
import { probeHeadline } from './print/headline.ts';
import { nameOf, probeLines, type Probed } from './print/probes-page.ts';
import { noteMore, writePage, type Looks } from './looks.ts';

/** What is asked, of what, and how. */
export interface ProbesGiven extends Trial, Looks {
  readonly probes: readonly string[];
  /** One for each probe file, in their order, or none. */
  readonly sessions: readonly string[];
  /** The folder that contexts are written to. */
  readonly context: string | undefined;
}

/** Asks probes of the contexts at the cuts of their sessions; gives the exit code, and rejects where a file cannot be read. */
export async function probeFiles(given: ProbesGiven, call: CommandCall): Promise<number> {
  const { probes: files, sessions, budgets, methods, frames, format, context, all, html } = given;
  const { signal } = call.io;
  const status = statusLine(call);
  const probed: Probed[] = [];
  const results: ProbeResult[] = [];
  try {
    for (const [index, file] of files.entries()) {
      const probes = await readProbes(file);
      const session = sessions[index] ?? sessionFile(probes);
      const reading = { signal, ...(format === undefined ? {} : { format }) };
      const history = await readHistory(session, reading);
      probed.push({ probes, history });
      const onProgress = (done: number, run: { method: string; budget: number }): void =>
        status.say(() => {
          const share = percent((index + done) / files.length);
          return `${share}  ${number(run.budget)} ${run.method}  ${nameOf(file)}`;
        });
      const exam = { budgets, methods, frames, signal, onProgress };
      results.push(...(await probeAll(probes, history, exam)));
    }
  } catch (error) {
    if (signal.aborted) return signal.reason as number;
    throw error;
  } finally {
    status.clear();
  }
  if (context !== undefined) await writeContexts(context, results);
  const totals = probeTotals(results);
  if (call.json)
    call.emit('flamestack.probes/1', {
      budgets,
      methods: methods.map(({ name, about }) => ({ name, about })),
      totals,
      results: results.map(({ context: _context, ...result }) => result),
    });
  const report = { probed, totals, methods };
  if (!call.json) call.print(...(all ? probeLines : probeHeadline)(report, call.paper()));
  noteMore('each kind and file of each method', given, call);
  if (html !== undefined) await writePage(html, probesDocument(report), call);
  return exits.done;
}

/** Writes each context to a file named after its probe file, method and budget. */
async function writeContexts(folder: string, results: readonly ProbeResult[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { probes, method, budget, context } of results)
    await writeFile(join(folder, `${nameOf(probes)}.${method}.${budget}.txt`), context);
}
