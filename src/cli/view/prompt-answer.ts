import type { FrameNode, Gap, OutMessage, View } from '../../index.ts';
import { countedBudget } from '../../reader.ts';
import type { Prompt, PromptMessage } from '../../viewer/page/session/model/wire.ts';
import { messageText } from '../render/message.ts';

/** The prompt of a session as it was. */
export async function promptOf(seq: number, view: Omit<View, 'seen'>): Promise<Prompt> {
  const { messages } = await view.assemble();
  const { found: names, kept } = view.state.facts;
  const { budget } = view.state;
  const scale = budget.total === 0 ? 1 : countedBudget(budget).total / budget.total;
  return {
    seq,
    messages: messages.map((message) => toPromptMessage(message, scale)),
    path: pathTo(view.tree()),
    missing: missingIn(view.missing()),
    names,
    kept,
  };
}

/** A message, one that is made in the tokens of the server; an entry has ours everywhere. */
function toPromptMessage(message: OutMessage, scale: number): PromptMessage {
  const { section, role, kind, entry = null } = message;
  const tokens = entry === null ? Math.round(message.tokens * scale) : message.tokens;
  return { section, role, kind, entry, tokens, text: shownText(message) };
}

/** What stands in a message. */
export const shownText = (message: OutMessage): string =>
  message.role === 'system' ? message.content : messageText(message);

function pathTo(root: FrameNode): readonly string[] {
  const path: string[] = [];
  const walk = (one: FrameNode): boolean => {
    path.push(one.title);
    if (one.active || one.children.some(walk)) return true;
    path.pop();
    return false;
  };
  walk(root);
  return path;
}

/** How entries that are not there word for word are told of, the most of them first. */
function missingIn(gaps: readonly Gap[]): Prompt['missing'] {
  const by = new Map<string, { entries: number; refs: string[] }>();
  for (const { from, to, entries, place } of gaps) {
    const one = by.get(place) ?? { entries: 0, refs: [] };
    one.entries += entries;
    one.refs.push(from === to ? from : `${from}-${to}`);
    by.set(place, one);
  }
  return [...by]
    .map(([how, { entries, refs }]) => ({ how, entries, refs }))
    .sort((one, other) => other.entries - one.entries);
}
