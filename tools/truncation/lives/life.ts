import type { Entry, Step } from '../../eval/history.ts';
import type { Assembly, Message, RecoveredContext, Session } from '../../../src/index.ts';
import { pick, type Random } from '../../random.ts';
import {
  beginRun,
  cutCount,
  isAnswer,
  play,
  wholeCount,
  type RunOptions,
  type Run,
} from './run.ts';
import type { Subject } from './subject.ts';

// Life after a cut: a session is played twice, once whole and once with a disruption somewhere
// in it, and what it knows afterwards is compared.

/** A server that cuts the prompt, a host that drops the head of its list, or a process that is killed whose host begins anew. */
export type Disruption = 'server' | 'host' | 'killed';

/** Answers after the disruption whose needs are measured. */
const after = 20;

/** The result of one disruption of a session. */
export interface Outcome {
  /** How often a cut was suspected, from the blow on. */
  readonly noticed: number;
  /** Of the next assembly: whether it is within the limit, and holds the last checkpoint (null: there is none) and the newest human entry. */
  readonly fits: boolean;
  readonly checkpoint: boolean | null;
  readonly human: boolean;
  /** Open items and changed files that the recovery knew, and how many of them the next assembly holds. */
  readonly open: Share;
  readonly files: Share;
  /** Whether `recall` finds a sentence of what was lost; null where nothing lost has one. */
  readonly recalled: boolean | null;
  /** Whether the log has each message once, byte for byte. */
  readonly isWhole: boolean;
  /** Far references kept in the next assemblies, with the blow and without. */
  readonly struck: Share;
  readonly spared: Share;
}

/** Some of all. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** Far references kept before each answer of a session that nothing happens to, by the place of the answer. */
export async function keptUndisturbed(
  subject: Subject,
  home: RunOptions = {},
): Promise<ReadonlyMap<number, number>> {
  await using run = await beginRun(subject, home);
  const kept = new Map<number, number>();
  for (const step of subject.history.steps) {
    if (!isAnswer(step)) {
      await play(run, step);
      continue;
    }
    const assembly = await run.session.assemble();
    kept.set(step.entry.place, subject.kept(assembly, step.entry));
    await play(run, step, { assembly, tokens: wholeCount(assembly) });
  }
  return kept;
}

/** Steps at which a disruption may come: answers with enough before and after them. */
export function disruptionPoints({ history, window }: Subject): readonly number[] {
  let seen = 0;
  const answers = history.steps.flatMap((step, at) => {
    if (step.type === 'entry') seen += step.entry.tokens;
    return isAnswer(step) && seen > window ? [at] : [];
  });
  return answers.slice(0, Math.max(0, answers.length - 2));
}

/** Plays a session up to an answer, disrupts it, and measures what it knows afterwards. */
export async function playDisrupted(
  subject: Subject,
  { at, blow, random }: { at: number; blow: 'server' | 'host'; random: Random },
): Promise<Omit<Outcome, 'spared'>> {
  await using run = await beginRun(subject);
  for (const step of subject.history.steps.slice(0, at)) await playStep(run, step);
  return await playAfterCut(run, subject, {
    from: at + (blow === 'server' ? 1 : 0),
    random,
    async happen() {
      const step = subject.history.steps[at]!;
      if (blow === 'server' && isAnswer(step)) {
        const assembly = await run.session.assemble();
        await play(run, step, { assembly, tokens: cutCount(assembly) });
        return;
      }
      const list = messagesOf(subject.history.steps.slice(0, at));
      run.list = list.slice(Math.ceil(list.length * 0.6));
      await run.session.sync(run.list);
    },
  });
}

/** Plays a step as it was, with the server's count of the prompt. */
export async function playStep(run: Run, step: Step): Promise<void> {
  if (!isAnswer(step)) return play(run, step);
  const assembly = await run.session.assemble();
  return play(run, step, { assembly, tokens: wholeCount(assembly) });
}

/** What somebody who handed over everything handed over. */
function messagesOf(steps: readonly Step[]): Message[] {
  return steps.flatMap((step) =>
    step.type === 'entry' && step.entry.message !== null ? [step.entry.message] : [],
  );
}

/** What a session knows after something happened to it, over the next answers. */
export async function playAfterCut(
  run: Run,
  subject: Subject,
  { from, random, happen }: { from: number; random: Random; happen: () => Promise<void> },
): Promise<Omit<Outcome, 'spared'>> {
  const { session } = run;
  const { steps } = subject.history;
  let noticed = 0;
  session.on('truncation.suspected', () => (noticed += 1));
  await happen();
  const context = session.state.recovery?.context ?? null;
  if (context !== null) await session.recovery.confirm(true);
  await session.settled();
  const next = await examine(session, context);
  const recalled = await isRecalled(session, { steps: steps.slice(0, from), random });
  const struck = await answersAfter(run, subject, from);
  const played = steps.slice(0, struck.end);
  const { end: _, ...share } = struck;
  return { noticed, ...next, recalled, struck: share, isWhole: await isSame(session, played) };
}

async function examine(
  session: Session,
  context: RecoveredContext | null,
): Promise<Pick<Outcome, 'fits' | 'checkpoint' | 'human' | 'open' | 'files'>> {
  const assembly = await session.assemble();
  const text = assembly.messages.map(({ content }) => textIn(content)).join('\n');
  const last = session.state.checkpoints.findLast(({ frame }) => frame === session.state.active);
  const newest = await newestHuman(session);
  const holds = (items: readonly string[] = []): Share => ({
    kept: items.filter((item) => text.includes(item)).length,
    of: items.length,
  });
  return {
    fits: assembly.budget.total <= assembly.budget.limit,
    checkpoint: last === undefined ? null : text.includes(`<checkpoint id="${last.id}"`),
    human: newest === null || assembly.messages.some(({ entry }) => entry === newest),
    open: holds(context?.open),
    files: holds(context?.files),
  };
}

async function newestHuman(session: Session): Promise<string | null> {
  for await (const entry of session.log({ reverse: true }))
    if (entry.role === 'user' && (entry.origin ?? 'person') === 'person') return entry.id;
  return null;
}

const textIn = (content: Assembly['messages'][number]['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** Whether a sentence out of the first half of what was said is found again. */
async function isRecalled(
  session: Session,
  { steps, random }: { steps: readonly Step[]; random: Random },
): Promise<boolean | null> {
  const lost = messagesOf(steps.slice(0, Math.ceil(steps.length / 2)));
  const sentences = lost.flatMap(({ content }) => sentencesIn(textIn(content)));
  if (sentences.length === 0) return null;
  const sentence = pick(random, sentences);
  const hits = await session.recall(sentence, { limit: 10, tokens: 20_000 });
  return hits.some(({ text }) => text.includes(sentence));
}

/** Runs of eight words or more, without a line break. */
const sentencesIn = (text: string): readonly string[] =>
  (text.match(/[A-Z][^.!?\n]{40,200}[.!?]/g) ?? []).filter((one) => one.split(' ').length >= 8);

async function answersAfter(
  run: Run,
  subject: Subject,
  from: number,
): Promise<Share & { readonly end: number }> {
  const { steps } = subject.history;
  let [kept, of, answers, end] = [0, 0, 0, from];
  for (; end < steps.length && answers < after; end += 1) {
    const step = steps[end]!;
    if (!isAnswer(step)) {
      await play(run, step);
      continue;
    }
    const assembly = await run.session.assemble();
    kept += subject.kept(assembly, step.entry);
    of += subject.far[step.entry.place]!.length;
    answers += 1;
    await play(run, step, { assembly, tokens: wholeCount(assembly) });
  }
  return { kept, of, end };
}

/** What the same answers have without the blow. */
export function sparedAfter(
  subject: Subject,
  from: number,
  kept: ReadonlyMap<number, number>,
): Share {
  const entries: Entry[] = subject.history.steps
    .slice(from)
    .flatMap((step) => (isAnswer(step) ? [step.entry] : []));
  const next = entries.slice(0, after);
  return {
    kept: next.reduce((sum, { place }) => sum + (kept.get(place) ?? 0), 0),
    of: next.reduce((sum, { place }) => sum + subject.far[place]!.length, 0),
  };
}

async function isSame(session: Session, steps: readonly Step[]): Promise<boolean> {
  const given = messagesOf(steps);
  let at = 0;
  for await (const {
    id: _id,
    frame: _frame,
    at: _at,
    tokens: _tokens,
    ...message
  } of session.log()) {
    if (JSON.stringify(message) !== JSON.stringify(given[at])) return false;
    at += 1;
  }
  return at === given.length;
}
