import { learn, type Calibration } from '../../core/budget/calibration.ts';
import { ceilingAfter } from '../../core/budget/ceiling.ts';
import { textOf } from '../../core/messages/message.ts';
import type { Incoming, HostReport } from '../../core/state/input.ts';
import { roomOf } from '../../core/state/limit.ts';
import type { State } from '../../core/state/state.ts';
import {
  beliefOf,
  detectTruncation,
  noTruncation,
  type TruncationVerdict,
} from '../../core/truncation/detect.ts';
import type { TruncationEvidence } from '../../core/truncation/evidence.ts';
import type { Draft } from '../step/draft.ts';

/**
 * Records that an assembly was sent and what the server's count of it teaches; returns whether
 * it was cut. Without a model's name the count corrects nothing, and still shows a cut.
 */
export function recordSent(draft: Draft, sent: HostReport): TruncationVerdict {
  const before = draft.state.calibration;
  const { verdict, calibration } = judgeRequest(draft.state, sent);
  const { assembly, inputTokens, usage, messages } = sent;
  draft.record({
    type: 'assembly.sent',
    assembly,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(usage === undefined ? {} : { usage }),
    ...(calibration === before ? {} : { calibration }),
  });
  if (messages !== undefined) draft.record({ type: 'history.counted', messages });
  return verdict;
}

/** The verdict on a request, and what its count teaches if it is above suspicion. */
function judgeRequest(
  state: State,
  sent: HostReport,
): { readonly verdict: TruncationVerdict; readonly calibration: Calibration } {
  const evidence = evidenceOf(state, sent);
  const verdict = detectTruncation(evidence);
  const { counted, inputTokens, refused = false } = sent;
  if (counted === undefined || (inputTokens === undefined && !refused))
    return { verdict, calibration: state.calibration };
  const { window } = state.options;
  const tokens = inputTokens ?? null;
  const report = { ...counted, reported: tokens, window, refused };
  const calibration = learn(state.calibration, report, beliefOf(evidence));
  if (!refused) return { verdict, calibration };
  const share = roomOf(state.options) / window;
  const said = { tokens, window: sent.window ?? null, share };
  const ceiling = ceilingAfter(state.calibration, counted, said);
  return { verdict, calibration: { ...calibration, ceiling } };
}

/** The evidence in what a host reported of a request, and in the state. */
export function evidenceOf(
  { options, calibration, losses }: State,
  sent: HostReport,
): TruncationEvidence {
  const { counted, inputTokens, refused = false, window, messages, compacted } = sent;
  const before = losses.messages ?? losses.host?.length;
  return {
    calibration,
    refused,
    ...(counted === undefined ? {} : { prompt: { ...counted, window: options.window } }),
    ...(inputTokens === undefined ? {} : { reported: inputTokens }),
    ...(window === undefined ? {} : { window }),
    ...(messages === undefined || before === undefined || compacted === true
      ? {}
      : { messages: { now: messages, before } }),
  };
}

/** Entries before an answer below which there is nothing that a model could have lost. */
const leastBefore = 4;

/** The verdict on an answer: whether it begins by asking what it was about. */
export function detectLostThread(
  { entryCount: last }: State,
  entries: readonly Incoming[],
): TruncationVerdict {
  const message = entries[0]?.message;
  if (message?.role !== 'assistant' || last - entries.length < leastBefore) return noTruncation;
  return detectTruncation({ answer: textOf(message.content) });
}
