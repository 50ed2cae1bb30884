import type { OutMessage } from '../../core/assembly/assembly.ts';
import type { Section } from '../../core/sections/section-name.ts';
import { argumentsOf, textOf } from '../../core/messages/message.ts';
import { nameOf } from './fit.ts';
import type { LawContext } from './law.ts';
import { bytesOf } from './recount.ts';
import { callsOf, newestSaid, type Witness } from './witness.ts';

interface Call {
  readonly id: string;
  readonly name: string;
}

/**
 * **Pair**: the results of a call stand right behind the message that makes
 * it, in any order, one for each call, given or made; no result stands
 * anywhere else; calls without a result are made by the very last unit, and
 * are what the assembly calls open (a message that makes two calls of one id
 * leaves open which of them a result means). A shortened message makes the same calls,
 * and its JSON stays JSON.
 */
export function* pairFaults({ assembly, witness }: LawContext): Iterable<string> {
  let open: Call[] = [];
  let maker = '';
  for (const message of assembly.messages) {
    if (message.role === 'tool') {
      const answered = open.find((call) => isAnswerTo(message, call));
      const index = open.findIndex(({ id }) => id === answered?.id);
      if (index < 0) yield `${nameOf(message)} answers no call of the unit before it`;
      else open = open.toSpliced(index, 1);
      continue;
    }
    if (open.length > 0)
      yield `${nameOf(message)} stands between ${maker} and the results of ${namesOf(open)}`;
    open = callsIn(message);
    maker = nameOf(message);
    yield* callFaults(message, witness);
  }
  const said = idsOf(assembly.openCalls);
  if (idsOf(open) !== said) yield `open are ${idsOf(open)}, said to be open ${said}`;
}

const idsOf = (calls: readonly Call[]): string =>
  calls
    .map(({ id }) => id)
    .sort()
    .join(', ') || 'no calls';

const namesOf = (calls: readonly Call[]): string =>
  calls
    .map(({ id, name }) => `${name} ${id}`)
    .sort()
    .join(', ') || 'no calls';

function isAnswerTo(message: Extract<OutMessage, { role: 'tool' }>, call: Call): boolean {
  if (message.toolCallId !== undefined) return message.toolCallId === call.id;
  return message.name === undefined || message.name === call.name;
}

function callsIn(message: OutMessage): Call[] {
  if (message.role !== 'assistant') return [];
  return (message.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `${message.entry}.${index + 1}`,
    name: call.name,
  }));
}

function* callFaults(message: OutMessage, witness: Witness): Iterable<string> {
  const said = witness.said[Number(message.entry?.slice(1)) - 1];
  if (message.role !== 'assistant' || said === undefined) return;
  const calls = callsOf(said);
  if (namesOf(calls) !== namesOf(callsIn(message))) {
    yield `${said.id} makes other calls than were made: ${namesOf(callsIn(message))}`;
    return;
  }
  for (const [index, call] of (message.toolCalls ?? []).entries()) {
    const before = (said.message as typeof message).toolCalls![index]!.arguments;
    if (typeof before !== typeof call.arguments)
      yield `${said.id} has arguments of another type than were given`;
    if (isJson(calls[index]!.json) && !isJson(argumentsOf(call)))
      yield `the arguments of ${said.id} are no JSON any more: ${argumentsOf(call).slice(0, 80)}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where each section stands. */
const places: Readonly<Record<Section, number>> = {
  system: 0,
  human: 1,
  chronicle: 2,
  goal: 3,
  frames: 4,
  checkpoints: 5,
  working: 6,
};

const became: Readonly<Record<string, string>> = {
  'was completed': 'completed',
  'has failed': 'failed',
  'was blocked': 'blocked',
  'was invalidated': 'invalidated',
};

const frameNote =
  /^\[That was said in (?:the work of (f\d+), which (\w+ \w+) since: what its results leave open is still asked\.|work that was taken back since\.)\]$/;

/** Whether a message is the note behind a human entry that says what became of the frame it was said in. */
export const isFrameNote = ({ kind, section, content }: OutMessage): boolean =>
  kind === 'made' && section === 'human' && frameNote.test(textOf(content));

/** A note stands behind the human entry that stands by itself, and says of a frame what became of it. */
function* noteFaults(
  [before, note]: readonly [OutMessage | undefined, OutMessage],
  { tree }: Witness,
): Iterable<string> {
  const [, frame, outcome = ''] = frameNote.exec(textOf(note.content))!;
  if (before?.section !== 'human' || before.entry === undefined)
    yield `a note on ${frame ?? 'a branch'} stands behind no human entry`;
  const status = frame === undefined ? undefined : tree?.get(frame)?.node.status;
  if (status !== undefined && status !== became[outcome])
    yield `${frame} is ${status}, not ${outcome}`;
}

/**
 * **Valid**: any server takes it. The system prompt is there once and first,
 * made messages have the role `user` but for results that close a unit, a user
 * message is there if one was ever said, sections and entries keep their order,
 * what people said earlier is one message, and the one human entry that stands by
 * itself is the newest of its epoch, behind the checkpoints or among the entries,
 * where it was said, or before the tree where that was in a frame above, a note on a frame that was left behind it; nothing stands twice, and asking twice gives the same bytes.
 */
export function* validFaults({ assembly, again, witness, thorough }: LawContext): Iterable<string> {
  const { messages } = assembly;
  const entries = new Set<string>();
  let place = 0;
  let last = 0;
  for (const [index, message] of messages.entries()) {
    const { role, kind, section } = message;
    if ((role === 'system') !== (index === 0 && witness.system !== ''))
      yield `message ${index} has the role ${role}`;
    if (kind === 'made' && role !== 'system' && role !== 'user' && section !== 'working')
      yield `the made message ${index} has the role ${role}`;
    if (kind === 'made' && role === 'assistant') yield `the made message ${index} is the model's`;
    if ((kind === 'made') !== (message.entry === undefined))
      yield `message ${index} is ${kind} and ${message.entry ?? 'no entry'}`;
    if (message.entries !== undefined && (kind !== 'made' || section !== 'human'))
      yield `the ${kind} ${section} message ${index} holds entries`;
    const isNote = isFrameNote(message);
    if (isNote) yield* noteFaults([messages[index - 1], message], witness);
    const isNewest = section === 'human' && kind !== 'made';
    const isAbove = isNewest && messages[index + 1]?.section === 'frames';
    const own = isAbove ? places.goal : places.working;
    const standing = isNewest ? own : isNote ? place : places[section];
    if (standing < place) yield `${section} stands behind what comes after it`;
    if (standing > place) last = 0;
    place = standing;
    const held = [message.entry ?? message.entries ?? []].flat();
    for (const entry of held) {
      const n = Number(entry.slice(1));
      const isAhead = isNewest && messages[index - 1]?.section !== 'working';
      if (n <= last) yield `${entry} stands behind e${last}`;
      if (!isAhead) last = n;
      if (entries.has(entry)) yield `${entry} stands twice`;
      entries.add(entry);
    }
  }
  yield* humanFaults(messages, witness);
  if (witness.said.some(({ message }) => message.role === 'user'))
    if (!messages.some(({ role }) => role === 'user')) yield 'no user message is there';
  yield* repeatFaults(assembly, again, thorough);
}

/** One message for what was said earlier, and one for the newest of the epoch, where no frame shows it. */
function* humanFaults(messages: readonly OutMessage[], witness: Witness): Iterable<string> {
  const human = messages.filter(({ section }) => section === 'human');
  const [own, earlier] = [true, false].map((isOwn) =>
    human.filter((one) => (one.entry !== undefined) === isOwn && !isFrameNote(one)),
  );
  if (earlier!.length > 1) yield `what was said earlier is in ${earlier!.length} messages`;
  if (own!.length > 1) yield `${own!.length} human entries stand by themselves`;
  const newest = newestSaid(witness, witness.epoch.upTo);
  const [stands] = own!;
  if (stands !== undefined && stands.entry !== newest?.id)
    yield `${stands.entry} stands by itself, and the newest is ${newest?.id ?? 'nothing'}`;
}

function* repeatFaults(
  assembly: LawContext['assembly'],
  again: LawContext['again'],
  thorough: boolean,
): Iterable<string> {
  const same =
    assembly.id === again.id &&
    assembly.messages.length === again.messages.length &&
    assembly.messages.every((message, index) => {
      const other = again.messages[index]!;
      return (message === other && !thorough) || bytesOf(message) === bytesOf(other, true);
    });
  if (!same) yield `asked twice, it is ${assembly.id} and another ${again.id}`;
}
