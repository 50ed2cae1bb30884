import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { openOver } from '../../src/engine/engine.ts';
import { replay } from '../../src/engine/replay.ts';
import type { Session } from '../../src/index.ts';
import type { Store } from '../../src/store/store.ts';
import { newDisk, type Disk } from '../engine/disk.ts';
import { newLocation } from '../store/folder.ts';

// A recovery that was cut short goes on after a restart, whichever write was the
// last one: it asks what it had asked, and ends as it would have.

/** Rows that take `left` more batches. */
function mortal(inner: Store, left: number): Store {
  let batches = left;
  return {
    ...inner,
    async commit(changes) {
      batches -= 1;
      if (batches < 0) throw new Error('The power is gone');
      await inner.commit(changes);
    },
  };
}

const begun = { window: 8_000, recovery: 'confirm' } as const;

/** What a person and a host do until the session goes on; each step where it is not done yet. */
async function play(s: Session, { from, recap }: { from: string | null; recap: boolean }) {
  const { state } = s;
  if (from === null && state.entries === 0)
    await s.append([
      { role: 'user', content: 'Change the guard.' },
      { role: 'assistant', content: 'The guard is changed.' },
    ]);
  if (state.goal === null && from === null) await s.goal.set('Move the tokens to cookies');
  const isRead = from === null || state.entries > 0;
  const isBegun = s.state.recovery !== null || (await isRecovered(s));
  if (!isRead || !isBegun) await s.recover(from === null ? {} : { from });
  if (recap && s.state.recovery?.state === 'confirming') await s.recovery.confirm(false);
  if (s.state.recovery?.state === 'recap') await s.recovery.confirm('We were about to ship 2.0.');
  if (s.state.recovery !== null) await s.recovery.confirm();
}

async function isRecovered(s: Session): Promise<boolean> {
  const { messages } = await s.assemble();
  return messages.some(({ content }) => /<recovered>/.test(JSON.stringify(content)));
}

async function shown(disk: Disk): Promise<readonly string[]> {
  const store = await openOver(disk.mount(), { clock: new SimulatedClock() });
  const s = await store.open('s', begun);
  const { messages } = await s.assemble();
  const { goal, recovery, phase, entries } = s.state;
  await store.close();
  const told = messages.map(({ content }) => JSON.stringify(content));
  return [...told, JSON.stringify({ goal, recovery, phase, entries })];
}

const document = `## Checkpoint [14:32] — Message #24

### Session Context
- **Topic:** Log-in
- **Goal:** Build a notes app

### Action Items
- [ ] Log-in — tokens are refreshed (frame)
- [ ] Write the settings page
`;

test.each([
  { source: 'the state', recap: false },
  { source: 'the state', recap: true },
  { source: 'documents', recap: false },
  { source: 'documents', recap: true },
])(
  'cut short after any write, a recovery from $source ends the same (recap: $recap)',
  async (given) => {
    let from: string | null = null;
    if (given.source === 'documents') {
      from = await newLocation();
      await mkdir(from, { recursive: true });
      await writeFile(join(from, '2026-01-31.md'), document);
    }
    const asked = { from, recap: given.recap };
    const whole = await newDisk();
    const store = await openOver(whole.mount(), { clock: new SimulatedClock() });
    await play(await store.open('s', begun), asked);
    await store.close();
    const wanted = await shown(whole);
    expect(wanted.at(-1)).toContain('"phase":"open"');

    let isOver = false;
    let cuts = 0;
    for (; !isOver; cuts += 1) {
      const disk = await newDisk();
      const dying = await openOver(mortal(disk.mount(), cuts), { clock: new SimulatedClock() });
      isOver = await dying
        .open('s', begun)
        .then((s) => play(s, asked))
        .then(
          () => true,
          () => false,
        );
      await dying.close().catch(() => undefined);
      const again = await openOver(disk.mount(), { clock: new SimulatedClock() });
      await play(await again.open('s', begun), asked);
      await again.close();
      expect(await shown(disk)).toEqual(wanted);
      expect((await replay(disk.mount(), 's')).diverged).toBeNull();
    }
    expect(cuts).toBeGreaterThan(3);
  },
);
