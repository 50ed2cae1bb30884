import {
  recoveryMachine,
  type RecoveryEvent,
  type RecoveryRequest,
} from '../../../machines/recovery.ts';
import { fail } from '../../core/values/error.ts';
import type { InputOf } from '../../core/state/input.ts';
import { limitIn, roomOf } from '../../core/state/limit.ts';
import {
  leastRoom,
  leastWindow,
  resolveOptions,
  protocolWords,
} from '../../core/budget/options.ts';
import { recoveredBlock } from '../../core/sections/recovered-section.ts';
import { contextOf } from '../../core/progress/progress.ts';
import {
  freshRecovery,
  isEmptyContext,
  recoveredLine,
  type Confirmation,
  type RecoveryMemory,
  type RecoveryState,
  type Suspicion,
} from '../../core/truncation/recovery.ts';
import { overhead } from '../../core/messages/token-count.ts';
import {
  detectTruncation,
  serverWindow,
  type TruncationVerdict,
} from '../../core/truncation/detect.ts';
import { startCompression } from '../compression/compress.ts';
import type { State } from '../../core/state/state.ts';
import type { Draft } from '../step/draft.ts';
import { begins, idleStates } from '../step/trace.ts';
import { drive, isKnown, type MachineInput } from '../step/drive-machine.ts';
import { restsOf } from '../step/fact-moves.ts';
import { take, takes } from '../step/phase-rules.ts';

// The recovery machine says when; this answers its ports. All are pure, but for
// the two that ask a person: with the policy `confirm` the machine rests there
// until somebody answers, with `auto` they are answered at once.

/** Records what a verdict suspects, and begins a recovery where that is worth one. */
export function suspect(
  draft: Draft,
  verdict: TruncationVerdict,
  about: { readonly lost?: Suspicion['lost']; readonly assembly?: string } = {},
): void {
  const { rule, truncation, numbers, recovers } = verdict;
  if (rule === null || truncation === 'none') return;
  const { lost = [], assembly } = about;
  const suspicion: Suspicion = { rule, truncation, numbers, lost };
  draft.record({
    type: 'truncation.suspected',
    ...suspicion,
    ...(assembly === undefined ? {} : { assembly }),
  });
  if (recovers && take(draft, draft.state.phase, 'suspect'))
    driveRecovery(draft, toInput({ type: 'recovery.suspect', suspicion }));
}

/** Begins the next assembly with where the work stood, without a word to anybody: a host says that it compacted its list. */
export function remind(draft: Draft): void {
  cancelRecovery(draft);
  resume(draft, { ...freshRecovery, context: contextOf(draft.state, draft.bodies) });
}

/** Recovers because somebody asks for it, from the context that they supply if they do. */
export function recover(draft: Draft, { context }: InputOf<'recover'>): void {
  cancelRecovery(draft);
  if (context !== undefined) driveRecovery(draft, toInput({ type: 'recovery.supply', context }));
  else suspect(draft, detectTruncation({ asked: true }));
}

/** Carries a recovery on with an answer; throws `RECOVERY_NOT_ASKED` where none waits for one. */
export function confirmRecovery(draft: Draft, { right, recap }: Confirmation): void {
  const { session, losses } = draft.state;
  if (losses.recovery === null || !takes(draft.state, 'confirm'))
    throw fail('RECOVERY_NOT_ASKED', `Session "${session}" has no recovery to confirm`, {
      session,
    });
  if (losses.recovery.value === 'confirming')
    driveRecovery(draft, { type: 'answer', port: 'confirm', output: { right, recap } });
  else if (right && recap === '') driveRecovery(draft, toInput({ type: 'recovery.cancel' }));
  else if (recap !== '') driveRecovery(draft, { type: 'answer', port: 'recap', output: recap });
}

/** Gives up a recovery that waits. */
export function cancelRecovery(draft: Draft): void {
  if (draft.state.losses.recovery !== null)
    driveRecovery(draft, toInput({ type: 'recovery.cancel' }));
}

/** Whether a recovery rests where its machine goes on. */
export const recoveryGoesOn = (at: RecoveryState): boolean => isKnown(recoveryMachine, at);

/** Begins a recovery again whose machine cannot be asked about it, from what it was begun with. */
export function restartRecovery(draft: Draft, { memory }: RecoveryState): void {
  const { suspicion, context, source } = memory;
  draft.record({ type: 'recovery.cancelled' });
  const moved = { type: 'recovery.moved', state: null } as const;
  draft.tell(...restsOf(draft.state, moved));
  draft.record(moved);
  if (source === 'documents' && context !== null)
    driveRecovery(draft, toInput({ type: 'recovery.supply', context }));
  else if (suspicion === null) recover(draft, { type: 'recover' });
  else driveRecovery(draft, toInput({ type: 'recovery.suspect', suspicion }));
}

const toInput = (event: RecoveryEvent): MachineInput => ({ type: 'event', event });

function driveRecovery(draft: Draft, input: MachineInput): void {
  const resting = draft.state.losses.recovery;
  const at = {
    value: resting?.value ?? idleStates.recovery,
    memory: resting?.memory ?? freshRecovery,
  };
  const subject = { machine: 'recovery' } as const;
  if (resting === null) draft.tell(begins({ ...subject, memory: at.memory }, at.value));
  const result = drive<RecoveryMemory>(
    recoveryMachine,
    { at, input },
    {
      part: draft.part,
      answer: (port, asked) => answerPort(draft, port, (asked as RecoveryRequest).memory),
      onEmit({ type }) {
        if (type === 'recovery.announced') draft.record({ type, text: protocolWords.announce });
        if (type === 'recovery.cancelled') draft.record({ type });
      },
      onMove: draft.trace && ((move, memory) => draft.tell({ ...subject, memory, ...move })),
    },
  );
  const state = toRestingState(result.value, result.memory);
  if (state !== null || resting !== null) draft.record({ type: 'recovery.moved', state });
}

function toRestingState(value: string, memory: RecoveryMemory): RecoveryState | null {
  if (value !== 'confirming' && value !== 'recap') return null;
  const { suspicion, context, source, recap } = memory;
  return {
    version: recoveryMachine.version!,
    value,
    memory: { suspicion, context, source, recap },
  };
}

function answerPort(
  draft: Draft,
  port: string,
  memory: RecoveryMemory,
): { output: unknown } | undefined {
  const asks =
    draft.state.options.recovery === 'confirm' && memory.suspicion?.truncation !== 'suspected';
  switch (port) {
    case 'weigh':
      return { output: isWorthRecovering(draft, memory.suspicion!) };
    case 'announce':
      return { output: null };
    case 'read':
      return { output: contextOf(draft.state, draft.bodies) };
    case 'rebuild':
      return { output: !isEmptyContext(memory.context!) };
    case 'confirm':
      return asks ? undefined : { output: { right: true, recap: '' } satisfies Confirmation };
    case 'recap':
      return asks ? undefined : { output: '' };
    case 'resume':
      resume(draft, memory);
      return { output: null };
    default:
      return undefined;
  }
}

/** Entries after a recovery before a mere suspicion may begin another. */
const calmEntries = 8;

function isWorthRecovering({ state }: Draft, { truncation }: Suspicion): boolean {
  const { recovered } = state.losses;
  if (truncation === 'certain' || recovered === null) return true;
  return state.entryCount - recovered.entries >= calmEntries;
}

/** Goes on with the recovered context, in a smaller window or a compressed assembly where the server cut the prompt. */
function resume(draft: Draft, { suspicion, context, source, recap }: RecoveryMemory): void {
  const isKnown = context !== null && !isEmptyContext(context);
  const line = recap !== '' ? recap : isKnown ? recoveredLine(context) : '';
  const isCut = suspicion?.numbers['expected'] !== undefined;
  const window = isCut ? smallerWindow(draft.state, suspicion) : null;
  if (window !== null) takeWindow(draft, window);
  if (line !== '') {
    const { most, share } = recoveredCap;
    const target = Math.floor(Math.min(most, share * limitIn(draft.state)));
    const rest = context ?? { open: [], files: [] };
    const block = recoveredBlock(line, rest, { target, count: draft.count });
    draft.record({
      type: 'session.recovered',
      text: draft.write(block),
      tokens: overhead.message + draft.count(block),
      line,
      source: recap === '' ? source : 'recap',
    });
  }
  const { options, active } = draft.state;
  if (isCut && window === null && options.compression === 'auto')
    startCompression(draft, { frame: active, force: true });
}

/** What the recovered context may take, in tokens and as a share of the limit; its first line is never dropped. */
const recoveredCap = { most: 400, share: 0.05 } as const;

/** The window of a server that is known to have a smaller one than it was asked for; null for none. */
function smallerWindow({ options }: State, suspicion: Suspicion): number | null {
  const window = suspicion.truncation === 'certain' ? serverWindow(suspicion) : null;
  return window !== null && window < options.window ? window : null;
}

/** Takes the window of a server, where anything fits in it. */
function takeWindow(draft: Draft, window: number): void {
  const { options, epochView } = draft.state;
  if (window < leastWindow) return;
  const smaller = resolveOptions({ window }, options);
  if (roomOf(smaller) - epochView.sizes.system >= leastRoom)
    draft.record({ type: 'options.changed', options: smaller, system: epochView.sizes.system });
}
