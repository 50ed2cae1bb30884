import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOver } from '../../src/engine/engine.ts';
import { prose } from '../../tools/laws/torture-text.ts';
import { replay } from '../../src/engine/replay.ts';
import { newDisk } from './disk.ts';

// Sessions that were kept before models were connected and the past could be gone back
// to: options and states without what came since.

/** The value as an older version would have kept it. */
function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== 'object' || value === null) return value;
  const gone =
    'modelSize aging destructive snapshots recovery recoveryWords calibration shelf held diary timeline watch'.split(
      ' ',
    );
  const isState = 'epoch' in value && 'views' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !gone.includes(name) && !(isState && name === 'facts'))
      .map(([name, inner]) => [name, older(inner)]),
  );
}

test.each([{}, { model: 'llama3.2:3b' }])(
  'a session of an older version opens with %o',
  async (given) => {
    const disk = await newDisk();
    const records = disk.mount();
    {
      const store = await openOver(records);
      const session = await store.open('s', { window: 2_000, ...given });
      for (let n = 0; n < 60; n += 1)
        await session.append([
          { role: 'user', content: `Step ${n}` },
          { role: 'assistant', content: prose(80, n) },
        ]);
      await session.settled();
      await store.close();
    }
    const again = disk.mount();
    for (const kind of ['journal', 'state'] as const) {
      const rows: [string, unknown][] = [];
      for await (const row of again.range(kind, {})) rows.push(row as [string, unknown]);
      await again.commit(
        rows.map(([key, value]) => ({ type: 'put', kind, key, value: older(value) }) as const),
      );
    }
    await using store = await openOver(again);
    const session = await store.open('s');
    await session.append({ role: 'user', content: 'Go on.' });
    const { budget } = await session.assemble();
    expect(budget.total).toBeLessThanOrEqual(budget.limit);
    await session.configure({ window: 4_000 });
    expect(session.state.budget.window).toBe(4_000);
  },
);

/** The value as it was kept while a number was taken for a text. */
function untyped(value: unknown): unknown {
  if (value === '77') return 77;
  if (Array.isArray(value)) return value.map(untyped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, untyped(one)]));
}

test.each([4, 1_100])(
  'a session that took numbers for texts opens, appends, and is decided again, after %i entries more',
  async (entries) => {
    const folder = await mkdtemp(join(tmpdir(), 'older-'));
    const disk = await newDisk();
    const options = { documents: folder };
    {
      await using store = await openOver(disk.mount(), options);
      const session = await store.open('s', { window: 4_000 });
      await session.append({ role: 'user', content: 'Begin' });
      await session.push({ title: 'Part', criteria: '77', brief: '77' });
      await session.append({ role: 'assistant', content: 'Hi' });
      await session.pop({
        status: 'failed',
        results: '77',
        brief: '77',
        artifacts: ['77'],
        decisions: ['77'],
      });
      await session.frames.plan({ title: 'Gone', brief: '77' });
      await session.frames.invalidate('f2', '77');
      await session.frames.plan({ title: '77', brief: '77' });
      await session.frames.edit('f3', { title: 'Next', brief: '77' });
      const said = Array.from({ length: entries }, (_, n) => `Said ${n}`);
      await session.append(said.map((content) => ({ role: 'assistant', content }) as const));
      await session.settled();
    }
    const records = disk.mount();
    let changed = 0;
    for (const kind of ['journal', 'state', 'chunk', 'text'] as const)
      for await (const [key, value] of records.range(kind, {})) {
        const kept = untyped(value);
        if (JSON.stringify(kept) === JSON.stringify(value)) continue;
        await records.commit([{ type: 'put', kind, key, value: kept }]);
        changed += 1;
      }
    expect(changed).toBeGreaterThan(5);
    {
      await using store = await openOver(disk.mount(), options);
      const session = await store.open('s');
      const [part, gone, next] = session.frames.tree().children;
      expect([part, gone, next]).toMatchObject([
        { criteria: '77', results: '77' },
        { status: 'invalidated', reason: '77' },
        { title: 'Next' },
      ]);
      for (let n = 0; n < 24; n += 1)
        await session.append([
          { role: 'user', content: `Step ${n}` },
          { role: 'assistant', content: prose(80, n) },
        ]);
      expect(await session.document()).toContain('77');
      await session.frames.retry('f1');
      expect((await session.assemble()).messages.length).toBeGreaterThan(0);
      await session.settled();
      for await (const line of session.export())
        if (line.type === 'pop') expect(line).toMatchObject({ results: '77', decisions: ['77'] });
    }
    expect((await replay(disk.mount(), 's')).diverged).toBeNull();
    await rm(folder, { recursive: true });
  },
);
