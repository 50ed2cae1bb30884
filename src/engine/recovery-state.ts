import { recoveredLine, type Confirmation, type RecoveredContext } from '../core/recovery.ts';
import type { State } from '../core/state.ts';
import type { Truncation, TruncationRule } from '../core/truncation.ts';
import { protocolWords } from '../core/options.ts';

/** A recovery that waits, as a host sees it. */
export interface RecoverySummary {
  /** `confirming` asks whether `line` is right, `recap` what it was instead. */
  readonly state: 'confirming' | 'recap';
  /** Why it began; null where somebody supplied what they know. */
  readonly rule: TruncationRule | null;
  readonly truncation: Truncation;
  /** What to say: that context was lost, what was recovered, and the question. */
  readonly announce: string;
  readonly line: string;
  readonly question: string;
  readonly context: RecoveredContext | null;
}

/** Yes, no, or how it was instead. */
export type RecoveryAnswer = boolean | string;

/** The recovery that waits in a state; null for none. */
export function recoveryIn({ watch }: State): RecoverySummary | null {
  const { recovery } = watch;
  if (recovery === null) return null;
  const { suspicion, context } = recovery.memory;
  return {
    state: recovery.value,
    rule: suspicion?.rule ?? null,
    truncation: suspicion?.truncation ?? 'certain',
    announce: protocolWords.announce,
    line: context === null ? '' : recoveredLine(context),
    question: recovery.value === 'recap' ? protocolWords.recap : protocolWords.confirm,
    context,
  };
}

/** An answer in the machine's words. */
export function toConfirmation(answer: RecoveryAnswer): Confirmation {
  const recap = typeof answer === 'string' ? answer.trim() : '';
  return { right: answer === true, recap };
}
