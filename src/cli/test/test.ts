import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { runScript, ScriptMistake } from '../../testing/index.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { isMet, type Problem, type Reporter, type TestReport } from './report.ts';
import { readScripts } from './read-scripts.ts';
import type { Edit, ScriptSource } from './source.ts';
import { jsonReporter } from './reporters/json.ts';
import { junitReporter } from './reporters/junit.ts';
import { specReporter } from './reporters/spec.ts';
import { tapReporter } from './reporters/tap.ts';
import { changeOf } from './watch.ts';
import { edited } from './yaml-file.ts';

/** Options of `test` alone. */
export interface TestOptions {
  readonly update?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly reporter?: keyof typeof reporters | undefined;
}

const reporters = { spec: specReporter, tap: tapReporter, junit: junitReporter };

/** Runs the scripts of files, again and again with `--watch`; gives the exit code. */
export async function test(
  files: readonly string[],
  options: TestOptions,
  call: CommandCall,
): Promise<number> {
  const { signal } = call.io;
  for (;;) {
    const code = await runFiles(files, options, call);
    if (options.watch !== true) return code;
    call.note('', 'Waiting for a change; Ctrl-C ends it.');
    await changeOf(files, signal);
    if (signal.aborted) return signal.reason as number;
  }
}

async function runFiles(
  files: readonly string[],
  options: TestOptions,
  call: CommandCall,
): Promise<number> {
  const reporter: Reporter = call.json
    ? jsonReporter(call)
    : reporters[options.reporter ?? 'spec'](call);
  const begun = performance.now();
  const reports: TestReport[] = [];
  for (const file of files)
    for (const report of await runFile(file, { options, call, reporter })) reports.push(report);
  reporter.end(reports, performance.now() - begun);
  if (reports.some((report) => !isMet(report) && !report.isMistake)) return exits.check;
  if (reports.some((report) => !isMet(report))) return exits.failed;
  return reports.length === 0 ? exits.nothing : exits.done;
}

async function runFile(
  file: string,
  { options, call, reporter }: { options: TestOptions; call: CommandCall; reporter: Reporter },
): Promise<readonly TestReport[]> {
  const reports: TestReport[] = [];
  const edits: Edit[] = [];
  for (const source of await sourcesOf(file)) {
    call.io.signal.throwIfAborted();
    const report = await runSource(file, source, { options, edits });
    reporter.test(report);
    reports.push(report);
  }
  if (edits.length > 0) await writeFile(file, edited(await readFile(file, 'utf8'), edits));
  return reports;
}

/** The scripts of a file; one that cannot be read is a mistake of its own. */
async function sourcesOf(file: string): Promise<readonly ScriptSource[]> {
  const nothing = (what: string): ScriptSource => ({
    name: basename(file),
    mistake: { what, place: null },
    script: { test: '', steps: [] },
    place: () => null,
  });
  try {
    const sources = await readScripts(file);
    return sources.length > 0 ? sources : [nothing(`${file} has no script`)];
  } catch (error) {
    return [nothing((error as Error).message)];
  }
}

async function runSource(
  file: string,
  source: ScriptSource,
  { options, edits }: { options: TestOptions; edits: Edit[] },
): Promise<TestReport> {
  const { name, mistake, script } = source;
  const begun = performance.now();
  const report = (fields: Partial<TestReport>): TestReport => ({
    file,
    name,
    steps: 0,
    problems: [],
    isMistake: false,
    recorded: 0,
    ...fields,
    ms: performance.now() - begun,
  });
  if (mistake !== null) return report({ isMistake: true, problems: [{ ...mistake, lines: [] }] });
  try {
    const update = options.update === true ? { update: true } : {};
    const { steps, unmet, recorded } = await runScript(script, {
      folder: dirname(file),
      inPlace: source.write !== undefined,
      ...update,
    });
    for (const { path, text } of recorded) edits.push(source.write!(path, text));
    const problems = unmet.map(({ path, what, lines }): Problem => ({
      place: source.place(path, false),
      what: source.place(path, false) === null ? `${stepOf(path)}: ${what}` : what,
      lines,
    }));
    return report({ steps, problems, recorded: recorded.length });
  } catch (error) {
    if (!(error instanceof ScriptMistake)) throw error;
    const place = source.place(error.path, error.isName);
    const what = place === null ? `${stepOf(error.path)}: ${error.message}` : error.message;
    return report({ isMistake: true, problems: [{ place, what, lines: [] }] });
  }
}

/** A step by its number, where there is no line: `Step 3`. */
function stepOf(path: readonly (string | number)[]): string {
  const numbers = path.filter((part) => typeof part === 'number').map((at) => at + 1);
  return numbers.length === 0 ? 'The script' : `Step ${numbers.join('.')}`;
}
