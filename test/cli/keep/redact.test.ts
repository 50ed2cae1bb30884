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

test('where nobody can be asked, redact wants --yes; an entry of none is refused', async () => {
  const { store } = await kept();
  const { exit, err } = await flamestack(`redact e1 --store ${store}`);
  expect([exit, err]).toEqual([2, expect.stringContaining('say --yes')]);
  expect((await flamestack(`redact e77 --yes --store ${store}`)).exit).toBe(3);
});
