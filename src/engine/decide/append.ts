import { limitIn } from '../../core/state/limit.ts';
import { closingMessage, sendable, strayMessage } from '../../core/assembly/assembly.ts';
import { caps } from '../../core/budget/budget.ts';
import { fail } from '../../core/values/error.ts';
import { applyMarkers } from '../../core/frames/goal.ts';
import { goalSection } from '../../core/assembly/goal-section.ts';
import { entryId, type FrameId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Incoming, SentPrompt } from '../../core/state/input.ts';
import { markersIn } from '../../core/frames/goal-markers.ts';
import {
  isHuman,
  textOf,
  type AssistantMessage,
  type Message,
  type ToolMessage,
} from '../../core/messages/message.ts';
import { truncateMessage } from '../../core/text/truncate-message.ts';
import {
  detectTruncation,
  noTruncation,
  type TruncationVerdict,
} from '../../core/truncation/detect.ts';
import type { UnansweredCall, State } from '../../core/state/state.ts';
import { messageTokens, overhead } from '../../core/messages/token-count.ts';
import type { Draft } from '../step/draft.ts';
import { takes } from '../step/phase-rules.ts';
import { suspect } from './recovery.ts';
import { judgeRequest } from './truncation-evidence.ts';
import { giantIn } from '../compression/shrink-entries.ts';

type Appended = Extract<Fact, { type: 'entry.appended' }>;

/** Where a message goes and how it stands there. */
interface Landing {
  readonly frame: FrameId;
  readonly form: 'whole' | 'stray';
  /** The call that it answers. */
  readonly call: UnansweredCall | null;
}

/** Takes messages into the log, each into the frame where it belongs. */
export function append(
  draft: Draft,
  entries: readonly Incoming[],
  sent: SentPrompt | undefined,
): void {
  const verdict = sent === undefined ? noTruncation : recordSent(draft, sent);
  for (const incoming of entries) appendOne(draft, incoming);
  if (sent === undefined) return;
  const { assembly, lost = [] } = sent;
  suspect(draft, verdict.loses ? verdict : judgeAnswer(draft.state, entries), { assembly, lost });
}

/** Entries before an answer without which there is nothing that a model could have lost. */
const leastBefore = 4;

/** Whether an answer begins by asking what it was about. */
function judgeAnswer({ entries: last }: State, entries: readonly Incoming[]): TruncationVerdict {
  const message = entries[0]?.message;
  if (message?.role !== 'assistant' || last - entries.length < leastBefore) return noTruncation;
  return detectTruncation({ answer: textOf(message.content) });
}

function appendOne(draft: Draft, incoming: Incoming): void {
  const { message } = incoming;
  const { state } = draft;
  const n = state.entries + 1;
  const landing = land(state, message);
  closeOpenUnit(draft, landing);
  draft.hold(n, message);
  const fact: Appended = {
    type: 'entry.appended',
    entry: entryId(n),
    frame: landing.frame,
    role: landing.form === 'stray' ? 'user' : message.role,
    human: isHuman(message),
    form: landing.form,
    tokens: incoming.tokens,
    shown: landing.form === 'stray' ? strayTokens(draft, n, incoming) : incoming.tokens,
    exact: incoming.exact,
    hash: incoming.hash,
    unit: landing.call?.n ?? n,
    ...callsOf(message, n),
    ...(landing.call === null ? {} : { call: landing.call.id }),
  };
  draft.record(fact.human ? withinBound(draft, fact, message) : fact);
  if (message.role === 'assistant') readMarkers(draft, message);
}

/** The frame of a message: the active one, or for a result that of its call. */
function land(state: State, message: Message): Landing {
  if (message.role === 'tool') {
    const call = findCall(state, message);
    if (call !== undefined && !call.closed) {
      checkTaken(state, 'answer');
      return { frame: call.frame, form: 'whole', call };
    }
    if (call !== undefined && state.views.has(call.frame))
      return { frame: call.frame, form: 'stray', call: null };
  }
  checkTaken(state, 'append');
  return { frame: state.active, form: message.role === 'tool' ? 'stray' : 'whole', call: null };
}

/** Refuses a message that the session does not take in its phase; throws `SESSION_COMPLETED`. */
function checkTaken(state: State, message: 'append' | 'answer'): void {
  if (takes(state, message)) return;
  const { session, phase } = state;
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

function callsOf(message: Message, n: number): Pick<Appended, 'calls'> | Record<string, never> {
  if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) return {};
  const calls = message.toolCalls!.map((call, index) => ({
    id: call.id ?? `${entryId(n)}.${index + 1}`,
    name: call.name,
  }));
  return { calls };
}

/** Gives each open call of the frame a made result, unless the next message is one of their results. */
function closeOpenUnit(draft: Draft, landing: Landing): void {
  if (landing.call !== null) return;
  const open = draft.state.calls.filter((call) => !call.closed && call.frame === landing.frame);
  if (open.length === 0) return;
  const calls = open.map(({ id, name, n }) => ({
    id,
    name,
    n,
    tokens: messageTokens(closingMessage({ id, name }), draft.count),
  }));
  draft.record({ type: 'unit.closed', frame: landing.frame, calls });
}

function strayTokens(draft: Draft, n: number, incoming: Incoming): number {
  return messageTokens(strayMessage(n, incoming.message), draft.count);
}

/** A human entry above what one may take stands as head, tail and marker. */
function withinBound(draft: Draft, fact: Appended, message: Message): Appended {
  const target = giantIn(draft.state);
  if (fact.tokens <= target) return fact;
  const shorter = truncateMessage(sendable(message), draft.state.entries + 1, {
    target,
    count: draft.count,
  });
  const shown = messageTokens(shorter, draft.count);
  if (shown >= fact.tokens) return fact;
  return { ...fact, form: 'short', shown, text: draft.write(JSON.stringify(shorter)) };
}

/** Takes goal markers of assistant text in; a goal too large for its cap is left alone. */
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

/** Whether a goal's description alone stays within the cap of the goal. */
export function goalFits(draft: Draft, goal: NonNullable<State['goal']>): boolean {
  const bare = { ...goal, milestones: [], decisions: [], artifacts: [], next: [] };
  const tokens = overhead.message + draft.count(goalSection({ ...bare, status: 'active' }, 0));
  return tokens <= goalCap(draft.state);
}

/** What a goal may take, in tokens. */
export function goalCap(state: State): number {
  return Math.floor(caps.goal * limitIn(state));
}

/**
 * Takes down that an assembly was sent, and learns from the server's own count of it; gives what
 * speaks for a cut. Without a model's name the count corrects nothing, and still tells a cut.
 */
export function recordSent(draft: Draft, sent: SentPrompt): TruncationVerdict {
  const before = draft.state.calibration;
  const { verdict, calibration } = judgeRequest(draft.state, sent);
  const { assembly, inputTokens, messages } = sent;
  draft.record({
    type: 'assembly.sent',
    assembly,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(calibration === before ? {} : { calibration }),
  });
  if (messages !== undefined) draft.record({ type: 'history.counted', messages });
  return verdict;
}
