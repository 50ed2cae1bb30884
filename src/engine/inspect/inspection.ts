import { compressionMachine } from '../../../machines/compression.ts';
import { lifecycleVersions } from '../../../machines/lifecycle.ts';
import { recoveryMachine } from '../../../machines/recovery.ts';
import { isClosed } from '../../core/frames/frame.ts';
import { idleStates, type Move, type Subject, type Transition } from '../step/trace.ts';
import { contextOf } from './inspected-context.ts';

/** One move of one actor of a session: a machine, or work that is owed. */
export interface Inspection {
  /** The step that it is a part of: its record in the journal, from 1. */
  readonly seq: number;
  /** Its place in the step, from 0. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * The session's id, alone or with a part of it behind: `notes`, `notes/f3`, `notes/f3/compression`,
   * `notes/recovery`, `notes/effect/<key>`, `notes/timer/<key>`, `notes/document/<key>`.
   */
  readonly actor: string;
  /** Left out for the session. */
  readonly parent?: string;
  readonly machine: Subject['machine'];
  /** That of the machine; '' for an effect, a timer and a document, which have none. */
  readonly version: string;
  /** Its type, ids and counts: `init` for an actor that begins, `done(port)` and `error(port)` for what a port brings. */
  readonly event: { readonly type: string; readonly [field: string]: unknown };
  /** The state before; null for an actor that begins. */
  readonly from: string | null;
  /** The state after. */
  readonly value: string;
  /** Ids and counts; texts, too, where they were asked for. */
  readonly context: Readonly<Record<string, unknown>>;
  /** `stopped` for a frame on a branch that was left. */
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  /** The ports that it asks; left out for none. */
  readonly asked?: readonly string[];
  /** The types of what it emits; left out for none. */
  readonly emitted?: readonly string[];
}

/** The moves of one step. */
export interface TracedStep {
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly moves: readonly Transition[];
}

/** What an inspector is told of a step; with the texts in it where `text`. */
export function inspectionsOf(
  { session, seq, at, moves }: TracedStep,
  text: boolean,
): readonly Inspection[] {
  return moves.map((move, n) => {
    const { machine, event, from, to, asked = [], emitted = [] } = move;
    const [name, parent] = namesOf(move);
    const within = (path: string): string => (path === '' ? session : `${session}/${path}`);
    return {
      seq,
      n,
      at,
      actor: within(name),
      ...(parent === null ? {} : { parent: within(parent) }),
      machine,
      version: versions[machine],
      event: text ? { ...event } : idsAndCounts(event),
      from,
      value: to,
      context: contextOf(move, text),
      status: statusOf(move),
      ...(asked.length === 0 ? {} : { asked }),
      ...(emitted.length === 0 ? {} : { emitted }),
    };
  });
}

const versions: Readonly<Record<Subject['machine'], string>> = {
  ...lifecycleVersions,
  compression: compressionMachine.version!,
  recovery: recoveryMachine.version!,
  effect: '',
  timer: '',
  document: '',
};

/** Where an actor is in its session, and where its parent is; null for none. */
function namesOf(subject: Subject): readonly [name: string, parent: string | null] {
  switch (subject.machine) {
    case 'session':
      return ['', null];
    case 'frame':
      return [subject.frame.id, subject.frame.parent ?? ''];
    case 'compression':
      return [`${subject.frame}/compression`, subject.frame];
    case 'recovery':
      return ['recovery', ''];
    case 'effect': {
      const { frame, purpose } = subject.effect;
      const parent = purpose === 'checkpoint' ? `${frame}/compression` : frame;
      return [`effect/${subject.key}`, parent];
    }
    case 'timer':
      return [`timer/${subject.key}`, `${subject.frame}/compression`];
    case 'document':
      return [`document/${subject.document.key}`, ''];
  }
}

function statusOf({
  from,
  to,
  ...subject
}: Subject & Pick<Move, 'from' | 'to'>): Inspection['status'] {
  switch (subject.machine) {
    case 'session':
      return to === 'completed' ? 'done' : 'active';
    case 'frame': {
      const { frame } = subject;
      if (frame.branch !== undefined) return 'stopped';
      return isClosed({ ...frame, status: to as typeof frame.status }) ? 'done' : 'active';
    }
    case 'compression':
    case 'recovery':
      return from !== null && to === idleStates[subject.machine] ? 'done' : 'active';
    case 'effect':
    case 'timer':
    case 'document':
      if (to === 'failed') return 'error';
      return to === 'pending' || to === 'waiting' ? 'active' : 'done';
  }
}

/** Fields of events that hold an id or a word of ours, and never a text. */
const named: ReadonlySet<string> = new Set([
  'type',
  'frame',
  'parent',
  'entry',
  'to',
  'checkpoint',
  'snapshot',
  'key',
  'status',
  'cause',
  'what',
]);

/** An event without texts: its ids, numbers and flags, the lengths of its lists; so of what a port brought. */
function idsAndCounts(event: Move['event'] & { readonly output?: unknown }): Inspection['event'] {
  const { output, ...rest } = event;
  const brought = typeof output === 'object' && output !== null ? output : { output };
  const fields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries<unknown>({ ...brought, ...rest })) {
    const isCount = typeof value === 'number' || typeof value === 'boolean';
    if (Array.isArray(value)) fields[field] = value.length;
    else if (isCount || (typeof value === 'string' && named.has(field))) fields[field] = value;
  }
  return { ...fields, type: event.type };
}
