import { setImmediate as breathe } from 'node:timers/promises';
import type { Far } from './far.ts';
import type { Entry, History } from './history.ts';
import type { Method, MethodKind } from './method.ts';
import { nameClasses, type NameClass } from './names.ts';
import type { Needs, Reference } from './needs.ts';
import { presenceOf, type Presence } from './presence.ts';
import type { Reader } from './reader.ts';
import type { Shown } from './said.ts';
import type { Share } from './share.ts';
import { emptyTally, sumOf, type Tally } from './tally.ts';
import type { Uses } from './uses.ts';
import { faultsOf } from './validity.ts';
import { yieldingShare, yieldOf } from './yield.ts';

/** A history with what is asked of each of its contexts. */
export interface Exam {
  readonly history: History;
  readonly needs: Needs;
  /** References to names that a plain window has lost, entry by entry. */
  readonly far: readonly Far[];
  readonly reader: Reader;
  readonly uses: Uses;
  /** Tokens that a context may have. */
  readonly budget: number;
  /** Whether changes of frame and goal are played, too. */
  readonly frames: boolean;
}

/** How a method did, and what it lost. */
export interface Outcome {
  readonly tally: Tally;
  /** How often each trace was needed from afar or as a directive, and not there. */
  readonly lost: ReadonlyMap<number, number>;
  /** Tokens of each context, in order; 0 where the method refused. */
  readonly course: readonly number[];
}

/** What is known while a history is played. */
interface Run {
  readonly exam: Exam;
  readonly presence: Presence;
  readonly lost: Map<number, number>;
  readonly course: number[];
  tally: Tally;
  /** The context before. */
  before: readonly Shown[];
  /** Traces of the directives so far. */
  readonly directives: number[];
  /** Places of what people typed so far. */
  readonly human: number[];
  hadUser: boolean;
  /** Tokens of the history so far. */
  seen: number;
}

/** How a measurement is watched and stopped. */
export interface Watch {
  readonly signal?: AbortSignal;
  /** Called after each step. */
  readonly onStep?: (done: number) => void;
}

/** Steps between two moments in which others get a turn. */
const atOnce = 32;

/** Plays a history through a method and examines the context before each assistant message. */
export async function measure(exam: Exam, kind: MethodKind, watch: Watch = {}): Promise<Outcome> {
  const { history, budget, needs, frames } = exam;
  const { signal, onStep } = watch;
  const first = history.entries[0];
  const system = first?.role === 'system' ? first.content : '';
  const method = await kind.begin({ budget, system, title: history.title });
  const run: Run = {
    exam,
    presence: presenceOf(needs.traces.length),
    lost: new Map(),
    course: [],
    tally: { ...emptyTally, history: history.tokens },
    before: [],
    directives: [],
    human: [],
    hadUser: false,
    seen: 0,
  };
  try {
    for (const [index, step] of history.steps.entries()) {
      signal?.throwIfAborted();
      if (step.type === 'entry') await playEntry(run, step.entry, method);
      else if (frames) await method.move?.(step.move);
      onStep?.(index + 1);
      if (index % atOnce === 0) await breathe();
    }
    const spending = { ...(method.spending?.() ?? emptyTally.spending) };
    return {
      tally: { ...run.tally, spending, ...(await checked(method, history)) },
      lost: run.lost,
      course: run.course,
    };
  } finally {
    await method.close?.();
  }
}

async function playEntry(run: Run, entry: Entry, method: Method): Promise<void> {
  const { exam } = run;
  const { place, role, tokens, isHuman } = entry;
  if (role === 'assistant' && place > 0) {
    const begun = performance.now();
    const context = await method.context();
    const assembling = performance.now() - begun;
    const recalled = await recalledOf(exam, entry, method);
    run.tally = sumOf([run.tally, { ...examine(run, entry, context), ...recalled, assembling }]);
    run.before = [...(context ?? [])];
  }
  const begun = performance.now();
  await method.append(entry);
  const appending = run.tally.appending + performance.now() - begun;
  run.tally = { ...run.tally, appending };
  run.seen += tokens;
  run.hadUser ||= role === 'user';
  if (isHuman) run.human.push(place);
  run.directives.push(...run.exam.needs.at[place]!.directives);
}

/** Contexts from one count of directives to the next. */
const directivesEvery = 5;

/** One context, examined. */
function examine(run: Run, entry: Entry, context: readonly Shown[] | null): Tally {
  const { exam, presence, seen, before, human, directives } = run;
  const shown = context ?? [];
  presence.show(shown.map(({ text, kind }) => exam.reader.read(text, kind === 'entry')));
  const { names, spans } = exam.needs.at[entry.place]!;
  const far = exam.far[entry.place]!.names;
  const tokens = shown.reduce((sum, message) => sum + message.tokens, 0);
  const isDirectivesTurn = (run.tally.contexts + 1) % directivesEvery === 0;
  const asked = isDirectivesTurn ? directives.map((trace) => ({ trace })) : [];
  const verbatim = new Set(
    shown.flatMap(({ kind, place }) => (kind === 'entry' && place !== null ? [place] : [])),
  );
  for (const { trace } of [...far, ...asked])
    if (!presence.has(trace)) run.lost.set(trace, (run.lost.get(trace) ?? 0) + 1);
  run.course.push(tokens);
  const share = (references: readonly Pick<Reference, 'trace'>[]): Share =>
    shareOf(references, presence);
  return {
    ...emptyTally,
    contexts: 1,
    far: share(far),
    farByClass: byClass((kind) => share(far.filter(({ trace }) => isOf(exam, trace, kind)))),
    names: share(names),
    spans: share(spans),
    farSpans: share(spans.filter(({ gap }) => gap > exam.budget)),
    directives: share(asked),
    crossFrame: share(names.filter(({ crosses }) => crosses)),
    human: { kept: human.filter((place) => verbatim.has(place)).length, of: human.length },
    prefix:
      before.length > 0 && tokens > 0 && seen > exam.budget
        ? { kept: sameStart(before, shown) / tokens, of: 1 }
        : emptyTally.prefix,
    ...(entry.place < yieldingShare * exam.history.entries.length
      ? { yield: yieldOf(shown, exam.uses, entry.place) }
      : {}),
    tokens,
    greatest: tokens,
    faults: {
      over: Number(tokens > exam.budget),
      refused: Number(context === null),
      ...faultsOf(shown, exam.history.entries, { hadUser: run.hadUser, frames: exam.frames }),
    },
  };
}

function shareOf(references: readonly Pick<Reference, 'trace'>[], presence: Presence): Share {
  return {
    kept: references.filter(({ trace }) => presence.has(trace)).length,
    of: references.length,
  };
}

function isOf({ needs }: Exam, trace: number, kind: NameClass): boolean {
  const sought = needs.traces[trace];
  return sought?.type === 'name' && sought.kind === kind;
}

function byClass(of: (kind: NameClass) => Share): Tally['farByClass'] {
  return Object.fromEntries(nameClasses.map((kind) => [kind, of(kind)])) as Tally['farByClass'];
}

/** Tokens at the start of `next` that are the same, message by message, as in `before`. */
function sameStart(before: readonly Shown[], next: readonly Shown[]): number {
  let same = 0;
  for (const [index, message] of next.entries()) {
    const old = before[index];
    if (old?.role !== message.role || old.text !== message.text) break;
    same += message.tokens;
  }
  return same;
}

/** Whether the log of a method is what it was given, byte for byte. */
async function checked(
  method: Method,
  { entries }: History,
): Promise<{ brokenLogs: number | null }> {
  if (method.log === undefined) return { brokenLogs: null };
  const given = entries.flatMap(({ message }) => (message === null ? [] : [message]));
  let at = 0;
  for await (const message of method.log()) {
    if (JSON.stringify(message) !== JSON.stringify(given[at])) return { brokenLogs: 1 };
    at += 1;
  }
  return { brokenLogs: Number(at !== given.length) };
}

// Whether what a plain window has lost is found again: by somebody who knows no
// more than the newest messages, and by somebody who knows the name.

/** Hits that are looked at. */
const limit = 10;

/** Newest messages that a query is made of. */
const newest = 3;

/** How many of the far references of an entry a method's search finds, before the entry is said. */
async function recalledOf(
  exam: Exam,
  { place }: Entry,
  { recall }: Method,
): Promise<Pick<Tally, 'recalled' | 'recalledAnywhere' | 'recalledByName'> | null> {
  const { names, before } = exam.far[place]!;
  if (recall === undefined || names.length === 0) return null;
  const { entries } = exam.history;
  const said = entries.slice(Math.max(0, place - newest), place);
  const query = said.map(({ text }) => text).toReversed();
  const found = await recall(query.join('\n'), { before, limit });
  const isFound = await Promise.all(
    names.map(async ({ trace }) => {
      const sought = exam.needs.traces[trace]!;
      if (sought.type !== 'name') return false;
      return isMentioned(exam, trace, await recall(sought.name, { before, limit }));
    }),
  );
  const share = (isKept: (reference: Reference, index: number) => boolean): Share => ({
    kept: names.filter(isKept).length,
    of: names.length,
  });
  return {
    recalled: share(({ last }) => found.includes(last)),
    recalledAnywhere: share(({ trace }) => isMentioned(exam, trace, found)),
    recalledByName: share((_, index) => isFound[index]!),
  };
}

/** Whether an entry at one of these places mentions a name. */
function isMentioned({ reader, history }: Exam, trace: number, places: readonly number[]): boolean {
  return places.some((place) => reader.read(history.entries[place]!.text, true).includes(trace));
}
