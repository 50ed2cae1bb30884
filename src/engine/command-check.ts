import {
  callable,
  checkFields,
  filled,
  flag,
  invalid,
  oneOf,
  text,
  texts,
  type Check,
  type Fields,
} from '../core/argument.ts';
import { factNames } from '../core/fact-name.ts';
import type { Identity } from '../core/frame.ts';
import type { CommandOptions, FrameGiven, PopGiven } from './session.ts';

// What changes a session is looked at whole before the step is decided: results
// that were misspelled would be lost, and the frame closed for good. Each of
// these throws `OPTION_INVALID` and names the argument.

const ofKey: Fields<keyof CommandOptions> = { key: filled() };

/** The options of a command; none where they are left out. */
export function checkCommandOptions(options: CommandOptions | undefined): void {
  if (options !== undefined) checkFields('options', options, ofKey);
}

const ofIdentity: Fields<keyof FrameGiven> = { title: text, criteria: text, brief: text };
const ofPlan: Fields<keyof FrameGiven | 'parent'> = { ...ofIdentity, parent: idOf('frame') };

/** What a frame is for. */
export function toIdentity(frame: FrameGiven): Identity {
  checkFields('frame', frame, ofIdentity);
  text('title', frame.title);
  return { title: frame.title, criteria: frame.criteria ?? '', brief: frame.brief ?? '' };
}

/** The same of a planned frame, and where it goes; null for under the active one. */
export function toPlan(frame: FrameGiven & { parent?: string }): {
  readonly identity: Identity;
  readonly parent: string | null;
} {
  checkFields('frame', frame, ofPlan);
  const { parent = null, ...identity } = frame;
  return { identity: toIdentity(identity), parent };
}

/** What is to change of a planned frame. */
export function checkEdit(identity: Partial<FrameGiven>): void {
  checkFields('identity', identity, ofIdentity);
}

const ofPop: Fields<keyof PopGiven> = {
  frame: idOf('frame'),
  status: oneOf(['completed', 'failed', 'blocked']),
  results: text,
  brief: text,
  artifacts: texts,
  decisions: texts,
  drop: flag,
};

/** How a frame is left. */
export function checkPop(given: PopGiven): void {
  checkFields('results', given, ofPop);
  ofPop.status('status', given.status);
}

/** Why a frame is closed, and the key of the command. */
export function toReason(why: string | { reason?: string; key?: string }): {
  readonly reason: string;
  readonly key?: string;
} {
  if (typeof why === 'string') return { reason: why };
  checkFields('reason', why, { reason: text, ...ofKey });
  return { ...why, reason: why.reason ?? '' };
}

/** Takes an id of a `kind`; whether there is one, the state says. */
function idOf(kind: string): Check {
  return (name, value) => {
    if (typeof value !== 'string')
      throw invalid(name, value, `the id of ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`);
  };
}

/** An id of a `kind`, as an argument of its own. */
export function checkId(kind: string, id: unknown): void {
  idOf(kind)(kind, id);
}

/** A listener, and the facts that it hears: of a type that there is, or `*` for all. */
export function checkListener(type: unknown, listener: unknown): void {
  if (type !== '*' && !factNames.includes(type as string))
    throw invalid('type', type, `*, or a type of fact, like ${likeness(type)}`);
  callable('listener', listener);
}

/** The types that begin as a misspelled one does; a few of all where none does. */
function likeness(type: unknown): string {
  const [subject] = String(type).split('.');
  const same = factNames.filter((name) => name.startsWith(`${subject}.`));
  return (same.length > 0 ? same : ['entry.appended', 'checkpoint.created']).join(', ');
}

/** The answer to a recovery. */
export function checkConfirmation(answer: unknown): void {
  if (typeof answer !== 'boolean') filled('true, false, or how it was')('answer', answer);
}
