import type { Difference, Session } from '../../index.ts';
import { EngineError } from '../../names.ts';
import { rangesOf } from '../../viewer/page/session/model/ranges.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { momentText, viewIn, type TypedMoment } from '../command-line/moment.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { rule } from '../paper/rule.ts';
import { many, number } from '../paper/size.ts';
import { hanging, padEnd, padStart, widthOf, wrap } from '../paper/width.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `diff` alone. */
export interface DiffOptions {
  readonly session?: string | undefined;
}

/** Compares what the model saw at one moment and at another, or now; gives the exit code. */
export async function diff(
  moments: readonly [before: TypedMoment | undefined, after: TypedMoment | undefined],
  options: DiffOptions,
  call: CommandCall,
): Promise<number> {
  return readSession(call, options.session, async (session) => {
    const [before = await beforeCompression(session, options, call), after] = moments;
    const was = await viewIn(session, before);
    const difference = await (after === undefined
      ? session.diff(was)
      : session.diff(was, await viewIn(session, after)));
    if (call.json) call.emit('flamestack.diff/1', { session: session.id, ...difference });
    else {
      const paper = call.paper();
      const until = after === undefined ? `now (turn ${session.state.turn})` : momentText(after);
      const from = moments[0] === undefined ? 'before the last compression' : momentText(before);
      const title = `${from} ${paper.glyphs.to} ${until}`;
      call.print(paper.paint(title, 'bold'), ...differenceLines(difference, paper));
    }
    return exits.done;
  });
}

/** The moment before the last compression; throws `OPTION_INVALID` where there was none. */
async function beforeCompression(
  from: Session,
  { session }: DiffOptions,
  call: CommandCall,
): Promise<TypedMoment> {
  const { id, snapshots } = from;
  // Where a snapshot stands at the moment already, a compression makes none.
  const snapshotSeqs = snapshots
    .list()
    .flatMap(({ by, seq }) => (by === 'compression' ? [seq] : []));
  const { undo } = await from.steps();
  const stepSeqs = undo.flatMap(({ what, seq }) => (what === 'compression' ? [seq - 1] : []));
  const last = Math.max(...snapshotSeqs, ...stepSeqs);
  if (last >= 0) return { seq: last };
  const named = session === undefined ? '' : ` --session ${quote(session)}`;
  const again = `flamestack diff 1${named}${storeArgument(call)}`;
  const message = `Nothing of session "${id}" was compressed yet; name a moment: ${again}`;
  throw new EngineError('OPTION_INVALID', message, { detail: { option: 'before' } });
}

function differenceLines(difference: Difference, paper: Paper): readonly string[] {
  const { sections, entries, facts, tokens } = difference;
  const line = (name: string, before: number, after: number): string => {
    const sizes = `${padStart(number(before), 7)} to ${padStart(number(after), 7)}`;
    const change = after - before;
    return `  ${padEnd(name, 11)} ${sizes} ${padStart(change > 0 ? `+${number(change)}` : number(change), 8)}`;
  };
  const came = entries.filter(({ before }) => before === null);
  const gone = entries.filter(({ after }) => after === null);
  const changed = entries.filter(({ before, after }) => before !== null && after !== null);
  const { lost, kept, gained } = facts;
  const entryLines = (name: string, list: Difference['entries']): readonly string[] =>
    hanging(`  ${padEnd(name, 7)}  `, entriesText(list), paper.width);
  return [
    rule(paper, 'tokens', `${number(tokens[0])} to ${number(tokens[1])}`),
    ...sections.map(({ section, before, after }) => line(section, before, after)),
    rule(paper, 'entries'),
    ...entryLines('came in', came),
    ...entryLines('left', gone),
    ...entryLines('changed', changed),
    rule(
      paper,
      'names',
      `${number(kept.length)} kept, ${number(lost.length)} lost, ${number(gained.length)} new`,
    ),
    ...nameLines('Lost from the prompt, in the log still', lost, paper),
    ...nameLines('Kept', kept, paper),
    ...nameLines('New', gained, paper),
  ];
}

/** Names by their kind, each kind with its number, below a title; none for no names. */
function nameLines(
  title: string,
  facts: Difference['facts']['lost'],
  paper: Paper,
): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const { name, kind } of facts) {
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind)!.push(cleanLine(name));
  }
  const most = Math.max(0, ...[...kinds.values()].map((names) => number(names.length).length));
  const heads = new Map(
    [...kinds].map(([kind, names]) => {
      const count = many(names.length, kind);
      return [kind, padStart(count, count.length + most - number(names.length).length)];
    }),
  );
  const room = Math.max(0, ...[...heads.values()].map(({ length }) => length));
  const lines = [...kinds].flatMap(([kind, names]) =>
    listed(`  ${padEnd(heads.get(kind)!, room)}  `, names, paper),
  );
  return lines.length === 0 ? [] : [`${title}:`, ...lines];
}

/** Names behind a head, parted between two of them, for what they hold themselves are commas; a long one is parted within. */
function listed(
  head: string,
  names: readonly string[],
  { width, glyphs }: Paper,
): readonly string[] {
  const dot = ` ${glyphs.dot}`;
  const room = Math.max(8, width - widthOf(head));
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.pop();
    const longer = last === undefined ? name : `${last}${dot} ${name}`;
    if (last === undefined || widthOf(longer) > room - dot.length) {
      if (last !== undefined) lines.push(last + dot);
      lines.push(...wrap(name, room - dot.length));
    } else lines.push(longer);
  }
  return lines.map((line, at) => (at === 0 ? head : ' '.repeat(widthOf(head))) + line);
}

/** Ids in order, those in a row as one range. */
function entriesText(entries: Difference['entries']): string {
  const ranges = rangesOf(entries.map(({ entry }) => entry));
  return ranges.length === 0 ? 'none' : ranges.join(', ').replaceAll('-', '–');
}
