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

// What changes a session is looked at whole before the step is decided: results
// that were misspelled would be lost, and the frame closed for good. Each of
// these throws `OPTION_INVALID` and names the argument.

const key = nonEmptyText();
const commandOptions = objectOf<CommandOptions>({ key });

/** The options of a command; none where they are left out. */
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

/** What a frame is for. */
export function toIdentity(frame: FrameGiven): Identity {
  checkArgument('frame', frame, newFrame);
  return { title: frame.title, criteria: frame.criteria ?? '', brief: frame.brief ?? '' };
}

/** The same of a planned frame, and where it goes; null for under the active one. */
export function toPlan(frame: FrameGiven & { parent?: string }): {
  readonly identity: Identity;
  readonly parent: string | null;
} {
  checkArgument('frame', frame, plannedFrame);
  const { parent = null, ...rest } = frame;
  return { identity: toIdentity(rest), parent };
}

/** What is to change of a planned frame. */
export function checkEdit(given: Partial<FrameGiven>): void {
  checkArgument('identity', given, changedFrame);
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

/** How a frame is left. */
export function checkPop(given: PopGiven): void {
  checkArgument('results', given, results);
}

const closing = objectOf<{ reason?: string; key?: string }>({ reason: text, key });

/** Why a frame is closed, and the key of the command. */
export function toReason(why: string | { reason?: string; key?: string }): {
  readonly reason: string;
  readonly key?: string;
} {
  if (typeof why === 'string') return { reason: why };
  checkArgument('reason', why, closing);
  return { ...why, reason: why.reason ?? '' };
}

/** An id of a `kind`, as an argument of its own. */
export function checkId(kind: string, id: unknown): void {
  checkArgument(kind, id, idOf(kind));
}

/** A listener, and the facts that it hears: of a type that there is, or `*` for all. */
export function checkListener(type: unknown, listener: unknown): void {
  if (type !== '*' && !factNames.includes(type as string))
    throw invalid('type', type, `*, or a type of fact, like ${likeness(type)}`);
  checkArgument('listener', listener, callable);
}

/** The types that begin as a misspelled one does; a few of all where none does. */
function likeness(type: unknown): string {
  const [subject] = String(type).split('.');
  const same = factNames.filter((name) => name.startsWith(`${subject}.`));
  return (same.length > 0 ? same : ['entry.appended', 'checkpoint.created']).join(', ');
}

const confirmation: Schema = {
  holds: (answer) => typeof answer === 'boolean' || isNonEmptyText(answer),
  takes: 'true, false, or how it was',
};

/** The answer to a recovery. */
export function checkConfirmation(answer: unknown): void {
  checkArgument('answer', answer, confirmation);
}
