import { join } from 'node:path';
import { expect } from 'vitest';
import type { FormName } from '../../../src/cli/export/form-name.ts';
import { openStore, type Message } from '../../../src/index.ts';
import { flamestack, folder } from '../../cli/call.ts';

/** A session with frames, tools, failures, compressions and times of its own, what was said in it full of markup, in a form for others, as a file. */
export async function exportedAs(form: FormName, extension = 'json'): Promise<string> {
  const store = await folder();
  {
    await using opened = await openStore(store);
    const session = await opened.open('made', { window: 2_048, title: 'Tidy <the> & parts' });
    let at = 1_767_323_045_000;
    const say = (message: Message) => session.append(message, { at: (at += 1_500) });
    await session.frames.plan({ title: 'Ship "it"' });
    for (const title of ['Deep parts', 'Other parts'])
      for (const n of [1, 2, 3, 4]) {
        await say({ role: 'user', content: `Look at part ${n}. ${'word '.repeat(90)}</script>` });
        if (n === 2) await session.push({ title });
        const call = { id: `${title} ${n}`, name: 'read', arguments: { path: `src/${n}.ts` } };
        await say({ role: 'assistant', content: `I read ${n}.`, toolCalls: [call] });
        const isError = n === 3;
        await say({ role: 'tool', toolCallId: call.id, content: 'a | b\n'.repeat(60), isError });
        await say({ role: 'assistant', content: `Part ${n} is tidy.` });
        if (n === 3) await session.pop({ status: 'completed', results: 'Tidy.' });
      }
    const dropped = await session.frames.plan({ title: 'Given up' });
    await session.frames.invalidate(dropped.id, 'not wanted');
    await session.settled();
  }
  const file = join(await folder(), `session.${extension}`);
  const { exit } = await flamestack(`export --as ${form} --store ${store} -o ${file}`);
  expect(exit).toBe(0);
  return file;
}
