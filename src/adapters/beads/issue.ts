import { isObject } from '../fields.ts';

// What `br` 0.1, `br` 0.5 and `bd` say of issues differs in names and in what they leave out. Everything is read
// here, and nothing that is missing or of another kind is an error: it is empty.

/** An issue that another one names. */
export interface IssueRef {
  readonly id: string;
  /** '' where only the id was told. */
  readonly title: string;
  /** '' where only the id was told. */
  readonly status: string;
}

/** A comment on an issue. */
export interface IssueComment {
  readonly author: string;
  readonly text: string;
  /** Time as the program tells it, in ISO 8601. */
  readonly at: string;
}

/** An issue of the tracker; a list tells less of it than `show`. */
export interface Issue extends IssueRef {
  readonly description: string;
  /** From 0, the most urgent, to 4; null where it is not told. */
  readonly priority: number | null;
  /** `task`, `bug`, `feature`, `epic` …; '' where it is not told. */
  readonly type: string;
  readonly assignee?: string;
  /** When it last changed, in ISO 8601; '' where it is not told. */
  readonly updated: string;
  readonly parent: IssueRef | null;
  /** Issues that must be closed before this one; some may be closed. */
  readonly blockers: readonly IssueRef[];
  /** Issues that wait for this one. */
  readonly unblocks: readonly IssueRef[];
  readonly children: readonly IssueRef[];
  /** Oldest first. */
  readonly comments: readonly IssueComment[];
}

type Row = Readonly<Record<string, unknown>>;

/** The issues of an answer, in its order: those that have an id. */
export function issuesIn(answer: unknown): readonly Issue[] {
  return rowsIn(answer).flatMap((row) => (textOf(row['id']) === '' ? [] : [toIssue(row)]));
}

/** The rows of an answer: a list, a list under the name that the command gives it, or the one object. */
export function rowsIn(answer: unknown): readonly Row[] {
  if (Array.isArray(answer)) return answer.filter(isObject);
  if (!isObject(answer)) return [];
  for (const name of ['data', 'issues', 'updated', 'closed'])
    if (typeof answer[name] === 'object' && answer[name] !== null) return rowsIn(answer[name]);
  return [answer];
}

function toIssue(row: Row): Issue {
  const dependencies = refsIn(row['dependencies'], 'depends_on_id');
  const dependents = refsIn(row['dependents'], 'issue_id');
  const assignee = textOf(row['assignee']);
  return {
    ...toRef(row),
    description: textOf(row['description']),
    priority: priorityOf(row['priority']),
    type: textOf(row['issue_type'] ?? row['type']),
    ...(assignee !== '' && { assignee }),
    updated: textOf(row['updated_at']),
    parent: dependencies.find(({ kind }) => kind === 'parent-child')?.ref ?? parentOf(row),
    blockers: dependencies.filter(isBlocking).map(({ ref }) => ref),
    unblocks: dependents.filter(isBlocking).map(({ ref }) => ref),
    children: dependents.filter(({ kind }) => kind === 'parent-child').map(({ ref }) => ref),
    comments: listOf(row['comments']).map(toComment),
  };
}

/** One end of a dependency. */
interface Edge {
  readonly kind: string;
  readonly ref: IssueRef;
}

/** The issues at the other end: whole ones, or edges that have their id under `end`. */
function refsIn(value: unknown, end: 'depends_on_id' | 'issue_id'): readonly Edge[] {
  return listOf(value).flatMap((row) => {
    const ref = toRef({ ...row, id: row['id'] ?? row[end] });
    const kind = textOf(row['dependency_type'] ?? row['dep_type'] ?? row['type']);
    return ref.id === '' ? [] : [{ kind: kind === '' ? 'blocks' : kind, ref }];
  });
}

function isBlocking({ kind }: Edge): boolean {
  return kind === 'blocks' || kind === 'conditional-blocks' || kind === 'waits-for';
}

function parentOf({ parent }: Row): IssueRef | null {
  const ref = toRef(isObject(parent) ? parent : { id: parent });
  return ref.id === '' ? null : ref;
}

function toRef(row: Row): IssueRef {
  return { id: textOf(row['id']), title: textOf(row['title']), status: textOf(row['status']) };
}

function toComment(row: Row): IssueComment {
  const text = textOf(row['text'] ?? row['body'] ?? row['content']);
  return { author: textOf(row['author']), text, at: textOf(row['created_at']) };
}

/** 2, "2" and "P2" alike. */
function priorityOf(value: unknown): number | null {
  const digits = /^p?(\d)$/i.exec(textOf(value))?.[1];
  return digits === undefined ? null : Number(digits);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? `${value}` : '';
}

function listOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
