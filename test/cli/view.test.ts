import { expect, test } from 'vitest';
import { callOf } from '../../src/cli/call/call.ts';
import { sessionPage } from '../../src/cli/view/view.ts';
import { openStore, type Session } from '../../src/index.ts';
import { addStep, emptyHistory, totalOf } from '../../src/viewer/page/session/model/history.ts';
import { stepAt } from '../../src/viewer/page/session/model/moment.ts';
import { sumBefore } from '../../src/viewer/page/session/model/words/loss.ts';
import type {
  Change,
  Head,
  Lacking,
  News,
  Prompt,
  Step,
} from '../../src/viewer/page/session/model/wire.ts';
import { demoStore, flamestack, folder, quietIo } from './call.ts';

/** A store that a test fills, and shuts. */
async function filled(fill: (store: string) => Promise<unknown>): Promise<string> {
  const store = await folder();
  await fill(store);
  return store;
}

/** What the page of a session asks, and is answered by its routes. */
function answers(store: string, id: string) {
  const call = callOf(quietIo, 'view', { store });
  const routes = sessionPage(call, { live: false }).routes(id);
  return async (path: string): Promise<readonly unknown[]> => {
    const [name = '', asked] = path.split('?');
    const said: unknown[] = [];
    for await (const line of routes[name]!(quietIo.signal, new URLSearchParams(asked)))
      said.push(JSON.parse(JSON.stringify(line)));
    return said;
  };
}

test('a session is at home in the folder that its host had, also on Windows', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    await store.open('demo', { window: 4_000, folder: 'C:\\work\\tea shop' });
  });
  const [head] = (await answers(made, 'demo')('steps')) as readonly [Head];
  expect(head.place).toBe('tea shop');
});

test('a root frame without a title is called as ls calls the session', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    const session = await store.open('demo', { window: 4_000 });
    await session.append({ role: 'user', content: 'Tidy the parts.' });
  });
  const lines = answers(made, 'demo');
  const [head, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  expect(head.title).toBe('Tidy the parts.');
  const frames = steps.flatMap(({ news }) => news).filter(({ type }) => type === 'frame');
  expect(frames).toMatchObject([{ frame: 'f0', title: 'Tidy the parts.' }]);
});

test('news tell frames, goals, compressions, counts and steps that were taken back', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    const session = await store.open('notes', { window: 2_048, title: 'Notes' });
    await session.append({ role: 'user', content: 'Build it' });
    await session.goal.set('Build the notes app');
    await session.goal.update({ decisions: [{ text: 'No ORM', locked: true }] });
    const { id: child } = await session.push({ title: 'Accounts' });
    const { id: assembly } = await session.assemble();
    await session.append(
      { role: 'assistant', content: 'Done.' },
      { assembly, usage: { inputTokens: 40 } },
    );
    await session.pop({ status: 'failed', results: 'None.' });
    await session.frames.retry(child);
    const api = await session.frames.plan({ title: 'API' });
    const { id: routes } = await session.frames.plan({ title: 'Routes', parent: api.id });
    await session.frames.plan({ title: 'Errors', parent: routes });
    await session.frames.invalidate(api.id);
    await session.frames.plan({ title: 'Docs' });
    await session.pop({ status: 'completed', results: 'Accounts.', drop: true });
    await session.snapshots.create('before');
    await session.compress();
    await session.undo();
  });
  const [, ...steps] = (await answers(made, 'notes')('steps')) as readonly [Head, ...Step[]];
  const news = steps.flatMap((step) => step.news);
  const told = news.map((one) =>
    one.type === 'frame'
      ? `${one.frame} ${one.title} ${one.status} in ${one.parent}`
      : one.type === 'word'
        ? `${one.word}: ${one.text}`
        : one.type === 'snapshot'
          ? `${one.snapshot} by ${one.by}: ${one.title}`
          : one.type,
  );
  for (const line of [
    'f0 Notes in_progress in null',
    'goal: Build the notes app',
    'decision: No ORM',
    'f1 Accounts in_progress in f0',
    'counted',
    'f1 Accounts failed in f0',
    'f2 Accounts in_progress in f0',
    'f4 Routes invalidated in f3',
    'f5 Errors invalidated in f4',
    'f2 Accounts completed in f0',
    'f6 Docs invalidated in f2',
    's1 by person: before',
    'tree',
  ])
    expect(told).toContain(line);
  const fallen = told.filter((line) => line.includes('invalidated'));
  expect(fallen.map((line) => line.split(' ')[0])).toEqual(['f3', 'f4', 'f5', 'f6']);
});

/** Reads some files, with results that are long enough for old ones to be cleared. */
async function readParts(session: Session, most: number): Promise<void> {
  for (let n = 1; n <= most; n += 1) {
    await session.append({
      role: 'assistant',
      content: '',
      toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/part-${n}.ts` } }],
    });
    const content = `export const part = ${n};\n`.repeat(70);
    await session.append({ role: 'tool', toolCallId: `c${n}`, content });
  }
}

test('a step that shortens entries without a compression tells of it, and takes nothing else', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    const session = await store.open('notes', { window: 4_000 });
    await session.append({ role: 'user', content: 'Read all of the parts.' });
    await readParts(session, 8);
  });
  const lines = answers(made, 'notes');
  const [, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  const found = steps.flatMap(({ seq, news }) =>
    news.flatMap((one) => (one.type === 'shortened' ? [{ seq, entries: one.entries }] : [])),
  );
  expect(found.length).toBeGreaterThan(0);
  for (const { seq, entries } of found) {
    const [change] = (await lines(`change?seq=${seq}`)) as readonly [Change];
    expect(change).toMatchObject({ left: [], shortened: entries });
  }
});

test('a change compares what both prompts held: entries as they stood there, moved ones neither gone nor new', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    const session = await store.open('notes', { window: 4_000 });
    await session.append({
      role: 'user',
      content: 'Read all of the parts.\nThen say which are odd.',
    });
    await readParts(session, 8);
    await session.push({ title: 'Count them' });
    await session.append({ role: 'assistant', content: 'There are eight.' });
    await session.pop({ status: 'completed', results: 'Eight.' });
    await session.compress();
  });
  const lines = answers(made, 'notes');
  const [, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  const changeOf = async (isOne: (news: News) => boolean): Promise<Change> => {
    const { seq } = steps.find(({ news }) => news.some(isOne))!;
    return ((await lines(`change?seq=${seq}`)) as readonly [Change])[0];
  };
  const began = await changeOf((one) => one.type === 'frame' && one.frame === 'f1');
  expect(began.left).toContain('e17');
  expect(began.left).not.toContain('e1');
  expect(began.lines.map(({ text }) => text).join('\n')).not.toContain('all of the parts.');
  const ended = await changeOf((one) => one.type === 'frame' && one.status === 'completed');
  expect(ended.left).toEqual(['e18']);
  expect(ended.came).toEqual(began.left);
  expect(ended.short).toEqual([[], began.short[0]]);
  expect(ended.gone.map(({ text }) => text).join('\n')).not.toContain('all of the parts.');
  const compressed = await changeOf((one) => one.type === 'compressed');
  expect(compressed.short[0].length).toBeGreaterThan(0);
  expect(compressed.left).toEqual(expect.arrayContaining([...compressed.short[0]]));
});

test('a compression tells the prompt for which it was due: what was there, and what came, whole', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    const session = await store.open('notes', { window: 4_000 });
    await session.append({ role: 'user', content: 'Read all of the parts.' });
    for (let n = 1; n <= 40; n += 1)
      await session.append({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: `The part ${n} is odd. `.repeat(n % 5 === 0 ? 600 : 20),
      });
  });
  const [, ...steps] = (await answers(made, 'notes')('steps')) as readonly [Head, ...Step[]];
  const told = steps.flatMap((step, index) =>
    step.news.flatMap((one) => {
      if (one.type !== 'compressed') return [];
      const came = step.news.flatMap((news) => (news.type === 'entry' ? [news.tokens] : []));
      return [{ ...one, due: came.reduce((sum, n) => sum + n, totalOf(steps[index - 1]!)) }];
    }),
  );
  expect(told.length).toBeGreaterThan(0);
  expect(Math.max(...told.map(({ before }) => before))).toBeGreaterThan(4_000);
  expect(told.map(({ before }) => before)).toEqual(told.map(({ due }) => due));
});

test('the prompt before a compression adds up, with entries that were shortened first', async () => {
  const store = await folder();
  const words = `import examples/notes-app.jsonl --id notes --window 8k --store ${store}`;
  expect((await flamestack(words)).exit).toBe(0);
  const [, ...steps] = (await answers(store, 'notes')('steps')) as readonly [Head, ...Step[]];
  const history = emptyHistory();
  for (const step of steps) addStep(history, step);
  const sums = history.compressions.flatMap(({ at, news }, index) => {
    // Where a frame ended, and no entry came, another frame stands in the prompt: that is no sum.
    const isTold = history.steps[at]!.news.some(({ type }) => type === 'entry');
    if (!isTold && news.shortened === undefined) return [];
    const { stood, came, went } = sumBefore(history, index);
    expect([stood, stood + came - went]).toEqual([totalOf(history.steps[at - 1]!), news.before]);
    return [{ went, shortened: news.shortened }];
  });
  const fallen = sums.filter(({ shortened }) => shortened !== undefined);
  expect(fallen.length).toBeGreaterThan(1);
  expect(sums.filter(({ went }) => went !== 0)).toEqual(fallen);
  expect(fallen.at(-1)).toEqual({ went: 519, shortened: { entries: ['e319'], hidden: 0 } });
}, 20_000);

test('what a prompt lacks are the names of what it does not hold word for word, the newest first', async () => {
  const made = await filled(async (to) => {
    await using store = await openStore(to);
    const session = await store.open('notes', { window: 4_000 });
    await session.append({ role: 'user', content: 'Read all of the parts.' });
    for (let n = 1; n <= 12; n += 1) {
      await session.append({
        role: 'assistant',
        content: '',
        toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: 'src/list.ts' } }],
      });
      const content = `${'Nothing is here. '.repeat(120)} See docs/in-${n}.md. ${'Nor there. '.repeat(120)}`;
      await session.append({ role: 'tool', toolCallId: `c${n}`, content });
    }
  });
  const lines = answers(made, 'notes');
  const [, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  const { seq } = steps.at(-1)!;
  const [prompt] = (await lines(`prompt?seq=${seq}`)) as readonly [Prompt];
  const text = prompt.messages.map((one) => one.text).join('\n');
  const gone = Array.from({ length: 12 }, (_, n) => `docs/in-${12 - n}.md`).filter(
    (name) => !text.includes(name),
  );
  expect(gone.length).toBeGreaterThan(2);
  const [told] = (await lines(`lacking?seq=${seq}`)) as readonly [Lacking];
  expect(told.lost.find(({ kind }) => kind === 'path')!.names).toEqual(gone);
  expect(await lines('lacking?seq=2')).toEqual([{ kept: 0, lost: [] }]);
});

test('a moment in words is the step that show --at means', async () => {
  const made = await demoStore();
  const [, ...steps] = (await answers(made, 'demo')('steps')) as readonly [Head, ...Step[]];
  const history = emptyHistory();
  for (const step of steps) addStep(history, step);
  await using store = await openStore(made);
  await using session = await store.open('demo');
  const { turn } = session.state;
  for (let n = -1; n <= turn + 1; n += 1)
    for (const call of n % 3 === 0 ? [undefined, 1, 2, 9, 50] : [undefined, 1]) {
      const meant = session.at({ turn: n, ...(call !== undefined && { call }) }).then(
        ({ state }) => state.seq,
        () => null,
      );
      const words = call === undefined ? `${n}` : `${n}.${call}`;
      expect([words, seqAt(words)]).toEqual([words, await meant]);
    }
  expect(turn).toBeGreaterThan(10);
  for (const words of ['e1', 'e33', 'e67'])
    expect(seqAt(words)).toBe((await session.at({ entry: words })).state.seq);
  expect([seqAt('seq:57'), seqAt('seq:0'), seqAt('e9999'), seqAt('soon')]).toEqual([
    57,
    null,
    null,
    null,
  ]);

  function seqAt(words: string): number | null {
    const at = stepAt(history, words);
    return at === null ? null : steps[at]!.seq;
  }
});

test('a time, too, is the step that show --at means, and so is a snapshot', async () => {
  let now = Date.UTC(2026, 2, 3);
  const made = await filled(async (to) => {
    const clock = { now: () => now, setTimeout, clearTimeout };
    await using store = await openStore(to, { clock });
    const session = await store.open('notes', { window: 2_048, title: 'Notes' });
    for (let n = 1; n <= 30; n += 1) {
      now += 1_000;
      // Some have times of their own, and clocks are set back.
      const at = n % 7 === 0 ? now - 20_000 : n % 2 === 0 ? now - 400 : undefined;
      const content = `Do part ${n}. ${'And see that it works. '.repeat(20)}`;
      await session.append({ role: 'user', content }, at === undefined ? {} : { at });
      await session.append({ role: 'assistant', content: 'Done.' });
      now += 1_000;
      if (n % 3 === 0) await session.push({ title: `Part ${n}` });
      now += 1_000;
      if (n % 10 === 0) await session.snapshots.create(`after ${n}`);
    }
    await session.snapshots.delete(session.snapshots.list()[0]!.id);
    await session.settled();
  });
  const [, ...steps] = (await answers(made, 'notes')('steps')) as readonly [Head, ...Step[]];
  const history = emptyHistory();
  for (const step of steps) addStep(history, step);
  await using store = await openStore(made);
  await using session = await store.open('notes');
  for (let time = Date.UTC(2026, 2, 2, 23, 59); time < now + 2_000; time += 700) {
    const meant = session.at({ time }).then(
      ({ state }) => state.seq,
      () => null,
    );
    const at = stepAt(history, new Date(time).toISOString());
    expect([time, at === null ? null : steps[at]!.seq]).toEqual([time, await meant]);
  }
  const snapshots = session.snapshots.list();
  expect(snapshots.length).toBeGreaterThan(1);
  expect([...history.snapshots.keys()]).toEqual(snapshots.map(({ id }) => id));
  for (const { id } of snapshots)
    expect(steps[stepAt(history, id)!]!.seq).toBe((await session.snapshots.show(id)).state.seq);
  expect([stepAt(history, 's1'), stepAt(history, 's99')]).toEqual([null, null]);
});

test('what comes is shown in the window of the session alone', async () => {
  const { exit, err } = await flamestack('view --live --window 32k');
  expect([exit, err]).toEqual([2, expect.stringContaining('--window')]);
});

test('a prompt, a change, entries, a search and sources are what a session says', async () => {
  const lines = answers(await demoStore(), 'demo');
  const [, ...steps] = (await lines('steps')) as readonly [Head, ...Step[]];
  const compressions = steps.filter(({ news }) => news.some(({ type }) => type === 'compressed'));
  const lostAt = async ({ seq }: Step): Promise<readonly { names: string[] }[]> =>
    ((await lines(`change?seq=${seq}`)) as [{ lost: { names: string[] }[] }])[0].lost;
  let [compressed, lost] = [compressions[0]!, await lostAt(compressions[0]!)];
  for (let at = 1; lost.length === 0; at += 1)
    [compressed, lost] = [compressions[at]!, await lostAt(compressions[at]!)];
  const [prompt] = (await lines(`prompt?seq=${compressed.seq}`)) as [
    { messages: { tokens: number }[] },
  ];
  const sum = prompt.messages.reduce((total, { tokens }) => total + tokens, 0);
  expect(sum).toBeLessThanOrEqual(compressed.sizes.reduce((total, size) => total + size, 0));
  const [change] = (await lines(`change?seq=${compressed.seq}`)) as [
    { tokens: number[]; left: string[]; shortened: string[] },
  ];
  const finished = compressed.news.find(({ type }) => type === 'compressed');
  expect(finished).toMatchObject({ after: change.tokens[1] });
  expect(change.left.length).toBeGreaterThan(0);
  const [entries] = (await lines('entries?of=e17')) as [{ id: string }[]];
  expect(entries.map(({ id }) => id)).toEqual(['e17']);
  const [hits] = (await lines('search?of=sets%20limit7')) as [{ text: string }[]];
  expect(hits[0]!.text).toContain('limit7');
  const { seq } = compressed;
  const [name = ''] = lost[0]!.names;
  const [naming] = (await lines(`named?seq=${seq}&of=${encodeURIComponent(name)}`)) as [
    { id: string; text: string }[],
  ];
  expect([...change.left, ...change.shortened]).toContain(naming[0]!.id);
  expect(naming.every(({ text }) => text.includes(name))).toBe(true);
  const asked = `sources?seq=${seq}&of=Part%203%20sets%20limit3%20to%20300`;
  const [sources] = (await lines(asked)) as [{ text: string }[]];
  expect(sources[0]!.text).toContain('limit3 to 300');
});
