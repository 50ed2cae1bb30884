import { learn, type Calibration } from '../../core/budget/calibration.ts';
import type { SentPrompt } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import {
  isDoubted,
  detectTruncation,
  type TruncationEvidence,
  type TruncationVerdict,
} from '../../core/truncation/detect.ts';

/** What a state and what was said of a request tell together. */
export function evidenceOf(
  { options, calibration, watch }: State,
  sent: SentPrompt,
): TruncationEvidence {
  const { counted, inputTokens, refused = false, window, messages } = sent;
  const before = watch.messages ?? watch.host?.length;
  return {
    calibration,
    refused,
    ...(counted === undefined ? {} : { prompt: { ...counted, window: options.window } }),
    ...(inputTokens === undefined ? {} : { reported: inputTokens }),
    ...(window === undefined ? {} : { window }),
    ...(messages === undefined || before === undefined
      ? {}
      : { messages: { now: messages, before } }),
  };
}

/** The verdict on a request, and what its count teaches if it is above suspicion. */
export function judgeRequest(
  state: State,
  sent: SentPrompt,
): { readonly verdict: TruncationVerdict; readonly calibration: Calibration } {
  const signs = evidenceOf(state, sent);
  const verdict = detectTruncation(signs);
  const { counted, inputTokens, refused = false } = sent;
  if (counted === undefined || (inputTokens === undefined && !refused))
    return { verdict, calibration: state.calibration };
  const { window } = state.options;
  const report = { ...counted, reported: inputTokens ?? null, window, refused };
  return { verdict, calibration: learn(state.calibration, report, isDoubted(signs)) };
}
