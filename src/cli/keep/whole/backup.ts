import { quote, storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many } from '../../paper/size.ts';
import { readStore } from '../../sessions/with-session.ts';

/** Copies the store into a folder; gives the exit code. */
export async function backup(folder: string, call: CommandCall): Promise<number> {
  const { signal } = call.io;
  const status = statusLine(call);
  const begun = performance.now();
  const onProgress = ({ rows }: { readonly rows: number }): void =>
    status.say(() => paceText({ count: rows, what: 'records copied' }, begun));
  const copy = await readStore(call, (store) => store.backup(folder, { signal, onProgress }));
  status.clear();
  const { location, rows, damaged } = copy;
  if (call.json) call.emit('flamestack.backup/1', { store: storeFolder(call), ...copy });
  else {
    call.print(`${many(rows, 'record')} copied to ${cleanLine(location)}`);
    const named = damaged.map(({ kind, key }) => cleanLine(`  ${kind} ${key} is damaged`));
    if (named.length > 0) call.io.stderr.write(`${named.join('\n')}\n`);
    call.note(`Check it: flamestack verify --store ${quote(location)}`);
  }
  return damaged.length === 0 ? exits.done : exits.check;
}
