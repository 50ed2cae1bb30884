import { durableMachines, type SessionSummary, type Store } from '../../index.ts';
import { quote, storeArgument, storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { age, number } from '../paper/size.ts';
import { table, type Column } from '../paper/table.ts';
import { widthOf } from '../paper/width.ts';
import { latestFirst } from '../sessions/pick.ts';
import { readStore } from '../sessions/with-session.ts';

/** The columns; of those that may be left out the last one goes first where the terminal is narrow. An id is never cut. */
const columns: readonly Column[] = [
  { title: '', align: 'right' },
  { title: 'session' },
  { title: 'used', align: 'right' },
  { title: 'turns', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'window', align: 'right' },
  { title: 'pending', align: 'right' },
];

/** Columns that are always there. */
const fewestColumns = 2;

/** As many columns as lines have room for. */
function fittingColumns(rows: readonly (readonly string[])[], paper: Paper): readonly string[] {
  for (let count = columns.length; count > fewestColumns; count -= 1) {
    const lines = table(columns.slice(0, count), rows, paper);
    if (lines.every((line) => widthOf(line) <= paper.longest)) return lines;
  }
  return table(columns.slice(0, fewestColumns), rows, paper);
}

/** Lists the sessions of the store, the latest first; gives the exit code. */
export async function ls(call: CommandCall): Promise<number> {
  const { sessions, machines } = await readStore(call, async (store) => ({
    sessions: await latestFirst(store),
    machines: await countMachines(store),
  }));
  if (call.json) {
    call.emit('flamestack.ls/1', { store: storeFolder(call), sessions, machines });
  } else if (sessions.length === 0) {
    call.print(
      `The store ${cleanLine(storeFolder(call))} holds no session yet.`,
      `Make one: flamestack import <your session file>${storeArgument(call)}`,
    );
  } else {
    const paper = call.paper();
    const [head, ...lines] = fittingColumns(sessions.map(row), paper);
    call.print(paper.paint(head!, 'gray'), ...lines);
    call.note(...sessions.flatMap((session) => damageText(session, call)));
  }
  if (machines > 0 && !call.json)
    call.note(`It holds ${machines} durable ${machines === 1 ? 'machine' : 'machines'}, too.`);
  return exits.done;
}

/** How many durable machines lie beside the sessions of a store. */
async function countMachines(store: Store): Promise<number> {
  const ids: string[] = [];
  for await (const { id } of durableMachines(store)) ids.push(id);
  return ids.length;
}

/** What is wrong with a session, and how to see what is left of it. */
function damageText({ id, damage }: SessionSummary, call: CommandCall): readonly string[] {
  if (damage === undefined) return [];
  const name = cleanLine(id);
  const verify = `flamestack verify ${quote(name)}${storeArgument(call)}`;
  return [`${name} is damaged: ${cleanLine(damage)}`, `  What is left of it: ${verify}`];
}

function row(session: SessionSummary, index: number): readonly string[] {
  const { id, updated, turns, tokens, window, pending, damage } = session;
  if (damage !== undefined) return [`@${index + 1}`, cleanLine(id), 'damaged', '', '', '', ''];
  return [
    `@${index + 1}`,
    cleanLine(id),
    age(Date.now() - updated),
    number(turns),
    number(tokens),
    number(window),
    pending === 0 ? '' : number(pending),
  ];
}
