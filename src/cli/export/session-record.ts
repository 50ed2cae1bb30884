import type { LogEntry } from '../../index.ts';
import {
  addStep,
  emptyHistory,
  type FrameSpan,
  type History,
} from '../../viewer/page/session/model/history.ts';
import type { Head } from '../../viewer/page/session/model/wire.ts';
import { storedSteps } from '../view/session-steps.ts';
import type { Exporting } from './exporting.ts';
import { number } from '../paper/size.ts';
import { headFor } from './head.ts';
import { learnBeside, learnFrom } from './said.ts';
import { hideIn, type Secrets } from '../secrets/secrets.ts';

// A session as spans of time: each entry with how long it took, each frame from its first to its last.
// Entries stand in the order of the log, which is that of the work, and not always that of their times:
// sub-agents that ran at once stand one behind the other. So an entry follows the one before it in its own
// frame, or what was done below that meanwhile; a frame begins where its parent had come to.

/** An entry of the log, and how long it took. */
export interface EntryRecord {
  readonly entry: LogEntry;
  /** Who said it: `person`, `machine`, `assistant`, or the name of a tool. */
  readonly by: string;
  /** When what it follows was said, and when it was, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Its step, by its index in the history. */
  readonly step: number;
}

/** A frame, from the first to the last of what was done in it and below. */
export interface FrameRecord extends Pick<FrameSpan, 'id' | 'parent' | 'title' | 'status'> {
  readonly from: number;
  readonly to: number;
}

/** A session as it is told to others; of titles is taken out what is to go, not of what was said. */
export interface SessionRecord {
  readonly head: Head;
  readonly history: History;
  readonly entries: readonly EntryRecord[];
  /** Those in which work was begun, each behind its parent. */
  readonly frames: readonly FrameRecord[];
  /** The agent, the model that was named for the session, or answered last, and who serves it; '' for none. */
  readonly agent: string;
  readonly model: string;
  readonly provider: string;
}

/** Tells a session, as it is stored. */
export async function readRecord(exporting: Exporting): Promise<SessionRecord> {
  const { call, store, session, secrets, leftOut } = exporting;
  const { signal } = call.io;
  const log: LogEntry[] = [];
  for await (const entry of session.log({ signal, onLost: leftOut.onLost })) {
    learnFrom(entry, secrets);
    log.push(entry);
  }
  await learnBeside(session, secrets);
  let head: Head | undefined;
  const history = emptyHistory();
  for await (const item of storedSteps(store, session, signal))
    if ('session' in item) head = headFor(exporting, item);
    else addStep(history, item);
  for (const frame of history.frames.values()) frame.title = secrets.hide(frame.title);
  // The root of a session that nobody named is called by its id.
  const root = history.frames.get('f0');
  if (root?.title === session.id) root.title = head!.title;
  const { entries, frames } = spansOf(log, history);
  const named = entries.map((one) => withoutKeys(one, secrets));
  return { head: head!, history, entries: named, frames, ...(await modelOf(exporting, named)) };
}

/** An entry of whose tool, model and server the names are no keys. */
function withoutKeys(one: EntryRecord, secrets: Secrets): EntryRecord {
  const by = secrets.hide(one.by);
  if (one.entry.role !== 'assistant') return { ...one, by };
  const { provider, model } = one.entry;
  const entry = {
    ...one.entry,
    ...(provider !== undefined && { provider: hideIn(provider, secrets) }),
    ...(model !== undefined && { model: hideIn(model, secrets) }),
  };
  return { ...one, by, entry };
}

/** The spans of entries and frames. */
export function spansOf(
  log: readonly LogEntry[],
  history: History,
): Pick<SessionRecord, 'entries' | 'frames'> {
  const entries = entriesOf(log, history);
  return { entries, frames: framesOf(entries, history) };
}

async function modelOf(
  { session, secrets }: Exporting,
  entries: readonly EntryRecord[],
): Promise<Pick<SessionRecord, 'agent' | 'model' | 'provider'>> {
  const answers = entries.flatMap(({ entry }) =>
    entry.role === 'assistant' ? (entry.model ?? []) : [],
  );
  const { name = '', provider: server = '' } = answers.at(-1) ?? {};
  const answered = { agent: '', model: name, provider: server };
  for await (const line of session.export({ onLost: () => undefined }))
    if (line.type === 'flamestack') {
      const { agent = '', model, provider = '' } = line;
      const author = model === undefined ? { ...answered, agent } : { agent, model, provider };
      return hideIn(author, secrets);
    }
  return answered;
}

/** The entries of a log, each with what it follows. */
function entriesOf(log: readonly LogEntry[], { frames, entries: steps }: History): EntryRecord[] {
  const lasts = new Map<string, number>();
  const names = new Map<string, string>();
  return log.map((entry) => {
    const { frame, at, id } = entry;
    let before = lasts.get(frame);
    for (let above = frames.get(frame)?.parent; before === undefined && above != null;)
      [before, above] = [lasts.get(above), frames.get(above)?.parent];
    const from = Math.min(before ?? at, at);
    const to = Math.max(from, at);
    // What is done below a frame is done by its time, too.
    for (let one: string | null | undefined = frame; one != null; one = frames.get(one)?.parent)
      lasts.set(one, one === frame ? to : Math.max(to, lasts.get(one) ?? to));
    if (entry.role === 'assistant')
      for (const { id: call, name } of entry.toolCalls ?? [])
        if (call !== undefined) names.set(call, name);
    return { entry, by: byOf(entry, names), from, to, step: steps[Number(id.slice(1))] ?? 0 };
  });
}

function byOf(entry: LogEntry, names: ReadonlyMap<string, string>): string {
  if (entry.role === 'user') return entry.origin === 'machine' ? 'machine' : 'person';
  if (entry.role === 'assistant') return 'assistant';
  return entry.name ?? names.get(entry.toolCallId ?? '') ?? 'tool';
}

/** The frames that were begun, each from its first to its last. */
function framesOf(
  entries: readonly EntryRecord[],
  { frames, steps, compressions }: History,
): readonly FrameRecord[] {
  const spans = new Map<string, readonly [from: number, to: number]>();
  const widen = (frame: string, from: number, to: number): void => {
    for (let one: string | null | undefined = frame; one != null; one = frames.get(one)?.parent) {
      const [first, last] = spans.get(one) ?? [from, to];
      spans.set(one, [Math.min(first, from), Math.max(last, to)]);
    }
  };
  for (const { entry, from, to } of entries) widen(entry.frame, from, to);
  for (const { at, news } of compressions) widen(news.frame, steps[at]!.at, steps[at]!.at);
  const begun = [...frames.values()].filter(({ from }) => from !== null);
  for (const { id, from } of begun)
    if (!spans.has(id)) widen(id, steps[from!]!.at, steps[from!]!.at);
  return begun.map(({ id, parent, title, status }) => {
    const [from, to] = spans.get(id)!;
    return { id, parent, title, status, from, to };
  });
}

/** Whether its entries have times of their own. */
export const hasTimes = ({ entries }: SessionRecord): boolean =>
  entries.some(({ to }) => to !== entries[0]!.to);

/** A session told by tokens: each time is how many of them had been said. */
export function byTokens(record: SessionRecord): SessionRecord {
  let said = 0;
  const saidBy: number[] = [];
  const entries = record.entries.map((one) => {
    const from = said;
    said += one.entry.tokens;
    saidBy[one.step] = said;
    return { ...one, from, to: said };
  });
  let at = 0;
  const steps = record.history.steps.map((step, index) => {
    at = saidBy[index] ?? at;
    return { ...step, at };
  });
  const history = { ...record.history, steps };
  return { ...record, entries, history, frames: framesOf(entries, history) };
}

/** A window, and what the prompt may take of it: told in our tokens where a server counts larger ones. */
export const windowText = (window: number, limit: number): string =>
  `${number(window)} tokens, ${number(limit)} ${limit > window ? 'of ours' : 'of them'} for the prompt`;
