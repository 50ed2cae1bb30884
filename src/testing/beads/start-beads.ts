import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { programText } from './program.ts';

/** An issue that a scripted tracker begins with. */
export interface ScriptedIssue {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** `open` unless told. */
  readonly status?: string;
  /** 2 unless told. */
  readonly priority?: number;
  /** `task` unless told. */
  readonly type?: string;
  readonly assignee?: string;
  readonly parent?: string;
  /** Ids of issues that must be closed before it. */
  readonly blockedBy?: readonly string[];
  /** Oldest first; a text alone is written by `tester`, now. */
  readonly comments?: readonly (string | ScriptedComment)[];
  /** When it last changed; now unless told. */
  readonly updated?: string;
}

/** A comment in a scripted tracker. */
export interface ScriptedComment {
  readonly text: string;
  readonly author: string;
  /** In ISO 8601. */
  readonly at: string;
}

/** An issue as it is now in a scripted tracker. */
export interface TrackedIssue extends ScriptedIssue {
  readonly status: string;
  readonly comments: readonly ScriptedComment[];
}

/** How a scripted tracker is set up. */
export interface ScriptedBeadsOptions {
  /** Whose commands, shapes and errors it has; `br` unless told. */
  readonly program?: 'br' | 'bd';
  /** Whose shapes `br` has; `0.5` unless told. */
  readonly version?: '0.1' | '0.5';
  readonly issues?: readonly ScriptedIssue[];
  /** What new ids begin with; `br` unless told. */
  readonly prefix?: string;
  /** Who works, where neither `--actor` nor `BD_ACTOR` says it; `tester` unless told. */
  readonly actor?: string;
  /** Flags that it does not know, such as `--claim`. */
  readonly lacks?: readonly string[];
}

/** What goes wrong with the calls to come; what is left out goes well. */
export interface BeadsTrouble {
  /** Each call waits so long, in milliseconds. */
  readonly delay?: number;
  /** So many calls find the database locked. */
  readonly locked?: number;
  /** Each call is refused so; `exit` by the code unless told. */
  readonly fail?: { readonly code: string; readonly message: string; readonly exit?: number };
  /** Each call prints this instead of an answer. */
  readonly says?: string;
  /** The program is not there. */
  readonly missing?: boolean;
  /** Only calls that begin so meet it, such as `comments add`; all unless told. */
  readonly only?: string;
}

/** A scripted tracker: a project with a `.beads` folder, and a program that stands in for `br` or `bd`. */
export interface ScriptedBeads extends AsyncDisposable {
  /** The project. */
  readonly folder: string;
  /** The folder of the program. */
  readonly bin: string;
  /** The PATH of this process with the program first. */
  readonly env: { readonly PATH: string };
  /** The arguments of each call, in the order in which they began. */
  readonly calls: readonly (readonly string[])[];
  /** The issues as they are now, by id. */
  readonly issues: Readonly<Record<string, TrackedIssue>>;
  /** Takes the place of the trouble before. */
  behave(trouble: BeadsTrouble): void;
  /** Removes the project and the program. */
  close(): Promise<void>;
}

/**
 * Starts a tracker whose issues are scripted. Nothing runs until its program is called; what is written stays in the
 * project's `.beads` folder, for the processes after. Not for Windows.
 */
export async function startBeads(options: ScriptedBeadsOptions = {}): Promise<ScriptedBeads> {
  const { program = 'br', version = '0.5', prefix = 'br', actor = 'tester', lacks = [] } = options;
  const root = mkdtempSync(join(tmpdir(), 'flamestack-beads-'));
  const [bin, folder] = [join(root, 'bin'), join(root, 'project')];
  const state = join(folder, '.beads', 'beads.json');
  for (const made of [join(bin, 'locks'), join(folder, '.beads')])
    mkdirSync(made, { recursive: true });
  const put = (name: string, value: unknown): void =>
    writeFileSync(join(bin, name), JSON.stringify(value));
  put('settings.json', { program, version, prefix, actor, lacks });
  writeFileSync(state, JSON.stringify(toState(options.issues ?? [])));
  writeFileSync(join(bin, 'program.cjs'), programText);
  writeFileSync(join(bin, 'calls.jsonl'), '');
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(bin, 'program.cjs')}' "$@"\n`;
  writeFileSync(join(bin, program), command, { mode: 0o755 });
  let isThere = true;

  const close = async (): Promise<void> =>
    rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  return {
    folder,
    bin,
    env: { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    get calls() {
      const lines = readFileSync(join(bin, 'calls.jsonl'), 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as string[]);
    },
    get issues() {
      return issuesOf(JSON.parse(readFileSync(state, 'utf8')) as State);
    },
    behave({ locked = 0, missing = false, ...trouble }) {
      rmSync(join(bin, 'locks'), { recursive: true });
      mkdirSync(join(bin, 'locks'));
      for (let n = 0; n < locked; n += 1) put(join('locks', `${n}`), n);
      put('trouble.json', trouble);
      if (missing === isThere)
        renameSync(join(bin, isThere ? program : 'away'), join(bin, isThere ? 'away' : program));
      isThere = !missing;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What the program keeps. */
interface State {
  readonly issues: readonly StateIssue[];
  readonly dependencies: readonly Dependency[];
  readonly comments: readonly StateComment[];
}

interface StateIssue {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly status: string;
  readonly priority: number;
  readonly issue_type: string;
  readonly assignee?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Dependency {
  readonly issue_id: string;
  readonly depends_on_id: string;
  readonly type: string;
}

interface StateComment {
  readonly id: number | string;
  readonly issue_id: string;
  readonly author: string;
  readonly text: string;
  readonly created_at: string;
}

function toState(issues: readonly ScriptedIssue[]): State {
  const now = new Date().toISOString();
  const comments = issues.flatMap(({ id, comments = [] }) =>
    comments.map((comment) => ({
      issue_id: id,
      ...(typeof comment === 'string' ? { text: comment, author: 'tester', at: now } : comment),
    })),
  );
  return {
    issues: issues.map((issue) => ({
      id: issue.id,
      title: issue.title,
      ...(issue.description !== undefined && { description: issue.description }),
      status: issue.status ?? 'open',
      priority: issue.priority ?? 2,
      issue_type: issue.type ?? 'task',
      ...(issue.assignee !== undefined && { assignee: issue.assignee }),
      created_at: issue.updated ?? now,
      updated_at: issue.updated ?? now,
    })),
    dependencies: issues.flatMap(({ id, parent, blockedBy = [] }) => [
      ...(parent === undefined
        ? []
        : [{ issue_id: id, depends_on_id: parent, type: 'parent-child' }]),
      ...blockedBy.map((other) => ({ issue_id: id, depends_on_id: other, type: 'blocks' })),
    ]),
    comments: comments.map(({ at, ...comment }, index) => ({
      id: index + 1,
      ...comment,
      created_at: at,
    })),
  };
}

function issuesOf({ issues, dependencies, comments }: State): Record<string, TrackedIssue> {
  const isOf = (type: string, id: string) => (edge: Dependency) =>
    edge.issue_id === id && edge.type === type;
  const entries = issues.map(({ issue_type, updated_at, ...issue }) => {
    const [parent] = dependencies.filter(isOf('parent-child', issue.id));
    const blockers = dependencies.filter(isOf('blocks', issue.id));
    const said = comments.filter(({ issue_id }) => issue_id === issue.id);
    return {
      ...issue,
      type: issue_type,
      updated: updated_at,
      ...(parent !== undefined && { parent: parent.depends_on_id }),
      blockedBy: blockers.map(({ depends_on_id }) => depends_on_id),
      comments: said.map(({ text, author, created_at }) => ({ text, author, at: created_at })),
    };
  });
  return Object.fromEntries(entries.map((issue) => [issue.id, issue]));
}
