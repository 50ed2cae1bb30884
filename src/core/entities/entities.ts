import { callsOf } from '../commands/scripted-calls.ts';
import { commandsIn, leavesOf } from '../commands/shell-commands.ts';
import { partFilter } from './part-finder.ts';
import { decisionsIn } from '../text/decisions.ts';
import { isEdit, patchHead, pathArgument } from '../commands/edit-calls.ts';
import { endsEscape, scanLiterals, type LiteralKind } from './literals.ts';
import { readOnce } from '../values/read-once.ts';
import { textOf, type Message, type ToolCall } from '../messages/message.ts';
import { withinScanLimit, scanLimit } from '../text/sentences.ts';

/** The kinds of entities; a `decision` is a whole sentence of at most 200 characters. */
export type EntityKind = LiteralKind | 'command' | 'decision';

/** The kinds of names: all entities but decisions, which are sentences. */
export type NameKind = Exclude<EntityKind, 'decision'>;

/** Entities by name, in order of first appearance. */
export type Entities = ReadonlyMap<string, EntityKind>;

/** The entities of a message by the part of it that holds them. */
interface MessageEntities {
  /** Those of its text. */
  readonly said: Entities;
  /** Those of the arguments of its calls, commands first. */
  readonly asked: Entities;
  /** Paths that its calls create or change, by name, as the last call gave them. */
  readonly changed: ReadonlyMap<string, string>;
}

/** Most entities of one text: a listing of a hundred thousand files names nothing. */
const mostEntities = 4_096;

/**
 * The entities of a message: those of its text, then those of its calls'
 * arguments. Decisions are read from assistant text only. At most 200,000
 * characters of the text and of the arguments are scanned, once.
 */
export const entitiesOf: (message: Message) => Entities = readOnce((message: Message) => {
  const { said, asked } = entitiesByPlace(message);
  return asked.size === 0 ? said : new Map([...said, ...asked]);
});

/** {@link entitiesOf} by the part of the message that holds them. */
export const entitiesByPlace: (message: Message) => MessageEntities = readOnce(
  (message: Message) => {
    const said = literals(textOf(message.content));
    if (message.role === 'assistant') addDecisions(said, textOf(message.content));
    return { said, ...askedBy(message) };
  },
);

/** The entities of a text, decisions last; at most 200,000 characters of it are scanned. */
export function entitiesIn(text: string): Entities {
  const entities = literals(text);
  addDecisions(entities, text);
  return entities;
}

/** The shell commands that a message runs, each once. */
export function commandsOf(message: Message): readonly string[] {
  return [...new Set(callsOf(message).flatMap(commandsIn))];
}

/** Whether `text` holds `name` between word boundaries. */
export function containsWord(text: string, name: string): boolean {
  if (name === '') return false;
  const opens = isWord(name, 0);
  const closes = isWord(name, name.length - 1);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (
      (!opens || !isWord(text, at - 1) || endsEscape(text, at - 1)) &&
      (!closes || !isWord(text, at + name.length))
    )
      return true;
  }
  return false;
}

/** {@link containsWord} of one text, for many names. */
export function wordFinder(text: string): (name: string) => boolean {
  const mayHold = partFilter(text);
  return (name) => mayHold(name) && containsWord(text, name);
}

function literals(text: string): Map<string, EntityKind> {
  const entities = new Map<string, EntityKind>();
  const scanned = withinScanLimit(text);
  scanLiterals(scanned === text ? text : `${scanned}…`, (name, kind) => {
    if (entities.size < mostEntities && !entities.has(name)) entities.set(name, kind);
  });
  return entities;
}

function addDecisions(entities: Map<string, EntityKind>, text: string): void {
  for (const decision of decisionsIn(text))
    if (!entities.has(decision)) entities.set(decision, 'decision');
}

function askedBy(message: Message): Omit<MessageEntities, 'said'> {
  const asked = new Map<string, EntityKind>();
  const changed = new Map<string, string>();
  if (message.role !== 'assistant') return { asked, changed };
  for (const command of commandsOf(message)) asked.set(command, 'command');
  let remaining = scanLimit;
  for (const call of callsOf(message)) {
    const text = leavesOf(call.arguments, remaining);
    remaining -= text.length;
    for (const [name, kind] of literals(text)) if (!asked.has(name)) asked.set(name, kind);
    for (const [name, path] of changedBy(call)) changed.set(name, path);
    if (remaining <= 0) break;
  }
  return { asked, changed };
}

function changedBy(call: ToolCall): readonly NamedPath[] {
  if (!isEdit(call)) return [];
  const target = pathArgument(call);
  if (target !== undefined) return pathsIn(target.slice(0, 1_000));
  const { arguments: args } = call;
  return filesOfPatch(typeof args === 'string' ? args : leavesOf(args, scanLimit));
}

const patchFile = new RegExp(`${patchHead}(.{1,300})`, 'gm');

/** The files named by the headings of a patch. */
const filesOfPatch = (patch: string): readonly NamedPath[] =>
  [...withinScanLimit(patch).matchAll(patchFile)].flatMap(([, path = '']) => pathsIn(path));

/** A path by its name, which is its last two segments, and as it was written. */
type NamedPath = readonly [name: string, path: string];

/** Longest path that is kept as written, in UTF-16 units. */
const longestPath = 300;

/** The paths in a text; a text that is one path keeps how it is written, in others the name stands for it. */
function pathsIn(text: string): readonly NamedPath[] {
  const names = [...literals(text)].flatMap(([name, kind]) => (kind === 'path' ? [name] : []));
  const path = text.trim();
  const [only = ''] = names;
  const isPath = path.endsWith(only) && !/\s/.test(path) && path.length <= longestPath;
  return names.length === 1 && isPath ? [[only, path]] : names.map((name) => [name, name]);
}

function isWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (
    (unit >= 48 && unit <= 57) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 97 && unit <= 122) ||
    unit === 95 ||
    unit === 36
  );
}
