import { repairStore, type Repair } from '../../../index.ts';
import { storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { partsLine } from '../../call/parts-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { checkLines, lossLines } from './loss-lines.ts';
import { refuseAddress, type RestoreCommandOptions } from './restore.ts';
import { salvageLines } from './salvage.ts';

/** Puts what can be read of a damaged store into its place, and says what is lost; gives the exit code. */
export async function repair({ aside }: RestoreCommandOptions, call: CommandCall): Promise<number> {
  const store = storeFolder(call);
  refuseAddress(store, 'repair');
  const { signal } = call.io;
  const status = partsLine(call);
  const options = { signal, onProgress: status.update, ...(aside === undefined ? {} : { aside }) };
  try {
    const done = await repairStore(store, options);
    status.clear();
    if (call.json) call.emit('flamestack.repair/1', { store, ...done });
    else tell(done, call);
    return done.sessions.every(({ isSound }) => isSound) && done.salvage?.isWhole !== false
      ? exits.done
      : exits.check;
  } finally {
    status.clear();
  }
}

function tell({ aside, salvage, sessions }: Repair, call: CommandCall): void {
  if (aside !== null && salvage !== null) {
    call.print(...salvageLines(salvage));
    call.note(`The damaged store is in ${cleanLine(aside)}`);
    return;
  }
  const damaged = sessions.filter(({ isSound }) => !isSound);
  const lost = sessions.flatMap((session) => {
    const lines = session.isSound ? lossLines(session) : [];
    return lines.length === 0 ? [] : [cleanLine(session.id), ...lines];
  });
  call.print(...lost, ...damaged.flatMap(checkLines));
  if (lost.length > 0) call.note('This is gone for good, as is known; all else is sound.');
  if (damaged.length > 0) call.note('What a machine lost cannot be made again.');
  if (lost.length + damaged.length === 0) call.note('Nothing is damaged.');
}
