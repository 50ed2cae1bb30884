import type { GoneBack, Session, TakenStep } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { confirmed } from '../call/confirmed.ts';
import { exits } from '../call/exit.ts';
import { many } from '../paper/size.ts';
import { wrap } from '../paper/width.ts';
import { nextLine, nowText, stepLines, toldStep, type ToldStep } from '../render/step.ts';
import { saidBy } from '../sessions/words/said-by.ts';
import { readSession, withSession } from '../sessions/with-session.ts';

/** Options of `undo` and `redo` alone. */
export interface GoBackOptions {
  /** Show the steps and take none. */
  readonly list?: boolean | undefined;
  /** Say what would be done, and do nothing. */
  readonly dryRun?: boolean | undefined;
  /** Do not ask. */
  readonly yes?: boolean | undefined;
}

/** Takes the newest step of a session back, or again; gives the exit code. */
export async function goBack(
  said: string | undefined,
  request: { readonly way: 'undo' | 'redo'; readonly options: GoBackOptions },
  call: CommandCall,
): Promise<number> {
  const { way, options } = request;
  if (options.list === true)
    return readSession(call, said, (session) => listSteps(session, way, call));
  if (options.dryRun === true)
    return readSession(call, said, (session) => previewStep(session, way, call));
  const target = way === 'undo' ? await askStep(said, options, call) : { id: said };
  if (target === null) return exits.done;
  const taken = await withSession(call, target.id, async (session) => {
    if (target.step !== undefined && (await isAnother(session, target.step))) return null;
    const { done, text, step } = await goBackSession(session, way);
    if (call.json) {
      const { undo, redo } = await session.steps();
      const next = { undo: undo[0] ?? null, redo: redo[0] ?? null };
      const { active } = session.state;
      call.emit(`flamestack.${way}/1`, { session: session.id, ...done, step, active, next });
    } else {
      await tellPosition(text, session, call);
    }
    return exits.done;
  });
  if (taken !== null) return taken;
  call.note('The session has gone on meanwhile.');
  return goBack(target.id, request, call);
}

/** Says what the next undo or redo is, and does nothing. */
async function previewStep(
  session: Session,
  way: 'undo' | 'redo',
  call: CommandCall,
): Promise<number> {
  const { undo, redo } = await session.steps();
  const [step, then] = way === 'undo' ? undo : redo;
  const { active } = session.state;
  if (call.json)
    call.emit(`flamestack.${way}/1`, {
      session: session.id,
      dry: true,
      step: step ?? null,
      active,
    });
  else if (step === undefined) call.note(await nextLine(session, way));
  else {
    const next = then === undefined ? [] : [`After that: ${await toldStep(session, then)}.`];
    const what = await toldStep(session, step);
    const lines = [`Would ${way} ${what} (turn ${step.turn}).`, ...next];
    call.print(...lines.flatMap((line) => wrap(line, call.paper().longest)));
    call.note('Nothing was done.');
  }
  return step === undefined ? exits.nothing : exits.done;
}

/** The session that a step is taken back in, and the step where somebody said yes to it. */
interface AskedStep {
  readonly id: string | undefined;
  readonly step?: TakenStep | undefined;
}

/** Asks whoever sits at the terminal whether the next step is to be taken back, while others may write; null for no. Where there is no step, it is not asked. Throws `OPTION_INVALID` where nobody sits there. */
async function askStep(
  said: string | undefined,
  { yes }: GoBackOptions,
  call: CommandCall,
): Promise<AskedStep | null> {
  if (yes === true) return { id: said };
  const preview = await readSession(call, said, async (session) => {
    const [step] = (await session.steps()).undo;
    const description = step === undefined ? '' : await toldStep(session, step);
    return { id: session.id, step, description };
  });
  if (preview.step === undefined) return preview;
  const question = `Take back ${preview.description}?`;
  if (await confirmed(question, { what: 'Taking back', isForGood: false, call })) return preview;
  call.note('Nothing was taken back.');
  return null;
}

/** Whether the next step to take back is another one than was asked about. */
async function isAnother(session: Session, expected: TakenStep): Promise<boolean> {
  const [step] = (await session.steps()).undo;
  return JSON.stringify(step) !== JSON.stringify(expected);
}

/** Goes a step back in a session, or again, and says in a line what it was. */
export async function goBackSession(session: Session, way: 'undo' | 'redo') {
  const [step] = (await session.steps())[way];
  const description = step === undefined ? null : await toldStep(session, step);
  const done = await session[way]();
  const what = description ?? `the last ${done.what}`;
  const text = way === 'undo' ? `Took back ${what}.` : `Took ${what} again.`;
  return { done, step, text: [text, ...besidesText(done)].join(' ') };
}

/** Says what was done, which frame is active now, and what the next undo and redo are. */
export async function tellPosition(
  done: string,
  session: Session,
  call: CommandCall,
): Promise<void> {
  const next = [await nextLine(session, 'undo'), await nextLine(session, 'redo')];
  const lines = [done, nowText(session), ...next];
  call.print(...lines.flatMap((line) => wrap(line, call.paper().longest)));
}

async function listSteps(
  session: Session,
  way: 'undo' | 'redo',
  call: CommandCall,
): Promise<number> {
  const steps = await session.steps();
  if (call.json) {
    call.emit('flamestack.steps/1', { session: session.id, ...steps });
    return exits.done;
  }
  if (steps[way].length === 0) {
    call.note(await nextLine(session, way));
    return exits.nothing;
  }
  const said = await Promise.all(steps[way].map((step) => saidThen(session, step)));
  call.print(...stepLines(said, { now: Date.now(), paper: call.paper() }));
  return exits.done;
}

/** The step in words, at the time when what was newest then was said: what was imported was written later. */
async function saidThen(session: Session, step: TakenStep): Promise<ToldStep> {
  const { state } = await session.at({ seq: step.seq });
  const at = await saidBy(session, { at: step.at, state });
  return { turn: step.turn, at, text: await toldStep(session, step) };
}

/** A note on the entries of the branch that was left, and on a compression. */
export function besidesText({ left, breadcrumb, compressed }: GoneBack): readonly string[] {
  const stay = left === 1 ? 'stays' : 'stay';
  const entries = many(left, 'entry', 'entries');
  return [
    ...(breadcrumb === null
      ? []
      : [`${entries} of that branch ${stay} in the log, behind a breadcrumb (${breadcrumb}).`]),
    ...(compressed ? ['What no longer fits was compressed.'] : []),
  ];
}
