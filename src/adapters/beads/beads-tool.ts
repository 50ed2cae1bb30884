import type { Beads } from './beads.ts';
import { BeadsError } from './beads-error.ts';
import type { Issue } from './issue.ts';
import { recoveryText } from './recovery-text.ts';
import { enrichedReady, readyText } from './ready-text.ts';
import type { IssueTracker } from './tracker.ts';
import { uncommittedFiles } from './uncommitted.ts';

/** What a model is told of the tool. */
export const beadsToolSpec = {
  name: 'beads',
  description:
    'Work with the issues of this project. ready: what can be begun · show: one issue · claim: take one · close: it is done · comment: note progress · create: a new issue · status: where things stand, or set the status of one.',
  parameters: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: ['ready', 'show', 'claim', 'close', 'comment', 'create', 'status'],
      },
      id: { type: 'string', description: 'The issue; the one in progress unless told' },
      text: { type: 'string', description: 'comment: what to write. close: what came of it' },
      title: { type: 'string', description: 'create: its title' },
      description: { type: 'string', description: 'create: what is to be done' },
      type: { type: 'string', description: 'create: task, bug, feature, epic, chore' },
      priority: { type: 'integer', minimum: 0, maximum: 4, description: 'create: 0 is urgent' },
      parent: { type: 'string', description: 'create: the issue that it belongs to' },
      status: { type: 'string', description: 'status: open, in_progress, blocked, deferred' },
      force: { type: 'boolean', description: 'claim: though files are uncommitted' },
    },
    required: ['action'],
    additionalProperties: false,
  },
} as const;

/** A call of the tool, as its schema lets it through. */
export interface BeadsCall {
  readonly action: (typeof beadsToolSpec.parameters.properties.action.enum)[number];
  readonly id?: string;
  readonly text?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly priority?: number;
  readonly parent?: string;
  readonly status?: string;
  readonly force?: boolean;
}

/** What the tool works with. */
export interface BeadsToolContext {
  readonly beads: Beads;
  readonly tracker: IssueTracker;
  readonly cwd: string;
  /** Comments that wait to be written. */
  readonly waiting: () => Promise<number>;
}

/** Carries a call out; resolves with a text for the model. Throws an `Error` that says what was wrong and what to do. */
export async function callBeads(call: BeadsCall, context: BeadsToolContext): Promise<string> {
  try {
    return await actions[call.action](call, context);
  } catch (error) {
    if (!(error instanceof BeadsError)) throw error;
    throw new Error(`${error.message} ${error.next}`, { cause: error });
  }
}

type Action = (call: BeadsCall, context: BeadsToolContext) => Promise<string>;

const actions: Readonly<Record<BeadsCall['action'], Action>> = {
  async ready(_, { beads }) {
    const issues = await beads.ready();
    const detailed = await beads.show(issues.slice(0, enrichedReady).map(({ id }) => id));
    return readyText(issues, detailed);
  },
  async show(call, { beads, tracker }) {
    const id = idOf(call, tracker);
    const [issue] = await beads.show([id]);
    if (issue === undefined) throw new Error(`There is no issue ${id}. Ask for "ready".`);
    return issueText(issue);
  },
  async claim(call, context) {
    const { beads, tracker, cwd } = context;
    const id = wanted(call, 'id');
    const refusal = call.force === true ? null : await dirtyTree(id, { tracker, cwd });
    if (refusal !== null) throw new Error(refusal);
    const issue = await beads.claim(id);
    await tracker.claimed(issue);
    const [claimed] = await beads.show([issue]);
    return claimed === undefined ? `Claimed ${issue}.` : `Claimed.\n${issueText(claimed)}`;
  },
  async close(call, { tracker, cwd }) {
    const id = idOf(call, tracker);
    const refusal = await tracker.close(id, call.text ?? 'done');
    if (refusal !== null) throw new Error(`${id} was not closed: ${refusal}`);
    const files = await uncommittedFiles(cwd);
    return files.length === 0
      ? `Closed ${id}.`
      : `Closed ${id}. Not committed yet: ${listed(files)}. Commit what belongs to it.`;
  },
  async comment(call, { beads, tracker }) {
    const id = idOf(call, tracker);
    await beads.comment(id, wanted(call, 'text'));
    if (id === tracker.issue()) tracker.send({ type: 'tracker.noted' });
    return `Noted on ${id}.`;
  },
  async create(call, { beads }) {
    const { description, type, priority, parent } = call;
    const id = await beads.create({
      title: wanted(call, 'title'),
      ...(description === undefined ? {} : { description }),
      ...(type === undefined ? {} : { type }),
      ...(priority === undefined ? {} : { priority }),
      ...(parent === undefined ? {} : { parent }),
    });
    return `Created ${id}.`;
  },
  async status(call, { beads, tracker, waiting }) {
    if (call.status !== undefined) {
      const id = idOf(call, tracker);
      await beads.setStatus(id, call.status);
      await tracker.look();
      return `${id} is ${call.status} now.`;
    }
    const [current, ready, left] = [await tracker.current(), await beads.ready(), await waiting()];
    return [
      current === null ? 'No issue is in progress.' : `In progress: ${headOf(current)}`,
      `Ready: ${ready.length}`,
      ...(left === 0 ? [] : [`Comments that could not be written yet: ${left}`]),
    ].join('\n');
  },
};

/** Why another issue should not be begun now; null where it may: what is uncommitted would get into its commits. */
export async function dirtyTree(
  id: string,
  { tracker, cwd }: Pick<BeadsToolContext, 'tracker' | 'cwd'>,
): Promise<string | null> {
  if (tracker.issue() === id) return null;
  const files = await uncommittedFiles(cwd);
  if (files.length === 0) return null;
  return `Not committed yet: ${listed(files)}. Commit or stash that first, so that the work of two issues stays apart; or claim with "force": true.`;
}

/** Most files that are named in a sentence. */
const mostNamed = 5;

function listed(files: readonly { readonly path: string }[]): string {
  const named = files.slice(0, mostNamed).map(({ path }) => path);
  const left = files.length - named.length;
  return left === 0 ? named.join(', ') : `${named.join(', ')} and ${left} more`;
}

function idOf({ id }: BeadsCall, tracker: IssueTracker): string {
  const known = id ?? tracker.issue();
  if (known === null) throw new Error('No issue is in progress: say which one with "id".');
  return known;
}

function wanted(call: BeadsCall, field: 'id' | 'text' | 'title'): string {
  const value = call[field]?.trim() ?? '';
  if (value === '') throw new Error(`"${call.action}" needs "${field}".`);
  return value;
}

/** An issue as it is told where an agent goes on with it. */
const issueText = (issue: Issue): string =>
  recoveryText({ rules: '', issue, uncommitted: [], now: Date.now() })
    .split('\n')
    .slice(4)
    .join('\n');

const headOf = ({ id, title }: Issue): string => `${id} ${title}`;
