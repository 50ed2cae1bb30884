import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Reader } from '../../../src/cli/io.ts';
import { openStore } from '../../../src/index.ts';
import { secret } from '../../store/secret.ts';
import { flamestack, folder } from '../call.ts';

const word = secret('cli', 1);

/** A store with a session in which the word was said, beside its documents. */
async function kept(): Promise<{ readonly store: string; readonly memory: string }> {
  const place = await folder();
  const [store, memory] = [join(place, '.flamestack'), join(place, 'memory')];
  await using opened = await openStore(store, { documents: memory });
  await using session = await opened.open('notes', { window: 2_000 });
  await session.append({
    role: 'user',
    content: `Deploy with ${word}\u001b[31m, and ${'so '.repeat(40)}on.`,
  });
  await session.goal.set(`Deploy with ${word}`);
  await session.append({ role: 'assistant', content: `I deploy with ${word}.` });
  await session.writeDocument();
  return { store, memory };
}

const typing = (line: string): Reader =>
  Object.assign(Readable.from([`${line}\n`]), { isTTY: true });

async function holding(place: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of await readdir(place, { withFileTypes: true, recursive: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name), 'latin1');
    if (bytes.includes(word)) found.push(file.name);
  }
  return found;
}

test('redact asks at a terminal, shows which entry it is, and names what tells of it', async () => {
  const { store, memory } = await kept();
  const no = await flamestack(`redact e1 --store ${store}`, { isTTY: true, stdin: typing('') });
  expect(no).toMatchObject({ exit: 0, out: '' });
  expect(no.err).toMatch(
    /^e1 \(user, \d+ tokens\)\n  Deploy with sk[^\u001b]*…\nTake its text out of notes for good\? \[y\/N\] Nothing/,
  );
  expect(await holding(store)).not.toEqual([]);
  const yes = await flamestack(`redact e1 --store ${store}`, { stdin: typing('y') });
  expect(yes.out).toMatch(
    /^Redacted e1 of notes: masked in \d+ records?\n  and in .*\nMay still tell of it: e2\n$/,
  );
  expect(yes.err).toMatch(/Not reached from here:\n  Backups, exported files.*\n  Other sessions/);
  const lines = `${no.err}${yes.out}${yes.err}`
    .split('\n')
    .filter((line) => !line.includes(memory));
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  const again = await flamestack(`redact e2 notes --yes --json`, {
    env: { FLAMESTACK_STORE: store },
  });
  expect(JSON.parse(again.out)).toMatchObject({
    schema: 'flamestack.redact/1',
    session: 'notes',
    entry: 'e2',
    mayStillTell: [],
  });
  expect(await holding(store)).toEqual([]);
  expect(await flamestack(`verify --store ${store}`)).toMatchObject({ exit: 0 });
  expect((await flamestack(`search ${word} --store ${store}`)).out).not.toContain('e1');
  expect(await holding(memory)).toEqual([]);
  expect(await readdir(memory)).not.toEqual([]);
});

test('redact takes one entry of one session, and says what else was named', async () => {
  const { store } = await kept();
  const of = async (line: string) => {
    const { exit, out, err } = await flamestack(`redact ${line} --yes --store ${store}`);
    return [exit, out, err.split('\n')[0]];
  };
  expect(await of('e1 e2')).toEqual([
    2,
    '',
    'flamestack: redact takes one entry, and e2 is a second: once for each',
  ]);
  expect(await of('notes e1')).toEqual([
    2,
    '',
    'flamestack: redact takes the entry first: flamestack redact e1 notes',
  ]);
  expect(await of('e1 notes note')).toEqual([
    2,
    '',
    'flamestack: redact takes one session, and note is a second',
  ]);
  expect(await of('e1 nets')).toEqual([3, '', 'flamestack: There is no session "nets"']);
  expect(await holding(store)).not.toEqual([]);
});

test('an entry that was redacted before is told of, and nothing is changed', async () => {
  const { store } = await kept();
  const line = `redact e1 --yes --store ${store}`;
  expect((await flamestack(line)).exit).toBe(0);
  const before = (await flamestack(`export --as jsonl --store ${store}`)).out;
  expect(await flamestack(line)).toEqual({
    exit: 3,
    out: '',
    err: 'e1 of notes was redacted before, and nothing that is left says what it said.\n',
  });
  const again = await flamestack(`${line} --json`);
  expect(again.exit).toBe(3);
  expect(JSON.parse(again.out)).toMatchObject({ wasRedacted: true, masked: 0, documents: [] });
  expect((await flamestack(`export --as jsonl --store ${store}`)).out).toBe(before);
  await flamestack(`verify --store ${store}`).then(({ exit }) => expect(exit).toBe(0));
});

test('an entry that says nothing of its own is redacted, and nothing else is called masked', async () => {
  const store = join(await folder(), 'store');
  {
    await using opened = await openStore(store);
    await using session = await opened.open('notes', { window: 8_000 });
    await session.append([
      { role: 'user', content: 'go on please' },
      { role: 'user', content: 'go on please' },
    ]);
  }
  expect((await flamestack(`redact e1 --yes --store ${store}`)).out).toBe(
    'Redacted e1 of notes: no other record said what it alone said\n',
  );
});

test('where nobody can be asked, redact wants --yes; an entry of none is refused', async () => {
  const { store } = await kept();
  const { exit, err } = await flamestack(`redact e1 --store ${store}`);
  expect([exit, err]).toEqual([2, expect.stringContaining('say --yes')]);
  expect((await flamestack(`redact e77 --yes --store ${store}`)).exit).toBe(3);
});
