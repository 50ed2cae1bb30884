import type { OutMessage } from '../../src/core/assembly/assembly.ts';
import type { Section } from '../../src/core/assembly/section-name.ts';
import { argumentsOf } from '../../src/core/messages/message.ts';
import { nameOf } from './fit.ts';
import type { LawContext } from './law.ts';
import { bytesOf } from './recount.ts';
import { callsOf, type Witness } from './witness.ts';

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
  const given = callsOf(said);
  if (namesOf(given) !== namesOf(callsIn(message))) {
    yield `${said.id} makes other calls than were made: ${namesOf(callsIn(message))}`;
    return;
  }
  for (const [index, call] of (message.toolCalls ?? []).entries()) {
    const before = (said.message as typeof message).toolCalls![index]!.arguments;
    if (typeof before !== typeof call.arguments)
      yield `${said.id} has arguments of another type than were given`;
    if (isJson(given[index]!.json) && !isJson(argumentsOf(call)))
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

/** Where each section stands; human text and the ledger grow side by side. */
const places: Readonly<Record<Section, number>> = {
  system: 0,
  human: 1,
  ledger: 1,
  goal: 2,
  frames: 3,
  checkpoints: 4,
  working: 5,
};

/**
 * **Valid**: any server takes it. The system prompt is there once and first,
 * made messages have the role `user` but for results that close a unit, a user
 * message is there if one was ever said, sections and entries keep their order
 * (one human text may stand among the entries, where it was said), nothing stands
 * twice, and asking twice gives the same bytes.
 */
export function* validFaults({ assembly, again, witness, thorough }: LawContext): Iterable<string> {
  const { messages } = assembly;
  const entries = new Set<string>();
  let section: Section = 'system';
  let last = 0;
  const aside = newestAside(messages);
  for (const [index, message] of messages.entries()) {
    const { role, kind } = message;
    if ((role === 'system') !== (index === 0 && witness.system !== ''))
      yield `message ${index} has the role ${role}`;
    if (kind === 'made' && role !== 'system' && role !== 'user' && message.section !== 'working')
      yield `the made message ${index} has the role ${role}`;
    if (kind === 'made' && role === 'assistant') yield `the made message ${index} is the model's`;
    if ((kind === 'made') !== (message.entry === undefined))
      yield `message ${index} is ${kind} and ${message.entry ?? 'no entry'}`;
    const standing = message === aside ? 'working' : message.section;
    const step = places[standing] - places[section];
    if (step < 0) yield `${message.section} stands behind ${section}`;
    if (step > 0) last = 0;
    section = message.section;
    if (message.entry === undefined) continue;
    const n = Number(message.entry.slice(1));
    if (n <= last) yield `${message.entry} stands behind e${last}`;
    last = n;
    if (entries.has(message.entry)) yield `${message.entry} stands twice`;
    entries.add(message.entry);
  }
  if (witness.said.some(({ message }) => message.role === 'user'))
    if (!messages.some(({ role }) => role === 'user')) yield 'no user message is there';
  yield* repeatFaults(assembly, again, thorough);
}

/** The human text behind all that a head may hold: the last of its section, where something but human text and ledger stands before it. */
function newestAside(messages: readonly OutMessage[]): OutMessage | undefined {
  const index = messages.findLastIndex(
    ({ section, kind }) => section === 'human' && kind !== 'made',
  );
  const isAmong = messages.slice(0, Math.max(0, index)).some(({ section }) => places[section] > 1);
  return isAmong ? messages[index] : undefined;
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
