import {
  type Assembly,
  type FrameNode,
  type Section,
  type Session,
  type SessionState,
  type SessionSummary,
} from '../../index.ts';
import { EngineError } from '../../names.ts';
import { countedBudget } from '../../reader.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { momentText, viewIn, type TypedMoment } from '../command-line/moment.ts';
import { cleanLine } from '../paper/clean.ts';
import { rule } from '../paper/rule.ts';
import { many, number } from '../paper/size.ts';
import { wrap } from '../paper/width.ts';
import { bar, legend, meter } from '../render/bar.ts';
import { budgetLines, dueLines } from '../render/budget.ts';
import { contextFields, contextLine } from '../render/context-line.ts';
import { entryLines } from '../render/entry.ts';
import { isSectionCut, sectionLines, sectionsOf } from '../render/section.ts';
import { treeLines } from '../render/tree.ts';
import { frameTitles, titledTree } from '../sessions/words/frame-titles.ts';
import { playThrough } from '../sessions/other-window.ts';
import { noEntry } from '../sessions/not-there.ts';
import { titleText } from '../sessions/words/title-text.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `show` alone. */
export interface ShowOptions {
  readonly section?: Section | undefined;
  readonly full?: boolean | undefined;
  /** An old moment. */
  readonly at?: TypedMoment | undefined;
  /** The id of an entry of the log. */
  readonly entry?: string | undefined;
  /** Another window than its own, in tokens. */
  readonly window?: number | undefined;
  /** One line only. */
  readonly line?: boolean | undefined;
}

/** Shows what the model sees now, one line of it, or one entry of the log; gives the exit code. */
export async function show(
  said: string | undefined,
  options: ShowOptions,
  call: CommandCall,
): Promise<number> {
  const { window, at } = options;
  if (window !== undefined && at !== undefined) checkMoment(at);
  return readSession(call, said, async (session, listed) => {
    if (window === undefined) return showIn(session, said, { options, call, listed });
    await using other = await playThrough(session, { window, call });
    const own = session.state.budget.window;
    call.note(
      `As it would be in a window of ${number(window)} tokens (its own has ${number(own)}); nothing is kept.`,
    );
    return await showIn(other.session, said, { options, call, listed });
  });
}

/** Refuses a moment that is another one in another window; throws `OPTION_INVALID`. */
function checkMoment(at: TypedMoment): void {
  if (!('snapshot' in at) && !('seq' in at)) return;
  const message = `Another window has other snapshots and records: with --window, --at takes a turn, an entry or a time, not ${momentText(at)}`;
  throw new EngineError('OPTION_INVALID', message, { detail: { option: 'at' } });
}

/** How a session is shown. */
interface ShowRequest {
  readonly options: ShowOptions;
  readonly call: CommandCall;
  /** As it stands in the list. */
  readonly listed: SessionSummary;
}

async function showIn(
  session: Session,
  said: string | undefined,
  { options, call, listed }: ShowRequest,
): Promise<number> {
  if (options.entry !== undefined) return await showEntry(session, { options, call });
  const past = options.at === undefined ? null : await pastOf(session, options.at);
  const assembly = past === null ? await assemblyOf(session) : past.assembly;
  const now = past === null ? session : past.shownSession;
  const title = frameTitles(session).get(now.state.active) ?? listed.title ?? session.id;
  if (options.line === true) {
    if (call.json)
      call.emit('flamestack.line/1', { id: session.id, ...contextFields(now.state, title) });
    else call.print(contextLine(now.state, title, call.paper()));
  } else if (call.json) {
    const { state } = now;
    const frames = titledTree(now.frames.tree(), listed);
    const seen = options.section === undefined ? assembly : onlySection(assembly, options.section);
    const was = past === null ? {} : { seen: past.seen };
    const { model, provider } = listed;
    const by = {
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
    };
    call.emit('flamestack.show/1', {
      id: session.id,
      ...by,
      context: contextFields(state, title),
      assembly: seen,
      state,
      frames,
      ...was,
    });
  } else if (options.section !== undefined) {
    call.print(...singleSection(assembly, now.state, { options, call }));
  } else {
    call.print(...wholeLines(now, assembly, { options, call, listed }));
    const { entries } = now.state;
    if (entries > 0) call.note(anyEntry(entries, said, call));
  }
  return exits.done;
}

/** What is shown of a session. */
interface ShownSession {
  readonly id: string;
  readonly state: Session['state'];
  readonly frames: { tree(): FrameNode };
}

/** A session as it was. */
async function pastOf(
  session: Session,
  at: TypedMoment,
): Promise<{ shownSession: ShownSession; assembly: Assembly; seen: 'sent' | 'derived' }> {
  const view = await viewIn(session, at);
  const shownSession = { id: session.id, state: view.state, frames: { tree: () => view.tree() } };
  return { shownSession, assembly: await view.assemble(), seen: view.seen };
}

/** Prints an entry whole, and where it is now. */
async function showEntry(
  session: Session,
  { options, call }: Omit<ShowRequest, 'listed'>,
): Promise<number> {
  const typed = options.entry!;
  const id = typed.replace(/^e?(?=\d+$)/i, 'e');
  const { entries } = session.state;
  const n = Number(/^e([1-9]\d*)$/.exec(id)?.[1]);
  if (!(n <= entries)) throw noEntry(session, typed);
  const entry = await session.entry(id);
  const place = session.where(id);
  if (call.json) {
    call.emit('flamestack.entry/1', { session: session.id, entry, place });
  } else {
    const frame = frameTitles(session).get(entry.frame) ?? '';
    call.print(...entryLines(entry, { frame, place }, call.paper()));
  }
  return exits.done;
}

/** How to read what the sections only mention; names an entry that there is. */
function anyEntry(entries: number, said: string | undefined, call: CommandCall): string {
  const session = said === undefined ? '' : ` ${quote(cleanLine(said))}`;
  const entry = `e${Math.min(entries, 42)}`;
  return `Any entry: flamestack show${session} --entry ${entry}${storeArgument(call)}`;
}

/** The prompt as it stands, with the tools of the last one; null where making one would change the session. */
async function assemblyOf(session: Session): Promise<Assembly | null> {
  const { total, limit } = session.state.budget;
  return total > limit ? null : session.assemble({ tools: 'same' });
}

function onlySection(assembly: Assembly | null, section: Section): Assembly | null {
  if (assembly === null) return null;
  return { ...assembly, messages: assembly.messages.filter((one) => one.section === section) };
}

/** Lines of text that each section may take where all are shown, as a share of the height. */
const shareOfHeight = 0.25;

/** Frames that are shown unless all are asked for, as a share of the height. */
const framesOfHeight = 0.6;

function wholeLines(
  session: ShownSession,
  assembly: Assembly | null,
  { options, call, listed }: ShowRequest,
): readonly string[] {
  const paper = call.paper();
  const { state } = session;
  const budget = countedBudget(state.budget);
  const height = options.full === true ? Number.POSITIVE_INFINITY : paper.height;
  const tree = titledTree(session.frames.tree(), listed);
  const title = `${titleText(tree.title)}${tree.title === session.id ? '' : ` (${cleanLine(session.id)})`}`;
  const by = listed.model === undefined ? [] : [cleanLine(listed.model)];
  const place = [`turn ${state.turn}`, many(state.entries, 'entry', 'entries'), ...by];
  const most = Math.max(6, Math.floor(height * shareOfHeight));
  const sections = assembly === null ? [] : sectionsOf(assembly, budget);
  const frames = treeLines(tree, paper);
  const mostFrames = Math.max(8, Math.floor(height * framesOfHeight));
  const isCut =
    frames.length > mostFrames || sections.some((one) => isSectionCut(one, { paper, most }));
  return [
    rule(paper, title, place.join(` ${paper.glyphs.dot} `)),
    ...(assembly === null
      ? wrap(notSeen, paper.width)
      : [paper.paint(titleOfSections(options), 'bold')]),
    ...sections.flatMap((section) => sectionLines(section, { paper, most })),
    rule(paper, 'frame tree'),
    ...cutLines(frames, mostFrames),
    rule(paper, 'context'),
    bar(budget, paper),
    meter(budget, paper, [`window ${number(budget.window)}`]),
    legend(budget, paper),
    rule(paper, 'budget'),
    ...budgetLines(budget, paper),
    ...dueLines(budget, paper),
    ...(isCut ? wrap(cutNote, paper.width).map((one) => paper.paint(one, 'gray')) : []),
  ];
}

const cutNote = 'Long sections are cut; all of it: --full';

const titleOfSections = ({ at }: ShowOptions): string =>
  `What the model ${at === undefined ? 'sees now' : 'saw then'}, section by section:`;

/** Lines around the text of a single section on a terminal: its head, the note, the prompt of the shell. */
const linesAround = 4;

function singleSection(
  assembly: Assembly | null,
  { budget }: SessionState,
  { options, call }: Omit<ShowRequest, 'listed'>,
): readonly string[] {
  const paper = call.paper();
  if (assembly === null) return wrap(notSeen, paper.width);
  const section = sectionsOf(assembly, countedBudget(budget)).find(
    ({ name }) => name === options.section,
  );
  if (section === undefined) return [`The ${options.section} section is empty.`];
  const height = options.full === true ? Number.POSITIVE_INFINITY : paper.height;
  return sectionLines(section, { paper, most: Math.max(6, height - linesAround) });
}

function cutLines(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), `  ${many(lines.length - most, 'more frame')}: --full`];
}

const notSeen =
  'The prompt must shrink before it fits; the next answer, or the next call of its host, does that.';
