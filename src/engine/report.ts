import { doubtOf, type Doubt } from '../core/calibration.ts';
import { isEngineError } from '../core/error.ts';
import { overflowIn } from '../llm/overflow.ts';
import { checkUsage, type Usage } from './append-step.ts';
import { configure } from './configure.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';

/** What a host learned from a server about an assembly, without an answer to append. */
export interface ReportGiven {
  /** The assembly that was sent; the last one given out unless told. */
  readonly assembly?: string | undefined;
  readonly usage?: Usage | undefined;
  /** What the server refused it with. */
  readonly error?: unknown;
  /** The window that the server has in truth, in tokens. */
  readonly window?: number | undefined;
}

/** What a report says of the prompt. */
export interface Judgment {
  /** Whether the server cut it, by the arithmetic of its count. */
  readonly truncation: Doubt;
  /** Entries that the model did not see; a refused prompt loses none. */
  readonly lost: readonly string[];
}

/** Takes in what a server said: its count corrects ours, a smaller window becomes the session's. */
export async function report(live: Live, given: ReportGiven): Promise<Judgment> {
  if (given.usage !== undefined) checkUsage(given.usage);
  const overflow = given.error === undefined ? null : overflowOf(given.error);
  await shrink(live, given.window);
  await shrink(live, overflow?.window ?? undefined).catch(tooSmall);
  const counted = live.counted(given.assembly);
  const inputTokens = overflow === null ? given.usage?.inputTokens : (overflow.tokens ?? undefined);
  const refused = overflow !== null;
  const isTelling = refused || inputTokens !== undefined;
  if (counted === undefined || !isTelling || live.state.options.model === null)
    return { truncation: refused ? 'certain' : 'none', lost: [] };
  const { assembly, ...prompt } = counted;
  const { truncation, durable } = await live.enqueue(async () => {
    await exact(live);
    const { calibration, options } = live.state;
    const asked = { ...prompt, reported: inputTokens ?? null, window: options.window, refused };
    const truncation = refused ? ('certain' as const) : doubtOf(calibration, asked);
    const said = inputTokens === undefined ? {} : { inputTokens };
    const sent = { assembly, ...said, counted: prompt, refused };
    return { truncation, durable: live.step({ type: 'report', sent }).durable };
  });
  await durable;
  return { truncation, lost: [] };
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
  if (isEngineError(error)) return null;
  for (const text of textsOf(error, 0)) {
    const overflow = overflowIn(text);
    if (overflow !== null) return overflow;
  }
  return null;
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

async function shrink(live: Live, window: number | undefined): Promise<void> {
  if (window !== undefined && window < live.state.options.window) await configure(live, { window });
}

/** A window in which the session cannot live is not taken over: what the server counted still makes the next prompt shorter. */
function tooSmall(error: unknown): void {
  if (isEngineError(error, 'WINDOW_TOO_SMALL') || isEngineError(error, 'SYSTEM_TOO_LARGE')) return;
  throw error;
}
