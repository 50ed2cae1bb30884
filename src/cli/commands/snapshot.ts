import type { Snapshot } from '../../index.ts';
import type { Call } from '../call.ts';
import { exits } from '../exit.ts';
import { cleanLine } from '../render/clean.ts';
import { age, number } from '../render/size.ts';
import { table, type Column } from '../render/table.ts';
import { withSession } from '../with-session.ts';
import { leftText } from './undo.ts';

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'made', align: 'right' },
  { title: 'turn', align: 'right' },
  { title: 'entries', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'why', gives: true },
];

const reasons: Readonly<Record<Snapshot['by'], string>> = {
  person: 'asked for',
  compression: 'before a compression',
  threshold: 'as the window filled',
};

/** Of what is printed about one snapshot. */
const schema = 'flamestack.snapshot/1';

/** Options of the verbs of `snapshot`. */
export interface SnapshotOptions {
  readonly session?: string | undefined;
}

/** Makes a snapshot; gives the exit code. */
export function create(title: string, options: SnapshotOptions, call: Call): Promise<number> {
  return withSession(call, options.session, async (session) => {
    const snapshot = await session.snapshots.create(title);
    if (call.json) call.emit(schema, { session: session.id, snapshot });
    else call.print(`Made ${snapshot.id} at turn ${snapshot.turn}.`);
    return exits.done;
  });
}

/** Lists the snapshots of a session, oldest first; gives the exit code. */
export function list(options: SnapshotOptions, call: Call): Promise<number> {
  return withSession(call, options.session, async (session) => {
    const snapshots = session.snapshots.list();
    if (call.json) {
      call.emit('flamestack.snapshots/1', { session: session.id, snapshots });
    } else if (snapshots.length === 0) {
      call.print(`Session ${cleanLine(session.id)} has no snapshot yet.`);
    } else {
      const paper = call.paper();
      const [head, ...lines] = table(columns, snapshots.map(row), paper);
      call.print(paper.paint(head!, 'gray'), ...lines);
    }
    return exits.done;
  });
}

/** Goes back to a snapshot; gives the exit code. */
export function restore(id: string, options: SnapshotOptions, call: Call): Promise<number> {
  return withSession(call, options.session, async (session) => {
    const done = await session.snapshots.restore(id);
    const left = done.left === 0 ? '' : ` ${leftText(done.left)}`;
    if (call.json)
      call.emit('flamestack.restore/1', { session: session.id, snapshot: id, ...done });
    else call.print(`As it was at ${id}, with what was said since.${left} \`undo\` takes it back.`);
    return exits.done;
  });
}

/** Takes a snapshot off the list; gives the exit code. */
export function remove(id: string, options: SnapshotOptions, call: Call): Promise<number> {
  return withSession(call, options.session, async (session) => {
    await session.snapshots.delete(id);
    if (call.json) call.emit(schema, { session: session.id, snapshot: { id } });
    else call.print(`Removed ${id}; nothing of the log went with it.`);
    return exits.done;
  });
}

function row({ id, at, turn, entries, tokens, by, title }: Snapshot): readonly string[] {
  const why = title === '' ? reasons[by] : cleanLine(title);
  return [id, age(Date.now() - at), number(turn), number(entries), number(tokens), why];
}
