import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldsOf } from '../fields.ts';
import { BeadsError, type BeadsFailure } from './beads-error.ts';

/** One run of the tracker's program. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Longest it may take, in milliseconds; then it is killed. */
  readonly timeout: number;
}

/** Most that is read of an answer, in bytes. */
const mostRead = 16 * 1024 * 1024;
/** How long a call that found the tracker locked waits before its second try, in milliseconds. */
const lockWait = 250;

/**
 * Runs the program, never through a shell, and reads its answer. A locked tracker is asked once more after a short
 * wait, if there is time left. Rejects with a {@link BeadsError}.
 */
export async function askProgram(call: ProgramCall): Promise<unknown> {
  const begun = performance.now();
  try {
    return await ask(call);
  } catch (error) {
    const left = call.timeout - (performance.now() - begun) - lockWait;
    if (!(error instanceof BeadsError && error.reason === 'locked') || left <= 0) throw error;
    await pause(lockWait);
    return ask({ ...call, timeout: left });
  }
}

async function ask(call: ProgramCall): Promise<unknown> {
  const ended = await run(call);
  const answer = jsonIn(ended.stdout);
  const refusal =
    refusalIn(answer) ?? (ended.error === null ? null : refusalIn(jsonIn(ended.stderr)));
  if (ended.error !== null || refusal !== null) throw failureOf(call, ended, refusal);
  if (answer === undefined)
    throw new BeadsError({
      reason: 'unreadable',
      message: `${titleOf(call)} answered no JSON: ${firstLine(ended.stdout)}`,
    });
  return answer;
}

/** How a run ended, with what it wrote. */
interface EndedRun {
  readonly error: Readonly<{ code?: string | number | null; killed?: boolean }> | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run({ program, args, cwd, env, timeout }: ProgramCall): Promise<EndedRun> {
  return new Promise((resolve) => {
    // To Node 0 is no limit.
    const limit = Math.max(1, Math.ceil(timeout));
    const options = {
      cwd,
      env,
      timeout: limit,
      killSignal: 'SIGKILL',
      maxBuffer: mostRead,
    } as const;
    try {
      const child = execFile(program, [...args], options, (error, stdout, stderr) => {
        resolve({ error, stdout, stderr });
      });
      child.stdin?.end();
    } catch (error) {
      resolve({ error: error as EndedRun['error'], stdout: '', stderr: `${error as Error}` });
    }
  });
}

/** What a program says when it says no. */
interface ProgramRefusal {
  readonly code?: string | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** `{"error": {code, message, hint}}` of br, `{"error": message, hint}` of bd, bare or in its envelope. */
function refusalIn(answer: unknown): ProgramRefusal | null {
  const { error, hint, data } = fieldsOf(answer);
  if (error === undefined) return data === undefined ? null : refusalIn(data);
  if (typeof error === 'string') return { message: error, hint: textIn(hint) };
  const fields = fieldsOf(error);
  const message = textIn(fields['message']);
  if (message === undefined) return null;
  return { code: textIn(fields['code']), message, hint: textIn(fields['hint']) };
}

function failureOf(call: ProgramCall, ended: EndedRun, refusal: ProgramRefusal | null): BeadsError {
  const title = titleOf(call);
  const exit = ended.error?.code;
  if (exit === 'ENOENT')
    return new BeadsError({
      reason: 'missing',
      message: `${call.program} cannot be run`,
      code: exit,
    });
  if (exit === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new BeadsError({
      reason: 'unreadable',
      message: `${title} answered too much`,
      code: exit,
    });
  if (ended.error?.killed === true)
    return new BeadsError({
      reason: 'slow',
      message: `${title} took more than ${Math.ceil(call.timeout)} ms`,
    });
  const said =
    firstLine(ended.stderr) || firstLine(ended.stdout) || `exit ${exit ?? 'by a signal'}`;
  const message = refusal?.message ?? said;
  const code = refusal?.code ?? (typeof exit === 'string' ? exit : undefined);
  return new BeadsError({
    reason: reasonOf(code, message),
    message: `${title}: ${message}`,
    code,
    next: refusal?.hint,
  });
}

function reasonOf(code: string | undefined, message: string): BeadsFailure {
  if (code === 'DATABASE_LOCKED' || locked.test(message)) return 'locked';
  return code === 'NOT_INITIALIZED' ? 'missing' : 'refused';
}

const locked = /\b(?:database|db|dolt|store|file)\b.{0,60}\b(?:locked|busy|lock held)\b/i;

/** The program and its command, without what is private in the rest. */
function titleOf({ program, args }: ProgramCall): string {
  return `${program} ${args[0] ?? ''}`;
}

/** The JSON that a program printed, also after lines that are none; undefined where there is none. */
function jsonIn(text: string): unknown {
  const starts = /^[ \t]{0,20}[[{]/m.exec(text);
  for (const start of [0, starts?.index ?? 0]) {
    try {
      return JSON.parse(text.slice(start));
    } catch {
      // The next start may do.
    }
  }
  return undefined;
}

function firstLine(text: string): string {
  return (/\S.{0,300}/.exec(text)?.[0] ?? '').trim();
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
