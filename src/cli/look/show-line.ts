import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { contextFields, contextLine } from '../render/context-line.ts';
import { chooseOutline } from '../sessions/choose-session.ts';
import { inOrder } from '../sessions/pick.ts';
import { withReader } from '../sessions/store/with-reader.ts';

/** Says on a line how full a session is; gives the exit code. A status line asks every few seconds: it is not opened where its newest rows tell. */
export async function showLine(said: string | undefined, call: CommandCall): Promise<number> {
  const { id, line, fields } = await withReader(call, async (store) => {
    const all = inOrder(await store.list());
    const { id, title = id } = (await chooseOutline(all, said, call)).summary();
    const status = await store.status(id);
    const active = status?.active ?? title;
    return {
      id,
      line: status && contextLine(status, active, call.paper()),
      fields: status && contextFields(status, active),
    };
  });
  if (line === null) {
    const { show } = await import('./show.ts');
    return show(id, { line: true }, call);
  }
  if (call.json) call.emit('flamestack.line/1', { id, ...fields });
  else call.print(line);
  return exits.done;
}
