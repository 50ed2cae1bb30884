import { callsOf } from '../commands/scripted-calls.ts';
import { isHuman, personText, textOf, type LeavingEntry } from '../messages/message.ts';
import type { Count } from '../messages/token-count.ts';
import { entitiesByPlace } from '../entities/entities.ts';
import { shellText } from '../commands/shell-commands.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import { readOnce } from '../values/read-once.ts';
import { commandOutcomes, type CommandOutcome } from '../outcomes/command-outcomes.ts';
import { showsForeign } from '../outcomes/documents.ts';
import { exchangesIn, type Exchange } from '../outcomes/exchanges.ts';
import { wasDone } from '../outcomes/failures.ts';
import { lastName } from '../definitions/settings.ts';
import type { GoneName } from '../files/changes.ts';
import { printsPast } from '../files/diff-files.ts';
import { editsOf, factText, type NamedText } from './file-facts.ts';
import { plannedIn, remarksIn, remarksOfPlan, type FileRemark } from './file-remarks.ts';
import { plansIn, type Stretch } from './plans.ts';
import { printedMoves } from '../files/git-files.ts';
import { movesOfCall } from '../files/edit-moves.ts';
import { movesIn } from '../files/shell-files.ts';
import { filesShown } from './shown-files.ts';
import type { Line } from '../lines/line.ts';
import { statedIn } from '../lines/sources.ts';
import type { MembersChanged } from '../files/members.ts';
import { filesNamed } from '../files/paths.ts';

// What happened to files in entries that leave the window, in order: what their
// calls showed, changed, moved and took away, who spoke of them, what commands
// gave. The index is made of these events and of nothing else.

/** Something that a file holds, or that was said of it. */
export interface FileFact {
  /** What it is known by in its file: one of the same name takes its place. */
  readonly name: string;
  /** As it is told; '' for what is gone. */
  readonly text: string;
  /** As it is told without what it does, where it does something; '' for the same. */
  readonly bare: string;
  /** Tokens of the text, at most. */
  readonly tokens: number;
  /** Position of the entry in which it was said of the file; left out for what the file itself shows. */
  readonly n?: number;
}

/** Something that happened to a file, or a command that ran. */
export type FileEvent =
  | {
      readonly type: 'edited';
      readonly path: string;
      readonly n: number;
      /** Whether the whole file was written, or a part of it, or it was taken away. */
      readonly extent: 'whole' | 'part' | 'none';
      readonly facts: readonly FileFact[];
      /** Names that stand no more in what was changed. */
      readonly gone: readonly GoneName[];
      /** Fields that came to types, or went from them, whose heads it does not show. */
      readonly members: readonly MembersChanged[];
    }
  | {
      readonly type: 'read';
      readonly path: string;
      readonly n: number;
      /** It is shown as a commit left it, which tells nothing of a file that is known. */
      readonly isPast?: true;
      readonly facts: readonly FileFact[];
    }
  /** A person named it, or a line that tells what the model said, or read, or what failed. */
  | {
      readonly type: 'named';
      readonly path: string;
      readonly n: number;
      readonly by: 'person' | 'line';
    }
  /** A line tells something of it. */
  | {
      readonly type: 'remarked';
      readonly path: string;
      readonly fact: FileFact;
      readonly worth: number;
    }
  /** It is elsewhere now, or nowhere where `to` is ''; it is new where `from` is ''. */
  | {
      readonly type: 'moved';
      readonly from: string;
      readonly to: string;
      readonly n: number;
      /** It is said of what was done before, so that what the new place holds may be known: of this file and few others, or of many. */
      readonly told?: 'few' | 'many';
    }
  /** A person turned down what was planned in entries: of it nothing is told. */
  | ({ readonly type: 'refused' } & Stretch)
  /** Names of definitions that people and the model spoke of, with the number of times. */
  | { readonly type: 'spoken'; readonly names: Readonly<Record<string, number>> }
  | (Omit<CommandOutcome, 'place'> & {
      readonly type: 'ran';
      readonly tokens: number;
      /** Left out by what ran before it was kept. */
      readonly place?: string;
    });

type EditEvent = FileEvent & { readonly type: 'edited' };

/** Most definitions of one reading or writing that are kept. */
const mostFacts = 60;

/** Tokens of the id of an entry in parentheses, at most. */
const idTokens = 6;

/**
 * What happened to files in entries; `lines` are those that they leave, `known` the names that the index has,
 * and `wasChanged` says whether a file was changed before.
 */
export function fileEventsIn(
  entries: readonly LeavingEntry[],
  context: {
    readonly lines: readonly Line[];
    readonly known: Iterable<string>;
    readonly wasChanged: (path: string) => boolean;
    readonly count: Count;
    readonly part?: Part;
  },
): readonly FileEvent[] {
  const { lines, known, wasChanged, count, part = atOnce } = context;
  const exchanges = part(() => exchangesIn(entries));
  const byCall = new Map(exchanges.map((one) => [one.call, one]));
  const toFact = (name: string, text: string, bare = ''): FileFact => ({
    name,
    text,
    bare,
    tokens: count(text),
  });
  const events = mapInParts(entries, part, ({ n, message }): readonly FileEvent[] => {
    if (!isHuman(message))
      return callsOf(message).flatMap((call) => callEvents(byCall.get(call)!, toFact));
    const paths = filesNamed(withinScanLimit(personText(message)));
    return paths.map((path) => ({ type: 'named', path, n, by: 'person' }));
  }).flat();
  const foreign = new Set(exchanges.filter(({ call }) => showsForeign(call)).map(({ to }) => to));
  const named = lines
    .filter(
      ({ kind, n }) => kind === 'said' || kind === 'failed' || (kind === 'read' && !foreign.has(n)),
    )
    .flatMap((line) =>
      pathsIn(line).map((path): FileEvent => ({ type: 'named', path, n: line.n, by: 'line' })),
    );
  const results = new Set(exchanges.map(({ to }) => to));
  const plans = part(() => plansIn(entries, exchanges));
  const isRefused = (n: number): boolean =>
    plans.refused.some(({ from, to }) => from <= n && n <= to);
  // A plan that is read once more says of a file that was changed what was done; one that was refused says nothing.
  const isVoid = ({ kind, n }: Line, { path, text }: FileRemark): boolean =>
    plannedIn(text) !== undefined &&
    ((kind === 'read' && results.has(n) && wasChanged(path)) || isRefused(n));
  const remarks = lines.flatMap((line) =>
    (line.kind === 'read' && foreign.has(line.n)
      ? []
      : (plans.in.has(line.n) ? remarksOfPlan : remarksIn)(line)
    )
      .filter((remark) => !isVoid(line, remark))
      .map(({ path, text, worth }): FileEvent => {
        const fact = toFact('', text);
        return {
          type: 'remarked',
          path,
          fact: { ...fact, n: line.n, tokens: fact.tokens + idTokens },
          worth,
        };
      }),
  );
  const outcomes = part(() => commandOutcomes(exchanges));
  const ran = mapInParts(outcomes, part, (outcome): FileEvent => ({
    type: 'ran',
    ...outcome,
    tokens: count(`${outcome.command}: ${outcome.result}`),
  }));
  const names = part(() => spokenIn(entries, [known, namesOf(events)]));
  const spoken: readonly FileEvent[] =
    Object.keys(names).length === 0 ? [] : [{ type: 'spoken', names }];
  const refused = plans.refused.map(({ from, to }): FileEvent => ({ type: 'refused', from, to }));
  return [...events, ...named, ...remarks, ...refused, ...spoken, ...ran];
}

/** The paths that a line names. */
const pathsIn = readOnce((line: Line) => filesNamed(statedIn(line)));

/** Reads what a line says of files, which is remembered: {@link fileEventsIn} has less to do then. */
export function readLineAhead(line: Line): void {
  pathsIn(line);
  remarksIn(line);
}

const namesOf = (events: readonly FileEvent[]): readonly string[] =>
  events.flatMap((event) =>
    'facts' in event ? event.facts.flatMap(({ name }) => [name, lastName(name)]) : [],
  );

/** How many messages of people and of the model speak of names. */
function spokenIn(
  entries: readonly LeavingEntry[],
  nameLists: readonly Iterable<string>[],
): Readonly<Record<string, number>> {
  const times = new Map<string, number>();
  for (const { message } of entries)
    if (message.role === 'assistant' || isHuman(message))
      for (const [name, kind] of entitiesByPlace(message).said)
        if (kind === 'identifier') times.set(name, (times.get(name) ?? 0) + 1);
  // Far more names are known than are spoken of.
  const found = new Set<string>();
  for (const names of nameLists) for (const name of names) if (times.has(name)) found.add(name);
  return Object.fromEntries([...times].filter(([name]) => found.has(name)));
}

/** What a call did with files; one that failed did nothing. */
function callEvents(
  exchange: Exchange,
  toFact: (name: string, text: string, bare: string) => FileFact,
): readonly FileEvent[] {
  const { n, call, to } = exchange;
  if (!wasDone(exchange)) return [];
  const facts = (list: readonly NamedText[]) =>
    list
      .slice(0, mostFacts)
      .map((one) =>
        toFact(one.name, factText(one), one.does === '' ? '' : factText({ ...one, does: '' })),
      );
  const shell = shellText(call);
  const edits = editsOf(exchange).map(({ path, extent, gone, members, ...edit }): EditEvent => ({
    type: 'edited',
    path,
    n,
    extent,
    facts: facts(edit.facts),
    gone,
    members,
  }));
  // What a script takes away beside its edits may be what it made before, or make after.
  const moves = [...movesIn(shell), ...movesOfCall(call)]
    .filter((one) => edits.length === 0 || one.to !== '')
    .map((one) => ({ type: 'moved' as const, from: one.from, to: one.to, n }));
  const isEdited = (path: string): boolean => edits.some((edit) => edit.path === path);
  const done: readonly FileEvent[] = [
    ...moves.filter((one) => isEdited(one.to)),
    ...edits,
    ...moves.filter((one) => !isEdited(one.to)),
    ...saidMoves(exchange, to),
  ];
  if (done.length > 0) return done;
  const past = printsPast(shell) ? { isPast: true as const } : {};
  return filesShown(exchange).map(({ path, holds }) => ({
    type: 'read',
    path,
    n: to,
    facts: facts(holds),
    ...past,
  }));
}

/** Most files of one commit of which it is told what they were called before. */
const mostTold = 4;

/** What git says became of files in what a call has it do; `n` is where it says so. */
function saidMoves({ call, work = call, result }: Exchange, n: number): readonly FileEvent[] {
  if (result === undefined) return [];
  const moves = printedMoves(shellText(work), withinScanLimit(textOf(result.content)));
  const renamed = moves.filter(({ from, to }) => from !== '' && to !== '').length;
  const quantity = renamed > mostTold ? 'many' : 'few';
  return moves.map(({ from, to }) => ({ type: 'moved', from, to, n, told: quantity }));
}
