import type { Message, ToolCall } from '../../core/messages/message.ts';
import { isEngineError } from '../../core/values/error.ts';
import { takeMove } from '../laws/take-move.ts';
import type { Move } from '../laws/move.ts';
import { hearReport } from '../laws/witness.ts';
import { exactProse } from '../made-text.ts';
import type { ScriptedCall } from '../scripted-summarizer.ts';
import type { Bench } from './bench.ts';
import { StepFailure, type ScriptPath } from './expectation.ts';
import type { Fate } from './mortal-folder.ts';
import type { CallGiven, StepArguments, StepModifiers, StepName } from './step.ts';
import type { ParsedStep } from './parse-step.ts';
import { msOf } from './step-schema.ts';

/** The fields of a step, where a bare value was put into its field. */
type Given<Name extends StepName> = Exclude<StepArguments[Name], string | number | boolean | null>;

/** Steps that are about a script as a whole. */
type OuterStep = 'repeat' | 'expect';

type Steps = {
  readonly [Name in Exclude<StepName, OuterStep>]: (
    bench: Bench,
    args: Given<Name> & Readonly<Record<string, never>>,
  ) => unknown;
};

const steps = {
  user: (bench, { text, tokens, key, ...rest }: Given<'user'>) =>
    bench.say({ role: 'user', content: contentOf(bench, { text, tokens }), ...rest }, { key }),
  assistant: sayAnswer,
  tool: (bench, { text, tokens, key, call, name, error }: Given<'tool'>) =>
    bench.say(
      {
        role: 'tool',
        content: contentOf(bench, { text, tokens }),
        toolCallId: call,
        ...(name === undefined ? {} : { name }),
        ...(error === undefined ? {} : { isError: error }),
      },
      { key },
    ),
  push: (bench, frame: Given<'push'>) => move(bench, { type: 'push', as: frame.title, ...frame }),
  plan: async ({ session, names }, { as, parent, ...frame }: Given<'plan'>) => {
    const under = parent === undefined ? {} : { parent: names.get(parent) ?? parent };
    const { id } = await session.frames.plan({ ...frame, ...under });
    names.set(as ?? frame.title, id);
  },
  start: (bench, { frame }: Given<'start'>) => move(bench, { type: 'start', frame }),
  pop: (bench, results: Given<'pop'>) =>
    move(bench, { type: 'pop', status: 'completed', ...results }),
  invalidate: (bench, { frame, reason = '' }: Given<'invalidate'>) =>
    move(bench, { type: 'invalidate', frame, reason }),
  retry: (bench, { frame, as = frame }: Given<'retry'>) =>
    move(bench, { type: 'retry', frame, as }),
  goal: ({ session }, goal: Given<'goal'>) => session.goal.set(goal),
  assemble: (bench, { tools }: Given<'assemble'>) => {
    bench.tools = tools ?? [];
    bench.witness.tools = tools?.length ? bench.witness.count(JSON.stringify(tools)) : 0;
    return bench.session.assemble({ tools: bench.tools });
  },
  compress: (bench, args: Given<'compress'>) => {
    bench.witness.asked = true;
    return bench.session.compress(args);
  },
  undo: ({ session }) => session.undo(),
  redo: ({ session }) => session.redo(),
  snapshot: ({ session }) => session.snapshots.create(),
  restore: (bench, { back = 0 }: Given<'restore'>) => move(bench, { type: 'restore', back }),
  configure: (bench, options: Given<'configure'>) => move(bench, { type: 'configure', options }),
  recover: ({ session }, args: Given<'recover'>) => session.recover(args),
  confirm: ({ session }, { answer }: { readonly answer: boolean | string }) =>
    session.recovery.confirm(answer),
  cut: async (bench, { to, text = 'What are we working on?' }: Given<'cut'>) => {
    const { id, budget } = await bench.session.assemble({ tools: bench.tools });
    const usage = { inputTokens: Math.min(to, budget.counted) };
    await bench.say({ role: 'assistant', content: text }, { assembly: id, usage });
  },
  report: ({ session }, { error, ...report }: Given<'report'>) =>
    session.report(error === undefined ? report : { ...report, error: new Error(error) }),
  answer: (bench, { text }: Given<'answer'>) => heldCall(bench).answer(text),
  refuse: (bench, { reason }: Given<'refuse'>) => heldCall(bench).refuse(reason),
  wait: ({ clock }, { time }: { readonly time: number | string }) => clock.advance(msOf(time)!),
  settle: ({ session }) => session.settled(),
  kill: async (bench) => {
    await bench.folder.die();
    await bench.reopen();
  },
  reopen: async (bench, options: Given<'reopen'>) => {
    await bench.reopen();
    if (Object.keys(options).length > 0) await move(bench, { type: 'configure', options });
  },
} satisfies { [Name in keyof Steps]: (bench: Bench, args: never) => unknown };

/**
 * Takes a step, with time passing until it is over, and its death, fault or refusal. Throws {@link StepFailure}
 * where it is refused and should not be, or the other way around.
 */
export async function takeStep(
  bench: Bench,
  { name, args, modifiers }: ParsedStep,
  path: ScriptPath,
): Promise<void> {
  const { crash, fault, write = 1, refused } = modifiers as StepModifiers;
  const { clock, folder } = bench;
  const fate: Fate | undefined = crash ?? fault;
  folder.set(fate === undefined ? null : { fate, write });
  const take = steps[name as Exclude<StepName, OuterStep>] as (
    bench: Bench,
    args: unknown,
  ) => unknown;
  let failure: unknown = null;
  try {
    const taken = Promise.resolve(take(bench, args));
    if (name === 'wait') await taken;
    else await clock.until(fate === undefined ? taken : Promise.race([taken, folder.over]));
    await clock.advance(0);
  } catch (error) {
    failure = error;
  }
  const { writes, isOver } = folder;
  folder.set(null);
  if (fate !== undefined && !isOver) throw tooFewWrites(name, { fate, write, writes, path });
  const isBroken = fate !== undefined && isEngineError(failure, 'STORE_UNAVAILABLE');
  if (crash !== undefined) await bench.reopen();
  if (!isBroken) judgeRefusal(failure, refused, [...path, name]);
}

function judgeRefusal(error: unknown, wanted: string | undefined, path: ScriptPath): void {
  if (error === null && wanted === undefined) return;
  if (error !== null && !isEngineError(error)) throw error;
  const there = error === null ? 'it was taken' : `${error.code}: ${error.message}`;
  if (error !== null && error.code === wanted) return;
  const what =
    wanted === undefined ? 'The step was refused' : `Expected: the step is refused with ${wanted}`;
  throw new StepFailure([{ path, what, lines: [there] }], { cause: error });
}

function tooFewWrites(
  name: StepName,
  outcome: { fate: Fate; write: number; writes: number; path: ScriptPath },
): StepFailure {
  const { fate, write, writes, path } = outcome;
  const isCrash = fate === 'before' || fate === 'in' || fate === 'after';
  const what = isCrash
    ? `Expected: the process dies ${fate} write ${write}`
    : `Expected: the disk refuses write ${write}: ${fate}`;
  const lines = [`"${name}" wrote ${times(writes)}`];
  return new StepFailure([{ path: [...path, isCrash ? 'crash' : 'fault'], what, lines }]);
}

const times = (count: number): string =>
  count === 0 ? 'nothing' : count === 1 ? 'once' : `${count} times`;

function move(bench: Bench, made: Move): Promise<void> {
  return takeMove(bench, made, { names: bench.names, line: 0, tools: bench.tools });
}

/** What is said: a text, and prose of some so many tokens that is another each time. */
function contentOf(
  { witness }: Bench,
  { text, tokens }: { readonly text?: string | undefined; readonly tokens?: number | undefined },
): string {
  const made =
    tokens === undefined
      ? []
      : [exactProse(tokens, { seed: witness.said.length, count: witness.count })];
  return [...(text === undefined ? [] : [text]), ...made].join('\n\n');
}

async function sayAnswer(bench: Bench, answer: Given<'assistant'>): Promise<void> {
  const { text, tokens, key, calls, counted, ...rest } = answer;
  const message: Message = {
    role: 'assistant',
    content: contentOf(bench, { text, tokens }),
    ...(calls === undefined ? {} : { toolCalls: calls.map(toCall) }),
    ...rest,
  };
  if (counted === undefined) return bench.say(message, { key });
  const { id, budget } = await bench.session.assemble({ tools: bench.tools });
  await bench.say(message, { key, assembly: id, usage: { inputTokens: counted } });
  hearReport(bench.witness, counted / budget.total);
}

function toCall(call: CallGiven): ToolCall {
  if (typeof call === 'string') return { name: call, arguments: {} };
  return { arguments: {}, ...call };
}

/** The call of the summarizer that waits longest. */
function heldCall({ summarizer }: Bench): ScriptedCall {
  const call = summarizer?.calls.find(({ ended, aborted }) => !ended && !aborted);
  if (call !== undefined) return call;
  const why = summarizer === null ? 'The script names no summarizer' : 'None of its calls waits';
  throw new StepFailure([
    { path: [], what: 'Expected: a call of the summarizer waits for its answer', lines: [why] },
  ]);
}
