import { closingMessage, sendable, strayMessage } from '../../core/assembly/assembly.ts';
import { fail } from '../../core/values/error.ts';
import { applyMarkers } from '../../core/frames/goal.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import type { FactOf } from '../../core/state/fact.ts';
import type { Incoming, HostReport } from '../../core/state/input.ts';
import { markersIn } from '../../core/frames/goal-markers.ts';
import {
  isHuman,
  textOf,
  type AssistantMessage,
  type Message,
  type ToolMessage,
} from '../../core/messages/message.ts';
import { truncateMessage } from '../../core/text/truncate-message.ts';
import { noTruncation } from '../../core/truncation/detect.ts';
import type { UnansweredCall, State } from '../../core/state/state.ts';
import { messageTokens } from '../../core/messages/token-count.ts';
import type { Draft } from '../step/draft.ts';
import { take } from '../step/phase-rules.ts';
import { suspect } from './recovery.ts';
import { goalFits } from './goal.ts';
import { detectLostThread, recordSent } from './truncation-evidence.ts';
import { askedLimit } from '../compression/shrink-entries.ts';

/** The frame that a message joins, and the form it is shown in. */
interface Placement {
  readonly frame: FrameId;
  readonly form: 'whole' | 'stray';
  /** The call that it answers; null for none. */
  readonly call: UnansweredCall | null;
}

/** Messages that are appended in one part; a decision that is begun again behind a batch goes through none of it. */
const perStage = 256;

/** Appends messages to the log, each to the frame where it belongs. */
export function append(
  draft: Draft,
  entries: readonly Incoming[],
  sent: HostReport | undefined,
): void {
  const verdict = sent === undefined ? noTruncation : recordSent(draft, sent);
  if (entries.length <= perStage) appendAll(draft, entries);
  else draft.stage((batch) => appendBatch(batch, entries));
  if (sent === undefined) return;
  const { assembly, lost = [] } = sent;
  suspect(draft, verdict, { assembly, lost });
  if (!verdict.recovers) suspect(draft, detectLostThread(draft.state, entries), { assembly });
}

function appendAll(draft: Draft, entries: readonly Incoming[]): void {
  for (const incoming of entries) appendOne(draft, incoming);
}

function appendBatch(draft: Draft, entries: readonly Incoming[]): void {
  for (let at = 0; at < entries.length; at += perStage)
    draft.stage((stage) => appendAll(stage, entries.slice(at, at + perStage)));
}

function appendOne(draft: Draft, incoming: Incoming): void {
  const { message } = incoming;
  const { state } = draft;
  const n = state.entryCount + 1;
  const placement = placementOf(draft, message);
  closeOpenUnit(draft, placement);
  draft.putMessage(n, message);
  const fact: FactOf<'entry.appended'> = {
    type: 'entry.appended',
    entry: entryId(n),
    frame: placement.frame,
    role: placement.form === 'stray' ? 'user' : message.role,
    human: isHuman(message),
    form: placement.form,
    tokens: incoming.tokens,
    shown:
      placement.form === 'stray'
        ? messageTokens(strayMessage(n, message), draft.count)
        : incoming.tokens,
    exact: incoming.exact,
    hash: incoming.hash,
    unit: placement.call?.n ?? n,
    ...callsOf(message, n),
    ...(placement.call === null ? {} : { call: placement.call.id }),
  };
  draft.record(fact.human ? shortenedToLimit(draft, fact, message) : fact);
  if (message.role === 'assistant') readMarkers(draft, message);
}

/** The frame of a message: the active one, or for a result that of its call. */
function placementOf(draft: Draft, message: Message): Placement {
  const { state } = draft;
  if (message.role === 'tool') {
    const call = findCall(state, message);
    if (call !== undefined && !call.closed) {
      checkTakes(draft, 'answer');
      return { frame: call.frame, form: 'whole', call };
    }
    if (call !== undefined && state.views.has(call.frame))
      return { frame: call.frame, form: 'stray', call: null };
  }
  checkTakes(draft, 'append');
  return { frame: state.active, form: message.role === 'tool' ? 'stray' : 'whole', call: null };
}

/** Refuses a message that the session's phase does not take; throws `SESSION_COMPLETED`. */
function checkTakes(draft: Draft, message: 'append' | 'answer'): void {
  const { session, phase } = draft.state;
  if (take(draft, phase, message)) return;
  throw fail('SESSION_COMPLETED', `Session "${session}" is ${phase} and takes no more entries`, {
    session,
  });
}

/** The call that a result answers: by id, else the oldest open one of its name. */
function findCall(state: State, message: ToolMessage): UnansweredCall | undefined {
  const { toolCallId, name } = message;
  if (toolCallId !== undefined) {
    const same = state.calls.filter(({ id }) => id === toolCallId);
    return same.find(({ closed }) => !closed) ?? same.at(-1);
  }
  return state.calls.find((call) => !call.closed && (name === undefined || call.name === name));
}

function callsOf(
  message: Message,
  n: number,
): Pick<FactOf<'entry.appended'>, 'calls'> | Record<string, never> {
  if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) return {};
  const calls = message.toolCalls!.map((call, index) => ({
    id: call.id ?? `${entryId(n)}.${index + 1}`,
    name: call.name,
  }));
  return { calls };
}

/** Closes the open unit of the frame with a made result for each open call, unless the message is one of its results. */
function closeOpenUnit(draft: Draft, placement: Placement): void {
  if (placement.call !== null) return;
  const open = draft.state.calls.filter((call) => !call.closed && call.frame === placement.frame);
  if (open.length === 0) return;
  const calls = open.map(({ id, name, n }) => ({
    id,
    name,
    n,
    tokens: messageTokens(closingMessage({ id, name }), draft.count),
  }));
  draft.record({ type: 'unit.closed', frame: placement.frame, calls });
}

/** The fact of a human entry, shown as head, tail and marker where it is above its limit. */
function shortenedToLimit(
  draft: Draft,
  fact: FactOf<'entry.appended'>,
  message: Message,
): FactOf<'entry.appended'> {
  const target = askedLimit(draft.state);
  if (fact.tokens <= target) return fact;
  const { count } = draft;
  const shorter = truncateMessage(sendable(message), draft.state.entryCount + 1, { target, count });
  const shorterTokens = messageTokens(shorter, count);
  if (shorterTokens >= fact.tokens) return fact;
  return {
    ...fact,
    form: 'short',
    shown: shorterTokens,
    text: draft.write(JSON.stringify(shorter)),
  };
}

/** Updates the goal from markers in assistant text; one too large for its cap is ignored. */
function readMarkers(draft: Draft, message: AssistantMessage): void {
  const { state } = draft;
  if (!state.options.markers) return;
  const markers = markersIn(textOf(message.content));
  if (markers.length === 0) return;
  const goal = applyMarkers(state.goal, markers);
  if (goal === null || goal === state.goal) return;
  if (goal.description !== state.goal?.description && !goalFits(draft, goal)) return;
  draft.record({ type: 'goal.updated', goal });
}
