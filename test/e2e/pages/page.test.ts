import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type Inspection, type Session } from '../../../src/index.ts';
import { startViewer, type Lines } from '../../../src/viewer/server.ts';
import { bundledPage, hasBrowser, openBrowser } from './browser.ts';

// The page in a real browser, served as `flamestack inspect --page` serves it.

describe.skipIf(!hasBrowser)('the page', () => {
  let browser: Browser;
  let folder: URL;

  beforeAll(async () => {
    folder = await bundledPage(mkdtempSync(join(tmpdir(), 'flamestack-page-')));
    browser = await openBrowser();
  });

  afterAll(() => browser.close());

  /** The page with these lines in it; nothing may be wrong with it at the end, and it asks nobody else. */
  async function show(inspections: Lines, width = 1_400): Promise<Page> {
    const viewer = await startViewer({ routes: { inspections }, folder });
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const wrong: string[] = [];
    page.on('console', (said) => wrong.push(`${said.type()}: ${said.text()}`));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (asked) => {
      if (new URL(asked.url()).origin !== new URL(viewer.link).origin) wrong.push(asked.url());
    });
    onTestFinished(async () => {
      await page.close();
      await viewer.close();
      expect(wrong).toEqual([]);
    });
    await page.goto(viewer.link);
    return page;
  }

  const count = (page: Page) => page.locator('output').textContent();
  const lit = (page: Page) => page.locator('.state.active').textContent();

  async function played(): Promise<Session> {
    const store = await openStore(':memory:');
    onTestFinished(() => store.close());
    const session = await store.open('notes', { window: 2_048 });
    await session.append({ role: 'user', content: 'Build the notes app' });
    await session.push({ title: 'User accounts' });
    for (let n = 0; n < 60; n += 1)
      await session.append({
        role: 'assistant',
        content: `Step ${n}: ${'words and more '.repeat(20)}`,
      });
    await session.pop({ status: 'failed', results: 'No accounts.' });
    return session;
  }

  test('shows a session: its actors, a chart with the state lit, the transition, the moment', async () => {
    const session = await played();
    const page = await show((signal) => session.inspect({ live: false, signal }));
    await expect.poll(() => page.locator('.connection').textContent()).toBe('stored');
    expect(await page.evaluate('location.hash')).toBe('');
    await page.getByRole('option', { name: 'f1 failed' }).click();
    expect(await lit(page)).toBe('failed');
    expect(await page.locator('.arrow.last').textContent()).toContain('frame.fail');
    await page.keyboard.press('ArrowLeft');
    expect(await lit(page)).toBe('in_progress');
    await page.keyboard.press('ArrowLeft');
    expect(await lit(page)).toBe('planned');
    await page.keyboard.press('Home');
    expect(await count(page)).toMatch(/^1 \/ /);
    expect(await page.locator('.actor').allTextContents()).toEqual(['●notesopen']);
  });

  test('what is searched for is what is listed, and stepped through', async () => {
    const session = await played();
    const page = await show((signal) => session.inspect({ live: false, signal }));
    await expect.poll(() => page.locator('.connection').textContent()).toBe('stored');
    await page.getByRole('searchbox').fill('frame.fail');
    await expect
      .poll(() => page.locator('.move').allTextContents())
      .toEqual([expect.stringMatching(/frame\.failin_progress → failed$/)]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.moment h2').textContent()).toBe('notes/f1');
  });

  test('goes on with what comes, and stays where a person looks', async () => {
    const session = await played();
    const page = await show(async function* (signal) {
      yield { live: true };
      yield* session.inspect({ signal });
    });
    await expect.poll(() => page.locator('.connection').textContent()).toBe('at the end');
    await session.push({ title: 'Notes' });
    await expect.poll(() => lit(page)).toBe('in_progress');
    await page.keyboard.press('Home');
    expect(await page.locator('.connection').textContent()).toMatch(/^\d+ steps? behind$/);
    const before = await count(page);
    await session.append({ role: 'user', content: 'Go on' });
    await expect.poll(() => count(page)).not.toBe(before);
    expect(await count(page)).toMatch(/^1 \/ /);
    await page.keyboard.press('End');
    expect(await page.locator('.connection').textContent()).toBe('at the end');
  });

  const move = (n: number, told: Partial<Inspection>): Inspection => ({
    seq: n,
    n: 0,
    at: n,
    actor: `s/f${n % 500}`,
    parent: 's',
    machine: 'frame',
    version: '1',
    event: { type: 'frame.start' },
    from: n < 500 ? null : 'planned',
    value: 'in_progress',
    context: {},
    status: 'active',
    ...told,
  });

  test('20,000 events, on a narrow screen, too', async () => {
    const page = await show(async function* () {
      for (let n = 0; n < 20_000; n += 1) yield move(n, {});
    }, 700);
    await expect.poll(() => count(page)).toBe('20,000 / 20,000');
    expect(await page.locator('.move').count()).toBeLessThan(100);
    await page.getByRole('slider').fill('12345');
    expect(await count(page)).toBe('12,346 / 20,000');
    expect(await page.locator('.move.now .seq').textContent()).toBe('12345');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('what was said is text, whatever it says', async () => {
    const title = '<img src="https://evil.example/x" onerror="document.title=1">';
    const page = await show(async function* () {
      yield move(0, { context: { title }, event: { type: title } });
    });
    await expect.poll(() => page.locator('dd').first().textContent()).toBe(title);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Flamestack inspector');
  });

  test('without the link it says how it is opened', async () => {
    const viewer = await startViewer({ routes: {}, folder });
    onTestFinished(() => viewer.close());
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(new URL('/', viewer.link).href);
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/flamestack inspect/);
  });
});
