import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { file, flamestack, folder, type Told } from '../call.ts';

async function titled(...titles: readonly string[]): Promise<string> {
  const location = join(await folder(), 'store');
  await using store = await openStore(location);
  for (const [n, title] of titles.entries())
    await store.open(`s-${n}`, { window: 2_000, title, folder: '/home/me/shop' });
  return location;
}

/** A call at a terminal, where `answer` is typed when a session is asked for. */
function asked(line: string, answer: string): Promise<Told> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  return flamestack(line, {
    isTTY: true,
    stdin,
    onErr: (err) => {
      if (err.includes('none: ')) stdin.write(`${answer}\n`);
    },
  });
}

const idIn = ({ out }: Told): unknown => (JSON.parse(out) as { id: string }).id;

test.each(['show', 'open', 'log', 'frames', 'export', 'replay', 'checkpoint', 'undo --dry-run'])(
  '%s takes words of a title',
  async (command) => {
    const store = await titled('Login form', 'Rate limits');
    const { exit, err } = await flamestack(`${command} rate limits --store ${store} --json`);
    expect([exit, err]).not.toContain('SESSION_NOT_FOUND');
    const none = await flamestack(`${command} no such thing --store ${store} --json`);
    expect(none.exit).toBe(3);
    expect(JSON.parse(none.err)).toMatchObject({ code: 'SESSION_NOT_FOUND' });
  },
);

test.each(['show', 'log', 'frames', 'export', 'replay', 'checkpoint', 'undo --dry-run'])(
  '%s takes the session in which something was said last where none is named',
  async (command) => {
    const location = join(await folder(), 'store');
    const hour = 3_600_000;
    const now = Date.now();
    const write = async (id: string, at: number) => {
      await using store = await openStore(location);
      const session = await store.open(id, { window: 2_000 });
      await session.append({ role: 'user', content: `In ${id}` }, { at });
      await session.push({ title: 'Part' });
    };
    const latest = async (): Promise<string> => {
      const { out, err } = await flamestack(`${command} --store ${location} --json`);
      return /(?<="(?:id|session)":")[a-z]+/.exec(out + err)?.[0] ?? out + err;
    };
    await write('early', now - 3 * hour);
    await write('late', now - hour);
    // Written to since, by a date before, as an import does, and opened since.
    await write('old', now - 9 * hour);
    await openStore(location).then(async (store) => {
      await store.open('early', { window: 3_000 });
      await store.close();
    });
    expect(await latest()).toBe('late');
    await write('early', now);
    expect(await latest()).toBe('early');
  },
);

test('of several titles a terminal is asked, and a number or nothing answers', async () => {
  const store = await titled('Login form', 'Login page', 'Rate limits');
  const chosen = await asked(`show --line login --store ${store}`, '2');
  expect(chosen.exit).toBe(0);
  const [, , second] = chosen.err.split('\n');
  expect(chosen.err).toMatch(/^Which one is "login"\?\n1 {2}Login /);
  expect(chosen.out).toContain(/Login (?:form|page)/.exec(second!)![0]);
  for (const answer of ['', '3', '0', 'x']) {
    const none = await asked(`show login --store ${store}`, answer);
    expect([answer, none.exit]).toEqual([answer, 3]);
    expect(none.err).toContain('"login" is in 2 titles');
  }
});

test('sessions of one title are told apart by their ids, and their age is told as in the list', async () => {
  const store = await folder();
  const messages = ['Go.', 'Plan the parser.', 'Done?'].map((content) => ({
    role: 'user',
    content,
  }));
  for (const id of [
    '0190aaaa-0000-7000-8000-000000000001',
    '0190bbbb-0000-7000-8000-000000000002',
  ]) {
    const path = await file('chat.json', JSON.stringify(messages));
    const hour = new Date(Date.now() - 3_660_000);
    await utimes(path, hour, hour);
    await flamestack(`import ${path} --format openai --id ${id} --store ${store}`);
  }
  const { err, exit } = await asked(`show --line go --store ${store}`, '2');
  expect(exit).toBe(0);
  expect(err).toMatch(/^1 {2}0190(?:aaaa|bbbb) {2}Go\. .*~1 h$/m);
  expect(err).toMatch(/^2 {2}0190(?:aaaa|bbbb) {2}Go\. .*~1 h$/m);
});

test('where ids tell titles apart, each has one', async () => {
  const long = 'Login form, and whatever else is wrong with how people come in';
  const store = await titled(`${long} here`, `${long} there`, 'Login page');
  const { err } = await asked(`show login --store ${store}`, '1');
  for (const id of ['s-0', 's-1', 's-2'])
    expect(err).toMatch(new RegExp(`^\\d  ${id}  Login`, 'm'));
});

test('a slip of the pen is near, and is asked about; elsewhere it is named', async () => {
  const store = await titled('Login form', 'Rate limits');
  const { exit, out } = await asked(`show --line lgoin form --store ${store}`, '1');
  expect([exit, out]).toEqual([0, expect.stringContaining('Login form')]);
  const piped = await flamestack(`show rate limts --store ${store}`);
  expect(piped.exit).toBe(3);
  expect(piped.err).toMatch(
    /^flamestack: There is no session "rate limts"; near it: @\d Rate limits\n/,
  );
  expect((await flamestack(`show xyzzy --store ${store}`)).err).not.toContain('near');
});

test('nothing is asked with --json, and one title is taken without a word', async () => {
  const store = await titled('Login form', 'Login page', 'Rate limits');
  const one = await flamestack(`show rate --json --store ${store}`, { isTTY: true });
  expect(idIn(one)).toBe('s-2');
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const several = await flamestack(`show login --json --store ${store}`, { isTTY: true, stdin });
  expect([several.exit, several.out]).toEqual([3, '']);
  expect(JSON.parse(several.err)).toMatchObject({ detail: { candidates: ['s-1', 's-0'] } });
});

test('a title that is what was said, or has it as a phrase, comes before those that have its words', async () => {
  const bugs = Array.from({ length: 12 }, (_, n) => `Fix the bug number ${n + 1} in module 1`);
  const store = await titled(...bugs, 'Bug', 'Bug number of module 12');
  const titleOf = async (said: string): Promise<unknown> => {
    const { out } = await flamestack(`show --json ${said} --store ${store}`);
    return (JSON.parse(out) as { frames: { title: string } }).frames.title;
  };
  expect(await titleOf('bug number 1')).toBe(bugs[0]);
  expect(await titleOf('bug')).toBe('Bug');
  const { err } = await flamestack(`show bug number --store ${store}`);
  expect(err).toContain('The words of "bug number" are in 13 titles: ');
  expect(err).toContain(' and 8 more');
  const asking = await asked(`show number module 12 --store ${store}`, '1');
  expect(asking.err).toContain('1  Bug number of module 12');
  const several = await asked(`show bug number --store ${store}`, '1');
  expect(several.err).toContain('\n… 4 more fit: with more words of a title they are fewer.\n');
});

test('titles that look the same are told apart by id and date', async () => {
  const long = 'Login form, and whatever else is wrong with how people come in';
  const store = await titled(`${long} here`, `${long} there`, 'Login page');
  const { err, exit } = await flamestack(`show login --store ${store}`);
  expect(exit).toBe(3);
  expect(err).toMatch(/… \(s-0, .+?\)/);
  expect(err).toMatch(/… \(s-1, .+?\)/);
  expect(err).toMatch(/@\d Login page(?:,|\n)/);
});
