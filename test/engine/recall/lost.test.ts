import { expect, test } from 'vitest';
import type { LostEntries } from '../../../src/engine/journal/whole-rows.ts';
import { entryKey, sessionKey } from '../../../src/store/key.ts';
import { harmedStore } from '../harmed.ts';

const lostEntries = [
  { from: 'e3', to: 'e3', reason: 'missing' },
  { from: 'e6', to: 'e6', reason: 'changed' },
];

const lossy = () =>
  harmedStore(async ({ del, flip }) => {
    await del('entry', entryKey('s', 3));
    await flip('entry', entryKey('s', 6));
  });

test('a recall goes on past lost entries, and tells of them each time', async () => {
  const { store } = await lossy();
  const session = await store.open('s');
  for (let time = 0; time < 2; time += 1) {
    const lost: LostEntries[] = [];
    const onLost = (one: LostEntries): void => void lost.push(one);
    const hits = await session.recall('said5 said3 said30', { onLost });
    expect(hits.map(({ entry }) => entry).toSorted()).toEqual(['e30', 'e5']);
    expect(lost).toEqual(lostEntries);
  }
  expect(await session.recall('said9', { within: 'e7-e12' })).toHaveLength(1);
});

test('a recall where nobody hears of losses is refused', async () => {
  const { store } = await lossy();
  const session = await store.open('s');
  const error = { code: 'RECORD_DAMAGED', detail: { session: 's', missing: ['e3', 'e3'] } };
  await expect(session.recall('said30')).rejects.toMatchObject(error);
  await expect(session.trace({ text: 'said30' })).rejects.toMatchObject(error);
  await expect(store.recall('said30')).rejects.toMatchObject(error);
});

test('a recall over the store names the session, one with a damaged header, too', async () => {
  const { store, harms } = await lossy();
  await harms.flip('session', sessionKey('s'));
  const lost: unknown[] = [];
  const hits = await store.recall('said30', { onLost: (one) => void lost.push(one) });
  expect(hits).toMatchObject([{ session: 's', entry: 'e30' }]);
  expect(lost).toEqual(lostEntries.map((one) => ({ session: 's', ...one })));
});

test('an entry that was lost since it was indexed is left out and told', async () => {
  const { store, harms } = await harmedStore(async () => undefined);
  const session = await store.open('s');
  expect(await session.recall('said6 said7 said8')).toHaveLength(3);
  await harms.flip('entry', entryKey('s', 6));
  await harms.del('entry', entryKey('s', 8));
  const lost: LostEntries[] = [];
  const hits = await session.recall('said6 said7 said8', { onLost: (one) => void lost.push(one) });
  expect(hits.map(({ entry }) => entry)).toEqual(['e7']);
  expect(lost.map(({ from, reason }) => `${from} ${reason}`).toSorted()).toEqual([
    'e6 changed',
    'e8 missing',
  ]);
});

test('a model that searches is told what could not be searched', async () => {
  const { store } = await lossy();
  const session = await store.open('s');
  const recall = session.tools('all').find(({ name }) => name === 'recall')!;
  const { text } = await recall.execute({ query: 'said30' });
  expect(text).toContain('said30');
  expect(text).toContain('[not searched, since their records are damaged: e3, e6]');
});
