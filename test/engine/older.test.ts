import { expect, test } from 'vitest';
import { openOver } from '../../src/engine/engine.ts';
import { prose } from '../../src/testing/laws/torture-text.ts';
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
