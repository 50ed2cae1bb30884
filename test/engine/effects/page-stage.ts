import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { Message, Session, SessionFact, Store } from '../../../src/index.ts';
import { newLocation } from '../../store/folder.ts';
import { newDisk, type Disk } from '../disk.ts';

/** A session that keeps documents, and its page. */
export interface Stage {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: Store;
  readonly session: Session;
  readonly facts: SessionFact[];
  readonly page: string;
}

/** A stage, on the disk and in the folder of another one where they are given. */
export async function stage(
  given: { disk?: Disk; folder?: string; id?: string } = {},
): Promise<Stage> {
  const { disk = await newDisk(), folder = await newLocation(), id = 's' } = given;
  const store = await openOver(disk.mount(), { clock: new SimulatedClock(), documents: folder });
  const session = await store.open(id, { window: 16_000 });
  const facts: SessionFact[] = [];
  session.on('*', (fact) => facts.push(fact));
  return { disk, folder, store, session, facts, page: join(folder, 'NOW.md') };
}

export const user = (content: string): Message => ({ role: 'user', content });
export const calls: Message = {
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'c1', name: 'bash', arguments: { command: 'ls' } }],
};
/** Changes the page as a person would. */
export const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'utf8')));
export const addCall = (text: string): string =>
  text.replace('## Where', '- [ ] Call Ada\n\n## Where');
