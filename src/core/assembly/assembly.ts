import type { Bodies } from '../messages/bodies.ts';
import type { Budget } from '../budget/budget.ts';
import { clearedMessage } from './cleared-message.ts';
import { checkpointSection } from '../sections/checkpoint-section.ts';
import { goalSection } from '../sections/goal-section.ts';
import { linesAbove } from '../chronicle/chronicle.ts';
import { chronicleLines, chronicleText, withIndex } from '../sections/chronicle-section.ts';
import {
  earlierContent,
  frameNote,
  humanHead,
  type EarlierHuman,
} from '../sections/human-section.ts';
import { entryId } from '../values/id.ts';
import { deepFreeze, type Message, type Part } from '../messages/message.ts';
import type { Section } from '../sections/section-name.ts';
import { path } from '../frames/tree.ts';
import type { State } from '../state/state.ts';
import { treeParts, treeSection } from '../sections/tree-section.ts';
import type { HumanEntry, WorkingItem } from '../state/view.ts';
import { inHead } from '../text/sanitize.ts';

// What the model sees on one call:
//
//   system prompt · older human text · chronicle · goal · tree · checkpoints · entries
//   └──────────────────── fixed for the whole of an epoch ────────────────┘   └ grows ┘
//
// What changes least comes first: older human text and the chronicle only grow,
// for several epochs, so a server's cache of them stays good. The newest human
// entry, where it is older than the entries, stands just before them, as what is
// at hand; but before the tree where it was said in a frame above: the active
// frame is what came of it, and a model that reads the request last would begin
// with it again.

/** Where a message of an assembly comes from, and what it costs. */
interface MessageLabel {
  /** Verbatim from the log, shortened with a marker that leads there, or made by the engine. */
  readonly kind: 'entry' | 'shortened' | 'made';
  readonly section: Section;
  readonly tokens: number;
  /** Id of the entry, for the first two kinds. */
  readonly entry?: string;
  /** Ids of the entries that a made message holds whole: older human text, but for what is out of view and quoted, be it all of an entry. */
  readonly entries?: readonly string[];
}

/** One message of an assembly. */
export type OutMessage = (Message | { readonly role: 'system'; readonly content: string }) &
  MessageLabel;

/** The ids of the entries that a message of an assembly shows: its own, or those that it holds. */
export const entriesOf = ({ entry, entries = [] }: MessageLabel): readonly string[] =>
  entry === undefined ? entries : [entry];

/** What the model sees on one call. */
export interface Assembly {
  /** Names the sequence number and the tools; say it when you append the answer. */
  readonly id: string;
  readonly epoch: number;
  readonly messages: readonly OutMessage[];
  readonly budget: Budget;
  /** Calls at the very end that wait for their results. */
  readonly openCalls: readonly { readonly id: string; readonly name: string }[];
}

/** Everything before the entries: the same bytes for the whole of an epoch, and frozen. */
export function headOf(state: State, bodies: Bodies): readonly OutMessage[] {
  const { options, active, epochView } = state;
  const { plan, sizes } = epochView;
  const tree = treeSection(treeParts(epochView.frames, active, epochView.left), plan, bodies);
  const { earlier, newest, newestTokens } = humanHead(
    state,
    { ...epochView, quotes: plan.quotes },
    bodies,
  );
  const lines = linesAbove(chronicleLines(state), plan.chronicle);
  const index = plan.index === null ? '' : bodies.text(plan.index);
  // It opens where it was laid out so, whatever was compressed since.
  const opens = sizes.chronicle > 0;
  const chronicle = withIndex(chronicleText(state, bodies, { lines, opens }), index);
  const said = newest === null ? [] : [humanOut(newest, bodies), ...noteOut(state)];
  const isTaken = newest !== null && isSaidAbove(state, newest);
  const messages: readonly OutMessage[] = [
    ...systemMessage(options.system, sizes.system),
    ...earlierMessage(earlier, sizes.human - newestTokens - (plan.note ?? 0)),
    ...sectionMessage('chronicle', chronicle, sizes.chronicle),
    ...sectionMessage('goal', goalSection(epochView.goal, plan.goal), sizes.goal),
    ...(isTaken ? said : []),
    ...sectionMessage('frames', tree, sizes.frames),
    ...sectionMessage(
      'checkpoints',
      checkpointSection(state, epochView.newest, bodies),
      sizes.checkpoints,
    ),
    ...(isTaken ? [] : said),
  ];
  return messages.map(deepFreeze);
}

/** Whether a human entry lies in a frame above the active one, which is what came of it. */
function isSaidAbove({ frames, active, views }: State, { n }: HumanEntry): boolean {
  return path(frames, active)
    .filter(({ id }) => id !== active)
    .flatMap(({ id }) => views.get(id) ?? [])
    .some(({ human, items }) => [...human, ...items].some((one) => one.n === n));
}

function systemMessage(content: string, tokens: number): readonly OutMessage[] {
  if (content === '') return [];
  return [{ role: 'system', content, kind: 'made', section: 'system', tokens }];
}

function sectionMessage(section: Section, content: string, tokens: number): readonly OutMessage[] {
  if (content === '') return [];
  return [{ role: 'user', content, origin: 'machine', kind: 'made', section, tokens }];
}

/** The message of what people said earlier; none where that is nothing. */
function earlierMessage(earlier: EarlierHuman | null, tokens: number): readonly OutMessage[] {
  if (earlier === null) return [];
  const { entries } = earlier;
  const content = earlierContent(earlier);
  return [
    { role: 'user', content, origin: 'machine', kind: 'made', section: 'human', tokens, entries },
  ];
}

/** The message of a human entry that is shown outside the entries of its frame. */
export function humanOut(human: HumanEntry, bodies: Bodies): OutMessage {
  const message = human.text === undefined ? bodies.message(human.n) : bodies.short(human.text);
  return {
    ...message,
    kind: human.text === undefined ? 'entry' : 'shortened',
    section: 'human',
    tokens: human.shown,
    entry: entryId(human.n),
  };
}

/** What became of the frame of the newest human entry, behind that; none where it is on the path. */
export function noteOut(state: State): readonly OutMessage[] {
  const { frames, newest, plan } = state.epochView;
  return plan.note === undefined
    ? []
    : sectionMessage('human', frameNote(state, frames, newest), plan.note);
}

/** The message of an item of the working part. */
export function itemOut(item: WorkingItem, bodies: Bodies): OutMessage {
  const message = itemMessage(item, bodies);
  const label = { section: 'working' as const, tokens: item.shown };
  if (item.form === 'closing') return deepFreeze({ ...message, ...label, kind: 'made' });
  const kind = item.form === 'whole' ? 'entry' : 'shortened';
  return deepFreeze({ ...message, ...label, kind, entry: entryId(item.n) });
}

/** The content of an item in its form, without thinking. */
export function itemMessage(
  item: Pick<WorkingItem, 'n' | 'form' | 'text' | 'call' | 'name' | 'tokens'>,
  bodies: Bodies,
): Message {
  switch (item.form) {
    case 'whole':
      return sendable(bodies.message(item.n));
    case 'short':
      return bodies.short(item.text!);
    case 'cleared':
      return clearedMessage(item, bodies.message(item.n));
    case 'stray':
      return strayMessage(item.n, bodies.message(item.n));
    case 'closing':
      return closingMessage({ id: item.call!, name: item.name! });
  }
}

/** A message without its thinking. */
export function sendable(message: Message): Message {
  if (message.role !== 'assistant' || message.thinking === undefined) return message;
  const { thinking: _, ...rest } = message;
  return rest;
}

/** A result whose call is closed or unknown, as machine text with its files. */
export function strayMessage(n: number, message: Message): Message {
  const name =
    message.role === 'tool' && message.name !== undefined ? ` of ${inHead(message.name)}` : '';
  const head = `[late result${name}, ${entryId(n)}]`;
  const { content } = message;
  const text = typeof content === 'string' ? `${head}\n${content}` : null;
  return {
    role: 'user',
    content: text ?? [{ type: 'text', text: head }, ...(content as readonly Part[])],
    origin: 'machine',
  };
}

/** The message that stands for a result that will never come. */
export function closingMessage(call: { id: string; name: string }): Message {
  return {
    role: 'tool',
    toolCallId: call.id,
    name: call.name,
    content: '[no result: the call was given up]',
    isError: true,
  };
}
