import { storeFolder, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { statusLine } from '../call/status-line.ts';
import { cleanLine } from '../paper/clean.ts';
import { number } from '../paper/size.ts';
import { openWaiting } from '../sessions/open-store.ts';
import { refuseAddress } from './restore.ts';

/** Writes the files of the store anew, and says what that gave back; gives the exit code. */
export async function compact(call: CommandCall): Promise<number> {
  const folder = storeFolder(call);
  refuseAddress(folder, 'compact');
  const status = statusLine(call);
  await using store = await openWaiting(folder, call, { create: false });
  const onProgress = ({ of }: { readonly of: string }): void => status.say(() => of);
  const { before, after } = await store.compact({ signal: call.io.signal, onProgress });
  status.clear();
  if (call.json) call.emit('flamestack.compact/1', { store: folder, before, after });
  else {
    const given = before > after ? `: ${kilobytes(before - after)} given back` : '';
    call.print(
      `${cleanLine(folder)}: ${kilobytes(before)} before, ${kilobytes(after)} now${given}`,
    );
  }
  return exits.done;
}

const kilobytes = (bytes: number): string => `${number(Math.ceil(bytes / 1_024))} KiB`;
