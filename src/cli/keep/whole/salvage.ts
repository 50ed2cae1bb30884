import { salvageStore, type Salvage, type SalvagedSession } from '../../../index.ts';
import { EngineError } from '../../../names.ts';
import { isAddress, quote, storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { partsLine } from '../../call/parts-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many } from '../../paper/size.ts';
import { lossLines, stepsLine } from './loss-lines.ts';

/** Writes what can be read of the store into a new one, and says what is lost; gives the exit code. */
export async function salvage(folder: string, call: CommandCall): Promise<number> {
  const from = storeFolder(call);
  if (isAddress(from))
    throw new EngineError(
      'OPTION_INVALID',
      `A store in PostgreSQL cannot be salvaged. Copy it to a folder first: flamestack backup <folder> --store ${quote(from)}`,
      { detail: { option: 'store' } },
    );
  const { signal } = call.io;
  const status = partsLine(call);
  const salvaged = await salvageStore(from, folder, {
    signal,
    onProgress: status.update,
  }).finally(() => status.clear());
  if (call.json) call.emit('flamestack.salvage/1', { store: from, ...salvaged });
  else {
    call.print(...salvageLines(salvaged));
    call.note(
      salvaged.isWhole ? 'Nothing is lost.' : 'All that could be read is there.',
      `Look at it: flamestack ls --store ${quote(cleanLine(folder))}`,
    );
  }
  return salvaged.isWhole ? exits.done : exits.check;
}

/** What was salvaged, and what is lost. */
export function salvageLines({
  location,
  rows,
  sessions,
  machines,
  files,
  damaged,
  unread,
}: Salvage): readonly string[] {
  return [
    ...files.map(({ damage }) => cleanLine(damage)),
    ...sessions.flatMap(sessionLines),
    ...machines.filter(({ goesOn }) => !goesOn).flatMap(machineLines),
    ...damaged.map(({ kind, key }) => cleanLine(`${kind} ${key} is changed and was left out`)),
    ...unread.flatMap(unreadLines),
    `${many(rows, 'record')} of ${many(sessions.length, 'session')} written to ${cleanLine(location)}`,
  ];
}

/** What the rows are of which nobody can name those that are lost: they have no sequence. */
const nameless: Readonly<Partial<Record<Salvage['unread'][number]['kinds'][number], string>>> = {
  key: 'keys of appends (what comes again under a lost one is appended again)',
  text: 'texts',
  search: 'the search index',
};

/** What may be lost of a file beside what is named. */
function unreadLines({ file, kinds }: Salvage['unread'][number]): readonly string[] {
  const held = kinds.flatMap((kind) => nameless[kind] ?? []);
  if (held.length === 0) return [];
  return [`rows that nobody can name may be lost in ${cleanLine(file)}: ${held.join(', ')}`];
}

function sessionLines(session: SalvagedSession): readonly string[] {
  const { id, entries, rebuiltAfter } = session;
  return [
    `${cleanLine(id)}: ${many(entries.sound, 'entry', 'entries')}`,
    ...lossLines(session),
    ...(rebuiltAfter === undefined ? [] : [`  ${rebuiltText(rebuiltAfter, entries.sound)}`]),
  ];
}

/** A machine that does not go on. */
const machineLines = ({ id, journal }: Salvage['machines'][number]): readonly string[] => [
  `machine ${cleanLine(id)}: ${many(journal.sound, 'step')}`,
  ...stepsLine(journal.lost),
  '  does not go on, and keeps its id: begin it under another one',
];

/** How a session goes on that could not be opened. */
function rebuiltText(after: number, sound: number): string {
  if (after > 0)
    return `goes on from record ${after} of its journal: entries after it were appended again; gone: frames, goals, checkpoints and system prompt made after it`;
  return sound === 0
    ? 'begun anew: nothing of it is left'
    : 'begun anew: its entries were appended again, without frames, goals, checkpoints and system prompt';
}
