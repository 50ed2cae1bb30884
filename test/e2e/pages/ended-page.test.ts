import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build, program } from '../../cli/pty.ts';
import { newFolder } from '../../store/folder.ts';
import { hasBrowser, openBrowser } from './browser.ts';

// The page of a session after the program that serves it has ended: it says so, and nothing that is false.

const asked = 'This cannot be asked any more: flamestack view has ended.';
const unread = 'This was not read before flamestack view ended.';

describe.skipIf(!hasBrowser)('the page of a session whose server has ended', () => {
  let browser: Browser;
  let store: string;

  beforeAll(async () => {
    build();
    browser = await openBrowser();
    store = await newFolder();
    const words = ['import', 'examples/notes-app.jsonl', '--id', 'notes', '--store', store];
    expect(spawnSync(process.execPath, [program, ...words]).status).toBe(0);
    const second = ['import', 'examples/notes-app.jsonl', '--id', 'again', '--store', store];
    expect(spawnSync(process.execPath, [program, ...second]).status).toBe(0);
  }, 60_000);

  afterAll(() => browser.close());

  /** The page, read to its end, and nobody who serves it any more. */
  async function endedPage(options: readonly string[] = ['--live']): Promise<Page> {
    const words = ['view', 'notes', '--json', '--store', store, ...options];
    const child = spawn(process.execPath, [program, ...words], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const { link } = JSON.parse(String(printed)) as { link: string };
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await page.close();
      expect(wrong).toEqual([]);
    });
    await page.goto(link);
    await expect
      .poll(() => page.locator('.connection').first().textContent())
      .toMatch(/^(?:at the end|stored)$/);
    await expect.poll(() => page.locator('.prompt .piece').count()).toBeGreaterThan(2);
    await expect.poll(() => page.locator('.loss .diff li').count()).toBeGreaterThan(0);
    child.kill('SIGINT');
    await once(child, 'exit');
    if (options.includes('--live'))
      await expect
        .poll(() => page.getByRole('alert').textContent())
        .toBe('flamestack view has ended; what it told is still here.');
    return page;
  }

  test('tells what somebody asks for as not to be asked, not as empty', async () => {
    const page = await endedPage();
    const panel = page.getByRole('dialog');
    const said = async (): Promise<readonly string[]> => {
      await expect.poll(() => panel.textContent()).toContain(asked);
      return [await panel.locator('header .quiet').first().textContent().then(String)];
    };
    const isEmpty = /0 entr|Nothing found|No such name|0 different|Loading/;
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('port');
    await search.press('Enter');
    expect(await said()).toEqual(['']);
    expect(await panel.textContent()).not.toMatch(isEmpty);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'names that this prompt has nowhere' }).click();
    await said();
    expect(await panel.textContent()).not.toMatch(isEmpty);
    await page.keyboard.press('Escape');
    await page.locator('.prompt .missing .ref').first().click();
    await said();
    expect(await panel.textContent()).not.toMatch(isEmpty);
    await page.keyboard.press('Escape');
    const folded = page.locator('.loss .gone details').first();
    await folded.locator('summary').click();
    await expect.poll(() => folded.textContent()).toContain(asked);
    await page.keyboard.press('b');
    await said();
    expect(await panel.textContent()).not.toContain('no other session');
  });

  test('ends to load what it can read no more, and has again what it had', async () => {
    const page = await endedPage(['--window', '8k']);
    await page.getByRole('button', { name: 'State machines' }).click();
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    const told = (place: string) => page.locator(place).textContent();
    await expect.poll(() => told('.prompt header')).toContain(`${unread} This is of step `);
    await expect.poll(() => told('.loss .scroll')).toContain(unread);
    await expect.poll(() => told('.machines')).toContain(unread);
    await expect.poll(() => told('section.beside')).toContain(unread);
    expect(await page.getByText('Loading').filter({ visible: true }).count()).toBe(0);
    await page.keyboard.press('End');
    await expect.poll(() => told('.prompt header')).not.toContain(unread);
    await expect.poll(() => page.locator('.loss .diff li').count()).toBeGreaterThan(0);
  });

  test('a session that stands beside it no more is not said to be missing', async () => {
    const page = await endedPage();
    await page.evaluate("location.hash = 'beside=again'");
    await expect
      .poll(() => page.locator('.astray').textContent())
      .toContain('The session "again" cannot be asked for: flamestack view did not answer.');
  });
});
