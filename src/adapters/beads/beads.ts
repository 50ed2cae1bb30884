import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BeadsError } from './beads-error.ts';
import { issuesIn, rowsIn, type Issue } from './issue.ts';
import { askProgram } from './program-call.ts';

/** The trackers that are known: beads_rust and beads. */
export type BeadsProgram = 'br' | 'bd';

/** How a tracker is called. */
export interface BeadsOptions {
  /** The program; the first of `br` and `bd` that answers, unless told. */
  readonly program?: BeadsProgram;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Longest that a call may take, in milliseconds: 5,000 to read and 10,000 to write unless told. */
  readonly timeouts?: { readonly read?: number; readonly write?: number };
}

/** A project that a tracker knows. */
export interface BeadsProject {
  readonly program: BeadsProgram;
  /** What its issues' ids begin with, where the program tells it. */
  readonly prefix?: string;
}

/** A new issue. */
export interface NewIssue {
  readonly title: string;
  readonly description?: string;
  readonly type?: string;
  /** From 0, the most urgent, to 4. */
  readonly priority?: number;
  /** Id of its parent. */
  readonly parent?: string;
}

/** What became of an issue that was to be closed. */
export interface Closing {
  readonly id: string;
  /** Whether it is closed now, by this call or before it. */
  readonly isClosed: boolean;
  /** Why it is not; '' where it is. */
  readonly why: string;
}

/** The tracker of a folder. Every method but `info` rejects with a {@link BeadsError}. */
export interface Beads {
  /** The project at or above the folder; null where there is none, or no program answers for it. Never rejects. */
  info(): Promise<BeadsProject | null>;
  /** The issue under work, whole: of several, the one that changed last. Issues of others than `BD_ACTOR`, if that is set, are not ours. */
  inProgress(): Promise<Issue | null>;
  /** The issues, whole and in this order. */
  show(ids: readonly string[]): Promise<readonly Issue[]>;
  /** Issues that can be begun, the most urgent first, without what they depend on; 20 unless told. */
  ready(limit?: number): Promise<readonly Issue[]>;
  /** Takes an issue; resolves with its whole id. */
  claim(id: string): Promise<string>;
  /** Closes an issue, and says whether it is closed. */
  close(id: string, reason: string): Promise<Closing>;
  /** Writes a comment; `timeout` in milliseconds. */
  comment(id: string, text: string, options?: { readonly timeout?: number }): Promise<void>;
  /** Makes an issue; resolves with its id. */
  create(issue: NewIssue): Promise<string>;
  setStatus(id: string, status: string): Promise<void>;
}

/** The tracker of `cwd`, asked by its command line. Nothing is run before the first call. */
export function beadsIn(cwd: string, options: BeadsOptions = {}): Beads {
  const { ask, project, program } = trackerOf(cwd, options);
  const { read = 5_000, write = 10_000 } = options.timeouts ?? {};
  const actor = options.env?.['BD_ACTOR'] ?? process.env['BD_ACTOR'];

  const show = async (ids: readonly string[]): Promise<readonly Issue[]> => {
    if (ids.length === 0) return [];
    const args = ['show', ...ids.map(checkedId), '--json'];
    if ((await program()) === 'br') return issuesIn(await ask(args, read));
    const answer = await orWithout(
      () => ask([...args, ...bodies], read),
      () => ask(args, read),
    );
    return issuesIn(answer);
  };

  return {
    info: () => project().catch(() => null),
    show,

    async inProgress() {
      const answer = await ask(['list', '--status=in_progress', '--limit=0', '--json'], read);
      const ours = issuesIn(answer).filter(
        ({ assignee }) => assignee === undefined || !actor || assignee === actor,
      );
      const [newest] = ours.toSorted((one, other) => timeOf(other) - timeOf(one));
      return newest === undefined ? null : ((await show([newest.id]))[0] ?? newest);
    },

    async ready(limit = 20) {
      return issuesIn(await ask(['ready', '--sort=priority', `--limit=${limit}`, '--json'], read));
    },

    async claim(id) {
      const update = ['update', checkedId(id), '--json'];
      const answer = await orWithout(
        () => ask([...update, '--claim'], write),
        () => ask([...update, '--status=in_progress'], write),
      );
      return idIn(answer) ?? id;
    },

    async close(id, reason) {
      const args = ['close', checkedId(id), `--reason=${sendable(reason)}`, '--json'];
      let refusal: unknown;
      try {
        const closed = rowsIn(await ask(args, write)).map((row) => row['id']);
        const whole = closed.find((one) => typeof one === 'string' && isSame(one, id));
        if (whole !== undefined) return { id: whole as string, isClosed: true, why: '' };
      } catch (error) {
        if (!(error instanceof BeadsError && error.reason === 'refused')) throw error;
        refusal = error;
      }
      return openStill(id, refusal, show);
    },

    async comment(id, text, { timeout = write } = {}) {
      await ask(['comments', 'add', '--json', checkedId(id), '--', sendable(text)], timeout);
    },

    async create({ title, description, type, priority, parent }) {
      const args = ['create', '--json'];
      if (description !== undefined) args.push(`--description=${sendable(description)}`);
      if (type !== undefined) args.push(`--type=${sendable(type)}`);
      if (priority !== undefined) args.push(`--priority=${priority}`);
      if (parent !== undefined) args.push(`--parent=${checkedId(parent)}`);
      const answer = await ask([...args, '--', sendable(title)], write);
      const id = idIn(answer);
      if (id !== undefined) return id;
      throw new BeadsError({ reason: 'unreadable', message: 'The new issue has no id' });
    },

    async setStatus(id, status) {
      await ask(['update', checkedId(id), `--status=${sendable(status)}`, '--json'], write);
    },
  };
}

/** How `bd show` tells comments and dependents, which `br` does unasked. */
const bodies = ['--include-comments', '--include-dependents'];

/** What every call to a tracker shares. */
interface Tracker {
  /** Looks for the project anew. */
  readonly project: () => Promise<BeadsProject>;
  /** The program of the project, which is looked for once. */
  readonly program: () => Promise<BeadsProgram>;
  readonly ask: (args: readonly string[], timeout: number) => Promise<unknown>;
}

function trackerOf(cwd: string, options: BeadsOptions): Tracker {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...options.env,
    RUST_LOG: 'error',
    NO_COLOR: '1',
  };
  const programs: readonly BeadsProgram[] = options.program ? [options.program] : ['br', 'bd'];
  const timeout = options.timeouts?.read ?? 5_000;
  let known: BeadsProgram | undefined;

  const project = async (): Promise<BeadsProject> => {
    if (env['BEADS_DIR'] === undefined && !hasFolder(resolve(cwd)))
      throw new BeadsError({ reason: 'missing', message: `No .beads folder at or above ${cwd}` });
    let failure: unknown;
    for (const program of programs) {
      try {
        const answer = await askProgram({ program, args: ['info', '--json'], cwd, env, timeout });
        known = program;
        const prefix = prefixIn(answer);
        return { program, ...(prefix !== undefined && { prefix }) };
      } catch (error) {
        const reason = error instanceof BeadsError ? error.reason : 'refused';
        // A project that another process writes to is one, all the same.
        if (reason === 'locked') return { program };
        if (failure === undefined || reason !== 'missing') failure = error;
      }
    }
    throw failure;
  };
  const program = async (): Promise<BeadsProgram> => known ?? (await project()).program;
  return {
    project,
    program,
    ask: async (args, timeout) => askProgram({ program: await program(), args, cwd, env, timeout }),
  };
}

/** What `first` resolves with, or `second` where the program does not know a flag of the first. */
async function orWithout(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await first();
  } catch (error) {
    if (error instanceof BeadsError && unknownFlag.test(error.message)) return second();
    throw error;
  }
}

const unknownFlag = /\bunexpected argument '--|\bunknown flag: --/;

/** Looks at an issue that was not closed. A refusal stands where the issue cannot be seen. */
async function openStill(id: string, refusal: unknown, show: Beads['show']): Promise<Closing> {
  const [issue] = await show([id]).catch((error: unknown) => {
    throw refusal ?? error;
  });
  if (issue?.status === 'closed') return { id: issue.id, isClosed: true, why: '' };
  const open = (issue?.blockers ?? []).filter(({ status }) => status !== 'closed');
  if (open.length > 0)
    return { id, isClosed: false, why: `blocked by ${open.map(({ id }) => id).join(', ')}` };
  if (refusal !== undefined) throw refusal;
  return { id, isClosed: false, why: 'the tracker closed nothing' };
}

function hasFolder(folder: string): boolean {
  if (existsSync(join(folder, '.beads'))) return true;
  const above = dirname(folder);
  return above !== folder && hasFolder(above);
}

/** An id as it may be given to a program: never a flag, a path or several words. */
function checkedId(id: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(id)) return id;
  const message = `${JSON.stringify(id.slice(0, 100))} is no id of an issue`;
  throw new BeadsError({
    reason: 'refused',
    code: 'ID_INVALID',
    message,
    next: 'Take an id as the ready list prints it.',
  });
}

/** A text as an argument can carry it: no NUL, and no more than a system takes in one. */
function sendable(text: string): string {
  return text.replaceAll('\0', '').slice(0, 30_000);
}

/** Whether `whole` is the id that was asked for, perhaps in part. */
function isSame(whole: string, asked: string): boolean {
  return whole === asked || (whole.split('-').at(-1) ?? '').startsWith(asked.split('-').at(-1)!);
}

function idIn(answer: unknown): string | undefined {
  return issuesIn(answer)[0]?.id;
}

function prefixIn(answer: unknown): string | undefined {
  const config = rowsIn(answer)[0]?.['config'];
  if (typeof config !== 'object' || config === null) return undefined;
  const prefix = (config as Record<string, unknown>)['issue_prefix'];
  return typeof prefix === 'string' && prefix !== '' ? prefix : undefined;
}

function timeOf({ updated }: Issue): number {
  return Date.parse(updated) || 0;
}
