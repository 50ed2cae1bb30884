import type { Goal } from '../frames/goal.ts';
import type { Whereabouts } from '../budget/options.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import type { Message } from '../messages/message.ts';

// A session as a script is what `export` writes and `import` reads. Steps are compared, so
// that a script that was imported before adds nothing. The table below must name each
// field of a step.

/** A line of an exported session. */
export type ScriptLine = ScriptHeader | ScriptStep;

/** The first line of a script. */
export interface ScriptHeader extends Whereabouts {
  readonly type: 'flamestack';
  readonly version: 1;
  readonly id: string;
  readonly title: string;
  /** Left out for none. */
  readonly system?: string;
  /** In tokens, and so is `reserve`. */
  readonly window: number;
  readonly reserve: number;
  /** Left out unless goal markers are off. */
  readonly markers?: false;
  /** The model that was named last, and who serves it; left out for none. */
  readonly model?: string;
  readonly provider?: string;
  /** How often the session was compressed: what it was, which an import does not rebuild. */
  readonly compressions?: number;
  /** Of all its messages; an import counts them itself. */
  readonly tokens?: number;
}

/** A line for one step. */
export type ScriptStep =
  | {
      readonly type: 'append';
      readonly message: Message;
      /** Milliseconds since 1970. */
      readonly at: number;
    }
  /** A message of an abandoned branch: in the log, and out of view. */
  | { readonly type: 'left'; readonly message: Message; readonly at: number }
  | ({ readonly type: 'goal' } & Goal)
  | (FrameStep & { readonly type: 'push' })
  /** `parent` is the active frame unless told. */
  | (FrameStep & { readonly type: 'plan'; readonly parent: string })
  | (FrameStep & { readonly type: 'edit' })
  | { readonly type: 'start'; readonly name: string }
  | { readonly type: 'retry'; readonly name: string; readonly of: string }
  | {
      readonly type: 'pop';
      /** The root, `f0`, or a blocked frame to close; the active one unless told. */
      readonly name?: string;
      readonly status: 'completed' | 'failed' | 'blocked';
      readonly results: string;
      readonly brief: string;
      /** Left out where they were told from the log, which the import does again; so are decisions. */
      readonly artifacts?: readonly string[];
      readonly decisions?: readonly string[];
      readonly drop: boolean;
    }
  /** `name` is the active frame unless told. */
  | { readonly type: 'invalidate'; readonly name: string; readonly reason: string };

interface FrameStep {
  /** What later steps call the frame. */
  readonly name: string;
  readonly title: string;
  readonly criteria: string;
  readonly brief: string;
}

/** The line of one kind of step. */
export type StepOf<T extends ScriptStep['type']> = Extract<ScriptStep, { readonly type: T }>;

/** A step as a person may write it, with fields left out. */
export type PartialStep = {
  [T in ScriptStep['type']]: { readonly type: T } & Partial<Omit<StepOf<T>, 'type'>>;
}[ScriptStep['type']];

/** How a field of two steps is compared: `present` only where both have it, `never` because a model may have rewritten it. */
type Comparison = 'always' | 'present' | 'never';

const messageFields = { message: 'always', at: 'present' } as const;
const frameFields = {
  name: 'present',
  title: 'always',
  criteria: 'always',
  brief: 'present',
} as const;

const fields: {
  readonly [T in ScriptStep['type']]: Readonly<
    Record<Exclude<keyof StepOf<T>, 'type'>, Comparison>
  >;
} = {
  append: messageFields,
  left: messageFields,
  goal: {
    description: 'always',
    priority: 'present',
    status: 'present',
    milestones: 'present',
    decisions: 'present',
    artifacts: 'present',
    next: 'present',
  },
  push: frameFields,
  plan: { ...frameFields, parent: 'present' },
  edit: { ...frameFields, name: 'always' },
  start: { name: 'always' },
  retry: { name: 'always', of: 'always' },
  pop: {
    name: 'always',
    status: 'always',
    results: 'never',
    brief: 'never',
    artifacts: 'present',
    decisions: 'present',
    drop: 'present',
  },
  invalidate: { name: 'present', reason: 'always' },
};

/** Whether a step of a file is the step that a session would export. */
export function isSameStep(own: ScriptStep, fileStep: PartialStep): boolean {
  if (own.type !== fileStep.type) return false;
  const [one, other] = [own, fileStep] as unknown as readonly Readonly<Record<string, unknown>>[];
  return Object.entries<Comparison>(fields[own.type]).every(
    ([field, comparison]) =>
      comparison === 'never' ||
      (comparison === 'present' && other![field] === undefined) ||
      canonicalJson(one![field]) === canonicalJson(other![field]),
  );
}
