import { expect, test } from 'vitest';
import type { LostEntries } from '../../../src/engine/journal/whole-rows.ts';
import type { Session } from '../../../src/engine/session/session.ts';
import { entryKey, journalKey } from '../../../src/store/key.ts';
import { harmedStore, total, type Harms } from '../harmed.ts';

/** How a session is opened whose rows were harmed. */
async function harmed(
  harm: (harms: Harms) => Promise<void>,
): Promise<{ open: () => Promise<Session> }> {
  const { store } = await harmedStore(harm);
  return { open: () => store.open('s') };
}

const missing = (from: string, to: string) => ({
  code: 'RECORD_DAMAGED',
  detail: { kind: 'entry', session: 's', missing: [from, to] },
});

async function idsOf(reading: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of reading) ids.push(id);
  return ids;
}

async function linesOf<Line>(reading: AsyncIterable<Line>): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of reading) lines.push(line);
  return lines;
}

const idsBut = (...lost: number[]): string[] =>
  Array.from({ length: total }, (_, index) => index + 1)
    .filter((n) => !lost.includes(n))
    .map((n) => `e${n}`);

const harms = {
  'one in the middle': { gone: [7], missing: ['e7', 'e7'] },
  'some in the middle': { gone: [7, 8, 9], missing: ['e7', 'e9'] },
  'the first': { gone: [1, 2], missing: ['e1', 'e2'] },
} as const;

test.each(Object.entries(harms))(
  'rows that are missing end a log and an export, by name: %s',
  async (_, { gone, missing: [from, to] }) => {
    const { open } = await harmed(async ({ del }) => {
      for (const n of gone) await del('entry', entryKey('s', n));
    });
    const session = await open();
    const error = missing(from, to);
    await expect(idsOf(session.log())).rejects.toMatchObject(error);
    await expect(idsOf(session.log({ reverse: true }))).rejects.toMatchObject(error);
    await expect(linesOf(session.export())).rejects.toMatchObject(error);
    await expect(session.entry(from)).rejects.toMatchObject(missing(from, from));
    await expect(session.expand(`${from}-${to}`)).rejects.toMatchObject(error);
    expect(await idsOf(session.log({ after: 'e9' }))).toEqual(idsBut(1, 2, 3, 4, 5, 6, 7, 8, 9));
    expect(await idsOf(session.log({ reverse: true, limit: 3 }))).toEqual(['e40', 'e39', 'e38']);
  },
);

test('an end that is missing is known from the journal, and its ids are not given again', async () => {
  const { open } = await harmed(async ({ del }) => {
    // The newest is in view, and so read when the session is opened.
    await del('entry', entryKey('s', total - 1));
  });
  await expect(open()).rejects.toMatchObject({
    code: 'RECORD_DAMAGED',
    detail: { session: 's', record: 'e39' },
  });
});

test('who hears of losses reads on past them, rows that were changed too', async () => {
  const { open } = await harmed(async ({ del, flip }) => {
    await del('entry', entryKey('s', 3));
    await flip('entry', entryKey('s', 5));
    await flip('entry', entryKey('s', 6));
  });
  const session = await open();
  const lost: LostEntries[] = [];
  const onLost = (one: LostEntries): void => void lost.push(one);
  expect(await idsOf(session.log({ onLost }))).toEqual(idsBut(3, 5, 6));
  expect(lost).toEqual([
    { from: 'e3', to: 'e3', reason: 'missing' },
    { from: 'e5', to: 'e5', reason: 'changed' },
    { from: 'e6', to: 'e6', reason: 'changed' },
  ]);
  expect(await idsOf(session.log({ reverse: true, onLost }))).toEqual(idsBut(3, 5, 6).toReversed());
  expect(lost.slice(3).map(({ from }) => from)).toEqual(['e6', 'e5', 'e3']);
  const lines = await linesOf(session.export({ onLost }));
  expect(lines.filter(({ type }) => type === 'append')).toHaveLength(total - 3);
  expect(lost).toHaveLength(9);
});

test('a journal that lost its end is refused, so that no id is given out again', async () => {
  const { open } = await harmed(async ({ del }) => {
    await del('journal', journalKey('s', total + 1));
  });
  await expect(open()).rejects.toMatchObject({
    code: 'RECORD_DAMAGED',
    detail: { kind: 'journal', session: 's', after: total, entry: 'e40' },
  });
});

test('a session whose whole journal was lost is not begun anew', async () => {
  const { open } = await harmed(async ({ del }) => {
    for (let seq = 1; seq <= total + 1; seq += 1) await del('journal', journalKey('s', seq));
  });
  await expect(open()).rejects.toMatchObject({ code: 'RECORD_DAMAGED', detail: { after: 0 } });
});

test('what is being appended while a log is read is no loss', async () => {
  const { open } = await harmed(async () => undefined);
  const session = await open();
  const appended = [1, 2, 3].map((n) => session.append({ role: 'assistant', content: `now ${n}` }));
  for (let hop = 0; hop < 40; hop += 1) {
    expect((await idsOf(session.log({ reverse: true }))).length).toBeGreaterThanOrEqual(total);
    expect((await idsOf(session.log())).length).toBeGreaterThanOrEqual(total);
    await Promise.resolve();
  }
  await Promise.all(appended);
  expect(await idsOf(session.log())).toHaveLength(total + 3);
});
