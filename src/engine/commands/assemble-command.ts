import { createHash } from 'node:crypto';
import type { Assembly } from '../../core/assembly/assembly.ts';
import { checkArgument, objectOf, signal } from '../../core/values/validation.ts';
import { hasUnreported, uncoveredEntries } from '../../core/assembly/coverage.ts';
import { toSpans } from '../../core/values/span.ts';
import type { Clock } from '../live/clock.ts';
import { exactCounter } from '../live/counting.ts';
import type { Effects } from '../effects/effects.ts';
import type { LiveSession } from '../live/live-session.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import type { Tools } from '../../core/messages/tool-spec.ts';

/** The schemas that a request will have; `same` for those of the last assembly. */
export type ToolsGiven = readonly ToolSchema[] | 'same';

/** What a wait for a compression goes by. */
interface CompressionWait {
  readonly effects: Effects;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  /** Longest wait, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** Refuses options that there are not, and what are no tools; throws `OPTION_INVALID`. */
export function checkAssemble(options: AssembleOptions): void {
  checkArgument('options', options, assembleOptions);
}

const assembleOptions = objectOf<AssembleOptions>({
  tools: { holds: areTools, takes: 'a list of schemas that are JSON' },
  signal,
});

function areTools(value: unknown): boolean {
  try {
    return value === 'same' || (Array.isArray(value) && JSON.stringify(value) !== undefined);
  } catch {
    return false;
  }
}

/** What to send to the model; waits for a compression only where nothing fits without it. */
export async function assembleNow(
  live: LiveSession,
  given: CompressionWait & { tools: ToolsGiven },
): Promise<Assembly> {
  const tools = given.tools === 'same' ? live.state.tools : await toTools(live, given.tools);
  const ready = await live.enqueue(() => (live.isReady(tools) ? covering(live, tools) : null));
  if (ready !== null) return ready;
  await untilItMayFit(live, tools, given);
  const { assembly, durable } = await live.enqueue(async () => {
    if (!live.isReady(tools)) {
      await exactCounter(live);
      live.step({ type: 'fit', tools });
    }
    return { assembly: await covering(live, tools), durable: live.written };
  });
  await durable;
  return assembly;
}

/**
 * The assembly, looked at once in each epoch: within one, what it holds only grows. What it leaves
 * out is told as a truncation, of our own making.
 */
function covering(live: LiveSession, tools: Tools): Assembly | Promise<Assembly> {
  const assembly = live.assembly();
  if (live.checkedEpoch === assembly.epoch) return assembly;
  live.checkedEpoch = assembly.epoch;
  const missing = uncoveredEntries(live.state, assembly.messages);
  return hasUnreported(missing, live.state.watch.uncovered)
    ? toldOf(live, tools, missing)
    : assembly;
}

async function toldOf(
  live: LiveSession,
  tools: Tools,
  missing: readonly number[],
): Promise<Assembly> {
  await exactCounter(live);
  live.step({ type: 'uncovered', entries: toSpans(missing) });
  if (!live.isReady(tools)) live.step({ type: 'fit', tools });
  await live.written;
  return live.assembly();
}

/** Waits for the compression that may make the assembly fit, as long as an effect may take. */
async function untilItMayFit(
  live: LiveSession,
  tools: Tools,
  given: CompressionWait,
): Promise<void> {
  const { effects, clock, timeout, signal } = given;
  const isOver = (): boolean =>
    live.fitsWith(tools) || live.state.views.get(live.state.active)?.compression == null;
  if (isOver() || !effects.isBusy(live)) return;
  let timer: unknown;
  const waited = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, timeout);
  });
  await untilAborted(Promise.race([effects.until(live, isOver), waited]), signal).finally(() =>
    clock.clearTimeout(timer),
  );
}

async function toTools(live: LiveSession, schemas: readonly ToolSchema[]): Promise<Tools> {
  if (schemas.length === 0) return { digest: '', tokens: 0 };
  const text = JSON.stringify(schemas);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  if (live.state.tools.digest === digest) return live.state.tools;
  return { digest, tokens: (await live.counter()).count(text) };
}

/** What a tool looks like to a model; anything JSON goes. */
export type ToolSchema = unknown;

/** What an assembly is made for. */
export interface AssembleOptions {
  /** Schemas of the tools that the request will have; they count. `same` for those of the last assembly; none unless told. */
  readonly tools?: ToolsGiven | undefined;
  readonly signal?: AbortSignal | undefined;
}
