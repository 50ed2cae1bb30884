import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../src/engine/open/open-store.ts';
import { replayed } from '../engine/replayed.ts';
import type { Message } from '../../src/index.ts';
import { newDisk } from '../engine/disk.ts';
import { newLocation } from '../store/folder.ts';
import { draws } from '../draws.ts';

// Whatever a host, the model and a person do: what the person wrote on the page is in the
// log once, and a host that keeps its own list hears of no loss.

const moves = ['say', 'edit', 'document', 'reopen', 'call', 'push', 'pop', 'undo'] as const;

test('each edit of the page is said once, and no list lacks it', async () => {
  const anyMoves = fc.array(fc.constantFrom(...moves), { minLength: 4, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(anyMoves, async (made) => {
      const [folder, disk, clock] = [await newLocation(), await newDisk(), new SimulatedClock()];
      const open = async () => {
        const store = await openOver(disk.mount(), { clock, documents: folder });
        return { store, s: await store.open('s', { window: 16_000 }) };
      };
      let { store, s } = await open();
      const list: Message[] = [{ role: 'user', content: 'Begin the work on it' }];
      const sync = async (...messages: readonly Message[]): Promise<void> => {
        list.push(...messages);
        const { relation, appended, lost } = await s.sync(list);
        expect([relation, appended.length, lost]).toEqual(['append', messages.length, []]);
      };
      const edits: string[] = [];
      let call: string | null = null;
      const steps: Readonly<Record<(typeof moves)[number], (n: number) => unknown>> = {
        say: (n) =>
          sync({ role: 'user', content: `Say ${n}` }, { role: 'assistant', content: `Said ${n}` }),
        call: (n) => {
          call = `c${n}`;
          const toolCalls = [{ id: call, name: 'ls', arguments: {} }];
          return sync({ role: 'assistant', content: '', toolCalls });
        },
        edit: async (n) => {
          const page = join(folder, 'NOW.md');
          const text = await readFile(page, 'utf8');
          edits.push(`Word ${n}.`);
          await writeFile(page, text.replace('## Where', `- [ ] Word ${n}.\n\n## Where`));
        },
        document: () => s.writeDocument(),
        reopen: async () => {
          await s.settled();
          await store.close();
          ({ store, s } = await open());
        },
        push: (n) => s.push({ title: `Frame ${n}` }),
        pop: () => s.pop({ status: 'completed', results: 'Done' }),
        undo: () => s.undo().catch(() => undefined),
      };
      const answer = async (): Promise<void> => {
        if (call !== null) await sync({ role: 'tool', toolCallId: call, content: 'ok' });
        call = null;
      };
      await s.sync(list);
      await s.writeDocument();
      for (const [n, one] of made.entries()) {
        clock.increment(1_000);
        if (one !== 'edit' && one !== 'document') await answer();
        if (
          one === 'pop' &&
          s.frames.tree().children.every(({ status }) => status !== 'in_progress')
        )
          continue;
        await steps[one](n);
      }
      await answer();
      await s.writeDocument();
      const said: string[] = [];
      for await (const { role, content } of s.log())
        if (role === 'user') said.push(content as string);
      for (const edit of edits) expect(said.filter((text) => text.includes(edit))).toHaveLength(1);
      expect(await s.sync(list)).toMatchObject({ relation: 'same', lost: [] });
      const names = await readdir(folder);
      expect(names.filter((name) => name.includes('kept'))).toEqual([]);
      expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
      await store.close();
    }),
    { numRuns: draws(100) },
  );
}, 120_000);
