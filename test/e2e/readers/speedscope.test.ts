import { createRequire } from 'node:module';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { speedscopeFile } from '../../../src/cli/export/forms/speedscope.ts';
import type { traceFile } from '../../../src/cli/export/forms/trace.ts';
import { hasBrowser, openBrowser } from '../pages/browser.ts';
import { exportedAs } from './exported.ts';

// speedscope itself, as its package has it, opens what is exported for it; it reads traces of Chrome, too.

const require = createRequire(import.meta.url);
const release = join(
  dirname(require.resolve('speedscope/package.json')),
  'dist/release/index.html',
);

describe.skipIf(!hasBrowser)('speedscope', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()));
  afterAll(() => browser.close());

  /** speedscope with a file in it; at the end nothing may be wrong with it, and it asked for nothing but itself. */
  async function opened(file: string): Promise<{ page: Page; wrong: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    onTestFinished(() => page.close());
    const wrong: string[] = [];
    page.on('console', (said) => {
      if (said.type() === 'error' || said.text().startsWith('Failed')) wrong.push(said.text());
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (asked) => {
      if (!asked.url().startsWith(new URL('.', pathToFileURL(release)).href))
        wrong.push(asked.url());
    });
    await page.goto(pathToFileURL(release).href);
    await page.locator('input[type=file]').setInputFiles(file);
    return { page, wrong };
  }

  /** The names of its table, each with what it says is the whole of it. */
  async function tableOf(page: Page): Promise<ReadonlyMap<string, string>> {
    await page.getByText('Sandwich').click();
    const rows = page.locator('tr:has(td:first-child:has-text("%"))');
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    const cells = await Promise.all(
      (await rows.all()).map((row) => row.locator('td').allTextContents()),
    );
    return new Map(cells.map(([total = '', , name = '']) => [name, total.split(' ')[0]!]));
  }

  test('it has each frame and each speaker of a session, as wide as they are', async () => {
    const file = await exportedAs('speedscope');
    const { shared, profiles } = JSON.parse(await readFile(file, 'utf8')) as ReturnType<
      typeof speedscopeFile
    >;
    const { page, wrong } = await opened(file);
    await expect.poll(() => page.title()).toBe('Tidy <the> & parts - speedscope');
    await page.getByText(`tokens said (1/${profiles.length})`).waitFor();
    const table = await tableOf(page);
    expect([...table.keys()].sort()).toEqual(shared.frames.map(({ name }) => name).sort());
    expect(table.get('Tidy <the> & parts')).toBe(profiles[0]!.endValue.toLocaleString('en'));
    expect(wrong).toEqual([]);
  });

  test('it has each frame of a trace of Chrome, too', async () => {
    const file = await exportedAs('trace');
    const { traceEvents } = JSON.parse(await readFile(file, 'utf8')) as ReturnType<
      typeof traceFile
    >;
    const { page, wrong } = await opened(file);
    await page
      .getByText(/frames.*\(\d\/\d\)/)
      .first()
      .waitFor();
    const table = await tableOf(page);
    const frames = traceEvents.filter(({ tid, ph }) => tid === 1 && ph === 'X');
    // It takes what is told of a stretch for a part of its name.
    expect([...table.keys()].sort()).toEqual(
      frames.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).sort(),
    );
    expect(wrong).toEqual([]);
  });

  test('it refuses a profile whose frames do not close in order', async () => {
    const file = await exportedAs('speedscope');
    const broken = JSON.parse(await readFile(file, 'utf8')) as ReturnType<typeof speedscopeFile>;
    const { events } = broken.profiles[0]!;
    await writeFile(
      file,
      JSON.stringify({
        ...broken,
        profiles: [{ ...broken.profiles[0], events: events.toReversed() }],
      }),
    );
    const { page, wrong } = await opened(file);
    await page.getByText('Something went wrong').waitFor();
    expect(wrong).toEqual([expect.stringContaining('Tried to leave frame')]);
  });
});
