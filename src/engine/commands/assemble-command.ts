import { createHash } from 'node:crypto';
import type { Assembly } from '../../core/assembly/assembly.ts';
import { hasUnreported, uncoveredEntries } from '../../core/assembly/coverage.ts';
import { noTools, offersRecall, spelledTool, type Tools } from '../../core/messages/tool-spec.ts';
import type { State } from '../../core/state/state.ts';
import { toSpans } from '../../core/values/span.ts';
import { checkArgument, objectOf, signal } from '../../core/values/validation.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import type { SessionEffects } from '../effects/effects.ts';
import { decided } from '../live/decided.ts';
import type { Clock } from '../live/clock.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession, SessionReader, SessionWriter } from '../live/session-access.ts';
import { measure } from '../step/measure.ts';

/** What a tool looks like to a model: JSON with its name, in whatever spelling of a server. */
export type ToolSchema = unknown;

/** The schemas that a request will have; `same` for those of the last assembly. */
type ToolsGiven = readonly ToolSchema[] | 'same';

/** What an assembly is made for. */
export interface AssembleOptions {
  /** Schemas of the tools that the request will have; they count. `same` for those of the last assembly; none unless told. */
  readonly tools?: ToolsGiven | undefined;
  readonly signal?: AbortSignal | undefined;
}

const assembleOptions = objectOf<AssembleOptions>({
  tools: { holds: areTools, items: spelledTool, takes: 'a list of schemas that are JSON' },
  signal,
});

function areTools(value: unknown): boolean {
  try {
    return value === 'same' || (Array.isArray(value) && JSON.stringify(value) !== undefined);
  } catch {
    return false;
  }
}

/** What a wait for a compression goes by. */
interface CompressionWait {
  readonly effects: SessionEffects;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  /** Longest wait, in milliseconds. */
  readonly timeout: number;
}

/** What to send to the model; waits for a compression only where nothing fits without it. Throws `OPTION_INVALID`, `CONTEXT_OVERFLOW`. */
export async function assemble(
  session: CommandSession,
  options: AssembleOptions,
  wait: CompressionWait,
): Promise<Assembly> {
  checkArgument('options', options, assembleOptions);
  const { tools: schemas = [], signal } = options;
  signal?.throwIfAborted();
  const tools = schemas === 'same' ? session.state.tools : await toTools(session, schemas);
  const ready = await decided(session, async (writer) => ({
    assembly: isReady(writer.state, tools) ? await checkedAssembly(session, writer, tools) : null,
    durable: nothing,
  }));
  if (ready.assembly !== null) return ready.assembly;
  await untilItMayFit(session, tools, { ...wait, signal });
  const { assembly } = await decided(session, async (writer) => {
    if (!isReady(writer.state, tools)) {
      await exactCounter(writer);
      await writer.stepInParts({ type: 'fit', tools });
    }
    const assembly = await checkedAssembly(session, writer, tools);
    return { assembly, durable: writer.written };
  });
  return assembly;
}

/** What an assembly that is ready waits for. */
const nothing = Promise.resolve();

async function toTools(session: SessionReader, schemas: readonly ToolSchema[]): Promise<Tools> {
  if (schemas.length === 0) return noTools;
  const text = JSON.stringify(schemas);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  if (session.state.tools.digest === digest) return session.state.tools;
  const { count } = await session.counter();
  return { digest, tokens: count(text), recall: offersRecall(schemas) };
}

/** Whether assembling with these tools changes nothing. */
function isReady(state: State, tools: Tools): boolean {
  const { total, limit } = measure(state);
  return state.tools.digest === tools.digest && total <= limit;
}

/** Whether an assembly with these tools would stay within the limit. */
function fitsWith(state: State, tools: Tools): boolean {
  const { total, limit } = measure(state);
  return total - state.tools.tokens + tools.tokens <= limit;
}

/**
 * The assembly, checked once in each epoch for entries that nothing in it leads to: within an epoch
 * an assembly only grows. What it leaves out is recorded as a truncation of our own making.
 */
function checkedAssembly(
  session: CommandSession,
  writer: SessionWriter,
  tools: Tools,
): Assembly | Promise<Assembly> {
  const assembly = session.assembly();
  if (session.checkedEpoch === assembly.epoch) return assembly;
  session.checkedEpoch = assembly.epoch;
  const { state } = session;
  const missing = uncoveredEntries(state, assembly.messages);
  if (!hasUnreported(missing, state.losses.uncovered)) return assembly;
  return recordUncovered(writer, tools, missing).then(() => session.assembly());
}

async function recordUncovered(
  writer: SessionWriter,
  tools: Tools,
  missing: readonly number[],
): Promise<void> {
  await exactCounter(writer);
  writer.step({ type: 'uncovered', entries: toSpans(missing) });
  if (!isReady(writer.state, tools)) writer.step({ type: 'fit', tools });
  await writer.written;
}

/** Waits for the compression that may make the assembly fit, as long as an effect may take. */
async function untilItMayFit(
  session: SessionReader,
  tools: Tools,
  wait: CompressionWait & { readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { effects, clock, timeout, signal } = wait;
  const isOver = (): boolean => {
    const { state } = session;
    return fitsWith(state, tools) || state.views.get(state.active)?.compression == null;
  };
  if (isOver() || !effects.isBusy()) return;
  let timer: unknown;
  const waited = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, timeout);
  });
  await untilAborted(Promise.race([effects.until(isOver), waited]), signal).finally(() =>
    clock.clearTimeout(timer),
  );
}
