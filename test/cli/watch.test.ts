import { expect, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { demoStore, flamestack, folder } from './call.ts';

/** Ends what a call does when all of these were printed. */
function ending(...words: readonly string[]) {
  const end = new AbortController();
  return {
    signal: end.signal,
    onOut(out: string) {
      if (words.every((word) => out.includes(word))) end.abort(130);
    },
  };
}

test('what somebody else writes is printed as it comes, behind the last events of before', async () => {
  const store = await demoStore();
  const { signal, onOut } = ending('Tell nobody of the zebra');
  await using writer = await openStore(store);
  const session = await writer.open('demo');
  const entry = `e${session.state.entries + 1}`;
  const watched = flamestack(`watch demo --last 3 --store ${store}`, {
    signal,
    onOut: (out) => {
      if (out.split('\n').length === 4)
        void session.append({ role: 'user', content: 'Tell nobody of the zebra.' });
      onOut(out);
    },
  });
  const { exit, out, err } = await watched;
  expect(exit).toBe(130);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[3]).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}${entry} +person +Tell nobody of the zebra\\.$`),
  );
  expect(err).toBe('Watching Tidy the parts; Ctrl-C ends it.\n');
});

test('with --json each event is a document, with the size of the prompt', async () => {
  const store = await demoStore();
  const { out } = await flamestack(`watch --json --last 2 --store ${store}`, ending('\n'));
  const [first] = out.split('\n');
  expect(JSON.parse(first!)).toMatchObject({
    schema: 'flamestack.event/1',
    session: 'demo',
    tokens: expect.any(Number) as number,
    limit: expect.any(Number) as number,
  });
});

test('what was said elsewhere has the time at which it was said', async () => {
  const store = await folder();
  const file = 'examples/notes-app.jsonl';
  await flamestack(`run ${file} --window 8k --fast --quiet --store ${store}`);
  const watched = flamestack(`watch --last 1 --store ${store}`, ending('\n'));
  expect((await watched).out).toMatch(/^2026-03-0\d \d\d:\d\d {2}/);
  const { out } = await flamestack(`watch --json --last 1 --store ${store}`, ending('\n'));
  const { at } = JSON.parse(out) as { at: number };
  expect(new Date(at).toISOString()).toMatch(/^2026-03-/);
  const shown = await flamestack(`replay --to 9 --fast --store ${store}`, { isTTY: true });
  expect(shown.out).toMatch(/step 9 of 9 .*2026-03-0\d \d\d:\d\d/);
});

test('a narrow terminal has the room of the time for the text', async () => {
  const store = await demoStore();
  const at = async (columns: number): Promise<string> =>
    (
      await flamestack(`watch --last 1 --no-color --store ${store}`, {
        ...ending('\n'),
        isTTY: true,
        columns,
      })
    ).out;
  expect(await at(60)).toMatch(/^e67 +assistant +All tidy\.\n/);
  expect(await at(80)).toMatch(/^\d\d:\d\d:\d\d {2}e67 +assistant +All tidy\.\n/);
});

test('a session that is not there is refused', async () => {
  const store = await demoStore();
  expect(await flamestack(`watch nobody --store ${store}`)).toMatchObject({ exit: 3, out: '' });
});
