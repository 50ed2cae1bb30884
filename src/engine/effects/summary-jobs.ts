import { chronicleLines } from '../../core/sections/chronicle-section.ts';
import { embedded } from '../../core/budget/options.ts';
import { isTelling, withoutInvented, type Grounding } from '../../core/lines/grounding.ts';
import { linesAbove, readLines } from '../../core/chronicle/chronicle.ts';
import { printNumbered, type LineKind } from '../../core/lines/line.ts';
import { spansOf } from '../../core/frames/frame-ranges.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { argumentsOf, filesOf, isHuman, personText, textOf } from '../../core/messages/message.ts';
import type { Effect } from '../../core/state/effect.ts';
import type { State } from '../../core/state/state.ts';
import { emptyView } from '../../core/state/view.ts';
import { isEngineError } from '../../core/values/error.ts';
import { ordinal } from '../../core/values/id.ts';
import type { LogEntry, Summarizer, SummaryTask } from '../../llm/summarizer.ts';
import { newBreathe } from '../../llm/breathe.ts';
import { untilAborted } from '../../llm/until-aborted.ts';
import { readLog } from '../journal/read-log.ts';
import type { Clock } from '../live/clock.ts';
import type { LiveSession } from '../live/live-session.ts';
import { nextTurn } from '../live/next-turn.ts';
import type { SessionReader } from '../live/session-access.ts';
import type { EndEffect } from './effect-end.ts';
import { newJobQueue, type Job } from './job-queue.ts';
import { readGrounding } from './read-grounding.ts';

/** The summaries that the live sessions of a store ask for. */
interface SummaryJobs {
  /** Starts those that a session newly asks for, and stops those that it no longer asks for. */
  pump(live: LiveSession): void;
  /** Stops all. */
  stop(): void;
}

interface JobDependencies {
  readonly clock: Clock;
  readonly options: { readonly concurrency: number; readonly timeout: number };
  readonly summarizers: ReadonlyMap<string, Summarizer>;
  readonly endEffect: EndEffect;
  /** Called when a job is over. */
  readonly onOver: (live: LiveSession) => void;
}

/** Summary jobs, none of them running yet. */
export function newSummaryJobs(dependencies: JobDependencies): SummaryJobs {
  const { summarizers, options, onOver } = dependencies;
  const jobs = new Map<string, Job>();
  const queue = newJobQueue(options.concurrency, async (job) => {
    await run(job, dependencies);
    const name = nameOf(job.live, job.key);
    if (jobs.get(name) === job) jobs.delete(name);
    onOver(job.live);
  });

  return {
    pump(live) {
      const outbox: State['outbox'] = live.isBroken ? new Map() : live.state.outbox;
      for (const [name, job] of jobs)
        if (job.live === live && !outbox.has(job.key)) {
          job.abort.abort();
          jobs.delete(name);
        }
      const { summarizer } = live.state.options;
      if (summarizer === embedded || !summarizers.has(summarizer)) return;
      const fresh = [...outbox]
        .filter(([key]) => !jobs.has(nameOf(live, key)))
        .map(([key, effect]): Job => ({ live, key, effect, abort: new AbortController() }));
      for (const job of fresh) jobs.set(nameOf(live, job.key), job);
      queue.add(fresh);
    },
    stop() {
      for (const { abort } of jobs.values()) abort.abort();
    },
  };
}

const nameOf = (live: LiveSession, key: string): string => `${live.id} ${key}`;

/** Asks for one summary, and takes into the session how that ended. */
async function run(
  { live, key, effect, abort }: Job,
  dependencies: JobDependencies,
): Promise<void> {
  const { clock, options, summarizers, endEffect } = dependencies;
  const { signal } = abort;
  const summarizer = summarizers.get(live.state.options.summarizer);
  const timer = clock.setTimeout(
    () => abort.abort(new Error(`No answer within ${options.timeout} ms`)),
    options.timeout,
  );
  try {
    if (summarizer === undefined) throw new Error('There is no summarizer any more');
    const task = await taskOf(live, effect);
    signal.throwIfAborted();
    const answer: unknown = await untilAborted(summarizer.summarize(task, { signal }), signal);
    const said = checked(typeof answer === 'string' ? answer : '', await groundingOf(task, clock));
    // Reading the answer took a while, and what it decides takes another.
    await nextTurn();
    await endEffect(live, { type: 'settle', key, ...said, by: summarizer.name });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await endEffect(live, { type: 'fail', key, reason, ...waitIn(error), ...finalIn(error) });
  } finally {
    clock.clearTimeout(timer);
  }
}

/** The longest that a busy server is waited for, in milliseconds; after that, the deterministic summary serves. */
const mostWait = 60_000;

/** How long a server asked to be left alone, where an error says so. */
function waitIn(error: unknown): { readonly wait?: number } {
  const { retryAfter: asked = 0 } = isEngineError(error, 'MODEL_BUSY') ? error.detail : {};
  return asked > 0 ? { wait: Math.min(mostWait, asked) } : {};
}

/** What a server says of a request that it will say of the same one again. */
const finalCodes: ReadonlySet<string> = new Set([
  'MODEL_NOT_FOUND',
  'MODEL_OVERFLOW',
  'MODEL_REFUSED',
  'MODEL_UNSUPPORTED',
]);

const finalIn = (error: unknown): { readonly final?: true } =>
  isEngineError(error) && finalCodes.has(error.code) ? { final: true } : {};

/**
 * An answer without the lines that nothing it was given bears out; without any where these are most
 * of it, or where the others tell nothing of the record.
 */
function checked(
  answer: string,
  grounding: Grounding,
): { readonly text: string; readonly invented?: readonly string[] } {
  if (answer.trim() === '') return { text: '' };
  const { text, invented } = withoutInvented(answer, grounding);
  const said = text.split('\n').filter((line) => line.trim() !== '');
  if (invented.length > said.length) return { text: '', invented };
  if (!isTelling(text, grounding)) return { text: '', invented: [...invented, ...said] };
  return invented.length === 0 ? { text: answer } : { text, invented };
}

/** What a summary of a task may rest on: all its texts, and the ids of its entries. */
const groundingOf = (task: SummaryTask, clock: Clock): Promise<Grounding> =>
  readGrounding(
    { record: task.entries.flatMap(textsOfEntry), beside: textsBeside(task) },
    newBreathe(() => clock.elapsed?.() ?? 0),
  );

const textsOfEntry = (entry: LogEntry): readonly string[] => [
  textOf(entry.content),
  ...filesOf(entry.content).map((file) => (file.type === 'file' ? (file.name ?? '') : '')),
  ...(entry.role === 'tool' ? [entry.name ?? ''] : []),
  ...(entry.role === 'assistant' ? (entry.toolCalls ?? []) : []).map(
    (call) => `${call.name} ${argumentsOf(call)}`,
  ),
];

const textsBeside = ({ entries, earlier, goal, request, subtask, focus }: SummaryTask) => [
  ...entries.map(({ id }) => id),
  earlier,
  JSON.stringify(goal),
  request,
  subtask,
  focus,
];

/** What a summarizer is given for an effect. */
async function taskOf(session: SessionReader, effect: Effect): Promise<SummaryTask> {
  const { purpose, target, strict, focus } = effect;
  const { goal, frames } = session.state;
  const { parent, title, criteria } = frameOf(frames, effect.frame);
  const subtask = parent === null ? '' : `${title}\n${criteria}`.trim();
  const earlier = earlierOf(session, effect);
  const entries = await entriesOf(session, effect);
  const request = goal === null ? await firstRequest(session, effect, entries) : '';
  return { purpose, entries, earlier, goal, request, subtask, target, strict, focus };
}

/** Most entries that are looked at for the first request. */
const mostOpening = 20;

/** What a person said first, where it is not among the entries; '' for nothing. */
async function firstRequest(
  { id, store }: SessionReader,
  { to }: Effect,
  entries: readonly LogEntry[],
): Promise<string> {
  const opening = { before: mostOpening + 1, last: ordinal(to) };
  for await (const entry of readLog(store, id, opening)) {
    if (!isHuman(entry)) continue;
    return entries.some((one) => one.id === entry.id) ? '' : personText(entry);
  }
  return '';
}

/** What was stated of the time before the entries of an effect, as the prompt shows it in checkpoints and in the chronicle; each line under its number. */
function earlierOf({ state, bodies }: SessionReader, { frame, from }: Effect): string {
  const start = ordinal(from);
  const ofFrame = { ...state, active: frame };
  const shownLines = new Set(linesAbove(chronicleLines(ofFrame), state.epochView.plan.chronicle));
  const held = new Set(state.views.get(frame)?.checkpoints.flatMap(({ lines }) => lines));
  const lines = state.chronicle.lines.filter(
    (line) =>
      line.to < start && isStated.has(line.kind) && (shownLines.has(line) || held.has(line.id)),
  );
  return printNumbered(readLines(lines, (source) => bodies.text(source)));
}

/** The kinds of lines that a summary can go on from and correct: what was changed, read or run is no statement. */
const isStated = new Set<LineKind>(['asked', 'list', 'said']);

/** The entries of a range, and what people said before it since the checkpoint before, or last of all. */
async function entriesOf({ id, state, store }: SessionReader, effect: Effect): Promise<LogEntry[]> {
  const start = ordinal(effect.from);
  const { checkpoints, human, items } = state.views.get(effect.frame) ?? emptyView;
  const ends = checkpoints.map(({ to }) => ordinal(to)).filter((n) => n < start);
  const people = [...human, ...items.filter((item) => item.human)];
  const asked = people.findLast(({ n }) => n < start)?.n ?? start;
  const after = Math.min(Math.max(0, ...ends), asked - 1);
  const last = ordinal(effect.to);
  const range = { after, before: last + 1, last };
  const within = spansOf(state.frameRanges, frameOf(state.frames, effect.frame));
  const entries: LogEntry[] = [];
  for await (const entry of readLog(store, id, { ...range, within }))
    if (ordinal(entry.id) >= start || isHuman(entry)) entries.push(entry);
  return entries;
}
