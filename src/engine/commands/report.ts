import { droppedEntries } from '../../core/assembly/dropped-entries.ts';
import type { OutMessage } from '../../core/assembly/assembly.ts';
import { expected } from '../../core/budget/calibration.ts';
import { resolveOptions } from '../../core/budget/options.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { HostReport } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { detectTruncation, type Truncation } from '../../core/truncation/detect.ts';
import { isEngineError } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import { usageFrom, usageNames, type Usage } from '../../core/messages/usage.ts';
import { positionsIn } from '../../core/values/span.ts';
import {
  anything,
  checkArgument,
  flag,
  objectOf,
  integer,
  type Schema,
} from '../../core/values/validation.ts';
import { readOverflow } from '../../llm/server/overflow-error.ts';
import { checkSystem } from '../decide/goal.ts';
import { evidenceOf } from '../decide/truncation-evidence.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession } from '../live/session-access.ts';
import { countedPrompt, type SentAssembly } from '../live/sent-assemblies.ts';
import { assemblyIds } from '../step/assembly-cache.ts';
import { configure } from './configure.ts';

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
  /** Whether the host compacted its list itself: fewer messages raise no alarm then, and the next assembly begins with where the work stood; false unless told. */
  readonly compacted?: boolean | undefined;
}

/** The schema of a {@link Usage}; what a client adds to it is taken. */
const usage: Schema = {
  ...usageNames,
  type: 'object',
  properties: {
    inputTokens: integer(0),
    outputTokens: integer(0),
    cachedInputTokens: integer(0),
    cacheWriteTokens: integer(0),
    reasoningTokens: integer(0),
  },
};

const reported = objectOf<ReportGiven>({
  assembly: assemblyIds,
  usage,
  error: anything,
  window: integer(1),
  messages: integer(0),
  compacted: flag,
});

/** What a report says of the prompt. */
export interface Judgment {
  /** Whether the server cut it, by the arithmetic of its count. */
  readonly truncation: Truncation;
  /** Entries that the model did not see; a refused prompt loses none. */
  readonly lost: readonly string[];
}

/**
 * Takes in what a server said: its count corrects ours, a smaller window becomes the session's, a
 * cut begins a recovery. Throws `OPTION_INVALID`, and for a `window` in which the session cannot go
 * on `WINDOW_TOO_SMALL` or `SYSTEM_TOO_LARGE`.
 */
export async function report(session: CommandSession, reading: ReportGiven): Promise<Judgment> {
  checkArgument('report', reading, reported);
  await session.enqueue(({ state }) => checkWindow(state, reading.window));
  const overflow = reading.error === undefined ? null : overflowOf(reading.error);
  await narrowWindow(session, overflow?.window ?? undefined);
  const judgment = await judge(session, reading, overflow);
  await narrowWindow(session, reading.window);
  return overflow === null ? judgment : { truncation: 'certain', lost: [] };
}

/** Refuses a window in which the session cannot go on, before anything of the report is taken in. */
function checkWindow(state: State, window: number | undefined): void {
  if (window === undefined || window >= state.options.window) return;
  checkSystem(state, resolveOptions({ window }, state.options), state.epochView.sizes.system);
}

/**
 * Takes a smaller window over, unless the session cannot live in it: then it stood in the words of an
 * error, or only what the report itself taught makes it too small. What the server counted still
 * makes the next prompt shorter.
 */
async function narrowWindow(session: CommandSession, window: number | undefined): Promise<void> {
  if (window === undefined || window >= session.state.options.window) return;
  await configure(session, { window }).catch((error: unknown) => {
    const isTooSmall =
      isEngineError(error, 'WINDOW_TOO_SMALL') || isEngineError(error, 'SYSTEM_TOO_LARGE');
    if (!isTooSmall) throw error;
  });
}

/** Takes in what was said of one request, and judges whether its prompt was cut. */
async function judge(
  session: CommandSession,
  { assembly, usage, window, messages, compacted = false }: ReportGiven,
  overflow: Overflow | null,
): Promise<Judgment> {
  const known = session.sent.find(assembly);
  const inputTokens = overflow === null ? usage?.inputTokens : (overflow.tokens ?? undefined);
  const isSilent = usage === undefined && window === undefined && overflow === null;
  if ((known === undefined || isSilent) && messages === undefined && !compacted)
    return { truncation: 'none', lost: [] };
  const { facts } = await decided(session, async (writer) => {
    await exactCounter(writer);
    const sent: HostReport = {
      assembly: known?.assembly ?? '',
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...restOf(usageFrom(usage ?? {})),
      ...(known === undefined ? {} : { counted: countedPrompt(known) }),
      ...(overflow === null ? {} : { refused: true }),
      ...windowOf(writer.state, { window, overflow, known }),
      ...(messages === undefined ? {} : { messages }),
      ...(compacted ? { compacted } : {}),
    };
    const lost = withLost(writer.state, sent, known?.messages ?? []);
    return writer.step({ type: 'report', sent: lost });
  });
  return judgmentIn(facts);
}

/** The window that the server has, by the host, by the error, or by how much too long it says that the prompt is. */
function windowOf(
  { calibration }: State,
  { window, overflow, known }: Spoken,
): Pick<HostReport, 'window'> {
  const excess = overflow?.excess ?? null;
  const most =
    known === undefined || excess === null ? 0 : Math.round(expected(calibration, known)) - excess;
  const said = window ?? overflow?.window ?? (most > 0 ? most : undefined);
  return said === undefined ? {} : { window: said };
}

/** What tells the window of a server. */
interface Spoken {
  readonly window: number | undefined;
  readonly overflow: Overflow | null;
  readonly known: SentAssembly | undefined;
}

/** What a server counted beside the prompt; nothing where that is all. */
export function restOf(counted: Usage): Pick<HostReport, 'usage'> {
  const { inputTokens: _, ...usage } = counted;
  return Object.keys(usage).length === 0 ? {} : { usage };
}

/** What was said of a request, with the entries that its count says were dropped. */
export function withLost(
  state: State,
  sent: HostReport,
  messages: readonly OutMessage[],
): HostReport {
  const { loses, numbers } = detectTruncation(evidenceOf(state, sent));
  const kept = numbers['reported'] ?? numbers['window'];
  if (!loses || kept === undefined) return sent;
  return { ...sent, lost: droppedEntries(messages, state.calibration, kept) };
}

function judgmentIn(facts: readonly Fact[]): Judgment {
  const found = facts.find((fact) => fact.type === 'truncation.suspected');
  if (found === undefined) return { truncation: 'none', lost: [] };
  return { truncation: found.truncation, lost: positionsIn(found.lost).map(entryId) };
}

/** The numbers of an overflow, in tokens; null for one that was not told. */
interface Overflow {
  readonly tokens: number | null;
  readonly window: number | null;
  /** By how much the prompt is too long. */
  readonly excess: number | null;
}

/** The overflow that an error tells of, ours or one in a server's words; null where it is another error. */
function overflowOf(error: unknown): Overflow | null {
  const ours = isEngineError(error, 'MODEL_OVERFLOW') ? error : null;
  if (isEngineError(error) && ours === null) return null;
  const stated = textsOf(ours === null ? error : ours.cause, 0).flatMap((text) => {
    const overflow = readOverflow(text);
    return overflow === null ? [] : [overflow];
  });
  const overflows = ours === null ? stated : [{ ...ours.detail, excess: null }, ...stated];
  if (overflows.length === 0) return null;
  const first = (name: keyof Overflow): number | null =>
    overflows.map(({ [name]: n }) => n).find(isPlausible) ?? null;
  return { tokens: first('tokens'), window: first('window'), excess: first('excess') };
}

/** Whether a server can have meant a number. */
const isPlausible = (n: number | null): boolean => Number.isSafeInteger(n) && n! > 0;

/** Errors inside errors that are looked into. */
const deepest = 4;

/** What an error says, in whatever shape a client gives it: its message, its code, the answer it holds, its cause. */
function textsOf(error: unknown, depth: number): readonly string[] {
  if (depth > deepest || error === undefined || error === null) return [];
  if (typeof error !== 'object') return typeof error === 'string' ? [error] : [];
  const fields = error as Record<string, unknown>;
  const words = [fields['message'], fields['code']].filter((word) => typeof word === 'string');
  const plain = error instanceof Error ? [] : [JSON.stringify(error) ?? ''];
  const inner = [fields['error'], fields['body'], fields['responseBody'], fields['cause']];
  return [...words, ...plain, ...inner.flatMap((one) => textsOf(one, depth + 1))];
}
