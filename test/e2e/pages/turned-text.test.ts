import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { build, program } from '../../cli/pty.ts';
import { newFolder } from '../../store/folder.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { showPage } from './show-page.ts';

// Marks that turn the direction of writing around turn nothing in the page, and are seen.

const turned = '/tmp/\u202egnp.exe\u202c';
const all = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const turns = new RegExp(`[${all}]`);

describe.skipIf(!hasBrowser)('texts that turn writing around', () => {
  let browser: Browser;
  let store: string;

  beforeAll(async () => {
    build();
    browser = await openBrowser();
    store = await newFolder();
    await using made = await openStore(store);
    const session = await made.open('turned', {
      window: 2_048,
      title: `Open ${turned}`,
      system: `You open ${turned} ${all}`,
    });
    await session.append({ role: 'user', content: `Open ${turned} first` });
    for (let n = 0; n < 24; n += 1)
      await session.append({
        role: n % 6 === 0 ? 'user' : 'assistant',
        content: `Ran /srv/\u202egnp-${n}.exe\u202c/run.sh ${'on port 4310 and then some more '.repeat(9)}`,
      });
    await session.settled();
  }, 60_000);

  afterAll(() => browser.close());

  /** All that is read and heard in a page, and what its window is called. */
  const shownIn = (page: Page) =>
    page.evaluate<string>(
      `[document.title, document.body.innerText, ...[...document.querySelectorAll('body *')].flatMap((one) =>
        ['title', 'aria-label', 'aria-valuetext', 'label'].map((name) => one.getAttribute(name) ?? ''))].join('\\n')`,
    );

  async function expectSeen(page: Page): Promise<void> {
    await expect.poll(() => page.locator('.prompt .piece').count()).toBeGreaterThan(2);
    await expect.poll(() => page.locator('.loss .diff li').count()).toBeGreaterThan(0);
    const text = await shownIn(page);
    expect(text).toContain(`You open /tmp/·gnp.exe· ${'·'.repeat(all.length)}`);
    expect(text).toContain('Open /tmp/·gnp.exe·');
    expect(text).toMatch(/\/srv\/·gnp-\d+\.exe·/);
    expect(turns.exec(text)).toBeNull();
    await page.locator('.prompt .piece .ref').first().click();
    await expect.poll(() => page.getByRole('dialog').locator('article').count()).toBe(1);
    expect(turns.exec(await shownIn(page))).toBeNull();
  }

  test('are seen for what they are in a page that is served', async () => {
    const { page } = await showPage(browser, ['turned', '--store', store]);
    await expectSeen(page);
  });

  test('are seen for what they are in a page that is a file', async () => {
    const file = join(store, 'turned.html');
    const words = ['export', 'turned', '--as', 'html', '--store', store, '-o', file];
    expect(spawnSync(process.execPath, [program, ...words]).status).toBe(0);
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    onTestFinished(() => page.close());
    await page.goto(pathToFileURL(file).href);
    await expectSeen(page);
  });
});
