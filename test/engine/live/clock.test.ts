import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { systemClock } from '../../../src/engine/live/clock.ts';

test('a clock that is set back does not turn the journal: an old time is still found', async () => {
  let now = 1_000;
  const store = await openStore(':memory:', { clock: { ...systemClock, now: () => now } });
  const session = await store.open('s', { window: 8_000 });
  for (const time of [1_500, 3_000, 1_200, 2_000, 4_000]) {
    now = time;
    await session.append({ role: 'user', content: `said at ${time}` });
  }
  const view = await session.at({ time: 3_500 });
  expect(view.state.entries).toBe(4);
  expect(session.state.entries).toBe(5);
  await store.close();
});
