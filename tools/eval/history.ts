import {
  openStore,
  type Fact,
  type LogEntry,
  type Message,
  type Session,
} from '../../src/index.ts';
import { normalScript } from './normal.ts';
import { bare, partsOf, toSaid, type Shown } from './said.ts';

// A session file is read by the importer that users have, into a session whose
// window never ends. What is measured is what that session then holds: its log,
// and the moves between frames that stand in its journal.

/** One message of a history. */
export interface Entry extends Shown {
  readonly kind: 'entry';
  readonly place: number;
  /** The frame it was said in; '' for the system prompt. */
  readonly frame: string;
  /** Whether a person typed it. */
  readonly isHuman: boolean;
  readonly isError: boolean;
  /** The message as the log gave it back; null for the system prompt. */
  readonly message: Message | null;
}

type Appended = Extract<Fact, { readonly type: 'entry.appended' }>;

/** A change of frame or goal, as the journal has it. */
export type Move = Extract<
  Fact,
  {
    readonly type:
      | 'frame.pushed'
      | 'frame.planned'
      | 'frame.started'
      | 'frame.popped'
      | 'frame.invalidated'
      | 'goal.set';
  }
>;

/** One thing that happened, in its order. */
export type Step =
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'move'; readonly move: Move };

/** A session file as it is measured. */
export interface History {
  readonly file: string;
  readonly session: string;
  readonly format: string;
  readonly title: string;
  readonly skipped: number;
  /** All messages, the system prompt first if there is one. */
  readonly entries: readonly Entry[];
  readonly steps: readonly Step[];
  /** Frames beside the root. */
  readonly frames: number;
  /** Of all messages. */
  readonly tokens: number;
}

/** How a file is read. */
export interface ReadingOptions {
  /** Told from the content unless given. */
  readonly format?: string;
  readonly signal?: AbortSignal;
}

/** A window that no session fills, in tokens. */
const boundless = 2 ** 40;

/** Reads a session file; rejects as `store.import` does. */
export async function readHistory(file: string, options: ReadingOptions = {}): Promise<History> {
  const { format, signal } = options;
  const script = format === undefined ? await normalScript(file) : null;
  await using store = await openStore(':memory:', { durability: 'process' });
  const imported = await store.import(script === null ? file : [script], {
    window: boundless,
    compression: 'manual',
    markers: false,
    ...(format === undefined ? {} : { format }),
    ...(signal === undefined ? {} : { signal }),
  });
  await using session = await store.open(imported.id);
  const { steps, title } = await stepsOf(session, signal);
  const entries = steps.flatMap((step) => (step.type === 'entry' ? [step.entry] : []));
  return {
    file,
    session: imported.id,
    format: script === null ? imported.format : 'normal',
    title,
    skipped: imported.skipped.length,
    entries,
    steps,
    frames: steps.filter(isNewFrame).length,
    tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function isNewFrame(step: Step): boolean {
  return step.type === 'move' && ['frame.pushed', 'frame.planned'].includes(step.move.type);
}

async function stepsOf(
  session: Session,
  signal: AbortSignal | undefined,
): Promise<{ readonly steps: readonly Step[]; readonly title: string }> {
  const { seq: last } = session.state;
  // Events never end; one more step marks where those of the file do.
  await session.configure({ markers: true });
  const log = session.log()[Symbol.asyncIterator]();
  const steps: Step[] = [];
  let title = '';
  let place = 0;
  for await (const fact of session.events()) {
    signal?.throwIfAborted();
    if (fact.seq > last) break;
    if (fact.type === 'session.created') {
      ({ title } = fact.identity);
      const { system } = fact.options;
      if (system !== '') steps.push({ type: 'entry', entry: await systemOf(system) });
      place = steps.length;
    } else if (fact.type === 'entry.appended') {
      const { value } = (await log.next()) as { value: LogEntry };
      steps.push({ type: 'entry', entry: await entryOf(value, fact, place) });
      place += 1;
    } else if (isMove(fact)) steps.push({ type: 'move', move: fact });
  }
  return { steps, title };
}

async function systemOf(content: string): Promise<Entry> {
  const said = await toSaid(bare('system', content));
  const about = { frame: '', isHuman: false, isError: false, message: null };
  return { ...said, ...about, kind: 'entry', place: 0 };
}

/** An entry of the log; ids that the file left out are those that the session gave. */
async function entryOf(logged: LogEntry, fact: Appended, place: number): Promise<Entry> {
  const { id: _id, frame, at: _at, tokens: _tokens, ...message } = logged;
  const parts = partsOf(message);
  const said = await toSaid({
    ...parts,
    calls: parts.calls.map((call, index) => ({ ...call, id: call.id ?? fact.calls?.[index]?.id })),
    answers: parts.answers ?? fact.call,
  });
  return {
    ...said,
    frame,
    isHuman: fact.human,
    isError: message.role === 'tool' && message.isError === true,
    message,
    kind: 'entry',
    place,
  };
}

const moves: readonly Fact['type'][] = [
  'frame.pushed',
  'frame.planned',
  'frame.started',
  'frame.popped',
  'frame.invalidated',
  'goal.set',
];

function isMove(fact: Fact): fact is Move {
  return moves.includes(fact.type);
}
