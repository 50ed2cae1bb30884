import { assign, emit, enqueueActions, setup, type SnapshotFrom } from 'xstate';
import { eventOf, outputOf, port, reasonOf } from './port.ts';

// The life of an issue while an agent works on it. The tracker's own comments are what lasts; here is what
// was not written down yet: which files were edited, and how many turns ago the last word was written. What
// is to be written is emitted, so whoever runs the machine writes it, and again where that fails.

/** Turns without a word in the tracker after which the agent is reminded, and again after as many more. */
export const turnsToNudge = 8;

/** Most files that are remembered of an issue, most issues of which any are, and most work of the time before one is known. */
const most = { files: 100, issues: 20, early: 1_000 };

/** What is known of a project when it was looked at. */
export interface FoundProject {
  /** The issue in progress; null for none. */
  readonly issue: string | null;
}

/** The input of the port that closes an issue. */
export interface CloseRequest {
  readonly issue: string;
  readonly reason: string;
}

/** What is to be written as a comment. */
export type TrackerNote =
  | { readonly kind: 'commit'; readonly hash: string; readonly subject: string }
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | {
      readonly kind: 'checkpoint';
      readonly files: readonly string[];
      /** Since the last word in the tracker. */
      readonly turns: number;
      readonly done: readonly string[];
      /** What comes next, in the agent's words; null where it did not say. */
      readonly next: string | null;
    };

/** An event of the tracker machine. */
export type TrackerEvent =
  /** Look again: there may be a project now, or another issue in progress. */
  | { readonly type: 'tracker.detect' }
  | { readonly type: 'tracker.claimed'; readonly issue: string }
  | { readonly type: 'tracker.edited'; readonly path: string }
  | { readonly type: 'tracker.committed'; readonly hash: string; readonly subject: string }
  /** The agent wrote a comment itself. */
  | { readonly type: 'tracker.noted' }
  | { readonly type: 'tracker.turn' }
  /** The agent's context is about to go. */
  | {
      readonly type: 'tracker.compacting';
      readonly done: readonly string[];
      readonly next: string | null;
    }
  | { readonly type: 'tracker.close'; readonly issue: string; readonly reason: string };

type TrackerWork = Extract<TrackerEvent, { type: 'tracker.edited' | 'tracker.committed' }>;

/** What the tracker machine emits. */
export type TrackerEmitted =
  | { readonly type: 'tracker.write'; readonly issue: string; readonly note: TrackerNote }
  | { readonly type: 'tracker.nudge'; readonly issue: string; readonly turns: number }
  | { readonly type: 'tracker.closed'; readonly issue: string }
  | { readonly type: 'tracker.refused'; readonly issue: string; readonly reason: string };

interface TrackerContext {
  /** The issue in progress; null for none. */
  readonly issue: string | null;
  /** Files that were edited since they were last written down, by issue. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** Turns since the last word in the tracker. */
  readonly turns: number;
  /** What is being closed. */
  readonly closing: CloseRequest | null;
  /** What was edited and committed while an issue was looked for and none was known. */
  readonly early: readonly TrackerWork[];
}

/** A snapshot of the tracker machine. */
export type TrackerSnapshot = SnapshotFrom<typeof trackerMachine>;

const isSame = (one: TrackerWork, other: TrackerWork): boolean =>
  one.type === 'tracker.edited'
    ? other.type === one.type && other.path === one.path
    : other.type === one.type && other.hash === one.hash;

const filesOf = ({ files, issue }: TrackerContext): readonly string[] =>
  (issue === null ? undefined : files[issue]) ?? [];

const closeRequestOf = ({ context }: { context: TrackerContext }): CloseRequest => context.closing!;

/** The files of an issue with one more, the newest last; the oldest go. */
function withFile({ files, issue }: TrackerContext, path: string): TrackerContext['files'] {
  if (issue === null) return files;
  const { [issue]: known = [], ...others } = files;
  const kept = Object.fromEntries(Object.entries(others).slice(1 - most.issues));
  return { ...kept, [issue]: [...known.filter((one) => one !== path), path].slice(-most.files) };
}

function withoutIssue(files: TrackerContext['files'], issue: string): TrackerContext['files'] {
  const { [issue]: _, ...others } = files;
  return others;
}

/** What is taken while there is an issue, whatever is being asked of the tracker meanwhile. */
const withIssue = {
  'tracker.edited': { guard: 'hasIssue', actions: { type: 'keepFile', params: eventOf } },
  'tracker.committed': {
    guard: 'hasIssue',
    actions: [{ type: 'writeCommit', params: eventOf }, 'rest'],
  },
  'tracker.noted': { guard: 'hasIssue', actions: 'rest' },
  'tracker.turn': [
    { guard: 'isNudgeDue', actions: ['countTurn', 'nudge'] },
    { guard: 'hasIssue', actions: 'countTurn' },
  ],
  'tracker.compacting': {
    guard: 'hasIssue',
    actions: [{ type: 'writeCheckpoint', params: eventOf }, 'rest'],
  },
} as const;

const early = { actions: { type: 'keepEarly', params: eventOf } } as const;
const claimed = {
  target: 'working',
  actions: [{ type: 'take', params: eventOf }, 'workEarly'],
} as const;
const refused = { actions: { type: 'refuseClose', params: eventOf } } as const;
const kept = ['tellKept', 'giveUp'] as const;
const failed = [{ type: 'tellRefused', params: eventOf }, 'giveUp'] as const;

/** Follows the issue that an agent works on. */
export const trackerMachine = setup({
  types: {
    context: {} as TrackerContext,
    events: {} as TrackerEvent,
    emitted: {} as TrackerEmitted,
  },
  actors: {
    detect: port<FoundProject | null, null>('detect'),
    close: port<boolean, CloseRequest>('close'),
  },
  guards: {
    isWorking: (_, found?: FoundProject | null) => (found?.issue ?? null) !== null,
    isProject: (_, found?: FoundProject | null) => (found ?? null) !== null,
    isClosed: (_, closed?: boolean) => closed === true,
    isOwnClosed: ({ context }, closed?: boolean) =>
      closed === true && context.closing?.issue === context.issue,
    /** The one that is being closed is answered by its end. */
    isAnother: ({ context }, { issue }: { readonly issue: string }) =>
      context.closing?.issue !== issue,
    isClosedAtWork: ({ context }, closed?: boolean) => closed === true && context.issue !== null,
    hasIssue: ({ context }) => context.issue !== null,
    isNudgeDue: ({ context }) => context.issue !== null && (context.turns + 1) % turnsToNudge === 0,
  },
  actions: {
    takeFound: assign((_, found?: FoundProject | null) => ({ issue: found?.issue ?? null })),
    take: assign(({ context }, { issue }: { issue: string }) => ({
      issue,
      turns: context.issue === issue ? context.turns : 0,
    })),
    keepEarly: assign(({ context }, work: TrackerWork) => ({
      early: [...context.early.filter((one) => !isSame(one, work)), work].slice(-most.early),
    })),
    workEarly: enqueueActions(({ context, enqueue }) => {
      context.early.forEach((work) => enqueue.raise(work));
      enqueue.assign({ early: [] });
    }),
    keepFile: assign(({ context }, { path }: { path: string }) => ({
      files: withFile(context, path),
    })),
    writeCommit: emit(({ context }, { hash, subject }: { hash: string; subject: string }) => ({
      type: 'tracker.write' as const,
      issue: context.issue!,
      note: { kind: 'commit' as const, hash, subject },
    })),
    writeCheckpoint: emit(
      ({ context }, { done, next }: { done: readonly string[]; next: string | null }) => ({
        type: 'tracker.write' as const,
        issue: context.issue!,
        note: {
          kind: 'checkpoint' as const,
          files: filesOf(context),
          turns: context.turns,
          done,
          next,
        },
      }),
    ),
    rest: assign({ turns: 0 }),
    countTurn: assign(({ context }) => ({ turns: context.turns + 1 })),
    nudge: emit(({ context }) => ({
      type: 'tracker.nudge' as const,
      issue: context.issue!,
      turns: context.turns,
    })),
    begin: assign((_, { issue, reason }: CloseRequest) => ({ closing: { issue, reason } })),
    writeFiles: emit(({ context }) => ({
      type: 'tracker.write' as const,
      issue: context.closing!.issue,
      note: { kind: 'files' as const, files: context.files[context.closing!.issue] ?? [] },
    })),
    tellClosed: emit(({ context }) => ({
      type: 'tracker.closed' as const,
      issue: context.closing!.issue,
    })),
    tellRefused: emit(({ context }, { error }: { readonly error: unknown }) => ({
      type: 'tracker.refused' as const,
      issue: context.closing!.issue,
      reason: reasonOf(error),
    })),
    tellKept: emit(({ context }) => ({
      type: 'tracker.refused' as const,
      issue: context.closing!.issue,
      reason: 'The tracker left it open: it may be blocked, or closed already.',
    })),
    refuseClose: emit(({ context: { closing } }, { issue }: { readonly issue: string }) => ({
      type: 'tracker.refused' as const,
      issue,
      reason:
        closing === null
          ? 'No project is known yet.'
          : `${closing.issue} is being closed just now.`,
    })),
    refuseEarlyClose: emit((_, { issue }: { readonly issue: string }) => ({
      type: 'tracker.refused' as const,
      issue,
      reason: 'The project is being looked for; ask again.',
    })),
    forget: assign(({ context }) => ({
      files: withoutIssue(context.files, context.closing!.issue),
      closing: null,
    })),
    leave: assign({ issue: null, turns: 0, early: [] }),
    giveUp: assign({ closing: null }),
  },
}).createMachine({
  id: 'tracker',
  version: '1',
  context: { issue: null, files: {}, turns: 0, closing: null, early: [] },
  initial: 'detecting',
  states: {
    detecting: {
      invoke: {
        id: 'detect',
        src: 'detect',
        input: null,
        onDone: [
          {
            guard: { type: 'isWorking', params: outputOf },
            target: 'working',
            actions: [{ type: 'takeFound', params: outputOf }, 'workEarly'],
          },
          { guard: { type: 'isProject', params: outputOf }, target: 'idle', actions: 'leave' },
          { target: 'absent', actions: 'leave' },
        ],
        onError: { target: 'absent', actions: 'leave' },
      },
      on: {
        ...withIssue,
        'tracker.edited': [withIssue['tracker.edited'], early],
        'tracker.committed': [withIssue['tracker.committed'], early],
        'tracker.claimed': claimed,
        'tracker.close': { actions: { type: 'refuseEarlyClose', params: eventOf } },
      },
    },
    absent: {
      on: {
        'tracker.detect': 'detecting',
        'tracker.claimed': claimed,
        'tracker.close': refused,
      },
    },
    idle: {
      on: {
        'tracker.detect': 'detecting',
        'tracker.claimed': claimed,
        'tracker.close': { target: 'closing', actions: { type: 'begin', params: eventOf } },
      },
    },
    working: {
      on: {
        ...withIssue,
        'tracker.detect': 'detecting',
        'tracker.claimed': { actions: { type: 'take', params: eventOf } },
        'tracker.close': { target: 'closing', actions: { type: 'begin', params: eventOf } },
      },
    },
    closing: {
      invoke: {
        id: 'close',
        src: 'close',
        input: closeRequestOf,
        onDone: [
          {
            guard: { type: 'isOwnClosed', params: outputOf },
            target: 'idle',
            actions: ['writeFiles', 'tellClosed', 'forget', 'leave'],
          },
          {
            guard: { type: 'isClosedAtWork', params: outputOf },
            target: 'working',
            actions: ['writeFiles', 'tellClosed', 'forget'],
          },
          {
            guard: { type: 'isClosed', params: outputOf },
            target: 'idle',
            actions: ['writeFiles', 'tellClosed', 'forget'],
          },
          { guard: 'hasIssue', target: 'working', actions: kept },
          { target: 'idle', actions: kept },
        ],
        onError: [
          { guard: 'hasIssue', target: 'working', actions: failed },
          { target: 'idle', actions: failed },
        ],
      },
      on: {
        ...withIssue,
        'tracker.claimed': { actions: { type: 'take', params: eventOf } },
        'tracker.close': { guard: { type: 'isAnother', params: eventOf }, ...refused },
      },
    },
  },
});
