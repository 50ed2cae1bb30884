import { storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { partsLine } from '../../call/parts-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { number } from '../../paper/size.ts';
import { openWaiting } from '../../sessions/open-store.ts';
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
    const given = kilobytes(before - after);
    const told =
      Math.ceil(before / 1_024) > Math.ceil(after / 1_024)
        ? `${kilobytes(before)} before, ${kilobytes(after)} now: ${given} given back`
        : `${kilobytes(before)}, and nothing to give back`;
    call.print(`${cleanLine(folder)}: ${told}`);
  }
  return exits.done;
}

const kilobytes = (bytes: number): string => `${number(Math.ceil(bytes / 1_024))} KiB`;
