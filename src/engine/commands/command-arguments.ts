import {
  callable,
  checkArgument,
  nonEmptyText,
  flag,
  idOf,
  invalid,
  isNonEmptyText,
  objectOf,
  oneOf,
  text,
  texts,
  type Schema,
} from '../../core/values/validation.ts';
import { factNames } from '../../core/state/evolve.ts';
import type { Identity } from '../../core/frames/frame.ts';
import type { CommandOptions, FrameGiven, PopGiven } from './command.ts';

// The arguments of a command are checked whole before its step is decided: a
// misspelled `results` would be lost, and the frame closed for good. Each check
// throws `OPTION_INVALID` and names the argument.

const key = nonEmptyText();
const commandOptions = objectOf<CommandOptions>({ key });

/** Checks the options of a command, where there are any. */
export function checkCommandOptions(options: CommandOptions | undefined): void {
  if (options !== undefined) checkArgument('options', options, commandOptions);
}

const identity = { title: text, criteria: text, brief: text };
const newFrame = objectOf<FrameGiven>(identity, ['title']);
const plannedFrame = objectOf<FrameGiven & { parent?: string }>(
  { ...identity, parent: idOf('frame') },
  ['title'],
);
const changedFrame = objectOf<Partial<FrameGiven>>(identity);

/** The identity of a frame, checked. */
export function toIdentity(frame: FrameGiven): Identity {
  checkArgument('frame', frame, newFrame);
  return { title: frame.title, criteria: frame.criteria ?? '', brief: frame.brief ?? '' };
}

/** The identity of a planned frame, and its parent; null for the active frame. */
export function toPlan(frame: FrameGiven & { parent?: string }): {
  readonly identity: Identity;
  readonly parent: string | null;
} {
  checkArgument('frame', frame, plannedFrame);
  const { parent = null, ...rest } = frame;
  return { identity: toIdentity(rest), parent };
}

/** Checks what is to change of a planned frame. */
export function checkEdit(edit: Partial<FrameGiven>): void {
  checkArgument('identity', edit, changedFrame);
}

const results = objectOf<PopGiven>(
  {
    frame: idOf('frame'),
    status: oneOf('completed', 'failed', 'blocked'),
    results: text,
    brief: text,
    artifacts: texts,
    decisions: texts,
    drop: flag,
  },
  ['status'],
);

/** Checks how a frame is to be left. */
export function checkPop(outcome: PopGiven): void {
  checkArgument('results', outcome, results);
}

const closing = objectOf<{ reason?: string; key?: string }>({ reason: text, key });

/** Why a frame is closed, and the key of the command, checked. */
export function toReason(why: string | { reason?: string; key?: string }): {
  readonly reason: string;
  readonly key?: string;
} {
  if (typeof why === 'string') return { reason: why };
  checkArgument('reason', why, closing);
  return { ...why, reason: why.reason ?? '' };
}

/** Checks an id of a `kind`, as an argument of its own. */
export function checkId(kind: string, id: unknown): void {
  checkArgument(kind, id, idOf(kind));
}

/** Checks a listener, and the type of its facts: one that there is, or `*` for all. */
export function checkListener(type: unknown, listener: unknown): void {
  if (type !== '*' && !factNames.includes(type as string))
    throw invalid('type', type, `*, or a type of fact, like ${similarTypes(type)}`);
  checkArgument('listener', listener, callable);
}

/** Types of facts that a misspelled one may mean: those that begin alike; else a few examples. */
function similarTypes(type: unknown): string {
  const [subject] = String(type).split('.');
  const same = factNames.filter((name) => name.startsWith(`${subject}.`));
  return (same.length > 0 ? same : ['entry.appended', 'checkpoint.created']).join(', ');
}

const confirmation: Schema = {
  holds: (answer) => typeof answer === 'boolean' || isNonEmptyText(answer),
  takes: 'true, false, or how it was',
};

/** Checks the answer to a recovery. */
export function checkConfirmation(answer: unknown): void {
  checkArgument('answer', answer, confirmation);
}
