import type { OutMessage } from '../../src/core/assembly/assembly.ts';
import type { Goal } from '../../src/core/frames/goal.ts';
import { filesOf, textOf } from '../../src/core/messages/message.ts';
import type { LawContext } from './law.ts';
import { bytesOf, unlabeled } from './recount.ts';
import { fifth, type WitnessedEntry, type Witness } from './witness.ts';

const judged = new WeakSet<OutMessage>();

/**
 * **Never rewritten**: what claims to be an entry is that entry, byte for byte
 * but for its thinking; so are the system prompt, the goal and its locked
 * decisions and milestones, each whole or not at all; a human entry that is
 * shortened is head, marker and tail of what was said, and longer than a fifth
 * of what system, tools and goal leave; quotes are words of the entry they name.
 */
export function* verbatimFaults(seen: LawContext): Iterable<string> {
  const { assembly, witness, thorough } = seen;
  for (const message of assembly.messages) {
    if (judged.has(message) && !thorough) continue;
    judged.add(message);
    if (message.section === 'system' && message.content !== witness.system)
      yield 'the system prompt is another';
    if (message.section === 'goal') yield* goalFaults(textOf(message.content), witness);
    if (message.section === 'human' && message.kind === 'made')
      yield* quoteFaults(textOf(message.content), witness);
    if (message.entry !== undefined) yield* entryFaults(message, seen);
  }
}

function* entryFaults(message: OutMessage, seen: LawContext): Iterable<string> {
  const said = seen.witness.said[Number(message.entry!.slice(1)) - 1];
  if (said === undefined) yield `${message.entry} was never said`;
  else if (message.kind === 'entry') {
    if (unlabeled(message) !== said.sendable)
      yield `${said.id} is not what was said: ${bytesOf(message).slice(0, 120)}`;
  } else if (said.human) yield* shortFaults(message, said, seen);
  else if (message.role !== said.message.role && message.role !== 'user')
    yield `${said.id} changed from ${said.message.role} to ${message.role}`;
  else if (!isShortOf(message, said)) yield `${said.id} is shortened to something else`;
}

function* shortFaults(
  message: OutMessage,
  said: WitnessedEntry,
  seen: LawContext,
): Iterable<string> {
  const most = fifth(seen.witness, seen.assembly);
  if (said.tokens <= most)
    yield `${said.id} of ${said.tokens} tokens is shortened though a fifth is ${most}`;
  if (message.role !== 'user' || message.origin === 'machine')
    yield `${said.id} is shortened and no longer a person's`;
  if (!isHeadAndTail(textOf(message.content), textOf(said.message.content), said))
    yield `${said.id} is rewritten: ${textOf(message.content).slice(0, 120)}`;
}

/** Whether a shortened entry of a machine or model is made of what it was. */
function isShortOf(message: OutMessage, said: WitnessedEntry): boolean {
  const content = textOf(message.content);
  const text = textOf(said.message.content);
  if (message.role === 'assistant') return content === text || isHeadAndTail(content, text, said);
  if (said.message.role !== 'tool') return isHeadAndTail(content, text, said);
  if (content === `[cleared: ${said.tokens} tokens, ${said.id}]`) return true;
  if (message.role === 'tool') return isHeadAndTail(content, text, said);
  const name = said.message.name === undefined ? '' : ` of ${said.message.name}`;
  const late = textOf([
    { type: 'text', text: `[late result${name}, ${said.id}]` },
    ...(typeof said.message.content === 'string'
      ? [{ type: 'text', text } as const]
      : said.message.content),
  ]);
  const whole = filesOf(message.content).length === filesOf(said.message.content).length;
  return (whole && content === late) || isHeadAndTail(content, late, said);
}

const marker = /\n?\[… \d+ tokens left out, (e\d+) …\]\n?/g;

/** Whether `content` is `text` with one marker in place of its middle, and one for files it had. */
function isHeadAndTail(content: string, text: string, said: WitnessedEntry): boolean {
  const files = filesOf(said.message.content).length;
  const last = `[… ${files} ${files === 1 ? 'file' : 'files'} left out, ${said.id} …]`;
  if (files > 0 && !content.endsWith(last)) return false;
  const rest = files === 0 ? content : content.slice(0, -last.length).replace(/\n$/, '');
  if (files > 0 && rest === text) return true;
  for (const found of rest.matchAll(marker)) {
    if (found[1] !== said.id) continue;
    const tail = rest.slice(found.index + found[0].length);
    if (rest.slice(0, found.index).length + tail.length > text.length) continue;
    if (text.startsWith(rest.slice(0, found.index)) && text.endsWith(tail)) return true;
  }
  return false;
}

/** Quotes are words that were said, by who is named; crumbs are nothing else. */
function* quoteFaults(content: string, witness: Witness): Iterable<string> {
  const lines = content.split('\n').filter((line) => line !== 'Said earlier by the user:');
  for (const line of lines) {
    if (/^\[\d+ earlier messages of the user: e\d+–e\d+\]$/.test(line)) continue;
    const found = /^- "(.*)" \((e\d+)\)$/s.exec(line);
    const said = witness.said[Number(found?.[2]?.slice(1)) - 1];
    if (found === null || said === undefined) yield `no quote: ${line.slice(0, 120)}`;
    else if (!said.human || !textOf(said.message.content).includes(found[1]!))
      yield `${said.id} never said: ${line.slice(0, 120)}`;
  }
}

/** A goal is shown as one that there was: its description whole, and whole members of its lists. */
function* goalFaults(content: string, witness: Witness): Iterable<string> {
  if (content === '[The goal is too long for this window; goal.description has it]') return;
  if ([...witness.goals.values()].some((goal) => isGoal(content, goal))) return;
  yield `no goal reads: ${content.slice(0, 120)}`;
}

function isGoal(content: string, goal: Goal): boolean {
  const head = `<goal priority="${goal.priority}" status="${goal.status}">\n${goal.description}\n`;
  if (!content.startsWith(head) || !content.endsWith('</goal>')) return false;
  let rest = content.slice(head.length, -'</goal>'.length);
  const signs = { completed: 'x', in_progress: '~', pending: ' ' };
  const members = [
    'Milestones:',
    'Decisions:',
    'Artifacts:',
    'Next:',
    ...goal.milestones.map(({ text, status }) => `- [${signs[status]}] ${text}`),
    ...goal.decisions.map(({ text, locked }) => `- ${text}${locked ? ' (locked)' : ''}`),
    ...goal.artifacts.map(({ path, change }) => `- ${path} (${change})`),
    ...goal.next.map((text) => `- ${text}`),
  ].sort((a, b) => b.length - a.length);
  while (rest !== '') {
    const more = /^- \d+ more\n/.exec(rest)?.[0];
    const member = members.find((text) => rest.startsWith(`${text}\n`));
    if (member === undefined && more === undefined) return false;
    rest = rest.slice(member === undefined ? more!.length : member.length + 1);
  }
  return true;
}

/**
 * **Newest human**: what a person said last is there, whatever its frame; whole
 * if it is no longer than a fifth of what system, tools and goal leave.
 */
export function* newestFaults({ assembly, witness }: LawContext): Iterable<string> {
  const newest = witness.said.findLast(({ human }) => human);
  if (newest === undefined) return;
  const shown = assembly.messages.find(({ entry }) => entry === newest.id);
  if (shown === undefined) yield `${newest.id} is not there`;
  else if (shown.kind !== 'entry' && newest.tokens <= fifth(witness, assembly))
    yield `${newest.id} of ${newest.tokens} tokens is ${shown.kind}`;
}
