import type { Goal } from '../frames/goal.ts';
import type { Message } from '../messages/message.ts';

// A session as a script: what `export` writes, `import` reads, and the two are
// compared by, so that a script adds nothing where it is already. A field has its
// place in all three or in none: the table below must name it.

/** A line of an exported session. */
export type ScriptLine = ScriptHeader | ScriptStep;

/** What a script is of; its first line. */
export interface ScriptHeader {
  readonly type: 'flamestack';
  readonly version: 1;
  readonly id: string;
  readonly title: string;
  /** Left out where there is none. */
  readonly system?: string;
  /** In tokens, and so is `reserve`. */
  readonly window: number;
  readonly reserve: number;
  /** Left out unless markers in what the model says change nothing. */
  readonly markers?: false;
}

/** A line that says what happened. */
export type ScriptStep =
  | {
      readonly type: 'append';
      readonly message: Message;
      /** Milliseconds since 1970. */
      readonly at: number;
    }
  /** Was said on a way that was left for another; it is in the log, and out of view. */
  | { readonly type: 'left'; readonly message: Message; readonly at: number }
  | ({ readonly type: 'goal' } & Goal)
  | (Identified & { readonly type: 'push' })
  /** `parent` is the active frame unless told. */
  | (Identified & { readonly type: 'plan'; readonly parent: string })
  | (Identified & { readonly type: 'edit' })
  | { readonly type: 'start'; readonly name: string }
  | { readonly type: 'retry'; readonly name: string; readonly of: string }
  | {
      readonly type: 'pop';
      /** The root, `f0`, or a blocked frame to close; the active one unless told. */
      readonly name?: string;
      readonly status: 'completed' | 'failed' | 'blocked';
      readonly results: string;
      readonly brief: string;
      readonly artifacts: readonly string[];
      readonly decisions: readonly string[];
      readonly drop: boolean;
    }
  /** `name` is the active frame unless told. */
  | { readonly type: 'invalidate'; readonly name: string; readonly reason: string };

interface Identified {
  /** What later steps call the frame. */
  readonly name: string;
  readonly title: string;
  readonly criteria: string;
  readonly brief: string;
}

/** The line of one kind of step. */
export type StepOf<T extends ScriptStep['type']> = Extract<ScriptStep, { readonly type: T }>;

/** A step as a file may have it that somebody wrote by hand. */
export type GivenStep = {
  [T in ScriptStep['type']]: { readonly type: T } & Partial<Omit<StepOf<T>, 'type'>>;
}[ScriptStep['type']];

/** How a field tells two steps apart: `given` only where both have it, `free` never, for a model may have written it anew. */
type Telling = 'exact' | 'given' | 'free';

const said = { message: 'exact', at: 'given' } as const;
const identified = { name: 'given', title: 'exact', criteria: 'exact', brief: 'given' } as const;

const fields: {
  readonly [T in ScriptStep['type']]: Readonly<Record<Exclude<keyof StepOf<T>, 'type'>, Telling>>;
} = {
  append: said,
  left: said,
  goal: {
    description: 'exact',
    priority: 'given',
    status: 'given',
    milestones: 'given',
    decisions: 'given',
    artifacts: 'given',
    next: 'given',
  },
  push: identified,
  plan: { ...identified, parent: 'given' },
  edit: { ...identified, name: 'exact' },
  start: { name: 'exact' },
  retry: { name: 'exact', of: 'exact' },
  pop: {
    name: 'exact',
    status: 'exact',
    results: 'free',
    brief: 'free',
    artifacts: 'given',
    decisions: 'given',
    drop: 'given',
  },
  invalidate: { name: 'given', reason: 'exact' },
};

/** Whether a step of a file is the one that a session would export here. */
export function isSameStep(own: ScriptStep, given: GivenStep): boolean {
  if (own.type !== given.type) return false;
  const [one, other] = [own, given] as unknown as readonly Readonly<Record<string, unknown>>[];
  return Object.entries<Telling>(fields[own.type]).every(
    ([field, telling]) =>
      telling === 'free' ||
      (telling === 'given' && other![field] === undefined) ||
      canonical(one![field]) === canonical(other![field]),
  );
}

/** JSON with the fields of every object in one order. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
