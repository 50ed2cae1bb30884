import type { OutMessage } from '../../core/assembly/assembly.ts';
import {
  anything,
  checkArgument,
  nonEmptyText,
  objectOf,
  integer,
} from '../../core/values/validation.ts';
import { isEngineError, type ErrorCode } from '../../core/values/error.ts';
import type { Fact } from '../../core/state/fact.ts';
import { entryId } from '../../core/values/id.ts';
import type { SentPrompt } from '../../core/state/input.ts';
import { droppedEntries } from '../../core/assembly/dropped-entries.ts';
import { positionsIn } from '../../core/values/span.ts';
import type { State } from '../../core/state/state.ts';
import { detectTruncation, type Truncation } from '../../core/truncation/detect.ts';
import { readOverflow } from '../../llm/server/overflow-error.ts';
import { resolveOptions } from '../../core/budget/options.ts';
import { configure } from './configure.ts';
import { exactCounter } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';
import { evidenceOf } from '../decide/truncation-evidence.ts';
import { checkSystem } from '../decide/goal.ts';

/** What a server counted, in its own tokens. */
export interface Usage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** What it takes: a misspelled field would teach nothing, in silence. */
export const usage = objectOf<Usage>({ inputTokens: integer(0), outputTokens: integer(0) });

/** What a host learned from a server about an assembly, without an answer to append. */
export interface ReportGiven {
  /** The assembly that was sent; the last one given out unless told. */
  readonly assembly?: string | undefined;
  readonly usage?: Usage | undefined;
  /** What the server refused it with. */
  readonly error?: unknown;
  /** The window that the server has in truth, in tokens. */
  readonly window?: number | undefined;
  /** Messages that the host itself still has. */
  readonly messages?: number | undefined;
}

/** What a report says of the prompt. */
export interface Judgment {
  /** Whether the server cut it, by the arithmetic of its count. */
  readonly truncation: Truncation;
  /** Entries that the model did not see; a refused prompt loses none. */
  readonly lost: readonly string[];
}

const reported = objectOf<ReportGiven>({
  assembly: nonEmptyText('the id of an assembly'),
  usage,
  error: anything,
  window: integer(1),
  messages: integer(0),
});

/**
 * Takes in what a server said: its count corrects ours, a smaller window becomes the session's, a
 * cut begins a recovery. Throws `OPTION_INVALID`, and for a `window` in which the session cannot go
 * on `WINDOW_TOO_SMALL` or `SYSTEM_TOO_LARGE`.
 */
export async function report(live: LiveSession, given: ReportGiven): Promise<Judgment> {
  checkArgument('report', given, reported);
  await live.enqueue(() => checkWindow(live.state, given.window));
  const overflow = given.error === undefined ? null : overflowOf(given.error);
  await shrink(live, overflow?.window ?? undefined);
  const judgment = await judged(live, given, overflow);
  await shrink(live, given.window);
  return overflow === null ? judgment : { truncation: 'certain', lost: [] };
}

/** Refuses a window in which the session cannot go on, before anything of the report is taken in. */
function checkWindow(state: State, window: number | undefined): void {
  if (window === undefined || window >= state.options.window) return;
  checkSystem(state, resolveOptions({ window }, state.options), state.shown.sizes.system);
}

async function judged(
  live: LiveSession,
  { assembly: named, usage, window, messages }: ReportGiven,
  overflow: ReportedOverflow | null,
): Promise<Judgment> {
  const known = live.counted(named);
  const inputTokens = overflow === null ? usage?.inputTokens : (overflow.tokens ?? undefined);
  const isSilent = usage === undefined && window === undefined && overflow === null;
  if ((known === undefined || isSilent) && messages === undefined)
    return { truncation: 'none', lost: [] };
  const { decision, durable } = await live.enqueue(async () => {
    await exactCounter(live);
    const sent: SentPrompt = {
      assembly: known?.assembly ?? '',
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(known === undefined ? {} : { counted: { estimate: known.estimate, epoch: known.epoch } }),
      ...(overflow === null ? {} : { refused: true }),
      ...(window === undefined ? {} : { window }),
      ...(messages === undefined ? {} : { messages }),
    };
    return live.step({ type: 'report', sent: withLost(live.state, sent, known?.messages ?? []) });
  });
  await durable;
  return judgmentIn(decision.facts);
}

/** What was said of a request, with the entries that its count says were dropped. */
export function withLost(
  state: State,
  sent: SentPrompt,
  messages: readonly OutMessage[],
): SentPrompt {
  const { loses, numbers } = detectTruncation(evidenceOf(state, sent));
  const kept = numbers['reported'] ?? numbers['window'];
  if (!loses || kept === undefined) return sent;
  return { ...sent, lost: droppedEntries(messages, state.calibration, kept) };
}

/** What the facts of a step say of losses. */
function judgmentIn(facts: readonly Fact[]): Judgment {
  const found = facts.find((fact) => fact.type === 'truncation.suspected');
  if (found === undefined) return { truncation: 'none', lost: [] };
  return { truncation: found.truncation, lost: positionsIn(found.lost).map(entryId) };
}

interface ReportedOverflow {
  readonly tokens: number | null;
  readonly window: number | null;
}

/** The numbers of an overflow: ours, or read from a server's words; null where it is another error. */
function overflowOf(error: unknown): ReportedOverflow | null {
  if (isEngineError(error, 'MODEL_OVERFLOW')) {
    const { tokens, window } = error.detail as unknown as ReportedOverflow;
    return { tokens: believed(tokens), window: believed(window) };
  }
  if (isEngineError(error)) return null;
  for (const text of textsOf(error, 0)) {
    const overflow = readOverflow(text);
    if (overflow !== null)
      return { tokens: believed(overflow.tokens), window: believed(overflow.window) };
  }
  return null;
}

/** A number out of the words of an error, unless no server can have meant it. */
function believed(tokens: number | null): number | null {
  return Number.isSafeInteger(tokens) && (tokens as number) > 0 ? tokens : null;
}

/** Errors inside errors that are looked into. */
const deepest = 4;

/** What an error says, in whatever shape a client gives it: its message, its code, the answer it holds, its cause. */
function textsOf(error: unknown, depth: number): readonly string[] {
  if (depth > deepest || error === undefined || error === null) return [];
  if (typeof error !== 'object') return typeof error === 'string' ? [error] : [];
  const {
    message,
    code,
    cause,
    error: inner,
    body,
    responseBody,
  } = error as Record<string, unknown>;
  const plain = error instanceof Error ? [] : [JSON.stringify(error) ?? ''];
  const words = [message, code].filter((word): word is string => typeof word === 'string');
  const within = [inner, body, responseBody, cause].flatMap((one) => textsOf(one, depth + 1));
  return [...words, ...plain, ...within];
}

/**
 * Takes a smaller window over. One in which the session cannot live is not: it stood in the words of
 * an error, or only what the report itself taught makes it too small. What the server counted still
 * makes the next prompt shorter.
 */
async function shrink(live: LiveSession, window: number | undefined): Promise<void> {
  if (window === undefined || window >= live.state.options.window) return;
  await configure(live, { window }).catch((error: unknown) => {
    const isTooSmall = ['WINDOW_TOO_SMALL', 'SYSTEM_TOO_LARGE'].some((code) =>
      isEngineError(error, code as ErrorCode),
    );
    if (!isTooSmall) throw error;
  });
}
