import { expected, type Counted } from '../core/calibration.ts';
import type { OutMessage } from '../core/assembly.ts';
import { isEngineError } from '../core/error.ts';
import type { Fact } from '../core/fact.ts';
import { entryId } from '../core/id.ts';
import type { Sent } from '../core/input.ts';
import { lostOf } from '../core/lost.ts';
import { positionsIn } from '../core/recovery.ts';
import type { State } from '../core/state.ts';
import { judge, type Truncation } from '../core/truncation.ts';
import { overflowIn } from '../llm/overflow.ts';
import { configure } from './configure.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';
import { signsIn } from './signs.ts';

/** What a host learned from a server about an assembly, without an answer to append. */
export interface ReportGiven {
  /** The assembly that was sent; the last one given out unless told. */
  readonly assembly?: string;
  readonly usage?: { readonly inputTokens?: number | undefined };
  /** What the server refused it with. */
  readonly error?: unknown;
  /** The window that the server has in truth, in tokens. */
  readonly window?: number;
  /** Messages that the host itself still has. */
  readonly messages?: number;
}

/** What a report says of the prompt. */
export interface Judgment {
  /** Whether the server cut it, by the arithmetic of its count. */
  readonly truncation: Truncation;
  /** Entries that the model did not see; a refused prompt loses none. */
  readonly lost: readonly string[];
}

/** How far above what was expected a prompt was that a server refused without saying how long it was. */
const beyond = 1.15;

/** Takes in what a server said: its count corrects ours, a smaller window becomes the session's, a cut begins a recovery. */
export async function report(live: Live, given: ReportGiven): Promise<Judgment> {
  const overflow = given.error === undefined ? null : overflowOf(given.error);
  await shrink(live, overflow?.window ?? undefined);
  const judgment = await judged(live, given, overflow);
  await shrink(live, given.window);
  return overflow === null ? judgment : { truncation: 'certain', lost: [] };
}

async function judged(
  live: Live,
  { assembly: named, usage, window, messages }: ReportGiven,
  overflow: Overflow | null,
): Promise<Judgment> {
  const known = live.counted(named);
  const inputTokens = overflow === null ? usage?.inputTokens : refusedTokens(live, overflow, known);
  const isSilent = inputTokens === undefined && window === undefined;
  if ((known === undefined || isSilent) && messages === undefined)
    return { truncation: 'none', lost: [] };
  const { decision, durable } = await live.enqueue(async () => {
    await exact(live);
    const sent: Sent = {
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
export function withLost(state: State, sent: Sent, messages: readonly OutMessage[]): Sent {
  const { loses, numbers } = judge(signsIn(state, sent));
  const kept = numbers['reported'] ?? numbers['window'];
  if (!loses || kept === undefined) return sent;
  return { ...sent, lost: lostOf(messages, state.calibration, kept) };
}

/** What the facts of a step say of losses. */
export function judgmentIn(facts: readonly Fact[]): Judgment {
  const found = facts.find((fact) => fact.type === 'truncation.suspected');
  if (found === undefined) return { truncation: 'none', lost: [] };
  return { truncation: found.truncation, lost: positionsIn(found.lost).map(entryId) };
}

interface Overflow {
  readonly tokens: number | null;
  readonly window: number | null;
}

/** The numbers of an overflow: ours, or read from a server's words; null where it is another error. */
function overflowOf(error: unknown): Overflow | null {
  if (isEngineError(error, 'MODEL_OVERFLOW')) {
    const { tokens, window } = error.detail as unknown as Overflow;
    return { tokens, window };
  }
  return overflowIn(error instanceof Error ? error.message : String(error));
}

/** What a refused prompt had by the server's count; where it did not say, more than the window and than was expected. */
function refusedTokens(
  { state }: Live,
  { tokens }: Overflow,
  counted: Counted | undefined,
): number | undefined {
  if (counted === undefined) return undefined;
  const least = Math.ceil(expected(state.calibration, counted) * beyond);
  if (tokens === null) return Math.max(state.options.window + 1, least);
  return tokens > state.options.window - state.options.reserve ? tokens : least;
}

async function shrink(live: Live, window: number | undefined): Promise<void> {
  if (window !== undefined && window < live.state.options.window) await configure(live, { window });
}
