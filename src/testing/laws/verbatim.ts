import type { OutMessage } from '../../core/assembly/assembly.ts';
import type { Goal } from '../../core/frames/goal.ts';
import { inHead } from '../../core/text/sanitize.ts';
import { filesOf, personText, textOf } from '../../core/messages/message.ts';
import { withoutProvider } from '../../core/messages/provider-message.ts';
import { mask } from '../../core/messages/redacted-message.ts';
import { chronicleFaults, lettersOf } from './chronicle.ts';
import type { LawContext } from './law.ts';
import { isFrameNote } from './order.ts';
import { bytesOf, unlabeled } from './recount.ts';
import {
  fifth,
  newestSaid,
  position,
  saidAs,
  type WitnessedEntry,
  type Witness,
} from './witness.ts';

const judged = new WeakSet<OutMessage>();

/**
 * **Never rewritten**: what claims to be an entry is that entry, byte for byte
 * but for its thinking; so are the system prompt, the goal and its locked
 * decisions and milestones, each whole or not at all; a human entry that is
 * shortened is head, marker and tail of what was said, and longer than a fifth
 * of what system, tools and goal leave; quotes are words of the entry they name,
 * and the chronicle names entries that there are.
 */
export function* verbatimFaults(seen: LawContext): Iterable<string> {
  const { assembly, witness, thorough } = seen;
  for (const message of assembly.messages) {
    if (judged.has(message) && !thorough) continue;
    judged.add(message);
    if (message.section === 'system' && message.content !== witness.system)
      yield 'the system prompt is another';
    if (message.section === 'goal') yield* goalFaults(textOf(message.content), witness);
    if (message.section === 'human' && message.kind === 'made' && !isFrameNote(message))
      yield* earlierFaults(message, seen);
    if (message.section === 'chronicle') yield* chronicleFaults(textOf(message.content), witness);
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
  if (isMarkerOf(content, text, said)) return true;
  if (message.role === 'tool') return isHeadAndTail(content, text, said);
  const name = said.message.name === undefined ? '' : ` of ${inHead(said.message.name)}`;
  const late = textOf([
    { type: 'text', text: `[late result${name}, ${said.id}]` },
    ...(typeof said.message.content === 'string'
      ? [{ type: 'text', text } as const]
      : said.message.content),
  ]);
  const whole = filesOf(message.content).length === filesOf(said.message.content).length;
  const stray = { ...said, message: withoutProvider(said.message) };
  return (whole && content === late) || isHeadAndTail(content, late, stray);
}

/** Whether `content` is the marker of a cleared result, and says nothing of it that `text` does not. */
function isMarkerOf(content: string, text: string, { tokens, id }: WitnessedEntry): boolean {
  const head = `[cleared: ${tokens} tokens, ${id}`;
  if (!content.startsWith(head)) return false;
  const [rest, hint = ''] =
    /^(?:; (?:commit|failed:) ([^\]\n]{1,130}))?\]$/.exec(content.slice(head.length)) ?? [];
  const words = hint.split(/[\s()[\]…]+/).filter((word) => !/^;?$/.test(word));
  return rest !== undefined && words.every((word) => text.includes(word.replace(/;$/, '')));
}

const marker = /\n?\[… \d+ tokens left out, (e\d+) …\]\n?/g;

/** Whether `content` is `text` with one marker in place of its middle, and one for files it had and what its provider added. */
function isHeadAndTail(content: string, text: string, said: WitnessedEntry): boolean {
  const files = filesOf(said.message.content).length;
  const added = said.message.provider === undefined ? [] : ['what its provider added'];
  const lost = [...(files === 0 ? [] : [files === 1 ? '1 file' : `${files} files`]), ...added];
  const last = `[… ${lost.join(' and ')} left out, ${said.id} …]`;
  if (lost.length > 0 && !content.endsWith(last)) return false;
  const rest = lost.length === 0 ? content : content.slice(0, -last.length).replace(/\n$/, '');
  if (lost.length > 0 && rest === text) return true;
  for (const found of rest.matchAll(marker)) {
    if (found[1] !== said.id) continue;
    const tail = rest.slice(found.index + found[0].length);
    if (rest.slice(0, found.index).length + tail.length > text.length) continue;
    if (text.startsWith(rest.slice(0, found.index)) && text.endsWith(tail)) return true;
  }
  return false;
}

/** The entries in a message of what was said earlier, as it claims to hold them. */
interface EarlierItem {
  readonly id: string;
  readonly form: 'whole' | 'shortened' | 'part';
}

const title =
  'Said earlier by the user, oldest first. These were taken up at the time, if not broken off; a later one overrules earlier ones.\n';
const outOfView =
  /^\[(?:(\d+) of )?(e\d+)(?:–(e\d+))? (?:is|are) out of view, whole or in part\](?:\n|$)/;

/**
 * What was said earlier: a title, at most one line about what is out of view, and entries in their
 * order, each whole but for white space at its end, as head, marker and tail, or in quotes that are words of it.
 */
function* earlierFaults(message: OutMessage, seen: LawContext): Iterable<string> {
  const { witness } = seen;
  const content = textOf(message.content);
  const items: EarlierItem[] = [];
  let rest = `${content}\n`;
  if (!rest.startsWith(title)) yield `what was said earlier begins ${content.slice(0, 80)}`;
  rest = rest.slice(title.length);
  const range = outOfView.exec(rest);
  rest = rest.slice(range?.[0].length ?? 0);
  while (rest !== '') {
    const found = itemAt(rest, witness, seen);
    if (typeof found === 'string') {
      yield found;
      return;
    }
    items.push(found);
    rest = rest.slice(found.length);
  }
  yield* heldFaults(items, message, range);
  const files = items.flatMap(({ id, form }) =>
    form === 'whole' ? filesOf(saidAs(id, witness)!.message.content) : [],
  );
  if (JSON.stringify(filesOf(message.content)) !== JSON.stringify(files))
    yield 'the files of what was said earlier are others';
}

/** What was said earlier holds what it names, in order, each once. */
function* heldFaults(
  items: readonly EarlierItem[],
  message: OutMessage,
  range: RegExpExecArray | null,
): Iterable<string> {
  const all = items.map(({ id }) => position(id));
  if (all.some((n, index) => n <= (all[index - 1] ?? 0)))
    yield `what was said earlier is out of order: ${items.map(({ id }) => id).join(' ')}`;
  const { entries = [] } = message;
  const isNamed = ({ id, form }: EarlierItem): boolean =>
    form === 'shortened' || entries.includes(id);
  const held = items.filter((item) => item.form !== 'part' && isNamed(item)).map(({ id }) => id);
  if (held.join(' ') !== entries.join(' '))
    yield `what was said earlier holds ${held.join(' ')}, not ${entries.join(' ')}`;
  const [, count = '1', first = '', last = first] = range ?? [];
  if (range !== null && Number(count) > position(last) - position(first) + 1)
    yield `more is out of view than there is: ${range[0]}`;
}

/** The item that a text begins with, and its length; or what is wrong with it. */
function itemAt(
  text: string,
  witness: Witness,
  seen: LawContext,
): (EarlierItem & { readonly length: number }) | string {
  const [head = '', id = '', how] =
    /^\[(e\d+)(, in part|, shortened|, without machine text)?\] /.exec(text) ?? [];
  const said = saidAs(id, witness);
  if (said === undefined || !said.human) return `no entry of a person: ${text.slice(0, 120)}`;
  const typed = personText(said.message);
  const raw = textOf(said.message.content);
  const isMixed = lettersOf(typed) !== lettersOf(raw);
  const whole = isMixed ? typed : raw;
  if (how === undefined || how === ', without machine text') {
    if ((how !== undefined) !== isMixed)
      return `${id} is not as a person typed it: ${text.slice(0, 120)}`;
    // A text that was shortened and is whole again without machine text keeps its end.
    const end = [whole, whole.trimEnd()].find((one) =>
      text.startsWith(`${indented(one)}\n`, head.length),
    );
    const length = head.length + indented(end ?? '').length + 1;
    return end !== undefined
      ? { id, form: 'whole', length }
      : `${id} is not what was said: ${text.slice(0, 120)}`;
  }
  const length = (/\n(?=[^\s\u0085]|$)/.exec(text)?.index ?? -1) + 1;
  const shown = unindented(text.slice(head.length, length - 1));
  if (how === ', in part')
    return areQuotes(shown, typed)
      ? { id, form: 'part', length }
      : `${id} never said: ${text.slice(0, length)}`;
  const most = fifth(witness, seen.assembly);
  if (said.tokens <= most)
    return `${id} of ${said.tokens} tokens is shortened though a fifth is ${most}`;
  return isHeadAndTail(shown, whole, said)
    ? { id, form: 'shortened', length }
    : `${id} is rewritten: ${text.slice(0, 120)}`;
}

const breaks = '\\n\\v\\f\\r\\u0085\\u2028\\u2029';
const indent = new RegExp(`(\\r\\n|[${breaks}])(?=[^${breaks}])`, 'g');

/** A text as it stands among others: what follows a line break is indented, but for blank lines. */
const indented = (text: string): string => text.replace(indent, '$1  ');
const unindented = (text: string): string =>
  text.replace(new RegExp(`(\\r\\n|[${breaks}])  `, 'g'), '$1');

/** Whether a line is quotes of a text, in its order; what another entry said is masked in them, too, once that is redacted. */
function areQuotes(line: string, text: string): boolean {
  if (!line.startsWith('“') || !line.endsWith('”')) return false;
  let from = 0;
  return line
    .slice(1, -1)
    .split('” … “')
    .every((quote) => quote !== '' && quote.split(mask).every(isNext));

  function isNext(part: string): boolean {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  }
}

/** A goal is shown as one that there was: its description whole, and whole members of its lists, each indented but for its first line. */
function* goalFaults(content: string, witness: Witness): Iterable<string> {
  if (content === '[The goal is too long for this window; goal.description has it]') return;
  if ([...witness.goals.values()].some((goal) => isGoal(content, goal))) return;
  yield `no goal reads: ${content.slice(0, 120)}`;
}

function isGoal(content: string, goal: Goal): boolean {
  const head = `<goal priority="${goal.priority}" status="${goal.status}">\n${indented(goal.description)}\n`;
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
  ]
    .map(indented)
    .sort((a, b) => b.length - a.length);
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
  const newest = newestSaid(witness);
  if (newest === undefined) return;
  const shown = assembly.messages.find(({ entry }) => entry === newest.id);
  if (shown === undefined) yield `${newest.id} is not there`;
  else if (shown.kind !== 'entry' && newest.tokens <= fifth(witness, assembly))
    yield `${newest.id} of ${newest.tokens} tokens is ${shown.kind}`;
}
