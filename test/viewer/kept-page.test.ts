import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  changeAt,
  changeFrom,
  entriesBehind,
  entriesNaming,
  entriesOfFrame,
  movesAt,
  promptAt,
} from '../../src/cli/view/session-answers.ts';
import { openStore, type Session } from '../../src/index.ts';
import { alignedSteps } from '../../src/viewer/page/session/model/axis/aligned.ts';
import {
  addStep,
  emptyHistory,
  type History,
} from '../../src/viewer/page/session/model/history.ts';
import { keptSession, type KeptLine } from '../../src/viewer/page/session/model/kept.ts';
import { build, program } from '../cli/pty.ts';
import { hasBrowser, openBrowser, wrongIn } from '../e2e/pages/browser.ts';
import { parserText } from '../e2e/pages/parser-text.ts';
import { newFolder } from '../store/folder.ts';

// The page of a session as one file: it answers as the server does, runs nothing but itself, and asks nobody.

const soon = { timeout: 20_000 } as const;

const attack =
  '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2"><!--';
const marks =
  'line\u2028para\u2029 lone \ud800 rtl \u202e ansi \u001b[31mred\u001b[0m zero \u0000 </SCRIPT >';
const key = `ghp_${'aB3cD4eF5gH6'.repeat(3)}`;
const password = 'blue-horse';

/** What is in the file, as the page reads it. */
const linesOf = (html: string): KeptLine[] =>
  /id="kept">\n([^]*?)<\/script>/
    .exec(html)![1]!
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KeptLine);

let folder: string;
let file: string;

/** Exports of the session so far, by their options. */
const exports = new Map<string, ReturnType<typeof newExport>>();

/** The session as one file; what was exported with the same options is not exported again. */
function exported(...options: readonly string[]): ReturnType<typeof newExport> {
  const key = options.join(' ');
  const made = exports.get(key) ?? newExport(`${exports.size}.html`, options);
  exports.set(key, made);
  return made;
}

async function newExport(name: string, options: readonly string[]) {
  const path = join(folder, name);
  const words = ['export', 'notes', '--as', 'html', '--store', join(folder, 'store'), '-o', path];
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...words, ...options], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return { path, stdout, stderr, html: await readFile(path, 'utf8') };
}

beforeAll(async () => {
  build();
  folder = await newFolder();
  await using store = await openStore(join(folder, 'store'));
  const title = 'Notes </script><img src=x>\u001b]0;x\u0007\u202e';
  const system = `Be careful with postgres://ada:${password}@db/x.`;
  const session = await store.open('notes', { window: 2_048, title, system });
  await session.append({ role: 'user', content: `Build the notes app on port 4310 ${attack}` });
  await session.push({ title: 'User accounts </script><b>' });
  for (let n = 0; n < 24; n += 1)
    await session.append({ role: n % 6 === 0 ? 'user' : 'assistant', content: parserText(n) });
  await session.append({ role: 'user', content: `${marks} ${attack}` });
  await session.append({ role: 'user', content: `the key is ${key}, keep it; ${password}` });
  await session.pop({ status: 'completed', results: 'Accounts work, by src/accounts.ts.' });
  for (let n = 0; n < 24; n += 1)
    await session.append({ role: n % 6 === 0 ? 'user' : 'assistant', content: parserText(24 + n) });
  await session.settled();
  file = (await exported()).path;
}, 60_000);

async function inSession(work: (session: Session) => Promise<void>): Promise<void> {
  await using store = await openStore(join(folder, 'store'), { readOnly: true });
  await using session = await store.open('notes');
  await work(session);
}

test('the title of the file holds no sign that a terminal or the name of a tab would obey', async () => {
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec((await exported()).html) ?? [];
  expect(title).toMatch(/^Notes [^]* · Flamestack$/);
  expect(title).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('at any step it holds the prompt that the server tells, and what each compression changed', async () => {
  const { html } = await exported('--no-redact');
  const { itemsOf: told, ask } = keptSession(linesOf(html));
  // What cannot be seen is a mark in the file, and stays so in the page.
  await inSession(async (session) => {
    const { seq: last } = session.state;
    expect(told('')).toHaveLength(1 + last);
    for (let seq = last; seq > 0; seq -= 4) {
      expect(ask(`/api/prompt?seq=${seq}`)).toEqual(
        JSON.parse(JSON.stringify(await promptAt(session, seq))),
      );
      expect(ask(`/api/moves?seq=${seq}`)).toEqual(await movesAt(session, seq));
    }
    const history = emptyHistory();
    for (const one of told('')) if ('news' in one) addStep(history, one);
    const changes = history.losses.map(({ at }) => history.steps[at]!);
    expect(new Set(history.losses.map((one) => 'compression' in one)).size).toBe(2);
    expect(changes.length).toBeGreaterThan(1);
    for (const { seq } of changes) {
      const change = await changeAt(session, seq);
      expect(ask(`/api/change?seq=${seq}`)).toEqual(change);
      for (const name of change.lost.flatMap(({ names }) => names).slice(0, 3))
        expect(ask(`/api/named?seq=${seq}&of=${encodeURIComponent(name)}`)).toEqual(
          await entriesNaming(session, { name, seq }),
        );
    }
    for (const ref of ['e1', 'e7', 'e2-e9', 'e30-e51'])
      expect(ask(`/api/entries?of=${ref}`)).toEqual(await entriesBehind(session, ref));
    expect(ask('/api/frame?of=f1')).toEqual(await entriesOfFrame(session, 'f1'));
  });
});

test('with another window it holds that, too: its prompts, its machines, and what it kept besides', async () => {
  const { html } = await exported('--no-redact', '--window', '4k');
  const { itemsOf: told, ask } = keptSession(linesOf(html));
  const [head] = told('');
  const [there] = told('window');
  expect([head, there]).toMatchObject([{ window: 2_048, other: 4_096 }, { window: 4_096 }]);
  await inSession(async (session) => {
    await using other = await openStore(':memory:');
    const lines: string[] = [];
    for await (const line of session.export()) lines.push(`${JSON.stringify(line)}\n`);
    await other.import(lines, { id: 'notes', window: 4_096, format: 'flamestack' });
    const played = await other.open('notes');
    await played.settled();
    expect(told('window')).toHaveLength(1 + played.state.seq);
    for (let { seq } = played.state; seq > 0; seq -= 4) {
      expect(ask(`/api/prompt?seq=${seq}&lane=window`)).toEqual(
        JSON.parse(JSON.stringify(await promptAt(played, seq))),
      );
      expect(ask(`/api/moves?seq=${seq}&lane=window`)).toEqual(await movesAt(played, seq));
    }
    const histories = ['', 'window'].map((lane) => {
      const history = emptyHistory();
      for (const one of told(lane)) if ('news' in one) addStep(history, one);
      return history;
    });
    const [own, beside] = histories as [History, History];
    let held = 0;
    for (const [index, at] of alignedSteps(own, beside).entries()) {
      if (index % 4 > 0) continue;
      const [seq, then] = [own.steps[index]!.seq, beside.steps[at]!.seq];
      const more = await changeFrom(played, session, { seq, other: then });
      const { left, lost, kept, gained } = more;
      expect(ask(`/api/more?seq=${seq}&other=${then}`)).toMatchObject({
        seq,
        left,
        lost,
        kept,
        gained,
      });
      held = Math.max(held, left.length);
    }
    expect(held).toBeGreaterThan(5);
  });
  const refused = spawnSync(
    process.execPath,
    [program, 'export', 'notes', '--as', 'md', '--window', '4k', '--store', join(folder, 'store')],
    { encoding: 'utf8' },
  );
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--as html')]);
});

test('it answers all that the page asks, but for another window or session and the names of all that is missing, which it has not', async () => {
  const session = fileURLToPath(new URL('../../src/viewer/page/session/', import.meta.url));
  const { ask, itemsOf: told } = keptSession(linesOf(await readFile(file, 'utf8')));
  const { seq } = told('').find(
    (one) => 'news' in one && one.news.some(({ type }) => type === 'compressed'),
  ) as { readonly seq: number };
  const asked = new Set<string>();
  for (const name of await readdir(session, { recursive: true }))
    if (/\.tsx?$/.test(name))
      for (const [, ...routes] of (await readFile(join(session, name), 'utf8')).matchAll(
        /(?:path\(|route: |route = .*\? )'(\w+)'(?: : '(\w+)')?/g,
      ))
        for (const route of routes) if (route !== undefined) asked.add(route);
  // The list of names that a prompt has nowhere is not offered there.
  for (const route of ['more', 'compare', 'lacking']) expect(asked.delete(route)).toBe(true);
  expect(asked.size).toBeGreaterThan(7);
  for (const route of asked)
    expect(() => ask(`/api/${route}?seq=${seq}&of=e1`), route).not.toThrow();
});

test('words lead to those who said them, the rarer ones first; a line to what was said before', async () => {
  const { ask } = keptSession(linesOf(await readFile(file, 'utf8')));
  const ids = (path: string): readonly string[] =>
    (ask(path) as readonly { readonly id: string }[]).map(({ id }) => id);
  expect(ids('/api/search?of=reader parse-7')[0]).toBe('e9');
  expect(ids('/api/search?of=nobody-said-this-zzz')).toEqual([]);
  const sources = ids(
    `/api/sources?seq=12&of=${encodeURIComponent('- the reader keeps port 4317')}`,
  );
  expect(sources[0]).toBe('e9');
  for (const id of sources) expect(Number(id.slice(1))).toBeLessThanOrEqual(12);
  expect(() => ask('/api/machines')).toThrow('no answer');
});

test('what looks like a key is nowhere in it, and it says so; it is for its owner', async () => {
  const { html, stderr, stdout, path } = await exported();
  expect(html).not.toContain(key.slice(0, 12));
  expect(html).toContain('the key is [redacted GitHub token], keep it; [redacted]');
  expect(html).not.toContain(password);
  expect(stderr).toBe(
    '2 key-like strings redacted (GitHub token, password); --no-redact leaves them\n',
  );
  expect(stdout).toMatch(/0\.html: \d+ kB\n$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await exported('--no-redact')).html).toContain(key);
  const masked = async (...options: readonly string[]) =>
    keptSession(linesOf((await exported(...options)).html))
      .itemsOf('')
      .flatMap((one) => ('session' in one ? [one.masked] : []));
  expect(await masked()).toEqual([2]);
  expect(await masked('--no-redact')).toEqual([null]);
  const { stdout: json } = await exported('--json');
  expect(JSON.parse(json)).toMatchObject({
    schema: 'flamestack.export/1',
    session: 'notes',
    form: 'html',
    redacted: [
      { kind: 'GitHub token', count: 1 },
      { kind: 'password', count: 1 },
    ],
  });
});

test('what was said is never markup: its policy names one script and one style, and no text ends an element', async () => {
  const html = await readFile(file, 'utf8');
  expect(html.match(/<script\b/g)).toHaveLength(2);
  expect(html.match(/<\/script/gi)).toHaveLength(2);
  expect(html).not.toContain('<img');
  expect(html).not.toMatch(/[\u2028\u2029\u202e]|[^]\u0000/);
  expect(html).toMatch(
    /content="default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"/,
  );
});

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()), 30_000);
  afterAll(() => browser.close());

  test('it draws all of it from the file alone, runs nothing that was said, and asks nobody', async () => {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    onTestFinished(() => page.close());
    const link = pathToFileURL(file).href;
    const wrong = wrongIn(page, link);
    await page.goto(link);
    await page.getByText('stored', { exact: true }).waitFor(soon);
    expect(await page.locator('h1').textContent()).toBe(
      'Notes </script><img src=x>\u001b]0;x\u0007·',
    );
    expect(await page.locator('.head .masked').textContent()).toBe('2 secrets masked');
    await expect.poll(() => page.locator('.prompt .piece').count(), soon).toBeGreaterThan(2);
    await expect.poll(() => page.locator('.loss .diff li').count(), soon).toBeGreaterThan(0);
    const seen = await page.locator('.prompt').textContent();
    await page.keyboard.press('[');
    await expect.poll(() => page.locator('.prompt').textContent(), soon).not.toBe(seen);
    await page.getByLabel('Search').fill('port 4310');
    await page.getByLabel('Search').press('Enter');
    const panel = page.getByRole('dialog');
    await expect
      .poll(() => panel.locator('pre').first().textContent(), soon)
      .toContain('on port 4310');
    await page.keyboard.press('Escape');
    await page.locator('.icicle .span').nth(1).click();
    await expect.poll(() => panel.locator('article').count(), soon).toBe(26);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'State machines' }).click();
    await expect.poll(() => page.locator('.machines figure').count(), soon).toBeGreaterThan(1);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(wrong).toEqual([]);
  });

  test('with another window it shows both, and the machines of the one in focus', async () => {
    const { path } = await exported('--no-redact', '--window', '4k');
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    onTestFinished(() => page.close());
    const wrong: string[] = [];
    page.on('console', (said) => wrong.push(`${said.type()}: ${said.text()}`));
    page.on('pageerror', (error) => wrong.push(String(error)));
    await page.goto(pathToFileURL(path).href);
    const beside = page.getByRole('region', { name: 'In a window of 4,096' });
    await expect
      .poll(() => beside.locator('p').first().textContent(), soon)
      .toMatch(/^It holds [1-9]\d* entries that this window does not: e/);
    await expect.poll(() => beside.locator('.piece').count(), soon).toBeGreaterThan(2);
    const own = await page.locator('.loss h2').textContent();
    await page.keyboard.press('o');
    await page.getByRole('button', { name: 'State machines' }).click();
    await expect.poll(() => page.locator('.machines figure').count(), soon).toBeGreaterThan(1);
    expect(await page.locator('.machines .lane-name').textContent()).toBe('4,096');
    expect(await page.locator('.loss h2').textContent()).not.toBe(own);
    expect(await page.locator('.put-beside').count()).toBe(0);
    expect(await page.locator('.head .masked').textContent()).toBe('secrets not masked');
    expect(wrong).toEqual([]);
  });
});
