import { storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { partsLine } from '../../call/parts-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { size } from '../../paper/size.ts';
import { openWaiting } from '../../sessions/store/open-store.ts';
import { refuseAddress } from './restore.ts';

/** Writes the files of the store anew, and says what that gave back; gives the exit code. */
export async function compact(call: CommandCall): Promise<number> {
  const folder = storeFolder(call);
  refuseAddress(folder, 'compact');
  const status = partsLine(call);
  await using store = await openWaiting(folder, call, { create: false });
  const { before, after } = await store
    .compact({ signal: call.io.signal, onProgress: status.update })
    .finally(() => status.clear());
  if (call.json) call.emit('flamestack.compact/1', { store: folder, before, after });
  else {
    // What is written for that, LevelDB's own log and list, is no more than a few.
    const summary =
      before - after >= 1_000
        ? `${size(before)} before, ${size(after)} now: ${size(before - after)} given back`
        : `${size(before)}, and nothing to give back`;
    call.print(`${cleanLine(folder)}: ${summary}`);
  }
  return exits.done;
}
