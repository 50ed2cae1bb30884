import { restoreStore } from '../../../index.ts';
import { EngineError } from '../../../names.ts';
import { isAddress, storeFolder, type CommandCall } from '../../call/call.ts';
import { exits } from '../../call/exit.ts';
import { paceText } from '../../call/pace-text.ts';
import { statusLine } from '../../call/status-line.ts';
import { cleanLine } from '../../paper/clean.ts';
import { many } from '../../paper/size.ts';

/** Options of `restore` alone. */
export interface RestoreCommandOptions {
  /** Where the store goes that is there. */
  readonly aside?: string | undefined;
}

/** Brings a backup into the place of the store; gives the exit code. */
export async function restore(
  backup: string,
  { aside: named }: RestoreCommandOptions,
  call: CommandCall,
): Promise<number> {
  const store = storeFolder(call);
  refuseAddress(store, 'restore');
  const { signal } = call.io;
  const status = statusLine(call);
  const begun = performance.now();
  const onProgress = ({ rows }: { readonly rows: number }): void =>
    status.say(() => paceText({ count: rows, what: 'records copied' }, begun));
  const options = { signal, onProgress, ...(named === undefined ? {} : { aside: named }) };
  try {
    const restored = await restoreStore(backup, store, options);
    if (call.json) call.emit('flamestack.restore/1', { backup, ...restored });
    else {
      const { rows, aside } = restored;
      call.print(
        `${many(rows, 'record')} of ${cleanLine(backup)} are the store ${cleanLine(store)} now`,
      );
      if (aside !== null) call.note(`The store that was there is in ${cleanLine(aside)}`);
    }
    return exits.done;
  } finally {
    status.clear();
  }
}

/** Refuses the address of a database for work on files. */
export function refuseAddress(store: string, command: string): void {
  if (!isAddress(store)) return;
  const message = `A store in PostgreSQL has no files to ${command}; its server keeps them`;
  throw new EngineError('OPTION_INVALID', message, { detail: { option: 'store' } });
}
