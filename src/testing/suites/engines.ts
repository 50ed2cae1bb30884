import assert from 'node:assert/strict';
import { openStore, type Store } from '../../engine/open/open-store.ts';
import type { StoreOptions } from '../../engine/open/store-options.ts';
import type { Session } from '../../engine/session/session.ts';
import type { StoreHost } from '../../store/store.ts';
import { honest, scriptedSummarizer, type ScriptedSummarizer } from '../scripted-summarizer.ts';
import { rejects } from './check.ts';

/** A test of engines over one host. */
type EngineCheck = (host: StoreHost) => Promise<void>;
type CutCheck = (host: StoreHost, cut: (location: string) => Promise<void>) => Promise<void>;

const options: StoreOptions = { durability: 'process' };
const window = 8_192;

const user = (content: string) => ({ role: 'user', content }) as const;

/** What the log of a session says, read by an engine that opens it now. */
async function logOf(host: StoreHost, id = 's'): Promise<string[]> {
  await using store = await openStore(host, options);
  const session = await store.open(id);
  const said: string[] = [];
  for await (const { content } of session.log()) said.push(content as string);
  return said;
}

/** Appends until a summary is owed. */
async function fill(session: Session): Promise<void> {
  for (let n = 0; n < 100 && session.state.pending.length === 0; n += 1) {
    const content = Array.from({ length: 60 }, (_, at) => `w${(at * (n + 7)) % 97}`).join(' ');
    await session.append([user(`Step ${n}`), { role: 'assistant', content }]);
  }
  assert.notEqual(session.state.pending.length, 0);
}

/** Answers the first call of a summarizer. */
function answer({ calls: [call] }: ScriptedSummarizer, words: string): void {
  call!.answer(honest(call!.task) + words);
}

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; !holds(); n += 1) {
    assert.ok(n < 2_000, 'It never happened');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** What two engines do with the same sessions. */
export const engineChecks: Readonly<Record<string, EngineCheck>> = {
  'what two owners append at once is all there, once, under ids of its own': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const handles = [await one.open('s', { window }), await other.open('s')];
    const calls = Array.from({ length: 20 }, async (_, n) => {
      const { id } = await handles[n % 2]!.append(user(`said ${n}`));
      return [id, `said ${n}`] as const;
    });
    const answers = new Map(await Promise.all(calls));
    assert.equal(answers.size, 20);
    const log = await logOf(host);
    assert.equal(log.length, 20);
    for (const [id, content] of answers) assert.equal(log[Number(id.slice(1)) - 1], content);
  },
  'a key is used once, by whichever owner': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const handles = [await one.open('s', { window }), await other.open('s')];
    const calls = handles.map((session) => session.append(user('once'), { key: 'k' }));
    assert.deepEqual(await Promise.all(calls), [{ id: 'e1' }, { id: 'e1' }]);
    const pushes = handles.map((session) => session.push({ title: 'Part' }, { key: 'p' }));
    const [first, second] = await Promise.all(pushes);
    assert.deepEqual(first, second);
    assert.deepEqual(await logOf(host), ['once']);
  },
  'a session that another deleted takes nothing, though one of its name is begun': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const first = await one.open('s', { window });
    await first.append(user('old'));
    const stale = await other.open('s');
    await first.close();
    await one.delete('s');
    await rejects('SESSION_NOT_FOUND', stale.append(user('lost')));
    await (await one.open('s', { window })).append(user('new'));
    await rejects('SESSION_NOT_FOUND', stale.append(user('lost')));
    await rejects('SESSION_NOT_FOUND', stale.push({ title: 'Part' }));
    assert.deepEqual(await logOf(host), ['new']);
  },
  'a session that two begin at once is one': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const both = [one, other].map((store) => store.open('s', { window }));
    const [first, second] = await Promise.all(both);
    await Promise.all([first!.append(user('a')), second!.append(user('b'))]);
    assert.deepEqual(new Set(await logOf(host)), new Set(['a', 'b']));
  },
  'who comes late decides on what is so': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const [first, second] = [await one.open('s', { window }), await other.open('s')];
    for (let n = 1; n <= 12; n += 1) await first.append(user(`said ${n}`));
    assert.deepEqual(await second.append(user('late')), { id: 'e13' });
    await first.pop({ status: 'completed', results: 'All done' });
    await rejects('SESSION_COMPLETED', second.append(user('too late')));
    assert.equal((await logOf(host)).length, 13);
  },
  'events have what others did, without a gap or a repeat': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const [first, second] = [await one.open('s', { window }), await other.open('s')];
    const seen: number[] = [];
    const ended = new AbortController();
    const hearing = (async () => {
      for await (const fact of second.events({ signal: ended.signal }))
        if (fact.type === 'entry.appended') seen.push(Number(fact.entry.slice(1)));
    })().catch(() => undefined);
    for (let n = 1; n <= 9; n += 1) await (n % 3 === 0 ? second : first).append(user(`${n}`));
    await until(() => seen.length >= 9);
    ended.abort();
    await hearing;
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  },
  'opening a session that is open looks for what others wrote': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const [first, second] = [await one.open('s', { window }), await other.open('s')];
    await first.append(user('said'));
    await using again = await other.open('s');
    assert.equal(again.state.entries, 1);
    assert.equal(second.state.entries, 1);
  },
  'of a summary that two wait for, the late result changes nothing': async (host) => {
    const summarizers = [0, 1].map(() => scriptedSummarizer([{ hold: true }]));
    const [one, other] = (await Promise.all(
      summarizers.map((summarizer) => openStore(host, { ...options, summarizers: [summarizer] })),
    )) as [Store, Store];
    const sessionOptions = { window: 2_000, summarizer: 'scripted' };
    const first = await one.open('s', sessionOptions);
    await fill(first);
    const second = await other.open('s');
    await until(() => summarizers.every(({ running }) => running > 0));
    answer(summarizers[0]!, '');
    await until(() => first.state.pending.length === 0);
    const { seq, checkpoints } = first.state;
    answer(summarizers[1]!, ' in other words');
    await second.append(user('after'));
    await until(() => second.state.pending.length === 0);
    assert.deepEqual(second.state.checkpoints, checkpoints);
    assert.equal(second.state.seq, seq + 1);
    await Promise.all([one.close(), other.close()]);
  },
  'sessions are read whole while others write to them': async (host) => {
    await using one = await openStore(host, options);
    await using other = await openStore(host, options);
    const first = await one.open('s', { window });
    const over = new AbortController();
    const writing = (async () => {
      for (let n = 1; n <= 60; n += 1) await first.append(user(`said ${n}`));
      over.abort();
    })();
    let before = 0;
    while (!over.signal.aborted) {
      await using session = await other.open('s');
      const { entries } = session.state;
      assert.ok(entries >= before);
      before = entries;
      const { messages } = await session.assemble();
      assert.equal(messages.filter(({ role }) => role === 'user').length > 0, entries > 0);
    }
    await writing;
  },
};

/** What is left when connections are cut. */
export const cutChecks: Readonly<Record<string, CutCheck>> = {
  'connections cut at any moment lose nothing that was acknowledged, and do nothing twice': async (
    host,
    cut,
  ) => {
    await using store = await openStore(host, options);
    const ids = ['a', 'b', 'c', 'd'];
    const sessions = await Promise.all(ids.map((id) => store.open(id, { window: 65_536 })));
    const over = new AbortController();
    let failed = 0;
    const appended = sessions.map(async (session) => {
      for (let n = 0; n < 200 && !over.signal.aborted; n += 1)
        for (let isDone = false; !isDone;)
          isDone = await session.append(user(`said ${n}`), { key: `${n}` }).then(
            () => true,
            (error: unknown) => {
              failed += 1;
              assert.equal((error as { code?: string }).code, 'STORE_UNAVAILABLE');
              return false;
            },
          );
    });
    for (let n = 0; n < 20; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5 + n * 3));
      await cut(store.location);
    }
    over.abort();
    await Promise.all(appended);
    assert.ok(failed > 0, 'No connection was cut');
    for (const [at, session] of sessions.entries()) {
      const log = await logOf(host, ids[at]);
      assert.equal(log.length, session.state.entries);
      assert.deepEqual(
        log,
        log.map((_, n) => `said ${n}`),
      );
    }
  },
};
